package searchreplace

import (
	"bytes"
	"fmt"
	"strings"
)

// choose returns which of the places hits, all equally good and from the top, the
// block is to change: all of them that do not overlap the one before, if all are
// asked for; the only one; the one that the block's hints point to; the first, if
// that is asked for. Nil if nothing chooses. size is the size of a hit in the unit
// of hits, and lines says which lines one is.
func (t *try) choose(hits []int, size int, lines func(hit int) (start, end int)) (chosen []int, note Note) {
	switch {
	case t.opt.All || t.block.All:
		chosen = disjoint(hits, size)
		if len(chosen) > 1 {
			note = Note{NoteAll, fmt.Sprintf("%d places were replaced", len(chosen))}
		}
		return chosen, note
	case len(hits) == 1:
		return hits[:1:1], note
	}
	left := hits
	var by []string
	for _, hint := range []func([]int, func(int) (int, int)) ([]int, string){t.byEnd, t.byContext, t.byLine} {
		if fewer, how := hint(left, lines); len(fewer) > 0 && len(fewer) < len(left) {
			left, by = fewer, append(by, how)
		}
	}
	if len(left) == 1 {
		start, _ := lines(left[0])
		return left[:1:1], Note{NoteHint, fmt.Sprintf("the search stands in %d places; line %d was chosen %s", len(hits), start+1, strings.Join(by, " and "))}
	}
	if t.opt.First {
		return hits[:1:1], Note{NoteFirst, fmt.Sprintf("the search stands in %d places; the first was taken, as asked", len(hits))}
	}
	return nil, note
}

// disjoint returns the hits that do not overlap the one taken before.
func disjoint(hits []int, size int) []int {
	var chosen []int
	reach := -1
	for _, h := range hits {
		if h >= reach {
			chosen = append(chosen, h)
			reach = h + size
		}
	}
	return chosen
}

// byEnd keeps the hit that ends the file, if the block says that it does.
func (t *try) byEnd(hits []int, lines func(int) (int, int)) ([]int, string) {
	b := t.block
	last := hits[len(hits)-1:]
	_, end := lines(last[0])
	if !b.AtEnd && !b.SearchUnterminated && !b.ReplaceUnterminated || end != t.index.numLines() {
		return nil, ""
	}
	return last, "because the block is the end of the file"
}

// byContext keeps the hits that are the first below the block's context lines.
func (t *try) byContext(hits []int, lines func(int) (int, int)) ([]int, string) {
	below := t.context()
	var kept []int
	i := 0
	for _, at := range below {
		for i < len(hits) {
			if start, _ := lines(hits[i]); start >= at {
				break
			}
			i++
		}
		if i < len(hits) && (len(kept) == 0 || kept[len(kept)-1] != hits[i]) {
			kept = append(kept, hits[i])
		}
	}
	return kept, "because it is below the block's context"
}

// context returns the lines, from the top, just below the block's context lines:
// wherever the first of them stands, the next after it, and so on. Blanks at both
// ends aside; a diff's context may be cut off at its end.
func (t *try) context() []int {
	var at []int
	for n, s := range t.block.Context {
		if blankLine(s) {
			continue
		}
		found := t.contextLines(s)
		if len(found) == 0 {
			return nil
		}
		if n == 0 || at == nil {
			at = found
			continue
		}
		var next []int
		i := 0
		for _, from := range at {
			for i < len(found) && found[i] <= from {
				i++
			}
			if i < len(found) && (len(next) == 0 || next[len(next)-1] != found[i]) {
				next = append(next, found[i])
			}
		}
		if at = next; len(at) == 0 {
			return nil
		}
	}
	return at
}

// contextLines returns the lines just below those that are s, trimmed.
func (t *try) contextLines(s string) []int {
	key := contextKey{s, t.block.Dialect == Unified}
	below, ok := t.contexts[key]
	if !ok {
		below = t.findContext(s)
		if t.contexts == nil {
			t.resolver.contexts = map[contextKey][]int{}
		}
		t.contexts[key] = below
	}
	return below
}

// A contextKey is a context line, which may be cut off.
type contextKey struct {
	line string
	cut  bool
}

func (t *try) findContext(s string) []int {
	if encoded, err := t.doc.Encode(s); err == nil {
		s = encoded
	}
	var below []int
	for _, i := range t.index.find(foldTrimmed, []string{s}, nil) {
		below = append(below, i+1)
	}
	if below != nil || t.block.Dialect != Unified {
		return below
	}
	prefix := []byte(strings.TrimLeft(s, blanks))
	for i := range t.index.numLines() {
		if bytes.HasPrefix(bytes.TrimLeft(t.index.line(i), blanks), prefix) {
			below = append(below, i+1)
		}
	}
	return below
}

// clearlyNearer is how many times nearer to the block's line number a place must
// be than the next: line numbers of models are off by some lines, and a number
// between two places says nothing.
const clearlyNearer = 3

// byLine keeps the hit that is clearly the nearest to the block's line number.
func (t *try) byLine(hits []int, lines func(int) (int, int)) ([]int, string) {
	if t.block.Line <= 0 {
		return nil, ""
	}
	best, distance, second := 0, -1, -1
	for i, h := range hits {
		start, _ := lines(h)
		d := max(start+1-t.block.Line, t.block.Line-start-1)
		switch {
		case distance < 0 || d < distance:
			best, distance, second = i, d, distance
		case second < 0 || d < second:
			second = d
		}
	}
	if distance*clearlyNearer > second {
		return nil, ""
	}
	how := fmt.Sprintf("by the line number %d of the block", t.block.Line)
	if distance > 0 {
		how += ", " + count(distance, "line") + " away"
	}
	return hits[best : best+1], how
}
