package searchreplace

import "slices"

// blankEdge finds the search without its blank first and last lines, which models
// add: they are dropped from both sides, from the replacement no more than it has.
// What is left must have two lines that are not blank and stand, trimmed, in one
// place of the file; there the tiers above in the ladder are asked.
func (r *resolver) blankEdge(w *want) *finding {
	search := dropBlankEdges(w.search)
	top := countBlank(w.search)
	bottom := len(w.search) - top - len(search)
	if len(search) == len(w.search) || nonBlank(search) < 2 {
		return nil
	}
	f := r.windows(w.with(search, dropBlanks(w.replace, top, bottom)), foldTrimmed, r.above)
	if f != nil {
		f.notes = append(f.notes, Note{NoteBlankEdge, "blank lines at the edges of the search stand not in the file; they were dropped from both sides"})
	}
	return f
}

// above fits w by the first tier above blankEdge in the ladder that takes it.
func (r *resolver) above(w *want, start int) fitting {
	for _, t := range r.ladder[:max(0, slices.Index(r.ladder, BlankEdge))] {
		var fit fitting
		switch {
		case t == Exact && r.index.stands(foldNone, w.search, start), t == Trailing && r.index.stands(foldTrailing, w.search, start):
			fit = r.verbatim(w, start)
		case t == Indent:
			fit = r.indented(w, start)
		case t == Trimmed:
			fit = r.rebased(w, start)
		}
		if fit.ok {
			return fit
		}
	}
	return fitting{}
}

// countBlank returns how many blank lines lines begin with.
func countBlank(lines []string) int {
	n := 0
	for n < len(lines) && blankLine(lines[n]) {
		n++
	}
	return n
}

func dropBlankEdges(lines []string) []string {
	lines = lines[countBlank(lines):]
	for len(lines) > 0 && blankLine(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// dropBlanks drops up to top blank lines at the beginning of lines, and up to
// bottom at the end.
func dropBlanks(lines []string, top, bottom int) []string {
	lines = lines[min(top, countBlank(lines)):]
	for ; bottom > 0 && len(lines) > 0 && blankLine(lines[len(lines)-1]); bottom-- {
		lines = lines[:len(lines)-1]
	}
	return lines
}
