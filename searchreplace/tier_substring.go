package searchreplace

import (
	"bytes"
	"sort"
	"strings"

	"github.com/hlkit/hlkit/text"
)

// substring finds the search as text, which may begin and end within a line.
// Where it is whole lines, a line end at its end that the replacement lacks, or
// the other way round, is ignored: taken literally it would join lines, or leave a
// blank one.
func (t *try) substring(w *want) bool {
	hits := t.plainText().find(w.searchText, t.mostHits())
	if len(hits) == 0 {
		return false
	}
	return t.decideText(Substring, w, hits, func(int) int { return len(w.searchText) })
}

// mostCounted is how many places of a text are counted, where no more is asked than
// whether it is one.
const mostCounted = 1000

// mostHits returns how many places have to be found to choose among them.
func (t *try) mostHits() int {
	b := t.block
	if t.opt.All || b.All || b.Line > 0 || len(b.Context) > 0 || b.AtEnd {
		return len(t.plainText().text)
	}
	return mostCounted
}

// A plainText is a document's text with "\n" for every line end.
type plainText struct {
	doc    *text.Document
	text   []byte
	starts []int            // of lines, and the end of the text
	found  map[string][]int // what findMany found
	looks  *spelling        // nil until it is asked for
}

func (r *resolver) plainText() *plainText {
	if r.plain != nil {
		return r.plain
	}
	p := &plainText{doc: r.doc, text: r.doc.Body(), starts: make([]int, 0, len(r.index.bounds)+1)}
	if bytes.Contains(p.text, []byte("\r\n")) {
		p.text = bytes.ReplaceAll(p.text, []byte("\r\n"), []byte("\n"))
	}
	at := 0
	for _, b := range r.index.bounds {
		p.starts = append(p.starts, at)
		at += b.end - b.start + 1
	}
	p.starts = append(p.starts, len(p.text))
	if r.doc.Encoding() == nil {
		p.found = findMany(p.text, r.needles())
	}
	r.plain = p
	return p
}

// needles returns what blocks look for as text: their searches, and replacements
// that may stand already.
func (r *resolver) needles() []string {
	var needles []string
	for _, t := range r.tries {
		if t.block.Substring {
			search, _ := encodeSide(r.doc, t.block.Search)
			replace, _ := encodeSide(r.doc, t.block.Replace)
			needles = append(needles, search, replace)
		}
	}
	return needles
}

// line returns the line that offset at is in; the number of lines at the end of a
// text that a line end ends.
func (p *plainText) line(at int) int {
	return sort.Search(len(p.starts)-1, func(i int) bool { return p.starts[i+1] > at || i == len(p.starts)-2 && p.doc.Unterminated() })
}

// lines returns the lines that hold the bytes from start to end.
func (p *plainText) lines(start, end int) (first, last int) {
	first = p.line(start)
	if end == start {
		return first, first
	}
	return first, min(p.line(end-1)+1, p.doc.NumLines())
}

// offset returns where offset at is in the Document's Body.
func (p *plainText) offset(at int) int {
	i := p.line(at)
	return min(p.doc.Offset(i)+at-p.starts[i], len(p.doc.Body()))
}

// find returns where needle stands, overlapping places too, but not many more than
// most of them.
func (p *plainText) find(needle string, most int) []int {
	if hits, ok := p.found[needle]; ok {
		return hits
	}
	var begins func(int) bool
	if p.doc.Encoding() != nil {
		begins = p.doc.Encoding().Boundaries(p.text)
	}
	return findAll(p.text, []byte(needle), most, begins)
}

// findAll returns where needle stands in text, overlapping places too, up to most
// of them, at offsets that begins admits, asked in order; nil admits all.
func findAll(text, needle []byte, most int, begins func(int) bool) []int {
	var hits []int
	// Comparing the needle at every hit again is dear where hits overlap much, as
	// in a text of one letter; from then on it is found without.
	budget := 4*len(text) + 1024
	for at := 0; len(hits) < most; at++ {
		n := bytes.Index(text[at:], needle)
		if n < 0 {
			break
		}
		at += n
		if begins == nil || begins(at) {
			hits = append(hits, at)
		}
		if budget -= len(needle); budget < 0 {
			return appendOverlapping(hits, text, needle, at+1, most, begins)
		}
	}
	return hits
}

// appendOverlapping is the rest of findAll from offset from on, by Knuth, Morris
// and Pratt.
func appendOverlapping(hits []int, text, needle []byte, from, most int, begins func(int) bool) []int {
	border := make([]int32, len(needle)+1)
	border[0] = -1
	for i, k := 0, int32(-1); i < len(needle); {
		for k >= 0 && needle[i] != needle[k] {
			k = border[k]
		}
		i, k = i+1, k+1
		border[i] = k
	}
	k := int32(0)
	for i := from; i < len(text) && len(hits) < most; i++ {
		for k >= 0 && (int(k) == len(needle) || needle[k] != text[i]) {
			k = border[k]
		}
		k++
		if at := i + 1 - len(needle); int(k) == len(needle) && (begins == nil || begins(at)) {
			hits = append(hits, at)
		}
	}
	return hits
}

