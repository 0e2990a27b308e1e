package searchreplace

import (
	"bytes"
	"slices"
)

// oldNames and newNames are what the texts of an edit are called in pairs, beside the
// names that are read. Alone they are too common to be read.
var oldNames = []string{"old", "find", "original", "before", "search"}
var newNames = []string{"new", "replace", "updated", "after", "replacement"}

// stray returns the line of an object, at any depth of a value in which no call was
// found, that has a file and old and new text or content for it; 0 if there is none. In a
// description of a tool the same names stand before objects.
func (f *finder) stray(value []byte, at, depth int) int {
	trimmed := bytes.TrimLeft(value, " \t\r\n")
	at += len(value) - len(trimmed)
	value = trimmed
	if depth == 0 || len(value) == 0 || value[0] != '{' && value[0] != '[' {
		return 0
	}
	list := membersOf(value, at)
	old, with, path, content := false, false, false, false
	for i := range list {
		m := &list[i]
		if m.value.Kind() != '"' {
			continue
		}
		r := roleOf(m.name)
		old = old || r == oldRole || slices.Contains(oldNames, m.name)
		with = with || r == newRole || slices.Contains(newNames, m.name)
		path = path || r == pathRole || m.name == "file"
		content = content || r == contentRole
	}
	content = content && named(list, "op") == nil && named(list, "anchor") == nil // of hl edit
	if path && (old && with || content) {
		return f.lineAt(at)
	}
	for _, m := range list {
		if n := f.stray(m.value, m.at, depth-1); n != 0 {
			return n
		}
	}
	return 0
}
