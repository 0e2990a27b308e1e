package searchreplace

import "fmt"

// ends finds three lines or more whose first and last are equal when trimmed, the
// first and last of the search, and of whose lines between 65 % are equal when trimmed
// to those of the search, the blank ones aside; there is one at least that is not
// blank. All such places count. The replacement is re-based by the lines that are
// equal. Lines that are not equal must be lines that the replacement keeps: they keep
// the file's bytes. There is no hit where it changes one, which would write over what
// the search does not show.
func (r *resolver) ends(w *want) *finding {
	n := len(w.search)
	if n < 3 || n > r.index.numLines() {
		return nil
	}
	ix := r.index.fold(foldTrimmed)
	hashes := make([]uint64, n)
	middle := 0
	for i, s := range w.search {
		hashes[i] = r.index.hash(foldTrimmed, []byte(s))
		if i > 0 && i < n-1 && !blankLine(s) {
			middle++
		}
	}
	if middle == 0 || blankLine(w.search[0]) || blankLine(w.search[n-1]) {
		return nil // blank lines are found everywhere and prove nothing
	}
	r.hits = r.hits[:0]
	budget := endsBudget(n, r.index.numLines())
	first, ok := ix.lines[hashes[0]]
	if !ok {
		return nil
	}
	for at := first.first; at >= 0; at = ix.next[at] {
		start := int(at)
		if start+n > r.index.numLines() {
			break
		}
		if ix.hashes[start+n-1] != hashes[n-1] {
			continue
		}
		if budget -= n; budget < 0 {
			return nil
		}
		equal := 0
		for i := 1; i < n-1; i++ {
			if ix.hashes[start+i] == hashes[i] && !blankLine(w.search[i]) {
				equal++
			}
		}
		if equal*100 >= middle*65 {
			r.hits = append(r.hits, start)
		}
	}
	if len(r.hits) == 0 {
		return nil
	}
	return &finding{want: w, fold: -1, hits: r.hits, fit: r.endsFit}
}

// endsBudget bounds how many lines are compared for one search: without a bound,
// 50,000 lines between two braces would be compared at every brace. Beyond it
// nothing is found.
func endsBudget(n, lines int) int { return 8*n + 4*lines }

func (r *resolver) endsFit(w *want, start int) fitting {
	equal := func(i int) bool { return r.index.same(foldTrimmed, w.search[i], start+i) }
	if !equal(0) || !equal(len(w.search)-1) {
		return fitting{}
	}
	for _, h := range w.changed() {
		for i := h.s0; i < h.s1; i++ {
			if !equal(i) {
				return fitting{why: fmt.Sprintf("line %d, which the block changes, is not the search's", start+i+1)}
			}
		}
	}
	return r.rebasedBy(w, start, equal)
}
