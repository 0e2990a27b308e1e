package searchreplace

import "strings"

// Placeholder returns the 1-based line of replace, and its text, that stands for
// text left out, as "// ... rest of code ..." does, and that search does not have;
// 0 if there is none. Written to a file it would replace what it stands for.
//
// A line stands for text left out if, its comment marks aside, it begins or ends
// with an ellipsis and speaks of the rest, or of existing, remaining or unchanged
// code; or if it is an ellipsis alone, unless the line before ends in a colon:
// that is a body in Python.
func Placeholder(search, replace string) (line int, text string) {
	if !strings.Contains(replace, "...") && !strings.Contains(replace, "…") {
		return 0, ""
	}
	var has map[string]bool
	before := ""
	n := 0
	for s := range strings.SplitSeq(replace, "\n") {
		n++
		s = strings.TrimSpace(s)
		if omits(s, before) {
			if has == nil {
				has = map[string]bool{}
				for l := range strings.SplitSeq(search, "\n") {
					has[strings.TrimSpace(l)] = true
				}
			}
			if !has[s] {
				return n, s
			}
		}
		if s != "" {
			before = s
		}
	}
	return 0, ""
}

// omits reports whether a line, trimmed, stands for text left out; before is the
// line before that is not blank.
func omits(s, before string) bool {
	comment := isComment(s)
	inner := s
	switch {
	case comment:
		inner = strings.Trim(s, " \t/#*-<>!;%{}()[]")
	case strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")"):
		inner = s[1 : len(s)-1]
	}
	bare := trimEllipsis(inner)
	switch {
	case bare == inner:
		return false // no ellipsis at either end
	case bare == "":
		return comment || s == inner && !strings.HasSuffix(before, ":")
	case !comment && strings.ContainsAny(bare, "(){}[];:=,.<>\"'`"):
		return false // code
	}
	words := strings.FieldsFunc(strings.ToLower(bare), func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '.' || r == '(' || r == ')' })
	if len(words) > mostOmitting {
		return false // a sentence
	}
	return omitting(words)
}

const mostOmitting = 10

// isComment reports whether a line begins as a comment does in some language.
func isComment(s string) bool {
	for _, mark := range []string{"//", "#", "--", "/*", "<!--", ";", "%", "{/*"} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

func trimEllipsis(s string) string {
	t := s
	for {
		u := strings.TrimSpace(t)
		u = strings.TrimSuffix(strings.TrimPrefix(u, "…"), "…")
		u = strings.TrimSuffix(strings.TrimPrefix(u, "..."), "...")
		if u == t {
			break
		}
		t = u
	}
	if t == strings.TrimSpace(s) {
		return s
	}
	return t
}

// omitting reports whether words speak of text left out.
func omitting(words []string) bool {
	code := false
	said := false
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch w {
		case "rest":
			if next == "of" || next == "" || next == "unchanged" {
				return true
			}
		case "existing", "unchanged", "remaining", "previous", "omitted", "unmodified":
			said = true
		case "same":
			if next == "as" || next == "code" {
				return true
			}
		case "code", "content", "contents", "lines", "methods", "method", "functions", "function", "implementation", "imports", "fields", "tests", "body", "file", "text", "logic", "definitions", "properties", "cases", "entries", "items", "statements":
			code = true
		}
	}
	return said && (code || len(words) == 1)
}
