package searchreplace

import (
	"fmt"
	"strings"
)

// parseSection returns what a line like "*** Add File: x" does, and to which file.
func parseSection(s string) (op Op, path string, ok bool) {
	for _, section := range [...]struct {
		name string
		op   Op
	}{{"*** Add File:", Create}, {"*** Delete File:", Delete}, {"*** Update File:", Replace}} {
		if path, ok := strings.CutPrefix(s, section.name); ok {
			return section.op, trimBlanks(path), true
		}
	}
	return 0, "", false
}

// patchMarkers are all that a patch has. Those that name a file end in a colon.
var patchMarkers = [...]string{beginPatch, endPatch, endOfFile, "*** Add File:", "*** Delete File:", "*** Update File:", moveTo}

// spellMark returns a marker of a patch as it is spelled properly, and whether it was
// not: in other letters, with other stars, with or without the blank or the colon. In
// a patch no line of content begins with a star, so nothing else could be meant. But
// more of the last marker may still come, so nothing may stand behind that.
func spellMark(s string) (mark string, misspelled bool) {
	name := strings.TrimLeft(s, "*")
	if len(s)-len(name) < 3 {
		return s, false
	}
	name = trimLeft(name)
	for _, mark := range patchMarkers {
		want, colon := strings.CutSuffix(mark[len("*** "):], ":")
		if len(name) < len(want) || !strings.EqualFold(name[:len(want)], want) {
			continue
		}
		rest := name[len(want):]
		switch file, ok := strings.CutPrefix(rest, ":"); {
		case !colon && rest != "" && (mark != beginPatch || strings.Trim(rest, "*: \t") != ""), colon && !ok && (rest == "" || !isBlankByte(rest[0])):
			return s, false
		case colon && !ok:
			mark += rest
		case colon:
			mark += file
		}
		return mark, mark != s
	}
	return s, false
}

// spell is spellMark, and notes the repair.
func (m *patcher) spell(s string, n int) string {
	mark, misspelled := spellMark(s)
	if misspelled {
		m.repairs = append(m.repairs, Repair{"patch_spelling", n, fmt.Sprintf("the marker is spelled %s; it is read as %s", quote(s), quote(mark))})
	}
	return mark
}

// beginsSection reports whether a line begins a section, so that only the beginning of
// the patch is missing. If it is misspelled, too, it must look like nothing else.
func beginsSection(s string) bool {
	if _, _, ok := parseSection(s); ok {
		return true
	}
	mark, misspelled := spellMark(s)
	_, path, ok := parseSection(mark)
	return ok && misspelled && looksLikePath(path)
}

// unindent takes the indentation from a line of a patch all of which is indented. The
// first line that is neither a marker nor blank shows whether it is: blanks before the
// markers alone are nothing, as those before a line of an update are text. It returns
// passed if the line is to be read.
func (m *patcher) unindent(sc *scope, l *line) verdict {
	text := cutCR(l.text())
	rest, ok := strings.CutPrefix(text, m.pad)
	switch {
	case isBlank(text):
		return passed
	case m.shifted && ok:
		l.raw = l.raw[len(m.pad):]
		return passed
	case m.shifted && (m.fenced(sc, text) || trimBlanks(text) == m.heredoc):
		return passed
	case m.shifted:
		return m.fail(sc, *l, "the patch is indented, and this line is not: %s; write all of it from the beginning of the line", quote(text))
	case ok && strings.HasPrefix(rest, "***"):
		// Another marker says nothing, and the first line of an update is none of them.
		l.raw = l.raw[len(m.pad):]
		return passed
	case ok && (rest != "" && rest[0] == '@' && m.state == patchUpdate || rest != "" && rest[0] == '+' && m.state == patchAdd):
		m.shifted = true
		m.repairs = append(m.repairs, Repair{"indented_patch", l.n, "all of the patch is indented; it is read without"})
		m.report(sc)
		l.raw = l.raw[len(m.pad):]
		return passed
	case ok && m.state == patchUpdate && rest != "" && (rest[0] == '+' || rest[0] == '-'):
		m.shifted = true
		return m.fail(sc, *l, "the patch is indented, so that nobody knows what in it is text; write it from the beginning of the line")
	}
	m.pad = ""
	return passed
}

// An indentedPatch reports the sections of a patch that are indented. One such line is
// spoken of; the next one tells.
type indentedPatch struct {
	first int
	told  bool
}

func (m *indentedPatch) line(sc *scope, l line) verdict {
	text := trimBlanks(l.raw)
	switch {
	case m.first == 0:
		m.first = l.n
		return held
	case m.told && !isBlank(l.raw) && isBlankByte(l.raw[0]) && !sc.prose.fence.closedBy(text):
		return taken
	case m.told:
		return passed
	case text == "" || strings.IndexByte("@+-*", text[0]) < 0:
		return refused
	}
	sc.fail(nil, m.first, "invalid_input", "the patch is indented, and has no %q; write all of it from the beginning of the line", beginPatch)
	m.told = true
	return taken
}

func (m *indentedPatch) end(*scope) {}
