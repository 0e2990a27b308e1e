package searchreplace

import "strings"

// already reports whether the search, found from start to end, lies inside its own
// replacement, and where that begins. If whole is set, that must be whole lines, as
// the search is.
func (p *plainText) already(search, replace string, start, end int, whole bool) (at int, ok bool) {
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
			if !whole || p.areLines(start-k, after, strings.HasSuffix(search, "\n")) {
				return start - k, true
			}
		}
		from = k + 1
	}
	return 0, false
}

// areLines reports whether the bytes from start to end are whole lines, with the line
// end of the last one or without.
func (p *plainText) areLines(start, end int, terminated bool) bool {
	if start > 0 && p.text[start-1] != '\n' {
		return false
	}
	switch last := p.text[end-1] == '\n'; {
	case terminated:
		return last
	case end == len(p.text):
		return !last
	}
	return p.text[end] == '\n'
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
