package searchreplace

import (
	"bytes"
	"sort"

	"github.com/hlkit/hlkit/text"
)

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