// A textSpan replaces bytes of a plainText.
type textSpan struct {
	start, end  int
	replace     string
	first, last int // the lines that the search covers
}

// decideText settles a block by the places where its text stands; size is how many
// bytes it has at each.
func (t *try) decideText(tier Tier, w *want, hits []int, size func(start int) int) bool {
	p := t.plainText()
	width := size(hits[0]) // look-alikes make sizes differ, but then only All asks, and checks overlap
	starts, note := t.choose(hits, width, func(h int) (int, int) { return p.lines(h, h+size(h)) })
	if starts == nil {
		t.ambiguousText(tier, w, hits, size)
		return true
	}
	var places []Place
	var spans []textSpan
	ignored := false
	alreadyAt := 0
	reach := 0
	for _, start := range starts {
		end := start + size(start)
		if start < reach {
			continue
		}
		reach = end
		first, last := p.lines(start, end)
		places = append(places, Place{Start: first, End: last})
		replace, changed := p.wholeLines(w.searchText, w.replaceText, start, end)
		ignored = ignored || changed
		if at, ok := p.already(w.searchText, replace, start, end); ok {
			if alreadyAt == 0 {
				alreadyAt = p.line(at) + 1
			}
			continue
		}
		if replace == string(p.text[start:end]) {
			continue
		}
		spans = append(spans, p.shrink(textSpan{start, end, replace, first, last}, w))
	}
	if note.Rule == NoteAll {
		note.Text = strings.Replace(note.Text, "were replaced", "were found", 1)
	}
	var notes []Note
	if note.Rule != "" {
		notes = append(notes, note)
	}
	if err := t.unwritableText(w, spans); err != nil {
		t.fail = err
		return true
	}
	t.settle(tier, places, notes)
	t.texts = spans
	t.result.Unchanged = len(spans) == 0
	if t.result.Unchanged && w.searchText != w.replaceText {
		t.result.AlreadyAt = max(alreadyAt, places[0].Start+1)
	}
	if ignored {
		t.note(NoteFinalNewline, "search and replacement differ in a line end at their end, which whole lines do not have; it was ignored")
	}
	return true
}

// unwritableText returns why the replacement cannot be written; nil if it can.
func (t *try) unwritableText(w *want, spans []textSpan) *Failure {
	for _, s := range spans {
		var fit fitting
		fit.unwritable(t.doc, w, s.replace, 0)
		if fit.err != nil {
			fit.err.Block = t.i
			return fit.err
		}
	}
	return nil
}

// wholeLines returns the replacement of the bytes from start to end, with or
// without the line end at its end that search has or lacks, if they are whole
// lines; changed reports that this made a difference.
func (p *plainText) wholeLines(search, replace string, start, end int) (fitted string, changed bool) {
	terminated := strings.HasSuffix(search, "\n")
	if replace == "" || terminated == strings.HasSuffix(replace, "\n") {
		return replace, false
	}
	if start > 0 && p.text[start-1] != '\n' || !terminated && end < len(p.text) && p.text[end] != '\n' {
		return replace, false
	}
	if terminated {
		return replace + "\n", true
	}
	return strings.TrimSuffix(replace, "\n"), true
}

// already reports whether the search, found from start to end, lies inside its own
// replacement, and where that begins.
func (p *plainText) already(search, replace string, start, end int) (at int, ok bool) {
	if len(replace) <= len(search) {
		return 0, false
	}
	from := 0
	for range mostAlready {
		k := strings.Index(replace[from:], search)
		if k < 0 {
			return 0, false
		}
		k += from
		after := end + len(replace) - k - len(search)
		if start-k >= 0 && after <= len(p.text) && string(p.text[start-k:start]) == replace[:k] && string(p.text[end:after]) == replace[k+len(search):] {
			return start - k, true
		}
		from = k + 1
	}
	return 0, false
}

// shrink leaves out of s what the replacement begins and ends with as the text
// does: it is context, and another block may change the same line.
func (p *plainText) shrink(s textSpan, w *want) textSpan {
	if p.doc.Encoding() != nil {
		return s // bytes of such text are not always characters
	}
	old := p.text[s.start:s.end]
	n := 0
	for n < len(old) && n < len(s.replace) && old[n] == s.replace[n] {
		n++
	}
	for n > 0 && n < len(old) && old[n]&0xC0 == 0x80 {
		n--
	}
	old, s.start, s.replace = old[n:], s.start+n, s.replace[n:]
	n = 0
	for n < len(old) && n < len(s.replace) && old[len(old)-1-n] == s.replace[len(s.replace)-1-n] {
		n++
	}
	for n > 0 && old[len(old)-n]&0xC0 == 0x80 {
		n--
	}
	s.end, s.replace = s.end-n, s.replace[:len(s.replace)-n]
	return s
}
