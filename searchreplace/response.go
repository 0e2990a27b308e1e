package searchreplace

import "slices"

// A Tool is a tool that a model may call in tags: its name, and those of its
// parameters. With no Params, any tag in the call is one.
type Tool struct {
	Name   string
	Params []string
}

// A Part is a stretch of a response: text, or a call.
type Part struct {
	Text string    // if Call is nil
	Call *ToolCall // or nil
}

// A ToolCall is a call as the response has it. Nothing in it is checked.
type ToolCall struct {
	Name        string
	Params      []Param // in the order of the response
	Partial     bool    // the call is not closed: it is still coming, or was cut off
	First, Last int     // the lines that hold it, 1-based, inclusive
}

// A Param is a parameter of a call. A line break behind its opening tag and one
// before its closing tag belong to the tags, but the latter is kept where the
// parameter is a whole file. CDATA around the value is taken off; nothing else is
// decoded.
type Param struct {
	Name, Value string
	Partial     bool // not closed: there may be more of it
}

// ParseResponse returns the text and the calls of a response, in order.
func ParseResponse(response []byte, tools []Tool) []Part {
	p := NewResponseParser(tools)
	p.Feed(response)
	return p.Close()
}

// A ResponseParser reads a response while it comes, for an agent's loop. A tag
// begins a call only if the tag of a parameter follows, so that a model may speak
// of its tools.
type ResponseParser struct {
	d     *Decoder
	parts []Part
}

// NewResponseParser returns a parser for calls of these tools. Other tags are text.
func NewResponseParser(tools []Tool) *ResponseParser {
	p := &ResponseParser{d: &Decoder{}}
	rules := &toolCalls{p: p, tools: make(map[string][]string, len(tools))}
	for _, t := range tools {
		rules.tools[t.Name] = t.Params
	}
	p.d.top = &scope{d: p.d, starts: []starter{rules.startThought, startCalls(rules)}, calls: 1}
	p.d.top.prose.plain = true
	return p
}

// Feed takes the next piece of the response.
func (p *ResponseParser) Feed(piece []byte) {
	p.d.feed(string(piece))
	p.collect()
}

// Parts returns what has come so far, up to the last line that is complete. Its
// last call may be partial, and then grows from one time to the next.
func (p *ResponseParser) Parts() []Part {
	parts := slices.Clip(p.parts)
	if m, ok := p.d.top.at.(*callMachine); ok {
		c := m.c.toolCall(p.d.n)
		if m.p != nil && m.at >= 0 {
			// It may have ended where its closing tag is; the next line tells.
			closed := *m.p
			closed.lines = append(slices.Clone(closed.lines[:m.at]), line{raw: closed.lines[m.at].raw[:m.pos]})
			c.Params[len(c.Params)-1].Value = closed.text()
		}
		parts = append(parts, Part{Call: c})
	}
	return parts
}

// Close says that the response is complete, and returns its parts. A call that is
// not closed is partial.
func (p *ResponseParser) Close() []Part {
	p.d.close()
	p.collect()
	return p.parts
}

// collect makes text of the prose that has come.
func (p *ResponseParser) collect() {
	for _, e := range p.d.out {
		p.text(e.Text)
	}
	p.d.out = p.d.out[:0]
}

func (p *ResponseParser) text(s string) {
	if n := len(p.parts); n > 0 && p.parts[n-1].Call == nil {
		p.parts[n-1].Text += s
		return
	}
	p.parts = append(p.parts, Part{Text: s})
}

// toolCalls are the rules for the calls of a response.
type toolCalls struct {
	p     *ResponseParser
	tools map[string][]string
}

func (t *toolCalls) tool(name string) bool { _, ok := t.tools[name]; return ok }

// startThought makes text of the calls in a thought, unless that is itself a tool.
func (t *toolCalls) startThought(sc *scope, l line) machine {
	if m, ok := startThought(sc, l).(*thought); ok && !t.tool(m.tag.name) {
		return m
	}
	return nil
}

func (t *toolCalls) param(tool, name string) bool {
	params := t.tools[tool]
	return len(params) == 0 || slices.Contains(params, name)
}

func (t *toolCalls) body(*scope, *call, string, int) *scope { return nil }

func (t *toolCalls) opened(*scope, *call, string) {}

func (t *toolCalls) complete(*call) bool { return false }

func (t *toolCalls) done(sc *scope, c *call, _ string) {
	sc.d.flush()
	t.p.collect()
	t.p.parts = append(t.p.parts, Part{Call: c.toolCall(c.last)})
}

func (c *call) toolCall(last int) *ToolCall {
	out := &ToolCall{Name: c.name, Partial: !c.closed, First: c.first, Last: last}
	for i := range c.params {
		p := &c.params[i]
		out.Params = append(out.Params, Param{Name: p.name, Value: p.text(), Partial: !p.closed})
	}
	return out
}
