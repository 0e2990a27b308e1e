package searchreplace

import "strings"

// skip takes the lines after a problem, up to one that can be read on its own.
func (m *udiff) skip(sc *scope, l line, text string) verdict {
	if m.state == skipMaybe {
		m.state = skipFile
		if strings.HasPrefix(text, "+++ ") {
			m.state = inHeader
			return m.headerLine(sc, l, text)
		}
	}
	switch {
	case beginsFile(text):
		m.file, m.state = diffFile{}, inHeader
		return m.headerLine(sc, l, text)
	case strings.HasPrefix(text, "--- ") && (m.file.minus || !m.file.git):
		m.file, m.state = diffFile{first: l.n}, skipMaybe
		m.file.take(l)
		return taken
	case strings.HasPrefix(text, "@@"):
		if m.state == skipHunk {
			return m.beginHunk(sc, l, text)
		}
		return taken
	case text == "" || text[0] == ' ' || text[0] == '-' || text[0] == '+' || text[0] == '\\':
		return taken
	case sc.prose.fence.open() && !sc.prose.fence.closedBy(text):
		return taken
	}
	return passed
}
