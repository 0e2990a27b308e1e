package searchreplace

import (
	"unicode/utf8"

	"github.com/hlkit/hlkit/text"
)

// A finding is the places that a tier found, all of which count.
type finding struct {
	want  *want // the block as the tier reads it
	fold  fold  // under which its search stands in every place; -1 if it need not
	hits  []int // first lines, from the top
	fit   func(w *want, start int) fitting
	notes []Note
}

// A fitting is a replacement put into one place.
type fitting struct {
	ok        bool
	tooLittle bool   // it fits, but the block says too little for it; not ok
	why       string // why not
	shifted   bool   // the place has another indentation than the search
	moved     bool   // it is at another depth
	note      string // how it was re-based; "" if it was not
	edits     []text.Edit
	line      func(i int) (string, bool) // line i of the replacement, as it would be written there
	err       *Failure                   // lines that cannot be written

	// Where a tier finds a part of the search and then takes more: what it takes,
	// and from which line on. Nil for what was found.
	want  *want
	start int
}

// windows finds w's search under a fold; nil if it stands nowhere.
func (r *resolver) windows(w *want, f fold, fit func(*want, int) fitting) *finding {
	r.hits = r.index.find(f, w.search, r.hits[:0])
	if len(r.hits) == 0 {
		return nil
	}
	return &finding{want: w, fold: f, hits: r.hits, fit: fit}
}

// verbatim puts the replacement into a place as it is given.
func (r *resolver) verbatim(w *want, start int) fitting {
	fit := fitting{ok: true, line: func(i int) (string, bool) { return w.replace[i], true }}
	r.fill(&fit, w, start)
	return fit
}

// fill makes fit's edits: the lines that search and replacement do not share. It
// reports false if one of them cannot be written there.
func (r *resolver) fill(fit *fitting, w *want, start int) bool {
	for _, h := range w.changed() {
		e := text.Edit{Start: start + h.s0, End: start + h.s1}
		same := h.s1-h.s0 == h.r1-h.r0
		for i := h.r0; i < h.r1; i++ {
			s, ok := fit.line(i)
			if !ok {
				return false
			}
			e.Lines = append(e.Lines, s)
			same = same && string(r.index.line(e.Start+i-h.r0)) == s
			fit.unwritable(r.doc, w, s, i)
		}
		if !same {
			fit.edits = append(fit.edits, e)
		}
	}
	return true
}

// after returns what edits, from the top, make of the n lines from line start on.
func (r *resolver) after(edits []text.Edit, start, n int) []string {
	var lines []string
	at := start
	keep := func(to int) {
		for ; at < to; at++ {
			lines = append(lines, string(r.index.line(at)))
		}
	}
	for _, e := range edits {
		keep(e.Start)
		lines = append(lines, e.Lines...)
		at = max(at, e.End)
	}
	keep(start + n)
	return lines
}

// unwritable notes that line i of the replacement, s, cannot be written.
func (fit *fitting) unwritable(doc *text.Document, w *want, s string, i int) {
	switch {
	case fit.err != nil:
	case w.replaceErr != nil && !ascii(s):
		fit.err = &Failure{Code: EncodingError, Message: w.replaceErr.Error()}
	case doc.Encoding() == nil && !utf8.ValidString(s):
		fit.err = &Failure{Code: InvalidInput, Message: "the replacement is not UTF-8: " + quoted(s)}
	}
}

func ascii[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
