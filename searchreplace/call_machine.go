package searchreplace

import "strings"

// A callMachine reads one call.
//
// Text between tags may hold tags itself, the closing one of its parameter, too.
// So a closing tag counts only if what stands behind it is the next parameter or
// the end of the call.
type callMachine struct {
	rules callRules
	c     *call

	p     *param // the open one, or nil
	at    int    // p may have ended in this of its lines, or -1
	pos   int    // and there in the line
	cdata bool   // p is wrapped in <![CDATA[ … ]]>
	fresh bool   // nothing but blanks has been seen of p
	told  int    // lines of p that have been reported

	in   *scope // reads the lines of p, or nil
	wait []line // lines that may be the end of it
	seen bool   // its closing tag is among them

	nested bool // a <content> stands in a <diff>
	files  int  // how many files of the call have been handed over
	n      int  // the line of the last tag that was read
}

func (m *callMachine) line(sc *scope, l line) verdict { return m.text(sc, l) }

// text takes a line, or the rest of one.
func (m *callMachine) text(sc *scope, l line) verdict {
	for {
		var more bool
		switch {
		case m.in != nil:
			l, more = m.streamed(sc, l)
		case m.p != nil:
			l, more = m.collected(l)
			m.preview(sc)
		default:
			v, rest := m.between(sc, l)
			if v != taken || rest.raw == "" {
				return v
			}
			l, more = rest, true
		}
		if !more {
			return taken
		}
	}
}

// between reads what stands between the parameters.
func (m *callMachine) between(sc *scope, l line) (verdict, line) {
	s := trimLeft(l.raw)
	if s == "" {
		return taken, line{}
	}
	if rest, ok := strings.CutPrefix(s, m.c.closer); ok {
		m.c.closed = true
		if m.files == 0 || len(m.c.params) > 0 {
			m.finish(sc, l.n, "")
		}
		if !isBlank(rest) {
			sc.giveBack([]line{{raw: rest, n: l.n, mid: true}})
		}
		return last, line{}
	}
	if name, n := closingTag(s); n > 0 && (isStructure(name) || name == "diff" && m.nested) {
		m.n = l.n
		switch name {
		case "diff":
			m.nested = false
		case "file":
			m.files++
			m.c.closed = true
			m.finish(sc, l.n, "")
			m.c = &call{name: m.c.name, closer: m.c.closer, first: l.n, blocks: -1}
		}
		return taken, line{raw: s[n:], n: l.n, mid: true}
	}
	t := parseTag(s)
	switch {
	case t.length > 0 && isStructure(t.name) && !m.rules.param(m.c.name, t.name):
		m.n = l.n
		return taken, line{raw: s[t.length:], n: l.n, mid: true}
	case t.length > 0 && (!m.rules.tool(t.name) || m.rules.param(m.c.name, t.name) && !m.c.has(t.name)):
		m.openParam(sc, t, l.n)
		return taken, line{raw: s[t.length:], n: l.n, mid: true}
	}
	if s[0] == '<' && !strings.ContainsAny(s, ">\n") {
		return taken, line{} // half a tag, at the end of the reply
	}
	// Something else has begun.
	note := ""
	if m.rules.complete(m.c) {
		note = missingTag
	}
	m.finish(sc, m.n, note)
	sc.giveBack([]line{{raw: s, n: l.n, mid: l.mid}})
	return last, line{}
}

func (m *callMachine) openParam(sc *scope, t tag, n int) {
	m.n = n
	m.at, m.cdata, m.fresh = -1, false, true
	m.in, m.wait, m.seen = m.rules.body(sc, m.c, t.name, n), nil, false
	m.c.params = append(m.c.params, param{name: t.name, closer: t.closer()})
	m.p = &m.c.params[len(m.c.params)-1]
	m.told = 0
	if m.in == nil {
		m.rules.opened(sc, m.c, t.name)
	}
}

// collected takes text of the open parameter, and returns what is left of the
// line if the parameter ended in it or before it.
func (m *callMachine) collected(l line) (rest line, more bool) {
	p := m.p
	if m.at >= 0 {
		switch m.follows(l.raw) {
		case unsure:
			p.lines = append(p.lines, l)
			return line{}, false
		case yes:
			m.closeParam()
			return l, true
		}
		m.at = -1
	}
	if m.fresh && !isBlank(l.raw) {
		m.fresh = false
		m.cdata = strings.HasPrefix(trimLeft(l.raw), cdataStart)
	}
	for from := 0; ; {
		i := strings.Index(l.raw[from:], p.closer)
		if i < 0 {
			p.lines = append(p.lines, l)
			return line{}, false
		}
		i += from
		from = i + len(p.closer)
		if m.cdata && !strings.HasSuffix(trimRight(p.tail(l.raw[:i])), cdataEnd) {
			continue
		}
		follows := m.follows(l.raw[from:])
		if r := roleOf(p.name); r == pathRole || r == allRole {
			follows = yes // never text with tags in it
		}
		switch follows {
		case yes:
			p.lines = append(p.lines, line{raw: l.raw[:i], n: l.n})
			m.at, m.pos = len(p.lines)-1, i
			m.closeParam()
			return line{raw: l.raw[from:], n: l.n, mid: true}, true
		case unsure:
			p.lines = append(p.lines, l)
			m.at, m.pos = len(p.lines)-1, i
			return line{}, false
		}
	}
}

// closeParam ends the open parameter where its closing tag was seen.
func (m *callMachine) closeParam() {
	if m.at >= 0 {
		m.n = m.p.lines[m.at].n
		m.p.lines = m.p.lines[:m.at+1]
		m.p.lines[m.at].raw = m.p.lines[m.at].raw[:m.pos]
	}
	m.p.closed = true
	m.p, m.at = nil, -1
}

const (
	cdataStart = "<![CDATA["
	cdataEnd   = "]]>"
)

// tail returns s, or the last line before it that is not blank if s is.
func (p *param) tail(s string) string {
	for i := len(p.lines) - 1; i >= 0 && isBlank(s); i-- {
		s = p.lines[i].raw
	}
	return s
}

// finish hands the call over.
func (m *callMachine) finish(sc *scope, n int, note string) {
	m.c.last = n
	m.rules.done(sc, m.c, note)
}

func (m *callMachine) end(sc *scope) {
	if m.in != nil {
		failed := sc.d.failed
		m.feedWait()
		m.in.open = true
		m.in.end()
		m.c.told = sc.d.failed > failed
	}
	if m.p != nil && m.at >= 0 {
		m.closeParam()
	}
	note := ""
	if m.p == nil && m.c.blocks >= 0 {
		// Its blocks have been complete for long. Parameters that are text could end
		// here only in part, or lack one that is still to come.
		note = missingTag
	}
	m.finish(sc, sc.d.n, note)
}

const missingTag = "its closing tag is missing"
