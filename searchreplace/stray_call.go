package searchreplace

import "strings"

// fields is a set of the roles of names that stand before a colon or an equals sign.
type fields uint

// hasEdits is beside the roles: a list of edits.
const hasEdits = fields(1) << 31

func (f fields) has(r role) bool { return f&(1<<r) != 0 }

// call reports whether fields can be nothing but those of a call.
func (f fields) call() bool {
	return f.has(oldRole) && f.has(newRole) ||
		f.has(pathRole) && (f.has(contentRole) || f.has(diffRole) || f&hasEdits != 0)
}

// beginsObject returns where in a line an object may begin that is a call, or -1: at a
// brace before a quote, before the name of a field or before the end of the line, at
// the name of a tool and a parenthesis, or at a tag with attributes. What is in inline code is spoken of, unless
// it is all of the line.
func beginsObject(s string) int {
	for from := 0; ; {
		i := strings.IndexAny(s[from:], "{(<")
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		at := i
		if s[i] == '<' {
			// The attributes of a tag.
			end := i + 1 + runOfName(s[i+1:])
			if attrs, _, _ := strings.Cut(s[end:], ">"); end == i+1 || looseFields(attrs) == 0 {
				continue
			}
		} else if s[i] == '(' {
			for at > 0 && isNameByte(s[at-1]) {
				at--
			}
			if !(editCalls{}).tool(s[at:i]) {
				continue
			}
		} else if rest := strings.TrimLeft(trimLeft(s[i+1:]), `\`); rest != "" && !isQuote(rest) && looseFields(rest[:min(len(rest), 32)]) == 0 {
			continue
		}
		if spokenOf(s, at) && !(s[0] == '`' && s[len(s)-1] == '`') {
			continue
		}
		return at
	}
}

// spokenOf reports whether byte at of a line is in inline code.
func spokenOf(s string, at int) bool {
	return strings.Count(s[:at], "`")%2 == 1 && strings.IndexByte(s[at:], '`') >= 0
}

// runOfName returns how many bytes of a name s begins with.
func runOfName(s string) int {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	return n
}

func isQuote(s string) bool {
	return s[0] == '"' || s[0] == '\'' || s[0] == '`' || strings.HasPrefix(s, "“") || strings.HasPrefix(s, "‘")
}

// looseFields returns the roles of the names that a line has, in quotes of any kind or
// in none.
func looseFields(s string) fields {
	var f fields
	for i := range len(s) {
		if s[i] != ':' && s[i] != '=' {
			continue
		}
		end := len(strings.TrimRight(s[:i], "\"'\\”’“‘ \t"))
		at := end
		for at > 0 && isNameByte(s[at-1]) {
			at--
		}
		if name := s[at:end]; name == "edits" {
			f |= hasEdits
		} else if r := roleOf(name); r != noRole && r != talkRole {
			f |= 1 << r
		}
	}
	return f
}
