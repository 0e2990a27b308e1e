package searchreplace

import "strings"

const arrow = "→" // what our own reads print between anchor and text

// withoutGutter returns s without the line numbers of a view, as "12 | text",
// "12→text" or an anchor prints them. They must stand on every line and count up
// by one; a single line must have an anchor or a sign that is seldom text. padded
// reports that all text stands behind a bar and a blank, which is still there.
func withoutGutter(s string) (text string, padded, ok bool) {
	if s == "" || !startsGutter(s) {
		return s, false, false
	}
	var out strings.Builder
	padded = true
	next, lines := 0, 0
	for rest := s; rest != ""; lines++ {
		end := indexLineEnd(rest)
		g, ok := cutGutter(rest[:end])
		if !ok || lines > 0 && g.n != next {
			return s, false, false
		}
		next = g.n + 1
		padded = padded && g.bar && (isBlank(g.text) || g.text[0] == ' ')
		out.WriteString(g.text)
		rest = rest[end:]
	}
	return out.String(), padded, true
}

// withoutPadding returns s without the blank that its lines begin with.
func withoutPadding(s string) string {
	var out strings.Builder
	for line := range strings.Lines(s) {
		out.WriteString(strings.TrimPrefix(line, " "))
	}
	return out.String()
}

// startsGutter tells most text from a gutter by its first line alone.
func startsGutter(s string) bool {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i < len(s) && '0' <= s[i] && s[i] <= '9'
}

// A gutter is what a view prints before the text of a line, and that text.
type gutter struct {
	n        int
	lettered bool // an anchor that proves something
	bar      bool
	text     string
}

// cutGutter returns the gutter of a line. ok is false if it has none.
func cutGutter(line string) (g gutter, ok bool) {
	s := strings.TrimLeft(line, " ")
	i := 0
	for i < len(s) && i < 9 && '0' <= s[i] && s[i] <= '9' {
		g.n = g.n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return g, false
	}
	s = s[i:]
	if code := anchorCode(s); code > 0 && strings.HasPrefix(s[code:], arrow) {
		g.lettered, g.text = true, s[code+len(arrow):]
		return g, true
	}
	if g.text, ok = strings.CutPrefix(s, arrow); ok {
		return g, true
	}
	g.text, g.bar = strings.CutPrefix(strings.TrimLeft(s, " "), "|")
	return g, g.bar
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
			if g, ok := cutGutter(line); !ok || !g.lettered {
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
	_, _, ok := withoutGutter(s)
	lines := strings.Count(s, "\n")
	return ok && lines >= 2 && strings.Count(s, arrow) >= lines
}
