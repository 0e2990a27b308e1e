package searchreplace

import (
	"strings"
	"unicode/utf8"

	"github.com/hlkit/hlkit/text"
)

// A want is one reading of a block: its lines, in the encoding of the document,
// and as text for blocks that are searched as such.
type want struct {
	search, replace []string
	searchText      string // with "\n" for every line end
	replaceText     string
	searchErr       error // the document's encoding cannot hold the search
	replaceErr      error // … the replacement
	finalNewline    bool  // one of the two has a line end at its end that the other lacks
	substring       bool
	deltas          []delta
	deltasMade      bool
}

// newWant reads two sides of a block.
func newWant(doc *text.Document, search, replace string, substring bool) *want {
	w := &want{substring: substring}
	w.searchText, w.searchErr = encodeSide(doc, search)
	w.replaceText, w.replaceErr = encodeSide(doc, replace)
	w.search = splitLines(w.searchText)
	w.replace = splitLines(w.replaceText)
	if substring {
		terminated := strings.HasSuffix(w.searchText, "\n")
		if w.replaceText == "" && !terminated && w.searchText != "" {
			w.replace = []string{""}
		}
		w.finalNewline = w.replaceText != "" && terminated != strings.HasSuffix(w.replaceText, "\n")
	}
	return w
}

// encodeSide returns s as the document's bytes have it, with "\n" for every line
// end. With an error it returns s itself, which may still stand in the file where
// its bytes are mixed.
func encodeSide(doc *text.Document, s string) (string, error) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !utf8.ValidString(s) {
		return s, nil // bytes that a reader took from the file as they are
	}
	encoded, err := doc.Encode(s)
	if err != nil {
		return s, err
	}
	return encoded, nil
}

// splitLines returns the lines of s, whose last may lack its line end.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// changed returns what of search and replace differs.
func (w *want) changed() []delta {
	if !w.deltasMade {
		w.deltas, w.deltasMade = changedLines(w.search, w.replace), true
	}
	return w.deltas
}

// firstApart returns w, of whose replacement no line but the first is equal to the
// first of the search.
func (w *want) firstApart() *want {
	mark := func(lines []string) []string {
		if len(lines) == 0 {
			return nil
		}
		return append([]string{"\x00" + lines[0]}, lines[1:]...)
	}
	other := w.with(w.search, w.replace)
	other.deltas, other.deltasMade = changedLines(mark(w.search), mark(w.replace)), true
	return other
}

// with returns w with other lines.
func (w *want) with(search, replace []string) *want {
	other := *w
	other.search, other.replace = search, replace
	other.deltas, other.deltasMade = nil, false
	return &other
}

// same reports that the block asks for nothing.
func (w *want) same() bool { return len(w.changed()) == 0 }
