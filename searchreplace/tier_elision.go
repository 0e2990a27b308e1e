package searchreplace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hlkit/hlkit/text"
)

// mostHidden is for how many lines dots may stand, for each line that is not blank in
// the pieces before and behind them. Where one of two lines around the dots had
// changed, its like was otherwise found far below. Measured on real edits, the same
// blocks of three to five lines whose target had changed: 0.35 % wrong without a bound,
// 0.13 % with five lines for each; six leave more to blocks that show little. By
// bench/blocks/RESULTS.md it is 0.18 % with six.
const mostHidden = 6

// elision reads lines of the search that are "..." (indented or not) as lines
// that the block does not show. Search and replacement have the same such lines,
// which pair up, and so do the pieces between them. Each piece of the search
// stands in exactly one place of the file, as whole lines, below the piece before
// it, not too far (see mostHidden), and in one scope with it (see oneScope); an empty
// one pairs with an empty one. What the dots stand for stays. In a file that has such a line itself, the search
// may mean that line: no hit.
func (t *try) elision(w *want) bool {
	search, dots := cutDots(w.search)
	replace, others := cutDots(w.replace)
	if len(dots) == 0 || strings.Join(dots, "\n") != strings.Join(others, "\n") {
		return false
	}
	if t.hits = t.index.find(foldTrimmed, []string{"..."}, t.hits[:0]); len(t.hits) > 0 {
		return false
	}
	var edits []text.Edit
	var places []Place
	below, made := 0, 0
	for i, piece := range search {
		if len(piece) == 0 {
			if len(replace[i]) > 0 {
				return false
			}
			continue
		}
		t.hits = t.index.find(foldNone, piece, t.hits[:0])
		if len(t.hits) != 1 || t.hits[0] < below {
			return false
		}
		start := t.hits[0]
		why := ""
		switch shown := nonBlank(search[max(0, i-1)]) + nonBlank(piece); {
		case len(places) == 0:
		case start == below:
			why = "the dots would stand for no line"
		case start-below > mostHidden*shown:
			why = fmt.Sprintf("the dots would stand for %s, which is much for the %s around them; show more of these", count(start-below, "line"), count(shown, "line"))
		case !t.oneScope(below, start):
			why = "what the dots stand for ends the block of lines that they are in"
		}
		if why != "" {
			first := places[len(places)-1].Start
			t.blame(first, start+len(piece)-first, why)
			return false
		}
		part := w.with(piece, replace[i])
		fit := t.verbatim(part, start)
		if fit.err != nil {
			t.fail = fit.err
			t.fail.Block = t.i
			return true
		}
		below = start + len(piece)
		places = append(places, Place{Start: start, End: below})
		if _, ok := t.already(part, start, fit); !ok {
			edits = append(edits, fit.edits...)
		} else if len(fit.edits) > 0 {
			made++
		}
	}
	if len(places) == 0 {
		return false
	}
	if made > 0 && len(edits) > 0 {
		// Was it made before? Measured on real edits: as it is, in one of 2,000 blocks
		// only some of its changes would be made.
		first := places[0].Start
		t.blame(first, below-first, "of the changes of the block some seem to be made already, and others not")
		return false
	}
	t.settle(Elision, places, nil)
	t.edits = t.endOfFile(edits)
	t.result.Unchanged = len(t.edits) == 0
	if t.result.Unchanged && !w.same() {
		t.result.AlreadyAt = places[0].Start + 1
	}
	return true
}

// oneScope reports whether the lines from ≤ i < to, which dots stand for, belong to
// what stands around them. There is one at least; none is indented less than both
// the line before and the line behind; and they do not end a scope that the line
// before begins and the line behind is in, or that the line behind ends with a brace
// and the line before is in.
//
// Measured on real edits: of blocks of three to five lines whose target had changed
// 0.47 % were otherwise put together from pieces of different functions. To demand
// that a scope never ends refuses ten times as many and is not much better.
func (r *resolver) oneScope(from, to int) bool {
	before, behind := from-1, to
	for before > 0 && blankLine(r.index.line(before)) {
		before--
	}
	for behind < r.index.numLines()-1 && blankLine(r.index.line(behind)) {
		behind++
	}
	a, b := indentOf(r.index.line(before)), indentOf(r.index.line(behind))
	outer := a
	if len(b) < len(a) {
		outer = b
	}
	if from >= to || !bytes.HasPrefix(a, outer) || !bytes.HasPrefix(b, outer) {
		return false
	}
	least, first := len(outer), true
	if len(b) < len(a) && spoken([]string{string(r.index.line(behind))}) == 0 {
		least++
	}
	for _, own := range r.indents()[from:to] {
		if own < 0 {
			continue
		}
		if first && len(a) < len(b) && own > len(a) {
			least = len(a) + 1
		}
		if first = false; own < least {
			return false
		}
	}
	return true
}

// indents returns how many blanks and tabs each line begins with; -1 for a blank
// line.
func (r *resolver) indents() []int {
	if r.widths == nil {
		r.widths = make([]int, r.index.numLines())
		for i := range r.widths {
			line := r.index.line(i)
			if r.widths[i] = len(indentOf(line)); r.widths[i] == len(line) {
				r.widths[i] = -1
			}
		}
	}
	return r.widths
}

// cutDots cuts lines at those that are "...", which it returns as well.
func cutDots(lines []string) (pieces [][]string, dots []string) {
	from := 0
	for i, s := range lines {
		if strings.Trim(s, blanks) == "..." {
			pieces = append(pieces, lines[from:i])
			dots = append(dots, s)
			from = i + 1
		}
	}
	return append(pieces, lines[from:]), dots
}
