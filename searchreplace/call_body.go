package searchreplace

import "strings"

// streamed gives a line of the open parameter to the scope that reads it while
// it comes. It returns what is left of the line if the parameter ended in it or
// before it.
//
// Between blocks its closing tag ends the parameter. Within one the tag may be
// text, and ends it only if the call goes on behind it.
func (m *callMachine) streamed(sc *scope, l line) (rest line, more bool) {
	if m.fresh {
		if l = m.opening(l); isBlank(l.raw) {
			return line{}, false
		}
		m.fresh = false
	}
	if m.seen {
		switch m.follows(l.raw) {
		case unsure:
			m.wait = append(m.wait, l)
			return line{}, false
		case yes:
			m.leaveBody()
			return l, true
		}
		m.feedWait()
	}
	i := strings.Index(l.raw, m.p.closer)
	ended := len(m.wait) > 0 // "]]>" on a line of its own
	switch {
	case ended && isBlank(l.raw):
		m.wait = append(m.wait, l)
		return line{}, false
	case ended && (i < 0 || !isBlank(l.raw[:i])):
		m.feedWait()
		ended = false
	}
	switch {
	case i < 0 && m.cdata && trimBlanks(l.raw) == cdataEnd:
		m.wait = append(m.wait, l)
		return line{}, false
	case i < 0:
		m.in.line(l)
		return line{}, false
	}
	before, after := l.raw[:i], l.raw[i+len(m.p.closer):]
	if m.cdata && !ended {
		text, ok := strings.CutSuffix(trimRight(before), cdataEnd)
		if !ok {
			m.in.line(l)
			return line{}, false
		}
		before = text
	}
	rest = line{raw: after, n: l.n, mid: true}
	if !isBlank(before) {
		closes := parseMarker(trimBlanks(before)).word == "REPLACE"
		if m.in.at != nil && !closes && m.follows(after) != yes {
			m.in.line(l)
			return line{}, false
		}
		m.in.line(line{raw: before, n: l.n})
		m.leaveBody()
		return rest, true
	}
	switch follows := m.follows(after); {
	case m.in.at == nil, follows == yes:
		m.leaveBody()
		return rest, true
	case follows == unsure:
		m.wait, m.seen = append(m.wait, l), true
	default:
		m.feedWait()
		m.in.line(l)
	}
	return line{}, false
}

// opening takes from the beginning of the parameter what only wraps it.
func (m *callMachine) opening(l line) line {
	for {
		s := trimLeft(l.raw)
		if rest, ok := strings.CutPrefix(s, "<content>"); ok && !m.cdata {
			m.p.closer = "</content>"
			m.nested = true
			l.raw = rest
			continue
		}
		if rest, ok := strings.CutPrefix(s, cdataStart); ok && !m.cdata {
			m.cdata = true
			l.raw = rest
			continue
		}
		return l
	}
}

// leaveBody ends the parameter: its closing tag was there.
func (m *callMachine) leaveBody() {
	m.in.end()
	m.in.d.spareScope = m.in
	m.p.closed = true
	m.in, m.p, m.wait, m.seen = nil, nil, nil, false
}

// feedWait gives on the lines that were no end of the parameter.
func (m *callMachine) feedWait() {
	for _, l := range m.wait {
		m.in.line(l)
	}
	m.wait, m.seen = nil, false
}

// preview reports the lines of the new text that are certain by now: all but the
// last, whose line break may belong to the closing tag.
func (m *callMachine) preview(sc *scope) {
	b, p := m.c.b, m.p
	if b == nil || p == nil || m.cdata {
		return
	}
	if r := roleOf(p.name); r != newRole && r != contentRole {
		return
	}
	end := len(p.lines) - 1
	if m.at >= 0 {
		end = m.at - 1
	}
	for ; m.told < end; m.told++ {
		raw := p.lines[m.told].raw
		if m.told == 0 && isBlank(raw) {
			continue // the rest of the line of the tag
		}
		if p.crlf() && strings.HasSuffix(raw, "\r\n") {
			raw = raw[:len(raw)-2] + "\n"
		}
		sc.replaceLine(b, raw)
		m.c.sent += len(raw)
	}
}
