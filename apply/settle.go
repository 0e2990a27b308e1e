package apply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
)

// A repairing is the work on one journal.
type repairing struct {
	w        *Workspace // of the request
	oj       *openJournal
	patience *patience // of this repair
	targets  []*repairTarget
}

// A repairTarget is a step of the journal beside whose file its marker lies.
type repairTarget struct {
	recordStep
	t   *target
	now string // the tag of the file
	old string // the name beside it of the old file
}

func (rp *repairing) close() {
	for _, t := range rp.targets {
		t.t.close()
	}
}

func (rp *repairing) paths() []string {
	var paths []string
	for _, t := range rp.targets {
		paths = append(paths, filepath.Join(rp.w.dir, t.t.rel))
	}
	return paths
}

// find finds the files that have the marker of the journal. Others are not
// touched.
func (rp *repairing) find(ctx context.Context) error {
	for _, s := range rp.oj.rec.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := rp.w.locate(s.Path)
		if err != nil || t.rel != filepath.FromSlash(s.Path) {
			if err == nil {
				t.close()
			}
			continue // it is not where it was, so no marker of ours is there
		}
		t.many = len(rp.oj.rec.Steps) > mostOpen
		if !rp.names(rp.w.pending(t)) {
			t.close()
			continue
		}
		rp.targets = append(rp.targets, &repairTarget{recordStep: s, t: t, now: noFile})
		t.pause()
	}
	return nil
}

// names reports whether a marker names the journal, and is his who wrote that.
func (rp *repairing) names(p *pending) bool {
	return removed("marker") || p != nil && p.odd == nil && p.path == rp.oj.path && (sameUser(p.info, rp.oj.info) || removed("maker"))
}

func (rp *repairing) run() error {
	rp.targets = slices.DeleteFunc(rp.targets, func(t *repairTarget) bool {
		if rp.names(rp.w.pending(t.t)) {
			return false
		}
		t.t.close()
		return true
	})
	if !rp.oj.done() {
		// Markers are there, all of them, from before the first change until it is
		// done.
		if len(rp.targets) < len(rp.oj.rec.Steps) && !removed("whole") {
			return errors.New("not all of them are to be seen from here, or their markers are gone")
		}
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
		if err := rp.at(t, rp.look); err != nil {
			return fmt.Errorf("%s: %w", quotePath(t.Path), err)
		}
		done = done && t.now == t.After
	}
	if !done {
		// Nothing is changed unless all can be.
		for _, t := range rp.targets {
			if t.now != t.Before && t.Before != noFile && t.old == "" {
				return errors.New(quotePath(t.Path) + ": the old file is not beside it any more")
			}
		}
		for _, t := range slices.Backward(rp.targets) {
			if t.now == t.Before {
				continue
			}
			err := rp.at(t, func(t *repairTarget) error {
				return rp.w.step("repair", func() error { return rp.undo(t) })
			})
			if err != nil {
				return fmt.Errorf("%s: %w", quotePath(t.Path), err)
			}
		}
		dirs := map[string]bool{}
		for _, t := range rp.targets {
			dirs[filepath.Dir(t.t.rel)] = true
		}
		for dir := range dirs {
			if removed("repairsync") {
				break
			}
			if err := rp.w.step("syncdir", func() error { return rp.w.syncDir(dir) }); err != nil {
				return err
			}
		}
	}
	return rp.w.step("repair", func() error {
		done := doneName(rp.oj.name)
		err := rp.oj.dir.Rename(rp.oj.name, done)
		if err == nil {
			rp.oj.name = done
		}
		return err
	})
}

// at does something in t's directory.
func (rp *repairing) at(t *repairTarget, do func(*repairTarget) error) error {
	if err := rp.w.resume(t.t); err != nil {
		return err
	}
	defer t.t.pause()
	return do(t)
}

// look finds out what is in t's place, and where the old file is.
func (rp *repairing) look(t *repairTarget) error {
	var err error
	if t.now, err = tagOfFile(t.t.dir, t.t.base); err != nil {
		return err
	}
	if t.now != t.Before && t.now != t.After && !removed("repairlook") {
		return errors.New("it has changed since")
	}
	for _, name := range []string{backupName(t.Temp), t.Temp} {
		tag, err := tagOfFile(t.t.dir, name)
		if err != nil {
			return err
		}
		if tag == t.Before && tag != noFile {
			t.old = name
		}
	}
	return nil
}

