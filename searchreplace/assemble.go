package searchreplace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hlkit/hlkit/text"
)

// An owned is an edit and the blocks that it is of.
type owned struct {
	edit   text.Edit
	blocks []int
}

// overlaps fails the blocks that cannot both be made: they change the same text,
// or insert at one place from one search, in an order that nothing tells.
func (r *resolver) overlaps() {
	type piece struct{ block, start, end, line int }
	var pieces []piece
	for _, t := range r.tries {
		for _, s := range t.texts {
			pieces = append(pieces, piece{t.i, s.start, s.end, r.plain.line(s.start)})
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.block, b.block))
	})
	reach := 0 // the piece so far that ends last
	for i := 1; i < len(pieces); i++ {
		p, q := pieces[reach], pieces[i]
		if q.start < p.end || p.block != q.block && q.start == p.start && q.end == p.end {
			r.overlap(p.block, q.block, p.line, q.line)
		}
		if q.end >= p.end {
			reach = i
		}
	}
	// Where a block fails, what others put into the same lines is another edit.
	for r.clashes(r.edits()) {
	}
}

// clashes fails the blocks of edits that overlap or insert at one line in an order that
// nothing tells, and reports whether there are any.
func (r *resolver) clashes(all []owned) bool {
	edits := make([]text.Edit, len(all))
	for i, o := range all {
		edits[i] = o.edit
	}
	failed := make([]bool, len(all))
	clash := func(i, j int) {
		for _, p := range [][2]int{{i, j}, {j, i}} {
			if o, other := all[p[0]], all[p[1]]; !failed[p[0]] {
				failed[p[0]] = true
				for _, b := range o.blocks {
					r.overlap(b, other.blocks[0], o.edit.Start, other.edit.Start)
				}
			}
		}
	}
	for _, o := range text.Overlaps(edits) {
		clash(o.First, o.Second)
	}
	// Inserts at one line, those of the upper searches first.
	reach := 0 // the insert so far whose search ends last
	for i := 1; i < len(all); i++ {
		a, b := all[reach], all[i]
		if !a.insertsBeside(b) {
			reach = i
			continue
		}
		start, end := r.extent(b)
		_, reached := r.extent(a)
		if start < reached && a.blocks[0] != b.blocks[0] {
			clash(reach, i)
		}
		if end >= reached {
			reach = i
		}
	}
	return slices.Contains(failed, true)
}

// insertsBeside reports whether both edits insert at one line.
func (o owned) insertsBeside(p owned) bool {
	return o.edit.Start == p.edit.Start && o.edit.End == o.edit.Start && p.edit.End == p.edit.Start
}

// extent returns the lines of the one place where the block of an insert was found. An
// insert of any other block is above or below none.
func (r *resolver) extent(o owned) (start, end int) {
	found := r.tries[o.blocks[0]].result
	if len(found.Places) != 1 || found.Tier == Empty {
		return 0, math.MaxInt
	}
	return found.Places[0].Start, found.Places[0].End
}

// overlap fails two blocks, which may be one: which of them to prefer, nothing
// tells.
func (r *resolver) overlap(a, b, lineA, lineB int) {
	if a == b {
		// Places of one block, whose own blank lines they share.
		if t := r.tries[a]; t.fail == nil {
			t.failed(EditsOverlap, "the places of the block, at lines %d and %d, overlap; send a block for each", lineA+1, lineB+1).Other = a
		}
		return
	}
	if a > b {
		a, b, lineA, lineB = b, a, lineB, lineA
	}
	where := fmt.Sprintf("lines %d and %d", lineA+1, lineB+1)
	if lineA == lineB {
		where = fmt.Sprintf("line %d", lineA+1)
	}
	for _, pair := range [][2]int{{a, b}, {b, a}} {
		if t := r.tries[pair[0]]; t.fail == nil {
			t.failed(EditsOverlap, "blocks %d and %d change the same text (%s); make them one block", a+1, b+1, where).Other = pair[1]
		}
	}
}

// edits returns what the blocks that have not failed come to, from the top of the
// file; of inserts at one line, that of the upper search first.
func (r *resolver) edits() []owned {
	all := r.foldTexts()
	for _, t := range r.tries {
		if t.fail != nil {
			continue
		}
		for _, e := range t.edits {
			all = append(all, owned{e, []int{t.i}})
		}
	}
	slices.SortStableFunc(all, func(a, b owned) int {
		topA, _ := r.extent(a)
		topB, _ := r.extent(b)
		return cmp.Or(cmp.Compare(a.edit.Start, b.edit.Start), cmp.Compare(a.edit.End, b.edit.End), cmp.Compare(topA, topB))
	})
	return all
}

