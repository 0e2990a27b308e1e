package apply

import (
	"context"
	"slices"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// Options are how a request is carried out. The zero Options are the defaults.
type Options struct {
	DryRun   bool             // answer what the real run would; write nothing
	Diff     bool             // put the change as a unified diff into the answer
	Relocate bool             // follow anchors whose lines moved
	Scheme   *hashline.Scheme // of fresh anchors; Content also lets content anchors stand alone
	Encoding string           // of files that are not UTF-8; a request's own wins
	MaxSize  int64            // of a file, in bytes; 0 for DefaultMaxSize

	LockTimeout time.Duration // how long to wait for others that edit the file; 0 for 10 s

	BreakHardlinks bool // replace a file with several names under one of them, and leave the others
	NoSync         bool // leave it to the system when the bytes reach the disk
}

// Edit carries out req. If it has problems, nothing is written, and the answer
// reports them beside what else is wrong. Of several failures of a request all are reported.
func (w *Workspace) Edit(ctx context.Context, req *Request, opt Options) *Answer {
	if opt.MaxSize == 0 {
		opt.MaxSize = DefaultMaxSize
	}
	failures := slices.Clone(req.problems)
	switch {
	case len(req.Files) > 1:
		failures = append(failures, Failure{Code: Unsupported, Message: "a request for several files is not supported yet; send one request a file"})
	case len(req.Files) == 0 && len(failures) == 0:
		failures = append(failures, Failure{Code: InvalidInput, Message: "the request names no file"})
	}
	var answer *Answer
	if len(req.Files) == 1 {
		e := &editing{w: w, req: &req.Files[0], opt: opt, failures: failures}
		answer = e.run(ctx)
	} else {
		answer = AnswerOf(failures...)
	}
	answer.DryRun = opt.DryRun
	return answer
}

// An editing is the work on one file.
type editing struct {
	w        *Workspace
	req      *FileRequest
	opt      Options
	failures []Failure
	enc      *text.Encoding
}

func (e *editing) run(ctx context.Context) *Answer {
	edits, index, write, failures := editsOf(e.req)
	e.failures = append(e.failures, failures...)
	base := e.base()
	enc, err := e.encoding()
	if err != nil {
		e.fail(err, "encoding")
	}
	e.enc = enc
	t, unlock := e.find(ctx)
	defer unlock()
	var snap *snapshot
	if t != nil {
		defer t.close()
		// A create is not carried out yet; it is answered as what it is all the same.
		makes := func(edit Edit) bool { return edit.Op == "write" || edit.Op == "create" }
		snap = e.read(t, slices.ContainsFunc(e.req.Edits, makes))
	}
	if len(e.req.Edits) == 0 && len(e.failures) == 0 {
		e.fail(refuse(InvalidInput, "the request holds no edits; send at least one"), "edits")
	}
	var c *change
	switch {
	case snap == nil || err != nil:
	case write != nil:
		c = e.write(write, snap, base)
	case len(edits) > 0:
		c = e.edit(edits, index, snap, base)
	}
	if c == nil || len(e.failures) > 0 {
		answer := e.failed()
		if c != nil && len(answer.Failures) == len(c.stale) {
			answer.Moves, answer.Retry = c.moves, c.retry
		}
		return answer
	}
	return e.finish(ctx, t, snap, c)
}

// failed returns the answer for the failures so far, in the order of the edits.
func (e *editing) failed() *Answer {
	order := func(f Failure) int {
		if f.Edit == nil {
			return -1
		}
		return *f.Edit
	}
	for i := range e.failures {
		e.failures[i].File = e.req.Path
	}
	slices.SortStableFunc(e.failures, func(a, b Failure) int { return order(a) - order(b) })
	return AnswerOf(e.failures...)
}

// ofAnEdit reports whether f is about one edit.
func ofAnEdit(f Failure) bool { return f.Edit != nil }

// fail notes err, which is about the whole file.
func (e *editing) fail(err error, field string) {
	f := FailureOf(e.req.Path, err)
	f.Field = field
	e.failures = append(e.failures, f)
}

func (e *editing) base() *hashline.Tag {
	if e.req.Base == "" {
		return nil
	}
	tag, ok := hashline.ParseTag(e.req.Base)
	switch {
	case ok:
		return &tag
	case e.req.Base == "-":
		e.fail(refuse(InvalidInput, `base "-" says that the read gave no tag; leave base out`), "base")
	default:
		e.fail(refuse(InvalidInput, "base %q is no tag; copy the 16 digits of base= from a read of the whole file, or leave it out", clip(e.req.Base)), "base")
	}
	return nil
}

func (e *editing) encoding() (*text.Encoding, error) {
	name := e.req.Encoding
	if name == "" {
		name = e.opt.Encoding
	}
	if name == "" {
		return nil, nil
	}
	enc, err := text.LookupEncoding(name)
	return enc, textError(err)
}

// find finds the file and takes its lock. The target is nil if there is a failure.
func (e *editing) find(ctx context.Context) (t *target, unlock func()) {
	unlock = func() {}
	if e.req.Path == "" && len(e.failures) > 0 {
		return nil, unlock // reported by Decode
	}
	t, err := e.w.locate(e.req.Path)
	if err == nil {
		var held func()
		if held, err = e.w.lock(ctx, t, !e.opt.DryRun, e.opt.LockTimeout); err == nil {
			return t, held
		}
		t.close()
	}
	e.fail(err, "path")
	return nil, unlock
}

// read reads the file. With missingOK the snapshot of a file that does not exist
// is empty. The snapshot is nil if there is a failure.
func (e *editing) read(t *target, missingOK bool) *snapshot {
	if t.missing && missingOK {
		return &snapshot{}
	}
	snap, err := t.read(&e.opt)
	if err != nil {
		if code, _ := CodeOf(err); code == FileNotFound {
			err = refuse(FileNotFound, "%s", e.w.notFound(t))
		}
		e.fail(err, "path")
		return nil
	}
	return snap
}

// edit checks edits on anchors, which stand in the request at index.
func (e *editing) edit(edits []hashline.Edit, index []int, snap *snapshot, base *hashline.Tag) *change {
	doc, err := parse(snap.src, e.enc)
	if err != nil {
		e.fail(err, "")
		return nil
	}
	opt := hashline.Options{Relocate: e.opt.Relocate, Scheme: e.opt.Scheme, Others: slices.ContainsFunc(e.failures, ofAnEdit)}
	opt.Content = e.opt.Scheme != nil && *e.opt.Scheme == hashline.Content
	res := hashline.Format{}.Resolve(hashline.Snapshot{Doc: doc, Tag: snap.tag}, hashline.Request{Base: base, Edits: edits}, opt)
	c := &change{doc: doc, spliced: res.Spliced, scheme: res.Scheme}
	for _, m := range res.Moves {
		c.moves = append(c.moves, Move{index[m.Edit], m.Field, m.From, m.To})
	}
	if len(res.Failures) > 0 {
		for _, f := range res.Failures {
			c.stale = append(c.stale, e.failureOf(f, index[f.Edit], snap))
		}
		e.failures = append(e.failures, c.stale...)
		c.retry = e.retry(res)
		return c
	}
	e.describe(c, res, index)
	c.giveTag = res.BaseMatches && !numbersVoid(edits, res, doc.NumLines())
	if res.BaseChanged {
		c.warn("base_changed", "the file is not the one that base names any more; every edit was proved by its anchors")
	}
	if len(res.Moves) > 0 {
		c.warn("relocated", "some lines had moved, and their anchors were followed; see moves")
	}
	return c
}

func (e *editing) failureOf(f *hashline.Failure, edit int, snap *snapshot) Failure {
	out := Failure{
		Edit: &edit, Field: f.Field, Code: Code(f.Code), Message: f.Message, Anchor: f.Anchor,
		Context: linesOf(f.Context, e.enc), ShiftedAnchor: f.Shifted,
		Candidates: linesOf(f.Candidates, e.enc), Count: f.Count,
	}
	if f.Current != nil {
		line := lineOf(f.Current, e.enc)
		out.Current = &line
	}
	if f.Proves {
		out.Base = snap.tag.String()
	}
	return out
}

// retry returns the request on the anchors that its lines have now.
func (e *editing) retry(res *hashline.Resolution) *Request {
	if res.Retry == nil {
		return nil
	}
	fresh := *e.req
	fresh.Edits = slices.Clone(e.req.Edits)
	if !res.BaseMatches {
		fresh.Base = ""
	}
	spell := func(ref *hashline.Ref) string {
		if ref == nil {
			return ""
		}
		s := hashline.Format{}.Print(ref.Anchor)
		if ref.HasText {
			s += hashline.Arrow + ref.Text
		}
		return s
	}
	for i, edit := range res.Retry {
		fresh.Edits[i].Anchor, fresh.Edits[i].EndAnchor = spell(edit.Anchor), spell(edit.End)
	}
	return &Request{Files: []FileRequest{fresh}}
}

// finish writes the change, unless there is none or it is a dry run, and returns
// the answer.
func (e *editing) finish(ctx context.Context, t *target, snap *snapshot, c *change) *Answer {
	answer := &Answer{Status: Applied, Moves: c.moves}
	c.answer.Path = e.req.Path
	tag := snap.tag
	if c.same(snap) {
		answer.Status = Unchanged
	} else {
		var durable bool
		var err error
		if tag, durable, err = e.commit(ctx, t, snap, c); err != nil {
			e.fail(err, "")
			return e.failed()
		}
		if !e.opt.DryRun {
			answer.Durable = &durable
			if !durable && !e.opt.NoSync {
				c.warn("not_durable", "the new file is in place, but the system could not say that it would survive a power cut")
			}
		}
	}
	if c.giveTag {
		c.answer.Base = tag.String()
	}
	if e.opt.Diff && answer.Status == Applied {
		e.diff(c, t, snap)
	}
	if err := e.snippet(c); err != nil {
		c.warn("no_snippet", "the new lines cannot be shown: "+err.Error())
	}
	answer.Files = []FileAnswer{c.answer}
	return answer
}

// commit writes the change and returns the tag of the new file.
func (e *editing) commit(ctx context.Context, t *target, snap *snapshot, c *change) (tag hashline.Tag, durable bool, err error) {
	if e.opt.DryRun {
		return c.tag(), false, e.w.mayReplace(t, snap)
	}
	e.w.sweep(t)
	r, err := e.w.prepare(t, snap, c.writer(), &e.opt)
	if err != nil {
		return 0, false, err
	}
	if err := ctx.Err(); err != nil {
		r.discard()
		return 0, false, refuse(IOError, "it was interrupted before anything was written")
	}
	durable, err = r.commit()
	c.answer.Warnings = append(c.answer.Warnings, r.warnings...)
	return r.tag, durable, err
}
