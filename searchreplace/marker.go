package searchreplace

import "strings"

// A marker is a line of three or more equal marker characters, alone or with
// the word that makes it an opener or a closer.
type marker struct {
	char byte   // '-', '<', '=', '+' or '>'; 0 if the line is no marker
	run  int    // how many
	word string // "SEARCH", "REPLACE", or "" for a line of nothing but the run
	rest string // what stands behind the word, past one '>' and blanks
	glue bool   // no blank between the run and the word
	fold bool   // the word is not in capitals
}

// classicRun is how long markers usually are. An opener that is longer was made
// so to hold shorter ones as content.
const classicRun = 7

// parseMarker returns the marker that a line spells. Blanks behind it do not
// count; a line that begins with blanks is none.
func parseMarker(s string) marker {
	if len(s) < 3 || s[0] != s[1] || s[0] != s[2] {
		return marker{}
	}
	switch s[0] {
	case '-', '<', '=', '+', '>':
	default:
		return marker{}
	}
	m := marker{char: s[0], run: runOf(s, s[0])}
	s = trimRight(s[m.run:])
	if s == "" {
		return m
	}
	spelled := trimBlanks(s)
	m.glue = len(spelled) == len(s)
	for _, w := range [...]string{"SEARCH", "REPLACE"} {
		if len(spelled) < len(w) || !strings.EqualFold(spelled[:len(w)], w) {
			continue
		}
		rest := strings.TrimPrefix(spelled[len(w):], ">")
		if rest != "" && !isBlankByte(rest[0]) {
			return marker{}
		}
		m.word, m.rest, m.fold = w, trimBlanks(rest), spelled[:len(w)] != w
		return m
	}
	return marker{}
}

// opener returns the dialect of a block that m opens in the proper way.
func (m marker) opener() (Dialect, bool) {
	if m.word == "SEARCH" && m.rest == "" && !m.glue && !m.fold {
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
	return m.word == "REPLACE" && m.rest == "" && !m.glue && !m.fold && (m.char == '+' || m.char == '>')
}

// within reports whether m, an opener or a closer, can be one for the block that
// o opened.
func (m marker) within(o marker) bool { return o.run <= classicRun || m.run == o.run }

// misspelled reports whether m is a closer of the block that o opened but for its
// spelling: "------- REPLACE", ">>>>>>>REPLACE", "+++++++ replace".
func (m marker) misspelled(o marker) bool {
	return m.word == "REPLACE" && m.rest == "" && !m.closer() && m.run == o.run
}

// needsEscape reports whether s, as a line of content, must be written with a
// backslash before it. Backslashes of its own do not change that, so there is
// one way to write every line.
func needsEscape(s string) bool {
	s = strings.TrimLeft(s, `\`)
	switch {
	case s == "":
		return false
	case s[0] == ':':
		_, _, ok := parseHint(s)
		return ok
	}
	m := parseMarker(s)
	if m.char != 0 {
		return m.word != "" || m.char == '=' || m.char == '-'
	}
	// Roo's models escape the markers of a real merge conflict, too.
	return len(s) >= classicRun && (s[0] == '<' || s[0] == '>') && runOf(s, s[0]) == classicRun &&
		(len(s) == classicRun || s[classicRun] == ' ')
}

// unescape takes one backslash from a line that needs it.
func unescape(s string) string {
	if s != "" && s[0] == '\\' && needsEscape(s) {
		return s[1:]
	}
	return s
}

// parseHint returns what Roo's lines ":start_line:12" and ":end_line:15" say.
func parseHint(s string) (name string, n int, ok bool) {
	s = trimRight(s)
	for _, name := range [...]string{":start_line:", ":end_line:"} {
		digits, ok := strings.CutPrefix(s, name)
		if !ok {
			continue
		}
		digits = trimBlanks(digits)
		if digits == "" || len(digits) > 9 {
			return "", 0, false
		}
		for i := range len(digits) {
			if digits[i] < '0' || digits[i] > '9' {
				return "", 0, false
			}
			n = n*10 + int(digits[i]-'0')
		}
		return name, n, true
	}
	return "", 0, false
}
