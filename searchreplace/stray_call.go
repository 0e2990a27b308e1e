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
	if strings.IndexByte(s, '{') < 0 && strings.IndexByte(s, '(') < 0 && (strings.IndexByte(s, '=') < 0 || strings.IndexByte(s, '<') < 0) {
		return -1 // as most lines
	}
	code := newInline(s)
	for i := range len(s) {
		at := i
		switch s[i] {
		case '{':
			rest := strings.TrimLeft(trimLeft(s[i+1:]), `\`)
			if rest != "" && !isQuote(rest) && looseFields(rest[:min(len(rest), 32)]) == 0 {
				continue
			}
		case '(':
			for at > 0 && isNameByte(s[at-1]) {
				at--
			}
			if !(editCalls{}).tool(s[at:i]) {
				continue
			}
		case '<':
			t := parseTag(s[i:])
			if t.length == 0 {
				t = emptyTag(s[i:])
			}
			if looseFields(t.attrs) == 0 {
				continue
			}
		default:
			continue
		}
		if !code.has(i) || code.all {
			return at
		}
	}
	return -1
}

// An inline knows what in a line stands in inline code, and so is spoken of. It is
// asked from the beginning of the line to its end.
type inline struct {
	s          string
	from, last int
	in         bool
	all        bool // the line is nothing else
}

func newInline(s string) inline {
	return inline{s: s, last: strings.LastIndexByte(s, '`'), all: s[0] == '`' && s[len(s)-1] == '`'}
}

func (c *inline) has(at int) bool {
	if at > c.last {
		return false
	}
	if strings.Count(c.s[c.from:at], "`")%2 == 1 {
		c.in = !c.in
	}
	c.from = at
	return c.in
}

// emptyTag returns the tag without content that s begins with, as in <a b="c"/>.
func emptyTag(s string) tag {
	if i := strings.IndexByte(s[:min(len(s), 1024)], '/'); i > 0 {
		return parseTag(s[:i] + ">")
	}
	return tag{}
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
