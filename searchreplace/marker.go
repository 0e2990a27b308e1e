package searchreplace

import "strings"

// A marker is a line of three or more equal marker characters, alone or with
// the word that makes it an opener or a closer.
type marker struct {
	char byte   // '-', '<', '=', '+' or '>'; 0 if the line is no marker
	run  int    // how many
	word string // "SEARCH", "REPLACE", or "" for a line of nothing but the run
	rest string // what stands behind the word, past blanks and one '>'
	glue bool   // no blank between the run and the word
}

// parseMarker returns the marker that a line spells. Blanks behind it do not
// count; a line that begins with blanks is none.
func parseMarker(s string) marker {
	if len(s) < 3 || s[0] != s[1] || s[0] != s[2] {
		return marker{}
	}
	c := s[0]
	switch c {
	case '-', '<', '=', '+', '>':
	default:
		return marker{}
	}
	m := marker{char: c, run: runOf(s, c)}
	s = trimRight(s[m.run:])
	if s == "" {
		return m
	}
	word := trimBlanks(s)
	m.glue = len(word) == len(s)
	for _, w := range [...]string{"SEARCH", "REPLACE"} {
		rest, ok := strings.CutPrefix(word, w)
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, ">")
		if rest != "" && !isBlankByte(rest[0]) {
			return marker{}
		}
		m.word, m.rest = w, trimBlanks(rest)
		return m
	}
	return marker{}
}

// opener returns the dialect of a block that m opens in the proper way.
func (m marker) opener() (Dialect, bool) {
	if m.word == "SEARCH" && m.rest == "" && !m.glue {
		switch m.char {
		case '-':
			return Cline, true
		case '<':
			return Git, true
		}
	}
	return 0, false
}

// divider reports whether m may divide SEARCH from REPLACE.
func (m marker) divider() bool { return m.char == '=' && m.word == "" }

// closer reports whether m closes a block in the proper way.
func (m marker) closer() bool {
	return m.word == "REPLACE" && m.rest == "" && !m.glue && (m.char == '+' || m.char == '>')
}
