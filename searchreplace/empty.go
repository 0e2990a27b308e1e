package searchreplace

import (
	"fmt"

	"github.com/hlkit/hlkit/text"
)

// placeEmpty places a block without a search: it fills an empty file, follows its
// context lines, or does what Options.OnEmpty says. A line number alone never
// places text.
func (t *try) placeEmpty(w *want) {
	n := t.doc.NumLines()
	switch {
	case len(w.replace) == 0:
		t.failed(InvalidInput, "search and replacement are both empty; nothing would change")
	case n == 0:
		t.insert(w, 0, 0, nil)
	case t.stands(w, 0) && len(w.replace) == n:
		t.settle(Empty, []Place{{0, n, nil}}, nil)
		t.result.Unchanged, t.result.AlreadyAt = true, 1
	case t.hasContext():
		t.placeBelowContext(w)
	case t.block.AtEnd:
		t.insert(w, n, n, nil)
	case t.opt.OnEmpty == Append:
		t.insert(w, n, n, []Note{{NoteOnEmpty, "the block has no search; its lines were appended, as asked"}})
	case t.opt.OnEmpty == Prepend:
		t.insert(w, 0, 0, []Note{{NoteOnEmpty, "the block has no search; its lines were put before the first, as asked"}})
	case t.opt.OnEmpty == Overwrite:
		t.insert(w, 0, n, []Note{{NoteOnEmpty, "the block has no search; its lines are now the file, as asked"}})
	case t.block.Line > 0:
		t.failed(InvalidInput, "the hunk has no old lines, and a line number alone places nothing; give it lines of context, or say --on-empty=append|overwrite|prepend")
	default:
		t.failed(InvalidInput, "the search is empty, and the file has %s; give the lines that the text belongs beside, or say --on-empty=append|overwrite|prepend", count(n, "line"))
	}
}

func (t *try) hasContext() bool { return nonBlank(t.block.Context) > 0 }

func (t *try) placeBelowContext(w *want) {
	below := t.context()
	switch {
	case len(below) == 0:
		t.failed(NoMatch, "the block has no old lines, and its context line %q stands nowhere in the file; the file may have changed since you read it", clip(lastSpoken(t.block.Context)))
	case len(below) > 1:
		f := t.failed(MultipleMatches, "the block has no old lines, and its context line %q stands in %d places (%s); give old lines", clip(lastSpoken(t.block.Context)), len(below), lineNumbers(below, 0))
		f.Tier, f.Count = Empty, len(below)
		for _, at := range below[:min(len(below), mostPlaces)] {
			f.Places = append(f.Places, Place{at, at, []text.Edit{{Start: at, End: at, Lines: w.replace}}})
		}
	default:
		t.insert(w, below[0], below[0], []Note{{NoteHint, fmt.Sprintf("the block has no old lines; it was put below its context, after line %d", below[0])}})
	}
}

func lastSpoken(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if !blankLine(lines[i]) {
			return lines[i]
		}
	}
	return ""
}

// insert puts w's replacement in place of the lines start to end, unless it
// stands there.
func (t *try) insert(w *want, start, end int, notes []Note) {
	fit := fitting{}
	for i, s := range w.replace {
		fit.unwritable(t.doc, w, s, i)
	}
	if fit.err != nil {
		t.fail = fit.err
		t.fail.Block = t.i
		return
	}
	t.settle(Empty, []Place{{start, end, nil}}, notes)
	at := start
	if t.opt.OnEmpty == Append && start == t.doc.NumLines() || t.block.AtEnd {
		at = start - len(w.replace)
	}
	if t.doc.NumLines() > 0 && (start == end || end-start == len(w.replace)) && t.stands(w, at) {
		t.result.Unchanged, t.result.AlreadyAt = true, at+1
		return
	}
	t.edits = t.endOfFile([]text.Edit{{Start: start, End: end, Lines: w.replace}})
}

func (t *try) stands(w *want, at int) bool { return t.index.stands(foldNone, w.replace, at) }
