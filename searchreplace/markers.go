package searchreplace

import "strings"

// A markers machine reads one block between markers.
//
// What divides SEARCH from REPLACE is known for sure only at the closer: if there
// is one line like a divider, that is it; of several, the one that is as long as
// the opener. So the first of that length is taken for the preview, and the lines
// are kept until the block is complete.
type markers struct {
	b      *Block
	opener marker
	indent string // before the opener; the other markers have the same
	first  int    // the line of the opener
	fence  fence  // the one around the block
	hints  bool   // lines like ":start_line:12" may follow
	hinted bool   // one has
	crlf   bool   // the opener ended in "\r\n", and so do the lines

	lines []line // between the opener and here

	divs, exact          int // lines like a divider, and those as long as the opener
	firstDiv, firstExact int // the first of them in lines, or -1
	wrongCloser          int // a closer in lines before any divider, or -1
	wrongText            string

	inner     fence // the fence in the text that is open
	bare      int   // lines in REPLACE that would close the fence around the block
	bareAt    int   // the first of them in lines
	previewed bool
	started   bool
}

func (m *markers) line(sc *scope, l line) verdict {
	if !m.started {
		m.started = true
		return taken
	}
	text := l.text()
	if m.hints {
		if m.hint(sc, text) {
			return taken
		}
		m.hints = false
	}
	spelled, ok := strings.CutPrefix(text, m.indent)
	if !ok {
		return m.content(sc, l, text)
	}
	k := parseMarker(spelled)
	switch {
	case k.char == 0:
		return m.content(sc, l, text)
	case k.divider():
		m.divider(sc, l, k)
		return taken
	case k.closer() && k.within(m.opener) || k.misspelled(m.opener):
		return m.closer(sc, l, k)
	}
	if _, ok := k.opener(); ok && k.within(m.opener) {
		m.cut(sc, l)
		return passed
	}
	return m.content(sc, l, text)
}

// hint reads the lines that Roo's models put behind the opener.
func (m *markers) hint(sc *scope, text string) bool {
	if name, n, ok := parseHint(text); ok {
		if name == ":start_line:" {
			m.b.Line = n
		}
		m.hinted = true
		return true
	}
	if m.hinted {
		if k := parseMarker(text); k.char == '-' && k.word == "" {
			m.hints = false
			return true
		}
	}
	return false
}

// content takes a line of either side.
func (m *markers) content(sc *scope, l line, text string) verdict {
	m.lines = append(m.lines, l)
	if m.fence.open() {
		m.watchFences(text)
	}
	if m.previewed {
		sc.replaceLine(m.b, m.textOf(l))
	}
	return taken
}

// watchFences notes the lines of REPLACE that may be the end of the fence around
// the block, which matters if the closer is missing.
func (m *markers) watchFences(text string) {
	switch {
	case m.inner.open():
		if m.inner.closedBy(text) {
			m.inner = fence{}
		}
	case m.fence.closedBy(text):
		if m.divs > 0 {
			if m.bare == 0 {
				m.bareAt = len(m.lines) - 1
			}
			m.bare++
		}
	default:
		m.inner = parseFence(text)
	}
}

func (m *markers) divider(sc *scope, l line, k marker) {
	m.lines = append(m.lines, l)
	at := len(m.lines) - 1
	if m.divs == 0 {
		m.firstDiv = at
	}
	m.divs++
	if k.run == m.opener.run {
		if m.exact == 0 {
			m.firstExact = at
		}
		m.exact++
	}
	switch {
	case m.previewed:
		sc.replaceLine(m.b, m.textOf(l))
	case m.exact == 1 && m.wrongCloser < 0:
		m.previewed = true
		m.b.Search = m.join(sc, 0, at)
		sc.searchDone(m.b)
	}
}

