package searchreplace

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A jsonMachine reads one JSON value that begins a line and may hold tool calls:
// the body of a reply of OpenAI's or Anthropic's, a call in one of their shapes, or
// the parameters alone. JSON that holds none is prose.
//
// A JSON string does not go over the end of a line, so each line is looked at once.
// The value is held until it is complete, unless it is long and has nothing of a
// call: then the rest of it is prose as it comes.
type jsonMachine struct {
	input jsonInput
	dec   *jsontext.Decoder
	lines []line // held
	size  int    // of these
	names callNames
	state jsonState
	f     finder

	before string // the tag that the value stands behind, on the first line
	closer string // what closes that
}

type jsonState int

const (
	jsonHeld jsonState = iota
	jsonProse
	jsonSkip // up to a blank line or the end of the fence, after a problem
)

// jsonPatience is how many bytes a value may have without one name that a call has.
const jsonPatience = 1 << 20

// A jsonInput is an io.Reader of what has come so far.
type jsonInput struct{ rest string }

var errMoreToCome = errors.New("the rest has not come yet")

func (r *jsonInput) Read(p []byte) (int, error) {
	if r.rest == "" {
		return 0, errMoreToCome
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// startJSON begins a value at a line that begins with a brace or a bracket, or with
// the tag that models put around a call in JSON.
func startJSON(sc *scope, l line) machine {
	s := l.raw
	if s[0] == ' ' || s[0] == '\t' {
		s = strings.TrimLeft(s, " \t")
	}
	if s == "" || s[0] != '{' && s[0] != '[' && s[0] != '<' {
		return nil
	}
	if rest, closer := behindCallTag(s); closer != "" {
		m := sc.d.newJSON()
		m.before, m.closer = l.raw[:len(l.raw)-len(rest)], closer
		return m
	}
	if s[0] == '<' {
		return nil
	}
	// Most brackets in prose are those of a link or of code.
	switch s = trimLeft(s[1:]); {
	case s == "", s[0] == '"', s[0] == '{', s[0] == '[', s[0] == '}', s[0] == ']':
		return sc.d.newJSON()
	}
	return nil
}

// behindCallTag returns what stands behind <tool_call> and its like, if it may be JSON,
// and what closes that.
func behindCallTag(s string) (rest, closer string) {
	if rest, ok := strings.CutPrefix(s, "[TOOL_CALLS]"); ok {
		s, closer = rest, "[/TOOL_CALLS]"
	} else if t := parseTag(s); t.length > 0 {
		switch t.name {
		case "tool_call", "tool_calls", "tool_use", "function_call", "function_calls":
			s, closer = s[t.length:], t.closer()
		}
	}
	if s = trimLeft(s); s == "" || s[0] != '{' && s[0] != '[' {
		return "", ""
	}
	return s, closer
}

// newJSON returns a machine at the beginning of a value.
func (d *Decoder) newJSON() *jsonMachine {
	m := d.spareJSON
	d.spareJSON = nil
	if m == nil {
		m = &jsonMachine{}
		m.dec = jsontext.NewDecoder(&m.input)
		return m
	}
	*m = jsonMachine{dec: m.dec, lines: m.lines[:0], f: m.f}
	m.dec.Reset(&m.input)
	return m
}

// reuseJSON keeps a machine that has done its work for the next value, unless it
// has grown large.
func (d *Decoder) reuseJSON(m *jsonMachine) {
	if m.size <= 64<<10 {
		clear(m.lines)
		clear(m.f.items)
		d.spareJSON = m
	}
}

func (m *jsonMachine) line(sc *scope, l line) verdict {
	switch m.state {
	case jsonSkip:
		if isBlank(l.raw) || sc.prose.fence.closedBy(l.text()) {
			return passed
		}
		return taken
	case jsonHeld:
		if len(m.lines) == 0 {
			l.raw = l.raw[len(m.before):]
		}
		m.lines = append(m.lines, l)
		m.size += len(l.raw)
	}
	m.input.rest = l.raw
	err := m.scan()
	switch {
	case errors.Is(err, errMoreToCome):
		if m.state == jsonProse {
			sc.stray.mute = true
			sc.prose.line(sc, l)
			sc.stray.mute = false
		} else if m.size > jsonPatience && m.names == 0 {
			m.toProse(sc)
		}
		return taken
	case err == nil && m.state == jsonHeld:
		return m.whole(sc, l)
	case err == nil:
		sc.stray.mute = true
		sc.prose.line(sc, l)
		sc.stray.mute = false
		return last
	}
	return m.broken(sc, l, err)
}

// scan reads tokens up to the end of the value, and returns nil there.
func (m *jsonMachine) scan() error {
	for {
		token, err := m.dec.ReadToken()
		if err != nil {
			return err
		}
		depth := m.dec.StackDepth()
		if depth == 0 {
			return nil
		}
		if token.Kind() != '"' {
			continue
		}
		// The length counts names and values, so behind a name it is odd.
		if kind, n := m.dec.StackIndex(depth); kind == '{' && n%2 == 1 {
			m.names |= callName(token.String())
		}
	}
}

// toProse makes prose of what is held.
func (m *jsonMachine) toProse(sc *scope) {
	if m.before != "" {
		m.lines[0].raw = m.before + m.lines[0].raw
	}
	for _, l := range m.lines {
		sc.prose.line(sc, l)
	}
	m.lines, m.state = nil, jsonProse
}

// whole takes the value, which is complete with l.
func (m *jsonMachine) whole(sc *scope, l line) verdict {
	end := int(m.dec.InputOffset())
	f := &m.f
	f.read(m.lines)
	f.find(f.text[:end], 0, maxCallDepth)
	if !f.calls() {
		n := 0
		if m.names != 0 {
			n = f.stray(f.text[:end], 0, maxCallDepth)
		}
		sc.stray.mute = true
		m.toProse(sc)
		sc.stray.mute = false
		if n != 0 {
			sc.d.failAt(sc, "", n, "invalid_input", `an edit stands in JSON of a shape that is not known; send {"path": "FILE", "old_string": "…", "new_string": "…"} alone on its lines`)
		}
		return last
	}
	f.send(sc)
	closer, trailing := m.closer, string(f.text[end:])
	sc.d.reuseJSON(m)
	if rest, ok := strings.CutPrefix(trimLeft(trailing), closer); ok && closer != "" {
		if !isBlank(rest) {
			sc.giveBack([]line{{raw: rest, n: l.n, mid: true}})
		}
		return last
	}
	if !isBlank(trailing) {
		sc.fail(nil, l.n, "invalid_input", "more stands behind the end of the call: %s; send the JSON alone on its lines", quote(trimBlanks(trailing)))
	}
	return last
}

// broken takes l, in which the value turned out to be no JSON.
func (m *jsonMachine) broken(sc *scope, l line, err error) verdict {
	if m.state == jsonHeld && m.names.call() {
		m.state = jsonSkip
		n, why := m.reason(err)
		sc.fail(nil, n, "invalid_input", "the call is not JSON: %s", why)
		return taken
	}
	if len(m.lines) == 1 {
		return refused
	}
	if m.state == jsonHeld {
		m.lines = m.lines[:len(m.lines)-1]
		m.toProse(sc)
	}
	return passed
}

// reason returns the line that is no JSON, and what is wrong there.
func (m *jsonMachine) reason(err error) (n int, why string) {
	at, ok := errors.AsType[*jsontext.SyntacticError](err)
	l := m.lines[len(m.lines)-1]
	if !ok {
		return l.n, err.Error()
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return l.n, place(at.JSONPointer) + " is there twice; send it once"
	}
	// A comma before "}" is found out on the line of that.
	offset := int(at.ByteOffset) - m.size
	for i := len(m.lines) - 1; i >= 0 && offset < 0; i-- {
		l = m.lines[i]
		offset += len(l.raw)
	}
	why = at.Err.Error()
	if offset >= 0 && offset < len(l.raw) {
		switch l.raw[offset] {
		case '\n', '\r':
			why = `the line ends within a string; write \n there`
		case ',':
			why = "there is a comma too many"
		}
	}
	if l.n == m.lines[0].n {
		offset += len(m.before)
	}
	return l.n, "byte " + strconv.Itoa(offset+1) + " of the line: " + why
}

func (m *jsonMachine) end(sc *scope) {
	switch {
	case m.state != jsonHeld:
	case m.names.call():
		sc.fail(nil, sc.d.n, "invalid_input", "the reply ends in a call, which may have been cut off; send the whole call")
	default:
		m.toProse(sc)
	}
}
