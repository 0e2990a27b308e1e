package searchreplace

import "fmt"

// What happens to a block whose closer is missing.

// cut ends the block before l, the opener of another.
func (m *markers) cut(sc *scope, l line) {
	tail := m.tail()
	if m.divs == 0 || m.wrongCloser >= 0 {
		from := tail
		if m.wrongCloser >= 0 && m.divs == 0 {
			from = m.wrongCloser + 1 // the block ended there
		}
		m.failDivider(sc, l.n)
		sc.giveBack(m.lines[from:])
		return
	}
	end := len(m.lines)
	switch {
	case m.bare == 1:
		end = m.bareAt
	case m.bare > 1:
		m.failCloser(sc, l.n, "another begins in line %d, and %d lines may be the end of the fence", sc.number(l.n), m.bare)
		sc.giveBack(m.lines[tail:])
		return
	case !sc.call && m.namesFile(tail):
		m.failCloser(sc, l.n, "another begins in line %d, and the line before it may be its file name or the text of this one", sc.number(l.n))
		sc.giveBack(m.lines[tail:])
		return
	default:
		end = m.trimmed(end)
	}
	sc.repair(m.b, "missing_closer", m.lines[end-1].n, "the closer is missing; the block ends before line %d, where %s", sc.number(m.lineAt(end, l.n)), m.why(end))
	m.complete(sc, end, m.lines[end-1].n)
	sc.giveBack(m.lines[end:])
}

// end is the end of the text around the block.
func (m *markers) end(sc *scope) {
	n := sc.d.n
	if sc.fixed != 0 {
		n = m.first
	}
	if m.divs == 0 || m.wrongCloser >= 0 {
		m.failDivider(sc, n)
		return
	}
	end := len(m.lines)
	if m.bare == 1 && m.trimmed(end) == m.bareAt+1 {
		end = m.bareAt
	} else if sc.cut() {
		m.failCloser(sc, n, "the reply ends within the block")
		return
	} else if m.bare > 0 {
		m.failCloser(sc, n, "the call ends, and %d lines may be the end of the fence", m.bare)
		return
	}
	why := "the call ends"
	if end < len(m.lines) {
		why = m.why(end)
	}
	sc.repair(m.b, "missing_closer", m.lines[end-1].n, "the closer is missing; the block ends with line %d, behind which %s", sc.number(m.lines[end-1].n), why)
	m.complete(sc, end, m.lines[end-1].n)
	sc.giveBack(m.lines[end:])
}

// tail returns where the lines begin that would lead a block that follows: its
// file name and its fence.
func (m *markers) tail() int {
	i := len(m.lines)
	for n := 0; i > m.firstDiv+1 && n < 4; n++ {
		text := m.lines[i-1].text()
		if !isBlank(text) && pathLine(text) == "" && !parseFence(text).open() {
			break
		}
		i--
	}
	return i
}

// namesFile reports whether one of the lines from tail on looks like a file name.
func (m *markers) namesFile(tail int) bool {
	for _, l := range m.lines[tail:] {
		if pathLine(l.text()) != "" {
			return true
		}
	}
	return false
}

// trimmed returns end without the blank lines before it, which separate blocks.
func (m *markers) trimmed(end int) int {
	for end > m.firstDiv+1 && isBlank(m.lines[end-1].raw) {
		end--
	}
	return end
}

func (m *markers) lineAt(i, next int) int {
	if i < len(m.lines) {
		return m.lines[i].n
	}
	return next
}

func (m *markers) why(end int) string {
	if m.bare == 1 && end == m.bareAt {
		return "the fence around it ends"
	}
	return "another begins"
}

func (m *markers) failDivider(sc *scope, n int) {
	if m.wrongCloser >= 0 {
		sc.fail(m.b, m.lines[m.wrongCloser].n, "invalid_input", "no divider before %s; write %s alone on a line between the old text and the new", quote(m.wrongText), dividerText)
		return
	}
	sc.fail(m.b, n, "invalid_input", "the block that begins in line %d has no divider and no closer; write %s alone on a line, the new text, and %s alone on a line", sc.number(m.first), dividerText, m.closerText())
}

func (m *markers) failCloser(sc *scope, n int, format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	sc.fail(m.b, n, "invalid_input", "the block that begins in line %d has no closer: %s; end it with %s alone on a line", sc.number(m.first), reason, m.closerText())
}
