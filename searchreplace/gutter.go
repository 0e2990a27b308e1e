package searchreplace

import "strings"

const arrow = "→" // what our own reads print between anchor and text

// withoutGutter returns s without the line numbers of a view, as "12 | text",
// "12→text" or an anchor prints them. They must stand on every line and count up
// by one; a single line must have an anchor or a sign that is seldom text.
func withoutGutter(s string) (string, bool) {
	if s == "" || !startsGutter(s) {
		return s, false
	}
	var out strings.Builder
	next, lines := 0, 0
	for rest := s; rest != ""; lines++ {
		end := indexLineEnd(rest)
		n, _, text, ok := cutGutter(rest[:end])
		if !ok || lines > 0 && n != next {
			return s, false
		}
		next = n + 1
		out.WriteString(text)
		rest = rest[end:]
	}
	return out.String(), true
}

// startsGutter tells most text from a gutter by its first line alone.
func startsGutter(s string) bool {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i < len(s) && '0' <= s[i] && s[i] <= '9'
}

// cutGutter returns the number before a line, and the text behind it. lettered is
// true if it is an anchor that proves something.
func cutGutter(line string) (n int, lettered bool, text string, ok bool) {
	s := strings.TrimLeft(line, " ")
	i := 0
	for i < len(s) && i < 9 && '0' <= s[i] && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return 0, false, "", false
	}
	s = s[i:]
	if code := anchorCode(s); code > 0 && strings.HasPrefix(s[code:], arrow) {
		return n, true, s[code+len(arrow):], true
	}
	if text, ok := strings.CutPrefix(s, arrow); ok {
		return n, false, text, true
	}
	s = strings.TrimLeft(s, " ")
	if text, ok := strings.CutPrefix(s, "|"); ok {
		// One blank belongs to the gutter: Roo's views have it.
		return n, false, strings.TrimPrefix(text, " "), true
	}
	return 0, false, "", false
}

// anchorCode returns the length of the letters behind the line number of an
// anchor: ":ab:rstu", ":ab~rstu", ".abcdef" or ":abc"; 0 if there are none.
func anchorCode(s string) int {
	for _, shape := range [...]string{":xx:xxxx", ":xx~xxxx", ".xxxxxx", ":xxx"} {
		if hasShape(s, shape) {
			return len(shape)
		}
	}
	return 0
}

// hasShape reports whether s begins with shape, in which x is a lower-case letter.
func hasShape(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		letter := 'a' <= s[i] && s[i] <= 'z'
		if shape[i] == 'x' && !letter || shape[i] != 'x' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// allAnchored reports whether every line of s that is not blank begins with an
// anchor of ours, and there is one.
func allAnchored(s string) bool {
	found := false
	for rest := s; rest != ""; {
		end := indexLineEnd(rest)
		if line := rest[:end]; !isBlank(line) {
			if _, lettered, _, ok := cutGutter(line); !ok || !lettered {
				return false
			}
			found = true
		}
		rest = rest[end:]
	}
	return found
}

// allNumbered reports whether the lines of s, two or more, begin with bare numbers
// of ours that count up by one. Where SEARCH has such numbers, too, they may be
// text on both sides.
func allNumbered(s string) bool {
	_, ok := withoutGutter(s)
	lines := strings.Count(s, "\n")
	return ok && lines >= 2 && strings.Count(s, arrow) >= lines
}