// foldTexts makes edits of whole lines of the pieces of text that blocks replace.
// Pieces that share a line are one edit.
func (r *resolver) foldTexts() []owned {
	type piece struct {
		textSpan
		block int
	}
	var pieces []piece
	for _, t := range r.tries {
		if t.fail != nil {
			continue
		}
		for _, s := range t.texts {
			pieces = append(pieces, piece{s, t.i})
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	p := r.plain
	var all []owned
	for i := 0; i < len(pieces); {
		first := p.line(pieces[i].start)
		built := append([]byte(nil), p.text[p.starts[first]:pieces[i].start]...)
		o := owned{edit: text.Edit{Start: first}}
		for {
			built = append(built, pieces[i].replace...)
			at := pieces[i].end
			if n := len(o.blocks); n == 0 || o.blocks[n-1] != pieces[i].block {
				o.blocks = append(o.blocks, pieces[i].block)
			}
			i++
			line := p.line(at)
			if at == p.starts[line] && (len(built) == 0 || built[len(built)-1] == '\n') {
				o.edit.End = line // whole lines are replaced by whole lines
				break
			}
			if i < len(pieces) && bytes.IndexByte(p.text[at:max(at, pieces[i].start)], '\n') < 0 {
				built = append(built, p.text[at:max(at, pieces[i].start)]...)
				continue
			}
			rest := p.text[at:]
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				rest = rest[:n]
			}
			built = append(append(built, rest...), '\n')
			o.edit.End = min(line+1, r.doc.NumLines())
			break
		}
		if len(built) > 0 {
			o.edit.Lines = strings.Split(string(built[:len(built)-1]), "\n")
		}
		if n := len(o.edit.Lines); n > 0 && o.edit.Lines[n-1] == "" && o.edit.End == r.doc.NumLines() && r.doc.Unterminated() {
			o.edit.Lines = o.edit.Lines[:n-1] // what nothing is left of, and no line feed ends, is no line
		}
		all = append(all, o)
	}
	return all
}

// assemble makes the new text of the blocks that have not failed. Only now lines
// show that would not be read back as they were written.
func (r *resolver) assemble() *Resolution {
	for {
		res := r.resolution()
		if len(res.Failures) > 0 && !r.opt.Partial {
			return res
		}
		all := r.edits()
		for _, o := range all {
			res.Edits, res.Owners = append(res.Edits, o.edit), append(res.Owners, o.blocks)
		}
		spliced, err := text.Splice(r.doc, res.Edits)
		if err == nil {
			if res.Spliced, err = res.Finish(spliced); err == nil {
				return res
			}
			for _, t := range r.tries {
				if t.end != Kept {
					t.end = Kept
					t.failed(InvalidInput, "%v", err)
				}
			}
			continue
		}
		bad, ok := errors.AsType[*text.LineError](err)
		if !ok {
			panic(fmt.Sprintf("searchreplace: edits that were checked cannot be made: %v", err))
		}
		for _, b := range all[bad.Edit].blocks {
			r.tries[b].failed(InvalidInput, "%s", bad.Reason)
		}
	}
}

// resolution returns what the blocks have come to, without edits.
func (r *resolver) resolution() *Resolution {
	res := &Resolution{Results: make([]Result, len(r.tries))}
	for i, t := range r.tries {
		if t.fail != nil {
			res.Failures = append(res.Failures, t.fail)
			continue
		}
		if t.end != Kept {
			res.LineEnd = t.end
		}
		t.result.Spans = t.spans()
		res.Results[i] = t.result
	}
	return res
}

// spans returns the bytes that a block replaces.
func (t *try) spans() []Span {
	var spans []Span
	for _, e := range t.edits {
		spans = append(spans, Span{t.doc.Offset(e.Start), t.doc.Offset(e.End)})
	}
	for i, s := range t.texts {
		span := Span{t.plain.offset(s.start), t.plain.offset(s.end)}
		if t.joinsMixed() {
			// Where lines are joined, the line end behind them is one of theirs.
			span.End = t.doc.Offset(min(t.plain.line(s.end)+1, t.index.numLines()))
			if i+1 < len(t.texts) {
				span.End = min(span.End, t.plain.offset(t.texts[i+1].start))
			}
		}
		spans = append(spans, span)
	}
	return spans
}

// joinsMixed reports whether pieces of text join lines of a file with mixed endings.
func (r *resolver) joinsMixed() bool {
	if r.joins == nil {
		joins := false
		for _, t := range r.tries {
			for _, s := range t.texts {
				joins = joins || r.plain.line(s.start) < min(r.plain.line(s.end), r.index.numLines()-1)
			}
		}
		joins = joins && r.index.hasMixedEnds()
		r.joins = &joins
	}
	return *r.joins
}
