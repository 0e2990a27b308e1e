package searchreplace

import "slices"

// confusables finds lines that are equal once dashes, quotes, blanks that do not
// break and ellipses are spelled in ASCII, on both sides. It writes the
// replacement as given; what search and replacement share keeps the file's
// characters.
func (r *resolver) confusables(w *want) *finding {
	return r.windows(w, foldLooks, r.verbatim)
}

// looksLike is confusables for a block that is searched as text: a place may begin
// and end within a line, but not within a character that is spelled with several.
func (t *try) looksLike(w *want) bool {
	if t.doc.Encoding() != nil {
		return false // offsets are of bytes that are not UTF-8; the lines are still compared
	}
	p := t.plainText()
	if p.looks == nil {
		p.looks = newSpelling(p.text)
		var needles []string
		for _, s := range t.needles() {
			needles = append(needles, string(appendLooks(nil, s)))
		}
		p.looks.found = findMany(p.looks.text, needles)
	}
	needle := appendLooks(nil, w.searchText)
	hits, ok := p.looks.found[string(needle)]
	if !ok {
		hits = findAll(p.looks.text, needle, t.mostHits(), nil)
	}
	var starts, ends []int
	for _, at := range hits {
		start, ok := p.looks.back(at)
		if !ok {
			continue
		}
		end, ok := p.looks.back(at + len(needle))
		// Round trip: what is found is spelled as the search is.
		if !ok || string(appendLooks(nil, p.text[start:end])) != string(needle) {
			continue
		}
		starts, ends = append(starts, start), append(ends, end)
	}
	if len(starts) == 0 {
		return false
	}
	size := func(start int) int {
		i, _ := slices.BinarySearch(starts, start)
		return ends[i] - start
	}
	return t.decideText(Confusables, w, starts, size)
}