// tagOfFile returns the tag of a file; noFile if there is none.
func tagOfFile(dir *os.Root, name string) (string, error) {
	f, _, err := openRegular(dir, name)
	if code, _ := CodeOf(err); code == FileNotFound {
		return noFile, nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	return tagOfOpen(f)
}

func tagOfOpen(f *os.File) (string, error) {
	digest := xxhash.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{digest}, f, make([]byte, 256<<10)); err != nil {
		return "", err
	}
	return hashline.Tag(digest.Sum64()).String(), nil
}

// undo puts the old file in t's place, or none.
func (rp *repairing) undo(t *repairTarget) error {
	if t.Before == noFile {
		// One file under two names stays so when one is renamed to the other.
		if sameFile(t.t.dir, t.t.base, t.Temp) {
			return t.t.dir.Remove(t.t.base)
		}
		return t.t.dir.Rename(t.t.base, t.Temp)
	}
	dir, err := t.t.dir.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if t.now == noFile {
		err = rp.w.step("noreplace", func() error { return renameNew(dir, t.old, t.t.base) })
	} else {
		err = rp.w.step("exchange", func() error { return exchange(dir, t.old, t.t.base) })
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = t.t.dir.Rename(t.old, t.t.base)
	}
	return err
}

func sameFile(dir *os.Root, a, b string) bool {
	ia, err1 := dir.Lstat(a)
	ib, err2 := dir.Lstat(b)
	return err1 == nil && err2 == nil && os.SameFile(ia, ib)
}

// clean removes what lies beside the files, the directories that were made if
// nothing is in them, and the journal last.
func (rp *repairing) clean() error {
	for _, t := range rp.targets {
		if err := rp.at(t, rp.cleanBeside); err != nil {
			return err
		}
	}
	for _, dir := range slices.Backward(rp.oj.rec.Made) {
		if err := rp.cleanDir(filepath.FromSlash(dir)); err != nil {
			return err
		}
	}
	return rp.w.step("repair", func() error { return rp.oj.dir.Remove(rp.oj.name) })
}

// cleanDir removes a directory that was made, if nothing is in it, and its marker.
func (rp *repairing) cleanDir(rel string) error {
	dir, err := rp.w.root.OpenRoot(filepath.Dir(rel))
	if err != nil {
		return nil // it was not made
	}
	defer dir.Close()
	if !rp.names(rp.w.pendingAt(dir, rel)) {
		return nil
	}
	if info, err := dir.Lstat(filepath.Base(rel)); err == nil && info.IsDir() {
		err := rp.w.step("repair", func() error { return dir.Remove(filepath.Base(rel)) })
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrPermission) {
			return err // but if something is in it, it stays
		}
	}
	return rp.w.step("repair", func() error { return dir.Remove(markerName(filepath.Base(rel))) })
}

func (rp *repairing) cleanBeside(t *repairTarget) error {
	for _, name := range []string{t.Temp, backupName(t.Temp)} {
		if err := rp.drop(t, name); err != nil {
			return err
		}
	}
	return rp.w.step("repair", func() error { return t.t.dir.Remove(markerName(t.t.base)) })
}

// drop removes what lies beside t under name. What others wrote to it is kept.
func (rp *repairing) drop(t *repairTarget, name string) error {
	f, _, err := openRegular(t.t.dir, name)
	if code, _ := CodeOf(err); code == FileNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	busy := errors.Is(rp.patience.lease(f), errBusy)
	tag, err := tagOfOpen(f)
	if err != nil {
		return err
	}
	// Before it is ready, the journal does not say what the new file will be.
	if !busy && (tag == t.Before || tag == t.After || !rp.oj.rec.Ready) {
		return rp.w.step("repair", func() error { return t.t.dir.Remove(name) })
	}
	return rp.w.step("keep", func() error { return t.t.dir.Rename(name, keptName(t.t.base)) })
}
