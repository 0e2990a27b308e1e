package searchreplace

import "bytes"

// indent finds lines that differ in indentation only, by one rule for all of
// them: the file has one more string of blanks in front of each, or one less; or
// only the first line is indented otherwise; or tabs stand for blanks, so many
// blanks to a tab (see findShift). Blank lines are equal to blank lines. The
// replacement is re-based by the same rule; where it cannot be, there is no hit.
//
// All places that are equal without the blanks and tabs at both ends count, at
// any depth: which of two such places is meant cannot be told from the text.
func (r *resolver) indent(w *want) *finding {
	if nonBlank(w.search) == 0 {
		return nil
	}
	return r.windows(w, foldTrimmed, r.indented)
}

// indented is rebased for places whose lines end as they are written.
func (r *resolver) indented(w *want, start int) fitting {
	for i, s := range w.search {
		line := r.index.line(start + i)
		if !blankLine(s) && !bytes.Equal(line[len(indentOf(line)):], []byte(s[len(indentOf(s)):])) {
			return fitting{}
		}
	}
	return r.rebased(w, start)
}
