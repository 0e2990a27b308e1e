package apply

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// search finds the places of the file's blocks.
func (f *file) search() {
	var blocks []searchreplace.Block
	for _, o := range f.lines {
		if o.block != nil && !o.failed && o.file == f {
			blocks, f.blocks = append(blocks, *o.block), append(f.blocks, o)
		}
	}
	if len(blocks) == 0 {
		return
	}
	opt := f.j.opt
	f.found = searchreplace.Resolve(f.doc, blocks, searchreplace.Options{
		Ladder: opt.Ladder, First: opt.First, All: opt.All, OnEmpty: opt.OnEmpty,
		AllowPlaceholder: opt.AllowPlaceholder, Partial: opt.Partial,
	})
	var shown map[int]Line
	if len(f.found.Failures) > 0 {
		shown = f.linesShown(f.found)
	}
	for i, failure := range f.found.Failures {
		out := f.blockFailure(failure, shown, i < mostSuggestions)
		if opt.Partial && f.leaves == nil {
			f.j.left = append(f.j.left, out)
			continue
		}
		f.blocks[failure.Block].failed = true
		f.j.failures = append(f.j.failures, out)
	}
}

const (
	// mostSuggestions is how many failures of a file come with a request to send.
	mostSuggestions = 20

	// mostShownLines is how many lines the failures of a file show.
	mostShownLines = 2000
)

// linesShown returns the lines that res shows or names, by their 0-based number, with
// fresh anchors. It passes over the file once.
func (f *file) linesShown(res *searchreplace.Resolution) map[int]Line {
	var windows []hashline.Window
	left := mostShownLines
	add := func(start, end int) {
		start, end = max(start, 0), min(end, f.doc.NumLines())
		if start < end && left >= end-start {
			left -= end - start
			windows = append(windows, window(start, end))
		}
	}
	ends := func(edits []text.Edit) {
		for _, e := range edits {
			add(e.Start-1, e.Start+1)
			add(e.End-1, e.End)
		}
	}
	for _, failure := range res.Failures {
		if n := failure.Nearest; n != nil {
			add(n.ShowStart, n.ShowEnd)
		}
		for _, p := range failure.Places {
			add(p.Start, p.End)
			ends(p.Edits)
		}
	}
	if len(res.Failures) == 0 {
		ends(res.Edits)
	}
	shown := map[int]Line{}
	scan, err := text.NewScanner(bytes.NewReader(f.snap.src), f.enc)
	if err != nil || len(windows) == 0 {
		return shown
	}
	hashline.Format{}.Annotate(scan, f.enc, f.scheme(), 1, hashline.MergeWindows(windows), func(lines []hashline.Line) error {
		for i, l := range linesOf(lines, f.enc) {
			shown[lines[i].Anchor.Line-1] = l
		}
		return nil
	})
	return shown
}

// blockFailure returns why a block was not applied, and what could be done instead.
func (f *file) blockFailure(failure *searchreplace.Failure, shown map[int]Line, suggest bool) Failure {
	o := f.blocks[failure.Block]
	out := Failure{
		entry: o.entry, Edit: &o.index, Code: Code(failure.Code), Message: failure.Message,
		Why: failure.Why, AlreadyAt: failure.AlreadyAt, Count: failure.Count, block: o.block, File: f.path,
	}
	if f.j.req.blocks {
		out.Line = o.block.First
	}
	view := func(start, end int) (lines []Line) {
		for i := start; i < end; i++ {
			if l, ok := shown[i]; ok {
				lines = append(lines, l)
			}
		}
		return lines
	}
	if n := failure.Nearest; n != nil {
		out.Context = view(n.ShowStart, n.ShowEnd)
		lines, err := Text(o.block.Replace).toLines()
		if suggest && err == nil && failure.AlreadyAt == 0 && f.isLike(o.block, n) {
			if request := f.suggest([]text.Edit{{Start: n.Start, End: n.End, Lines: lines}}, shown); request != nil {
				out.Suggest = append(out.Suggest, request)
			}
		}
	}
	if failure.TooLittle && len(failure.Places) > 0 {
		out.Context = view(failure.Places[0].Start, failure.Places[0].End)
	}
	for _, p := range failure.Places {
		if failure.Count > 1 {
			out.Candidates = append(out.Candidates, view(p.Start, p.Start+1)...)
		}
		if suggest {
			request := f.suggest(p.Edits, shown)
			if request == nil {
				suggest = false // they are in the order of the candidates
				continue
			}
			out.Suggest = append(out.Suggest, request)
		}
	}
	return out
}

// isLike reports whether the new text of a block can stand in place of whole lines
// that are nearest to its search: they are indented like it and, if the search may be
// a part of them, end like it. Else the new text would lack what they have besides.
func (f *file) isLike(b *searchreplace.Block, n *searchreplace.Nearest) bool {
	indent := func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }
	end := func(s string) string {
		s = strings.TrimRight(s, " \t\r\n")
		return s[max(0, len(s)-1):]
	}
	search := strings.TrimLeft(b.Search, "\r\n")
	lines := f.doc.Lines(n.Start, n.End)
	first, last := "", ""
	for _, line := range lines {
		if strings.TrimSpace(string(line)) != "" {
			if first == "" {
				first = string(line)
			}
			last = string(line)
		}
	}
	return indent(search) == indent(first) && (!b.Substring || end(search) == end(last))
}

// scheme returns that of fresh anchors where no edit names one.
func (f *file) scheme() hashline.Scheme {
	if f.j.opt.Scheme != nil {
		return *f.j.opt.Scheme
	}
	return hashline.Chunk
}

// notes returns what of o's block, if it is one, was not taken as it was written.
func (o *op) notes() []string {
	if o.block == nil {
		return nil
	}
	var notes []string
	for _, repair := range o.block.Repairs {
		notes = append(notes, repair.Rule+": "+repair.Note)
	}
	return notes
}

// describeBlocks says in f's answer what each block came to.
func (f *file) describeBlocks() {
	c := f.c
	at := map[int]int{} // by block: its answer, from 1
	for i, r := range f.found.Results {
		o := f.blocks[i]
		if r.Tier == "" {
			continue // it failed, and others are applied all the same
		}
		a := EditAnswer{Edit: o.index, Op: o.Op, Tier: string(r.Tier)}
		if len(r.Places) > 0 {
			a.First, a.Last = r.Places[0].Start+1, r.Places[len(r.Places)-1].End
		}
		if len(r.Places) > 1 && r.Tier != searchreplace.Elision {
			a.Hits = len(r.Places)
		}
		a.Notes = o.notes()
		for _, note := range r.Notes {
			a.Notes = append(a.Notes, note.Rule+": "+note.Text)
		}
		if o.rescued {
			a.Notes = append(a.Notes, "rescued: the block names "+quotePath(o.block.Path)+", where it stands nowhere")
		}
		if r.Unchanged && r.AlreadyAt > 0 {
			a.Notes = append(a.Notes, "unchanged: already there at line "+strconv.Itoa(r.AlreadyAt))
		} else if r.Unchanged {
			a.Notes = append(a.Notes, "unchanged: it changes nothing")
		}
		c.answer.Edits = append(c.answer.Edits, a)
		at[i] = len(c.answer.Edits)
	}
	for i, e := range f.found.Edits {
		c.answer.Added += len(e.Lines)
		c.answer.Removed += e.End - e.Start
		if a := at[f.found.Owners[i][0]]; a > 0 {
			c.answer.Edits[a-1].Added += len(e.Lines)
			c.answer.Edits[a-1].Removed += e.End - e.Start
		}
	}
}
