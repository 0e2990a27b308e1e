package searchreplace

import (
	"slices"
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
	note      string // how it was re-based; "" if it was not
	edits     []text.Edit
	line      func(i int) (string, bool) // line i of the replacement, as it would be written there
	err       *Failure                   // lines that cannot be written
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

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// mostAlready bounds how often a search is looked for in its own replacement.
const mostAlready = 64

// already reports whether the search at line start lies inside its own
// replacement, which then stands at the 1-based line at: whoever inserts beside
// the search has inserted before. Blanks at line ends make no difference: where the
// search was found without them the first time, the file has kept its own. Nor does
// indentation, where the place has another than the search: a block that wraps its
// search in an if is found again inside of it.
func (r *resolver) already(w *want, start int, fit fitting) (at int, ok bool) {
	n, m := len(w.search), len(w.replace)
	if m <= n || n == 0 {
		return 0, false
	}
	aside := foldTrailing
	if fit.shifted {
		aside = foldTrimmed
	}
	from, to := max(0, start-(m-n)), min(r.index.numLines(), start+m)
	around := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		around = append(around, string(aside.of(r.index.line(i), nil)))
	}
	given, written := make([]string, m), make([]string, m)
	for i := range written {
		s, _ := fit.line(i)
		given[i], written[i] = string(aside.of([]byte(w.replace[i]), nil)), string(aside.of([]byte(s), nil))
	}
	// The replacement as it is given or would be written, anywhere around the
	// search. As given: it was written so where the search stood as it is given, and
	// then part of it may look like the search with other indentation.
	for _, lines := range [][]string{written, given} {
		for k := range occurrences(lines, around) {
			if from+k <= start && start+n <= from+k+m {
				return from + k + 1, true
			}
		}
	}
	// Or the lines that it has beside the search: those of the search are context,
	// and differ as they did.
	tried := 0
	for k := range occurrences(w.search, w.replace) {
		if tried++; tried > mostAlready {
			break
		}
		first := start - k
		if first >= from && first+m <= to && slices.Equal(around[first-from:start-from], written[:k]) && slices.Equal(around[start+n-from:first+m-from], written[k+n:]) {
			return first + 1, true
		}
	}
	return 0, false
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
