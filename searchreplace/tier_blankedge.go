package searchreplace

import (
	"slices"
	"unicode/utf8"
)

// blankEdge finds the search without spurious blank first and last lines, which
// models add. What is left without any blank line at its ends must stand in one
// place of the file and have two lines that are not blank, or one that stands there
// as it is beside a blank line that is the search's own; there the tiers above in the
// ladder are asked. If it stands somewhere as it is, or blanks at line ends
// aside, only such places count, as they would without the blank edges; else all
// that are equal when trimmed.
//
// Of the blank lines at an end, those that the file has there as well are the
// search's own, and stay; the others go from both sides. If the replacement has
// none at that end, they were added to the search alone, unless it has in their place the
// brace that the file has, of which they may be what is left: then there is no hit. If it has
// some, but not as many as the search, and some of the search's are its own, it cannot be
// told which were added, and there is no hit; nor is there one where the replacement has no new
// line, and the search would stand in what is left of it, blank lines and all.
func (r *resolver) blankEdge(w *want) *finding {
	core := dropBlankEdges(w.search)
	if len(core) == len(w.search) || len(core) == 0 || w.same() {
		return nil
	}
	for _, fold := range r.foldsAbove() {
		if fold == foldTrimmed && nonBlank(core) < 2 {
			break
		}
		if f := r.windows(w.with(core, nil), fold, r.edgeFit(w)); f != nil {
			f.notes = append(f.notes, Note{NoteBlankEdge, "blank lines at the ends of the search stand not in the file; they were dropped from both sides"})
			return f
		}
	}
	return nil
}

// edgeFit returns how w is put into a place where what is left of it without its
// blank edges stands.
func (r *resolver) edgeFit(w *want) func(core *want, start int) fitting {
	return func(core *want, start int) fitting {
		less, first := r.withoutEdges(w, len(core.search), start)
		if less == nil {
			return fitting{why: "the blank lines at the ends of the search are not those of the replacement"}
		}
		if len(less.search) < 2 {
			return fitting{}
		}
		fit := r.above(less, first)
		fit.want, fit.start = less, first
		return fit
	}
}

// foldsAbove returns how the tiers above blankEdge in the ladder compare lines, the
// strictest first.
func (r *resolver) foldsAbove() []fold {
	var list []fold
	above := r.ladder[:max(0, slices.Index(r.ladder, BlankEdge))]
	if slices.Contains(above, Exact) {
		list = append(list, foldNone)
	}
	if slices.Contains(above, Trailing) {
		list = append(list, foldTrailing)
	}
	return append(list, foldTrimmed)
}

// withoutEdges returns w without its spurious blank lines, where n lines of it that
// remain without any stand at line start, and the line where it then begins. Nil if
// it cannot be told which lines of the replacement are spurious.
func (r *resolver) withoutEdges(w *want, n, start int) (less *want, first int) {
	top := countBlank(w.search)
	bottom := len(w.search) - top - n
	own := func(most int, line func(i int) int) int {
		i := 0
		for i < most && line(i) >= 0 && line(i) < r.index.numLines() && blankLine(r.index.line(line(i))) {
			i++
		}
		return i
	}
	ownTop := own(top, func(i int) int { return start - 1 - i })
	ownBottom := own(bottom, func(i int) int { return start + n + i })
	search := w.search[top-ownTop : len(w.search)-bottom+ownBottom]
	replace := w.replace
	if nonBlank(replace) == 0 {
		// Nothing is left, or what was added to the search's blank ends.
		switch len(replace) {
		case 0:
			return w.with(search, nil), start - ownTop
		case top + bottom:
			return w.with(search, replace[top-ownTop:len(replace)-bottom+ownBottom]), start - ownTop
		}
		return nil, 0
	}
	trailing := 0
	for blankLine(replace[len(replace)-1-trailing]) {
		trailing++
	}
	leading := countBlank(replace)
	core := dropBlankEdges(replace)
	if top > ownTop && leading == 0 && r.echoes(core, n, start-ownTop-1, w.search[top]) ||
		bottom > ownBottom && trailing == 0 && r.echoes(reversed(core), n, start+n+ownBottom, w.search[top+n-1]) {
		return nil, 0
	}
	for _, end := range []struct{ spurious, all, has int }{{top - ownTop, top, leading}, {bottom - ownBottom, bottom, trailing}} {
		told := end.has == 0 || end.has == end.all || end.spurious == end.all && end.has > end.all
		if end.spurious > 0 && !told {
			return nil, 0
		}
	}
	replace = replace[min(leading, top-ownTop):]
	replace = replace[:len(replace)-min(trailing, bottom-ownBottom)]
	if len(search) < len(w.search) && len(replace) < len(w.replace) && nonBlank(replace) == nonBlank(search) {
		for range occurrences(foldTrailing.strings(w.search), foldTrailing.strings(replace)) {
			return nil, 0 // applied again it would find all of itself, blank edges and all
		}
	}
	return w.with(search, replace), start - ownTop
}

// echoes reports whether line i of the file, which stands beside a place of n lines, is of
// one character and the one that the replacement has beside as many lines: the blank line
// of the search may be what is left of it. The replacement begins at that end, and next is the search's
// line there.
func (r *resolver) echoes(replace []string, n, i int, next string) bool {
	beside := len(replace) - 1 - n
	if beside < 0 || i < 0 || i >= r.index.numLines() {
		return false
	}
	line := foldTrailing.string(string(r.index.line(i)))
	inner := foldTrimmed.string(line)
	return utf8.RuneCountInString(inner) == 1 && inner != foldTrimmed.string(next) && line == foldTrailing.string(replace[beside])
}

func reversed(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
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
