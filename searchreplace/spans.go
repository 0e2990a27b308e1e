package searchreplace

import "strings"

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
