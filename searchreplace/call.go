package searchreplace

import "strings"

// A call is a tool call as models write it into their text, in tags:
//
//	<replace_in_file>
//	<path>main.go</path>
//	<diff>
//	…
//	</diff>
//	</replace_in_file>
type call struct {
	name   string
	closer string // the tag that closes it
	params []param
	first  int // the line of its tag
	last   int
	closed bool
	told   bool // why it is not has been reported
	blocks int  // how many had begun before its body; -1 if it has none yet
	failed int  // how many problems there were then

	b    *Block // the block that the call is, if it has begun
	sent int    // how much of its Replace has been reported
}

// A param is a parameter of a call.
type param struct {
	name   string
	closer string
	lines  []line // as they stand between the tags; the first and the last may be parts
	closed bool
}

// callRules say what a caller of the machine takes for a call, and what it makes
// of one.
type callRules interface {
	tool(name string) bool
	param(tool, name string) bool

	// body returns a scope to which the lines of a parameter go as they come, or nil
	// if they are to be collected.
	body(sc *scope, c *call, name string, n int) *scope

	// opened says that a parameter begins that is collected.
	opened(sc *scope, c *call, name string)

	// done gets the call, or what there is of it: see call.closed. note is what its
	// form lacked, or "".
	done(sc *scope, c *call, note string)

	// complete reports whether the call would do without more parameters.
	complete(c *call) bool
}

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
}

// startCalls begins a call at a tag anywhere in a line.
func startCalls(rules callRules) starter {
	return func(sc *scope, l line) machine {
		for from := 0; ; {
			i := strings.IndexByte(l.raw[from:], '<')
			if i < 0 {
				return nil
			}
			from += i
			t := parseTag(l.raw[from:])
			if t.length > 0 && rules.tool(t.name) {
				c := &call{name: t.name, closer: t.closer(), first: l.n, blocks: -1}
				m := &callMachine{rules: rules, c: c, at: -1}
				switch rest := l.raw[from+t.length:]; m.follows(rest) {
				case unsure, yes:
					if path := t.attr("path"); path != "" {
						c.params = append(c.params, param{name: "path", lines: []line{{raw: path, n: l.n}}, closed: true})
					}
					return &callStart{m: m, before: l.raw[:from], rest: rest}
				}
			}
			from++
		}
	}
}

// A callStart holds the line with the tag of a call until a parameter follows:
// a tag in prose is not yet a call.
type callStart struct {
	m            *callMachine
	before, rest string
	first        bool
}

func (s *callStart) line(sc *scope, l line) verdict {
	text := l.raw
	if !s.first {
		s.first = true
		text = s.rest
	}
	switch s.m.follows(text) {
	case unsure:
		return held
	case no:
		return refused
	}
	sc.prose.flush(sc)
	if !isBlank(s.before) {
		sc.prose.put(sc, line{raw: s.before, n: s.m.c.first})
	}
	sc.become(s.m)
	return s.m.text(sc, line{raw: text, n: l.n})
}

func (s *callStart) end(sc *scope) {
	s.m.finish(sc, sc.d.n, "")
}

type answer int

const (
	no answer = iota
	yes
	unsure
)

// follows reports whether what stands behind a tag, or behind the end of a
// parameter, goes on with the call: unsure for nothing but blanks.
func (m *callMachine) follows(s string) answer {
	s = strings.TrimLeft(s, " \t\r\n")
	if s == "" {
		return unsure
	}
	if strings.HasPrefix(s, m.c.closer) {
		return yes
	}
	if t := parseTag(s); t.length > 0 {
		switch {
		case m.rules.param(m.c.name, t.name):
			if !m.c.has(t.name) {
				return yes
			}
		case isStructure(t.name):
			return yes
		case m.rules.tool(t.name) && m.p != nil:
			// Another call, if a parameter of its own follows.
			next := strings.TrimLeft(s[t.length:], " \t\r\n")
			if p := parseTag(next); next == "" || p.length > 0 && m.rules.param(t.name, p.name) {
				return yes
			}
		}
	}
	if name, _ := closingTag(s); isStructure(name) || name == "diff" && m.nested {
		return yes
	}
	return no
}

// maxParams is more than any call has. It bounds the time to look through them.
const maxParams = 100

// has reports whether c has a parameter already. A second one of that name is text.
func (c *call) has(name string) bool {
	if len(c.params) > maxParams {
		return true
	}
	for i := range c.params {
		if c.params[i].name == name {
			return true
		}
	}
	return false
}

// isStructure reports whether a tag only groups parameters, as in Roo's calls
// for several files.
func isStructure(name string) bool { return name == "args" || name == "file" || name == "files" }

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
	s := strings.TrimLeft(l.raw, " \t\r\n")
	if s == "" {
		return taken, line{}
	}
	if rest, ok := strings.CutPrefix(s, m.c.closer); ok {
		m.c.closed = true
		if m.files == 0 || len(m.c.params) > 0 {
			m.finish(sc, l.n, "")
		}
		if !isBlank(rest) {
			sc.giveBack([]line{{raw: rest, n: l.n}})
		}
		return last, line{}
	}
	if name, n := closingTag(s); n > 0 && (isStructure(name) || name == "diff" && m.nested) {
		switch name {
		case "diff":
			m.nested = false
		case "file":
			m.files++
			m.c.closed = true
			m.finish(sc, l.n, "")
			m.c = &call{name: m.c.name, closer: m.c.closer, first: l.n, blocks: -1}
		}
		return taken, line{raw: s[n:], n: l.n}
	}
	t := parseTag(s)
	switch {
	case t.length > 0 && isStructure(t.name) && !m.rules.param(m.c.name, t.name):
		return taken, line{raw: s[t.length:], n: l.n}
	case t.length > 0 && !m.rules.tool(t.name):
		m.openParam(sc, t, l.n)
		return taken, line{raw: s[t.length:], n: l.n}
	}
	if s[0] == '<' && strings.IndexAny(s, ">\n") < 0 {
		return taken, line{} // half a tag, at the end of the reply
	}
	// Something else has begun.
	note := ""
	if m.rules.complete(m.c) {
		note = missingTag
	}
	m.finish(sc, l.n, note)
	sc.giveBack([]line{{raw: s, n: l.n}})
	return last, line{}
}

func (m *callMachine) openParam(sc *scope, t tag, n int) {
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
		m.cdata = strings.HasPrefix(strings.TrimLeft(l.raw, " \t\r\n"), cdataStart)
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
			return line{raw: l.raw[from:], n: l.n}, true
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
