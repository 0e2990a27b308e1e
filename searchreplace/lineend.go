package searchreplace

import "github.com/hlkit/hlkit/text"

// A LineEnd says what becomes of the line end that ends a file, or of its lack.
type LineEnd int

const (
	Kept  LineEnd = iota // it stays as it is
	Given                // the last line gets one
	Taken                // the last line loses it
)

// endOfFile does what a unified diff says of the end of the file: with "\ No newline
// at end of file" behind one side only it gives the file its final line end or takes
// it away. It returns edits, and with them one of the last line if only that changes.
//
// A diff that says the same of both sides, or nothing, changes nothing there, whatever
// the file has: models leave that line out where it belongs.
func (t *try) endOfFile(edits []text.Edit) []text.Edit {
	b, n := t.block, t.doc.NumLines()
	places := t.result.Places
	if b.Dialect != Unified || len(places) == 0 {
		return edits
	}
	reaches := places[len(places)-1].End == n
	is := reaches && t.doc.Unterminated()
	if b.SearchUnterminated == b.ReplaceUnterminated && b.SearchUnterminated != is || !reaches {
		if b.SearchUnterminated != is || b.ReplaceUnterminated != is {
			t.note(NoteFinalNewline, "the diff says otherwise about a line end at the end of the file; the file's stays as it is")
		}
		return edits
	}
	if t.end = Given; b.ReplaceUnterminated {
		t.end = Taken
	}
	if b.ReplaceUnterminated == is {
		return edits // and it is so whatever they delete
	}
	t.note(NoteFinalNewline, map[LineEnd]string{Given: "the last line of the file gets a line end, as the diff says", Taken: "the last line of the file loses its line end, as the diff says"}[t.end])
	for _, e := range edits {
		if e.End == n {
			return edits
		}
	}
	if n == 0 {
		return edits
	}
	return append(edits, text.Edit{Start: n - 1, End: n, Lines: []string{string(t.index.line(n - 1))}})
}

// Finish gives s, the document with r's edits and perhaps others made, the final line
// end that the blocks ask for.
func (r *Resolution) Finish(s *text.Spliced) (*text.Spliced, error) {
	if r.LineEnd == Kept {
		return s, nil
	}
	return s.Ended(r.LineEnd == Given)
}
