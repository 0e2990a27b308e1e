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
			if t.length > 0 && rules.tool(t.name) && !inCode(l.raw, from) {
				s := &callStart{before: l.raw[:from], rest: l.raw[from+t.length:]}
				s.c = call{name: t.name, closer: t.closer(), first: l.n, blocks: -1}
				s.m = callMachine{rules: rules, c: &s.c, at: -1}
				if s.m.follows(s.rest) != no {
					s.c.params = make([]param, 0, 4)
					if path := t.attr("path"); path != "" {
						s.c.params = append(s.c.params, param{name: "path", lines: []line{{raw: path, n: l.n}}, closed: true})
					}
					return s
				}
			}
			from++
		}
	}
}

// inCode reports whether a backquote stands right before byte at of a line, and
// another behind it: what they are around is spoken of, and not done.
func inCode(s string, at int) bool {
	return at > 0 && s[at-1] == '`' && strings.IndexByte(s[at:], '`') >= 0
}

// startStrayTag reports the closing tag of a call that is none: one that was opened
// in a way that is not read, or that was over before, as the text in it has such a
// tag, too. The call would be lost, or its text cut off, and nobody would know.
func startStrayTag(sc *scope, l line) machine {
	text := trimRight(l.raw)
	if text == "" || text[len(text)-1] != '>' {
		return nil
	}
	i := max(0, strings.LastIndexByte(text, '<'))
	name, n := closingTag(text[i:])
	if n != len(text)-i || !(editCalls{}).tool(name) || strings.IndexByte(name, '_') < 0 && name != sc.d.tool {
		return nil // a short name may be that of any tag
	}
	if sc.stray.toldTag {
		sc.stray.toldTag = false
		return nil
	}
	if before := trimRight(text[:i]); before != "" && before[len(before)-1] != '>' {
		return nil
	}
	sc.fail(nil, l.n, "invalid_input", "%s closes no call; send the tags of a call as <path>, <diff> and so on right behind <%s>, and text that holds such tags itself in <![CDATA[ … ]]>", quote(text[i:]), name)
	return oneLine{}
}

// A callStart holds the line with the tag of a call until a parameter follows:
// a tag in prose is not yet a call.
type callStart struct {
	m            callMachine // as it will be
	c            call
	before, rest string
	first        bool
}

func (s *callStart) line(sc *scope, l line) verdict {
	if !s.first {
		s.first = true
		l = line{raw: s.rest, n: l.n, mid: true}
	}
	switch s.m.follows(l.raw) {
	case unsure:
		return held
	case no:
		return refused
	}
	sc.prose.flush(sc)
	if !isBlank(s.before) {
		sc.prose.put(sc, line{raw: s.before, n: s.m.c.first})
	}
	sc.become(&s.m)
	return s.m.text(sc, l)
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
	s = trimLeft(s)
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
			next := trimLeft(s[t.length:])
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
