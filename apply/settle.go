package apply

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
)

// A repairing is the work on one journal.
type repairing struct {
	w       *Workspace
	journal string
	rec     *record
	targets []*repairTarget
}

// A repairTarget is one step of the journal.
type repairTarget struct {
	recordStep
	t      *target
	marked bool   // its marker names this journal
	now    string // its tag, or "-"
}

func (rp *repairing) close() {
	for _, t := range rp.targets {
		t.t.close()
	}
}

func (rp *repairing) run() error {
	all := true
	for _, s := range rp.rec.Steps {
		t, err := rp.w.locate(s.Path)
		if err != nil {
			return err
		}
		t.many = len(rp.rec.Steps) > mostOpen
		rt := &repairTarget{recordStep: s, t: t, now: "-"}
		rp.targets = append(rp.targets, rt)
		p := rp.w.pending(t)
		rt.marked = p != nil && p.path == rp.journal
		all = all && rt.marked
		t.pause()
	}
	// Markers are there, all of them, from before the first change until after the
	// last. If one is missing, nothing was changed yet, or all is done.
	if rp.rec.Ready && all {
		if err := rp.settle(); err != nil {
			return err
		}
	}
	return rp.clean()
}

// settle brings all files to one side: to the new if they are all new already, else
// to the old.
func (rp *repairing) settle() error {
	done := true
	for _, t := range rp.targets {
		if err := rp.look(t); err != nil {
			return err
		}
		if t.now != t.Before && t.now != t.After {
			return errors.New(quotePath(t.Path) + " has changed since")
		}
		done = done && t.now == t.After
	}
	if done {
		return nil
	}
	for _, t := range slices.Backward(rp.targets) {
		if t.now == t.Before {
			continue
		}
		if err := rp.w.step("repair", func() error { return rp.undo(t) }); err != nil {
			return errors.New(quotePath(t.Path) + ": " + err.Error())
		}
	}
	return rp.sync()
}

// look finds out what is in t's place.
func (rp *repairing) look(t *repairTarget) error {
	if err := rp.w.resume(t.t); err != nil {
		return err
	}
	defer t.t.pause()
	if t.t.dir == nil {
		return nil
	}
	tag, err := tagOfFile(t.t.dir, t.t.base)
	if err == nil {
		t.now = tag
	}
	return err
}

// tagOfFile returns the tag of a file; "-" if there is none.
func tagOfFile(dir *os.Root, name string) (string, error) {
	f, _, err := openRegular(dir, name)
	if code, _ := CodeOf(err); code == FileNotFound {
		return "-", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	digest := xxhash.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{digest}, f, make([]byte, 256<<10)); err != nil {
		return "", err
	}
	return hashline.Tag(digest.Sum64()).String(), nil
}

// undo puts the old file in t's place, or none.
func (rp *repairing) undo(t *repairTarget) error {
	if err := rp.w.resume(t.t); err != nil {
		return err
	}
	defer t.t.pause()
	dir, err := t.t.dir.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if t.Before == "-" {
		return t.t.dir.Rename(t.t.base, t.Temp)
	}
	old, err := tagOfFile(t.t.dir, t.Temp)
	if err != nil {
		return err
	}
	if old != t.Before {
		return errors.New("the old file is not beside it any more")
	}
	if t.After == "-" {
		err = renameNew(dir, t.Temp, t.t.base)
	} else {
		err = exchange(dir, t.Temp, t.t.base)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = t.t.dir.Rename(t.Temp, t.t.base)
	}
	return err
}

// sync makes what was put right durable.
func (rp *repairing) sync() error {
	for _, t := range rp.targets {
		if err := rp.w.syncDir(filepath.Dir(t.t.rel)); err != nil {
			return err
		}
	}
	return nil
}

// clean removes what lies beside the files, the directories that were made if the
// files in them are not, and the journal last.
func (rp *repairing) clean() error {
	for _, t := range rp.targets {
		if err := rp.w.resume(t.t); err != nil {
			return err
		}
		if t.t.dir == nil {
			continue
		}
		err := rp.cleanBeside(t)
		t.t.pause()
		if err != nil {
			return err
		}
	}
	for _, dir := range slices.Backward(rp.rec.Made) {
		if filepath.IsLocal(filepath.FromSlash(dir)) {
			rp.w.root.Remove(filepath.FromSlash(dir)) // fails if there is a file in it
		}
	}
	return rp.w.step("repair", func() error { return os.Remove(rp.journal) })
}

func (rp *repairing) cleanBeside(t *repairTarget) error {
	tag, err := tagOfFile(t.t.dir, t.Temp)
	switch {
	case err != nil:
		return err
	case tag == "-":
	case !t.marked && !rp.makes(t):
	case tag == t.Before || tag == t.After || !rp.rec.Ready:
		if err := rp.w.step("repair", func() error { return t.t.dir.Remove(t.Temp) }); err != nil {
			return err
		}
	default: // somebody wrote to it
		if err := t.t.dir.Rename(t.Temp, keptName(t.t.base)); err != nil {
			return err
		}
	}
	if t.marked {
		return rp.w.step("repair", func() error { return t.t.dir.Remove(markerName(t.t.base)) })
	}
	return nil
}

// makes reports whether t is in a directory that the request made.
func (rp *repairing) makes(t *repairTarget) bool {
	return slices.Contains(rp.rec.Made, filepath.ToSlash(filepath.Dir(t.t.rel)))
}
