package searchreplace

import "strings"

// A fence opens a code block of Markdown, or is one of the tags that aider uses
// where a file itself holds fences.
type fence struct {
	char byte   // '`' or '~'; 0 for a tag
	run  int    // how many
	tag  string // "source", …
	info string
}

var fenceTags = [...]string{"source", "code", "pre", "codeblock", "sourcecode"}

// parseFence returns the fence that a line opens; it is not open if the line
// opens none.
func parseFence(s string) fence {
	s = trimBlanks(s)
	if len(s) < 3 {
		return fence{}
	}
	switch c := s[0]; c {
	case '`', '~':
		run := runOf(s, c)
		info := trimBlanks(s[run:])
		if run < 3 || strings.IndexByte(info, '`') >= 0 {
			return fence{}
		}
		return fence{char: c, run: run, info: info}
	case '<':
		for _, tag := range fenceTags {
			if len(s) == len(tag)+2 && s[1:len(s)-1] == tag && s[len(s)-1] == '>' {
				return fence{tag: tag}
			}
		}
	}
	return fence{}
}

func (f fence) open() bool { return f.run > 0 || f.tag != "" }

// closedBy reports whether a line closes f.
func (f fence) closedBy(s string) bool {
	s = trimBlanks(s)
	if f.tag != "" {
		return len(s) == len(f.tag)+3 && s[:2] == "</" && s[2:len(s)-1] == f.tag && s[len(s)-1] == '>'
	}
	return f.run > 0 && len(s) >= f.run && s[0] == f.char && runOf(s, f.char) == len(s)
}

// isShell reports whether an info string says that the fence holds commands.
func isShell(info string) bool {
	lang, _, _ := strings.Cut(info, " ")
	switch strings.ToLower(lang) {
	case "bash", "sh", "shell", "cmd", "bat", "batch", "powershell", "ps1", "zsh", "fish", "ksh", "csh", "tcsh", "console":
		return infoPath(info) == ""
	}
	return false
}

// infoPath returns the file that an info string names, as in "dir/file.py",
// "python dir/file.py", "python:dir/file.py" or `python title="dir/file.py"`; or "".
func infoPath(info string) string {
	if info == "" {
		return ""
	}
	for word := range strings.FieldsSeq(info) {
		if key, value, ok := strings.Cut(word, "="); ok {
			switch key {
			case "path", "file", "filename", "title", "name":
				if value = strings.Trim(value, `"'`); value != "" {
					return value
				}
			}
			continue
		}
		if i := strings.LastIndexByte(word, ':'); i > 1 && i+1 < len(word) { // not C:\
			word = word[i+1:]
		}
		if looksLikePath(word) {
			return word
		}
	}
	return ""
}

// trimBlanks cuts blanks, tabs and carriage returns at both ends.
func trimBlanks(s string) string { return trimRight(trimLeft(s)) }

// trimLeft is trimBlanks at the left end.
func trimLeft(s string) string {
	for len(s) > 0 && isBlankByte(s[0]) {
		s = s[1:]
	}
	return s
}

// trimRight is trimBlanks at the right end.
func trimRight(s string) string {
	for len(s) > 0 && isBlankByte(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isBlank(s string) bool {
	for i := range len(s) {
		if !isBlankByte(s[i]) {
			return false
		}
	}
	return true
}

// runOf returns how often c stands at the beginning of s.
func runOf(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// indexLineEnd returns where the first line of s ends, its "\n" included.
func indexLineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}
