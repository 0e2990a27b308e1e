package searchreplace

import "slices"

// mostAlready bounds how many places are looked at for one search.
const mostAlready = 64

// already reports whether the search at line start lies inside its own
// replacement, which then stands at the 1-based line at: whoever inserts beside
// the search has inserted before. Blanks at line ends make no difference: where the
// search was found without them the first time, the file has kept its own.
func (r *resolver) already(w *want, start int, fit fitting) (at int, ok bool) {
	n, m := len(w.search), len(w.replace)
	if m <= n || n == 0 {
		return 0, false
	}
	from, to := max(0, start-(m-n)), min(r.index.numLines(), start+m)
	covers := func(first int) bool { return first <= start && start+n <= first+m }
	around := r.foldLines(foldTrailing, from, to)
	written := make([]string, m)
	for i := range written {
		s, _ := fit.line(i)
		written[i] = foldTrailing.string(s)
	}
	// As it is given: it was written so where the search stood as it is given, and
	// then part of it may look like the search with other indentation.
	given := foldTrailing.strings(w.replace)
	for _, lines := range [][]string{written, given} {
		for k := range occurrences(lines, around) {
			if covers(from + k) {
				return from + k + 1, true
			}
		}
	}
	if at := withoutBlankEdges(w, written, given, around, start-from); at >= 0 {
		return from + at + 1, true
	}
	// Or only the lines that it has beside the search: those of the search are
	// context, and differ as they did.
	for k := range atMost(mostAlready, occurrences(w.search, w.replace)) {
		first := start - k
		if first >= from && first+m <= to && slices.Equal(around[first-from:start-from], written[:k]) && slices.Equal(around[start+n-from:first+m-from], written[k+n:]) {
			return first + 1, true
		}
	}
	if fit.shifted {
		return r.alreadyShifted(w, start, from, to, covers)
	}
	return 0, false
}

// withoutBlankEdges returns where in around a replacement with new lines stands without
// its blank first and last lines, which may have been dropped as spurious when it was
// written, and around the search without its own, which stands at line start; -1 if it
// does not.
func withoutBlankEdges(w *want, written, given, around []string, start int) int {
	core := dropBlankEdges(w.search)
	if len(core) == len(w.search) || len(core) == 0 {
		return -1
	}
	start += countBlank(w.search)
	for _, lines := range [][]string{written, given} {
		lines = dropBlankEdges(lines)
		if nonBlank(lines) <= nonBlank(core) {
			continue
		}
		for k := range occurrences(lines, around) {
			if k <= start && start+len(core) <= k+len(lines) {
				return k
			}
		}
	}
	return -1
}

// alreadyShifted is already for a search that was found at another indentation: a
// block that wraps its search in an if is found again inside of it. The whole
// replacement then stands there, indented otherwise by one rule, or line by line as
// it is given or as the search is indented.
func (r *resolver) alreadyShifted(w *want, start, from, to int, covers func(int) bool) (at int, ok bool) {
	first := string(indentOf(r.index.line(start)))
	around := r.foldLines(foldTrimmed, from, to)
	for k := range atMost(mostAlready, occurrences(foldTrimmed.strings(w.replace), around)) {
		if !covers(from + k) {
			continue
		}
		var pairs []pair
		for i, s := range w.replace {
			if !blankLine(s) {
				pairs = append(pairs, pair{i, indentOf(s), string(indentOf(r.index.line(from + k + i)))})
			}
		}
		if findShift(pairs, r.step(w)) != nil || all(pairs, func(p pair) bool { return p.file == p.search || p.file == first }) {
			return from + k + 1, true
		}
	}
	return 0, false
}

// foldLines returns the lines from ≤ i < to of the file under a fold.
func (r *resolver) foldLines(f fold, from, to int) []string {
	lines := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		lines = append(lines, string(f.of(r.index.line(i), nil)))
	}
	return lines
}

func (f fold) string(s string) string { return string(f.of([]byte(s), nil)) }

func (f fold) strings(lines []string) []string {
	folded := make([]string, len(lines))
	for i, s := range lines {
		folded[i] = f.string(s)
	}
	return folded
}

// atMost iterates over the first n of seq.
func atMost(n int, seq func(func(int) bool)) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		left := n
		for k := range seq {
			if left--; left < 0 || !yield(k) {
				return
			}
		}
	}
}

// occurrences iterates over where needle stands in lines, overlapping ones too
// (Knuth, Morris and Pratt).
func occurrences(needle, lines []string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		border := make([]int, len(needle)+1)
		border[0] = -1
		for i, k := 0, -1; i < len(needle); {
			for k >= 0 && needle[i] != needle[k] {
				k = border[k]
			}
			i, k = i+1, k+1
			border[i] = k
		}
		k := 0
		for i, s := range lines {
			for k >= 0 && (k == len(needle) || needle[k] != s) {
				k = border[k]
			}
			k++
			if k == len(needle) && !yield(i+1-k) {
				return
			}
		}
	}
}
