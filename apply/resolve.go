package apply

import (
	"slices"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// A part is an edit that hashline is asked about: an op, or one of the two parts
// of a move or copy.
type part struct {
	op    *op
	place bool // where the lines come
}

// field returns the request's name for a field of the edit.
func (a part) field(name string) string {
	if a.place && name == "anchor" {
		return "to"
	}
	return name
}

// resolve checks the edits of a file against its snapshot. The change is nil if
// there is a failure.
func (f *file) resolve() {
	f.doc, f.is, f.res, f.asks, f.asked = nil, unknown, nil, nil, map[part]int{}
	f.found, f.blocks, f.c, f.made = nil, nil, nil, nil
	if f.snap == nil {
		return
	}
	switch a := f.arrives; {
	case a == nil:
	case a.Op != "write" && f.snap.info != nil && f.leaves == nil:
		name, next := f.j.req.Files[a.entry].Path, `edit it, or replace it with "write"`
		if a.Op == "rename" {
			name, next = a.ToPath, `choose another path, or remove it in the same request`
		}
		f.j.fail(a.entry, a, "", refuse(FileExists, "%s exists; %s", quotePath(name), next))
		return
	case a.Op == "write":
		f.write(a)
		return
	case a.Op == "create":
		f.create(a)
	}
	switch {
	case f.snap.info == nil && f.leaves != nil:
		f.j.fail(f.leaves.entry, f.leaves, "path", refuse(FileNotFound, "%s", f.notFound()))
		return
	case f.snap.info == nil:
		return
	case f.leaves != nil && f.leaves.Op == "remove":
		f.remove(f.leaves)
		return
	}
	doc, err := f.parse()
	if err != nil {
		f.fail(err, "")
		return
	}
	f.edit(doc)
}

// parse returns the file's text: nil for a file that only gets another name.
func (f *file) parse() (*text.Document, error) {
	if len(f.lines) == 0 && f.leaves != nil {
		return nil, nil
	}
	return parse(f.snap.src, f.enc)
}

// edit checks edits on lines.
func (f *file) edit(doc *text.Document) {
	f.doc = doc
	f.c = &change{doc: doc, scheme: hashline.Chunk}
	f.c.giveTag = f.base != nil && *f.base == f.snap.tag
	if f.j.opt.Scheme != nil {
		f.c.scheme = *f.j.opt.Scheme
	}
	if doc == nil {
		return
	}
	var edits []hashline.Edit
	ask := func(edit hashline.Edit, p part) {
		edit.Label = f.j.label(p.op)
		f.asked[p] = len(edits)
		edits, f.asks = append(edits, edit), append(f.asks, p)
	}
	for _, o := range f.lines {
		if o.failed || o.block != nil {
			continue
		}
		if o.file == f {
			ask(o.at, part{o, false})
		}
		if (o.Op == "move" || o.Op == "copy") && o.dest == f {
			ask(o.place, part{o, true})
		}
	}
	f.search()
	if len(edits) == 0 {
		if f.found != nil {
			f.c.spliced = f.found.Spliced
		}
		return
	}
	opt := hashline.Options{Relocate: f.j.opt.Relocate, Scheme: f.j.opt.Scheme, Others: f.refusedOthers()}
	opt.Content = opt.Scheme != nil && *opt.Scheme == hashline.Content
	f.res = hashline.Format{}.Resolve(hashline.Snapshot{Doc: doc, Tag: f.snap.tag}, hashline.Request{Base: f.base, Edits: edits}, opt)
	for _, failure := range f.res.Failures {
		f.j.failures = append(f.j.failures, f.failureOf(failure))
	}
	f.helpSearches(f.j.failures[len(f.j.failures)-len(f.res.Failures):])
	if len(f.res.Failures) > 0 {
		if f.res.Retry != nil {
			f.j.stale += len(f.res.Failures)
		}
		return
	}
	f.c.scheme = f.res.Scheme
	if f.found == nil {
		f.c.spliced = f.res.Spliced
	}
	if f.res.BaseChanged {
		f.c.warn("base_changed", "the file is not the one that base names any more; every edit was proved by its anchors")
	}
	if len(f.res.Moves) > 0 {
		f.c.warn("relocated", "some lines had moved, and their anchors were followed; see moves")
	}
}

// refusedOthers reports whether edits of the file were refused before hashline
// was asked.
func (f *file) refusedOthers() bool {
	j := f.j
	if j.refused == nil {
		j.refused, j.counted = map[int]bool{}, 0
	}
	for _, x := range j.failures[j.counted:] {
		if x.Edit != nil {
			j.refused[x.entry] = true
		}
	}
	j.counted = len(j.failures)
	return slices.ContainsFunc(f.entries, func(i int) bool { return j.refused[i] })
}

func (f *file) failureOf(failure *hashline.Failure) Failure {
	a := f.asks[failure.Edit]
	out := Failure{
		entry: a.op.entry, Edit: &a.op.index, Field: a.field(failure.Field), Code: Code(failure.Code), Message: failure.Message, Anchor: failure.Anchor,
		Context: linesOf(failure.Context, f.enc), ShiftedAnchor: failure.Shifted,
		Candidates: linesOf(failure.Candidates, f.enc), Count: failure.Count,
	}
	switch {
	case out.Code == EditsOverlap && f.asks[failure.Other].op == a.op:
		out.Code, out.Field = InvalidInput, "to"
		out.Message = "the lines would be moved into themselves; name a line outside of them"
	case out.Code == EditsOverlap && (a.op.To != "" || f.asks[failure.Other].op.To != "" || f.asks[failure.Other].op.entry != a.op.entry):
		out.Message = strings.Replace(out.Message, "; make them one edit", "; "+leaveOut, 1)
	case a.op.file != f:
		out.Message = "in " + quotePath(f.path) + ": " + out.Message
	}
	if failure.Current != nil {
		line := lineOf(failure.Current, f.enc)
		out.Current = &line
	}
	if failure.Proves {
		out.Base = f.snap.tag.String()
	}
	return out
}

// moves returns the anchors whose lines moved.
func (j *job) moves() []Move {
	var all []Move
	for _, f := range j.files {
		if f.res == nil {
			continue
		}
		for _, m := range f.res.Moves {
			move := Move{Edit: f.asks[m.Edit].op.index, Field: f.asks[m.Edit].field(m.Field), From: m.From, To: m.To}
			if len(j.req.Files) > 1 {
				move.File = j.req.Files[f.asks[m.Edit].op.entry].Path
			}
			all = append(all, move)
		}
	}
	return all
}

// retry returns the request on the anchors that its lines have now.
func (j *job) retry() *Request {
	fresh := &Request{Files: slices.Clone(j.req.Files)}
	for i := range fresh.Files {
		fresh.Files[i].Edits = slices.Clone(fresh.Files[i].Edits)
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
	for _, f := range j.files {
		if f.res == nil || f.res.Retry == nil {
			continue
		}
		for i, edit := range f.res.Retry {
			o := f.asks[i].op
			e := &fresh.Files[o.entry].Edits[o.index]
			if f.asks[i].place {
				e.To = spell(edit.Anchor)
			} else {
				e.Anchor, e.EndAnchor = spell(edit.Anchor), spell(edit.End)
			}
		}
		for _, i := range f.entries {
			if !f.res.BaseMatches {
				fresh.Files[i].Base = ""
			}
		}
	}
	return fresh
}
