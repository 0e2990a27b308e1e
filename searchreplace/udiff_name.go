package searchreplace

import "strings"

// diffName returns the file that stands behind "--- " or "+++ ": without the time,
// which a tab separates, or blanks where a model wrote it.
func diffName(s string) (name string, quoted bool) {
	if strings.HasPrefix(s, `"`) {
		name, _ = cutQuoted(s)
		return name, true
	}
	if name, _, ok := strings.Cut(s, "\t"); ok {
		return name, false
	}
	s = trimBlanks(s)
	if i := timeAt(s); i > 0 {
		s = trimBlanks(s[:i])
	}
	return s, false
}

// timeAt returns where a time like 2026-01-31 10:00 begins that ends s, or 0.
func timeAt(s string) int {
	const shape = " 0000-00-00 00:00"
	for i := 1; i+len(shape) <= len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		fits := true
		for j := range len(shape) {
			c := s[i+j]
			if shape[j] == '0' {
				fits = fits && c >= '0' && c <= '9'
			} else {
				fits = fits && c == shape[j]
			}
		}
		if fits && strings.Trim(s[i+len(shape):], "0123456789:.+- Z") == "" {
			return i
		}
	}
	return 0
}

// unquoted returns a name that may be in quotes.
func unquoted(s string) string {
	if strings.HasPrefix(s, `"`) {
		name, _ := cutQuoted(s)
		return name
	}
	return trimBlanks(s)
}

// cutQuoted returns the name that s begins with in quotes, as git writes it, and
// what follows. A name whose quotes do not end is taken as it stands.
func cutQuoted(s string) (name, rest string) {
	b := make([]byte, 0, len(s))
	for i := 1; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			return string(b), s[i+1:]
		}
		if c != '\\' || i+1 == len(s) {
			b = append(b, c)
			continue
		}
		i++
		if i+2 < len(s) && s[i] >= '0' && s[i] <= '3' && isOctal(s[i+1]) && isOctal(s[i+2]) {
			b = append(b, (s[i]-'0')<<6|(s[i+1]-'0')<<3|(s[i+2]-'0'))
			i += 2
			continue
		}
		if j := strings.IndexByte(escapeLetters, s[i]); j >= 0 {
			b = append(b, escapeBytes[j])
			continue
		}
		b = append(b, s[i])
	}
	return s, ""
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

// What stands behind a backslash in a quoted name, and what it stands for.
const (
	escapeLetters = `abtnvfr"\`
	escapeBytes   = "\a\b\t\n\v\f\r\"\\"
)

// appendName appends a name as the header of a diff has it, in quotes if it needs
// them.
func appendName(b []byte, name string) []byte {
	plain := name != ""
	for i := range len(name) {
		c := name[i]
		plain = plain && c >= ' ' && c < 0x7f && c != '"' && c != '\\'
	}
	if plain && name[0] != ' ' && name[len(name)-1] != ' ' {
		return append(b, name...)
	}
	b = append(b, '"')
	for i := range len(name) {
		c := name[i]
		switch j := strings.IndexByte(escapeBytes, c); {
		case j >= 0:
			b = append(b, '\\', escapeLetters[j])
		case c < ' ' || c >= 0x7f:
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
