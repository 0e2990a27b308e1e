package searchreplace

import "strings"

// A tag opens a call or a parameter: <path>, <invoke name="edit">.
type tag struct {
	name   string
	attrs  string // what stands between the name and the ">"
	word   string // what the tag that closes it repeats
	length int
}

// parseTag returns the opening tag that s begins with. Its length is 0 if there is
// none.
func parseTag(s string) tag {
	if len(s) < 3 || s[0] != '<' || !isNameByte(s[1]) {
		return tag{}
	}
	i := 1
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	// A tag stands on one line, and is short.
	end := strings.IndexByte(s[i:min(len(s), i+1024)], '>')
	if end < 0 || strings.IndexByte(s[i:i+end], '<') >= 0 || end > 0 && s[i] != ' ' && s[i] != '=' || end > 0 && s[i+end-1] == '/' {
		return tag{}
	}
	t := tag{name: s[1:i], word: s[1:i], attrs: s[i : i+end], length: i + end + 1}
	// Two more ways to write a name.
	switch t.name {
	case "invoke", "function", "tool", "parameter", "param":
		if name, ok := strings.CutPrefix(t.attrs, "="); ok {
			t.name = name
		} else if name := t.attr("name"); name != "" {
			t.name = name
		}
	}
	return t
}

// closer returns the tag that closes t.
func (t tag) closer() string { return "</" + t.word + ">" }

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// attr returns the value of an attribute, or "".
func (t tag) attr(name string) string {
	_, rest, ok := strings.Cut(t.attrs, " "+name+"=")
	if !ok || len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return value
}

// closingTag returns the name of the closing tag that s begins with, and its
// length, which is 0 if there is none.
func closingTag(s string) (name string, length int) {
	if len(s) < 4 || s[0] != '<' || s[1] != '/' {
		return "", 0
	}
	i := 2
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	if i == 2 || i == len(s) || s[i] != '>' {
		return "", 0
	}
	return s[2:i], i + 1
}
