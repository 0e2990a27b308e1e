package apply

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
)

// carryOut writes the changes, unless there are none or it is a dry run, and
// returns the answer.
func (j *job) carryOut(ctx context.Context) *Answer {
	steps := j.steps()
	answer := &Answer{Status: Applied, Moves: j.moves()}
	switch {
	case len(steps) == 0:
		answer.Status = Unchanged
	case j.opt.DryRun:
		j.rehearse(steps)
	default:
		tx := &transaction{w: j.w, opt: &j.opt, steps: steps}
		durable, err := tx.run(ctx)
		if err != nil {
			return j.undone(tx, err)
		}
		answer.Durable = &durable
		if !durable && !j.opt.NoSync {
			tx.steps[0].warn("not_durable", "the new file is in place, but the system could not say that it would survive a power cut")
		}
	}
	if len(j.failures) > 0 {
		return j.failed()
	}
	if len(j.left) > 0 {
		// Only with Options.Partial: the others are done, and these are to be sent again.
		j.failures = j.left
		left := j.failed()
		if answer.Failures = left.Failures; answer.Status == Unchanged {
			return left
		}
		answer.Status, answer.left = Partial, true
	}
	byFile := map[*file]*replacement{}
	for _, r := range steps {
		byFile[r.f] = r
	}
	for _, f := range j.files {
		// A file may leave its name, and another be made under it.
		if f.c != nil && f.c != f.made && !f.emptied {
			f.answer(f.c, byFile)
			answer.Files = append(answer.Files, f.c.answer)
		}
		if f.made != nil {
			f.answer(f.made, byFile)
			answer.Files = append(answer.Files, f.made.answer)
		}
	}
	return answer
}

// steps returns what has to be done with which name.
func (j *job) steps() []*replacement {
	var steps []*replacement
	waits := newPatience()
	for _, f := range j.files {
		r := &replacement{w: j.w, patience: waits, t: f.t, snap: f.snap, opt: &j.opt, f: f, like: f}
		switch {
		case f.arrives != nil && f.arrives.Op == "rename":
			from := f.arrives.file
			r.content, r.like = from.c.of(from.snap), from
		case f.made != nil:
			r.content, r.like = f.made.of(f.snap), nil
		case f.leaves != nil:
		case f.c.same(f.snap):
			continue
		default:
			r.content = f.c.of(f.snap)
		}
		steps = append(steps, r)
	}
	return steps
}

// of returns the new bytes of a file that was snap.
func (c *change) of(snap *snapshot) io.WriterTo {
	switch {
	case c.spliced != nil:
		return c.spliced
	case c.content != nil:
		return bytes.NewReader(c.content)
	}
	return bytes.NewReader(snap.src)
}

// rehearse notes what would keep the steps from being taken.
func (j *job) rehearse(steps []*replacement) {
	for _, r := range steps {
		err := j.w.resume(r.t)
		if err == nil {
			err = j.w.mayReplace(r.t, r.snap)
		}
		r.t.pause()
		if err != nil {
			r.f.fail(err, "")
			continue
		}
		if r.content != nil {
			r.tag = tagOf(r.content)
		}
	}
}

func tagOf(content io.WriterTo) hashline.Tag {
	digest := xxhash.New()
	content.WriteTo(digest) // a digest does not fail
	return hashline.Tag(digest.Sum64())
}

// answer completes the answer of c, a change of f, once its steps are taken.
func (f *file) answer(c *change, steps map[*file]*replacement) {
	c.answer.Path = f.path
	tag, goes, changed := f.snap.tag, f, false
	switch {
	case c.answer.Change != "":
	case f.snap.info == nil:
		c.answer.Change = "created" // by a write
	case f.leaves != nil:
		c.answer.Change, c.answer.ToPath = "renamed", f.leaves.ToPath
		a := EditAnswer{Edit: f.leaves.index, Op: "rename", ToPath: f.leaves.ToPath, Tier: "whole"}
		if b := f.leaves.block; b != nil && b.Op == searchreplace.Rename { // else its text has them
			a.Notes = f.leaves.notes()
		}
		c.answer.Edits = append([]EditAnswer{a}, c.answer.Edits...)
		goes = f.leaves.dest
	}
	if r := steps[f]; r != nil && goes != f && f.c == c {
		c.answer.Warnings = append(c.answer.Warnings, r.warnings...)
	}
	if r := steps[goes]; r != nil {
		changed, tag = true, r.tag
		c.answer.Warnings = append(c.answer.Warnings, r.warnings...)
	}
	if others := f.j.req.others; len(others) > 0 {
		slices.Sort(others)
		c.warn("other_path", "the reply names another file, "+quotePath(strings.Join(slices.Compact(others), ", "))+"; FILE was taken")
	}
	if c.giveTag {
		c.answer.Base = tag.String()
	}
	if !changed && len(steps) > 0 {
		c.answer.Change = "unchanged"
	}
	if f.j.opt.Diff && changed {
		f.diff(c, goes)
	}
	if c.answer.Change == "removed" {
		return
	}
	if err := f.snippet(c); err != nil {
		c.warn("no_snippet", "the new lines cannot be shown: "+err.Error())
	}
}

// undone returns the answer to a request that could not be carried out, or that
// was in part and could not be undone.
func (j *job) undone(tx *transaction, err error) *Answer {
	f := j.files[0]
	var failed *replacement
	if step, ok := errors.AsType[*stepError](err); ok {
		failed = step.step
		f, err = failed.f, step.err
	}
	f.fail(err, "")
	for _, r := range tx.steps {
		if r.kept != "" && r != failed && !r.stuck {
			r.f.fail(&keptError{refuse(FileChanged, "another program changed it while it was changed back"), r.kept}, "")
		}
	}
	for i, r := range tx.stuck {
		failure := FailureOf(r.f.path, tx.why[i])
		failure.entry, failure.Kept = r.f.entry, r.kept
		failure.Message = "it could not be changed back: " + failure.Message
		j.failures = append(j.failures, failure)
	}
	answer := j.failed()
	if len(tx.stuck) == 0 {
		return answer
	}
	answer.Status = Partial
	for _, r := range tx.steps {
		answer.Files = append(answer.Files, FileAnswer{Path: r.f.path, Change: tx.now(r)})
	}
	return answer
}

// now returns what is under the name of a step that was to be undone, or was not
// reached. Others may have changed that as well, so it looks.
func (tx *transaction) now(r *replacement) string {
	tag := noFile
	err := r.step("look", func() (err error) {
		if err = tx.w.resume(r.t); err == nil && r.t.dir != nil {
			tag, err = tagOfFile(r.t.dir, r.t.base)
		}
		r.t.pause()
		return err
	})
	code, _ := CodeOf(err)
	stands := r.stuck && err == nil && tag == r.after()
	switch {
	case code == NotRegular || code == FileChanged:
		return "foreign"
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "unknown"
	case tag == r.before():
		return "unchanged"
	case stands && r.creates():
		return "created"
	case stands && r.removes():
		return "removed"
	case stands:
		return ""
	case tag == noFile:
		return "gone"
	}
	return "foreign"
}
