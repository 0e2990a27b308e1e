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
// brace before a quote, before the name of a field or before the end of the line, or
// at the name of a tool and a parenthesis. What is in inline code is spoken of, unless
// it is all of the line.
func beginsObject(s string) int {
	for from := 0; ; {
		i := strings.IndexAny(s[from:], "{(")
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		at := i
		if s[i] == '(' {
			for at > 0 && isNameByte(s[at-1]) {
				at--
			}
			if !(editCalls{}).tool(s[at:i]) {
				continue
			}
		} else if rest := strings.TrimLeft(trimLeft(s[i+1:]), `\`); rest != "" && !isQuote(rest) && looseFields(rest[:min(len(rest), 32)]) == 0 {
			continue
		}
		if at > 1 && inCode(s, at) || at == 1 && s[0] == '`' && s[len(s)-1] != '`' {
			return -1
		}
		return at
	}
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
