package searchreplace

import (
	"sort"
	"unicode/utf8"
)

// looks are characters that models write in ASCII, and what they write.
var looks = map[rune]string{
	'\u2010': "-", '\u2011': "-", '\u2012': "-", '\u2013': "-", '\u2212': "-", // hyphens, en dash, minus
	'\u2014': "--", '\u2015': "--", // em dash, bar
	'\u2018': "'", '\u2019': "'", '\u201A': "'", '\u201B': "'", '\u2032': "'",
	'\u201C': `"`, '\u201D': `"`, '\u201E': `"`, '\u201F': `"`, '\u2033': `"`,
	'\u2026': "...",
	'\u00A0': " ", '\u2002': " ", '\u2003': " ", '\u2007': " ", '\u2009': " ", '\u202F': " ", '\u3000': " ",
}

// appendLooks appends s with its look-alikes spelled in ASCII.
func appendLooks[T string | []byte](buf []byte, s T) []byte {
	return spell(buf, s, func(int, int, int) {})
}

// spell is appendLooks, and tells seen of each look-alike where it stands in s and
// how many bytes it has there and in buf.
func spell[T string | []byte](buf []byte, s T, seen func(at, size, spelled int)) []byte {
	from := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if ascii, ok := looks[r]; ok {
			buf = append(append(buf, s[from:i]...), ascii...)
			seen(i, size, len(ascii))
			from = i + size
		}
		i += size
	}
	return append(buf, s[from:]...)
}

// A spelling is a text with its look-alikes spelled in ASCII, and the way back.
type spelling struct {
	text  []byte
	marks []mark
	found map[string][]int // what findMany found in text
}

// A mark is a look-alike: where it stands in the text and where it is spelled.
type mark struct{ at, size, spelled, length int }

func newSpelling(text []byte) *spelling {
	s := &spelling{}
	grown := 0
	s.text = spell(nil, text, func(at, size, length int) {
		s.marks = append(s.marks, mark{at, size, at + grown, length})
		grown += length - size
	})
	return s
}

// back returns the offset in the text of an offset in its spelling. ok is false
// inside the spelling of one character, which has no half.
func (s *spelling) back(at int) (offset int, ok bool) {
	i := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].spelled >= at })
	if i == 0 {
		return at, true
	}
	m := s.marks[i-1]
	if at < m.spelled+m.length {
		return 0, false
	}
	return m.at + m.size + at - m.spelled - m.length, true
}