// closer ends the block, or is held for the divider that is missing.
func (m *markers) closer(sc *scope, l line, k marker) verdict {
	switch {
	case m.divs == 0 && m.wrongCloser < 0:
		m.wrongCloser = len(m.lines)
		m.wrongText = trimBlanks(l.text())
		m.lines = append(m.lines, l)
		return taken
	case m.wrongCloser >= 0 && m.divs > 0:
		sc.fail(m.b, l.n, "invalid_input", "%s stands in line %d, before the divider in line %d, so that the sides cannot be told apart; write the old text, %s, the new text and %s, each marker once and alone on its line",
			quote(m.wrongText), sc.number(m.lines[m.wrongCloser].n), sc.number(m.lines[m.firstDiv].n), dividerText, m.closerText())
		return last
	case m.wrongCloser >= 0:
		sc.repair(m.b, "closer_for_divider", m.lines[m.wrongCloser].n, "%s stands where the divider belongs; it is read as %s, as a second closer follows", quote(m.wrongText), dividerText)
	}
	if k.misspelled(m.opener) {
		sc.repair(m.b, "closer_spelling", l.n, "the closer is spelled %s; it is read as %s", quote(trimBlanks(l.text())), m.closerText())
	}
	m.complete(sc, len(m.lines), l.n)
	sc.d.reuse(m)
	return last
}

// complete ends the block whose REPLACE ends before lines[end].
func (m *markers) complete(sc *scope, end, n int) {
	div, ok := m.divide(end)
	if !ok {
		many := m.divs
		if m.exact > 1 {
			many = m.exact
		}
		sc.fail(m.b, n, "invalid_input", "%d lines may be the divider, the first of them line %d, so that the sides cannot be told apart; write all three markers of the block longer, as %s, or a backslash before each such line that is text",
			many, sc.number(m.lines[m.firstDiv].n), quote(strings.Repeat("=", max(m.opener.run, classicRun)+2)))
		return
	}
	if !m.previewed {
		m.b.Search = m.join(sc, 0, div)
		sc.searchDone(m.b)
		for _, l := range m.lines[div+1 : end] {
			sc.replaceLine(m.b, m.textOf(l))
		}
	}
	if m.wrongCloser < 0 && m.exact == 0 {
		sc.repair(m.b, "divider_length", m.lines[div].n, "the divider is not as long as the opener; it is read as one, as there is no other")
	}
	m.b.Replace = m.join(sc, div+1, end)
	unwrap(sc, m.b)
	sc.complete(m.b, n)
}

// divide returns which of the lines divides the block, whose REPLACE ends before
// lines[end]: a block that lacks its closer may end above its only exact divider.
func (m *markers) divide(end int) (at int, ok bool) {
	switch {
	case m.wrongCloser >= 0:
		at = m.wrongCloser
	case m.exact == 1:
		at = m.firstExact
	case m.divs == 1:
		at = m.firstDiv
	default:
		return 0, false
	}
	return at, at < end
}

// join returns the lines from one place to another as the text of a side.
func (m *markers) join(sc *scope, from, to int) string {
	size := 0
	for _, l := range m.lines[from:to] {
		size += len(l.raw) + 1 // the reply may end without a line end
	}
	s, at := sc.d.room(size)
	for _, l := range m.lines[from:to] {
		s.WriteString(m.textOf(l))
	}
	return s.String()[at:]
}

// textOf returns a line as it stands in a side.
func (m *markers) textOf(l line) string {
	text := l.text()
	if m.crlf {
		text = strings.TrimSuffix(text, "\r")
	}
	text = unescape(text)
	// The usual line is a part of the reply, and not a copy.
	if n := len(l.raw); n > 0 && len(text) == n-1 {
		return l.raw
	}
	return text + "\n"
}

func (m *markers) closerText() string {
	if m.b.Dialect == Git {
		return quote(strings.Repeat(">", m.opener.run) + " REPLACE")
	}
	return quote(strings.Repeat("+", m.opener.run) + " REPLACE")
}
