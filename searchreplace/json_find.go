package searchreplace

import (
	"bytes"
	"cmp"
	"sort"
	"strings"
)

// maxCallDepth is how deep in other values a call may stand. Each level is read
// once more, so the depth is bounded.
const maxCallDepth = 12

// A finder finds the calls in one JSON value.
type finder struct {
	text   []byte
	starts []int // where its lines begin
	first  int   // the number of the first
	fixed  int   // the line of all of it, if it is the text of a JSON string
	items  []item
}

// An item is a call, a problem of one, or text beside the calls.
type item struct {
	first, last int // lines of the reply
	block       Block
	nested      string // a text that holds blocks, for the file of the block
	where       string // the field that has it
	prose       string
	note        []string // fields that are ignored
	code        string
	problem     string
}

// read makes f the finder of a value that stands on lines.
func (f *finder) read(lines []line) {
	*f = finder{first: lines[0].n, text: f.text[:0], starts: f.starts[:0], items: f.items[:0]}
	for _, l := range lines {
		f.starts = append(f.starts, len(f.text))
		f.text = append(f.text, l.raw...)
	}
}

// lineAt returns the line of the reply that byte at is in.
func (f *finder) lineAt(at int) int {
	if f.fixed != 0 {
		return f.fixed
	}
	return f.first + sort.SearchInts(f.starts, at+1) - 1
}

// calls reports whether there is a call, or a block in a text beside the calls.
func (f *finder) calls() bool {
	for _, it := range f.items {
		if it.prose == "" || looksLikeDiff(it.prose) {
			return true
		}
	}
	return false
}

// find finds the calls in value, which begins at byte at, in order.
func (f *finder) find(value []byte, at, depth int) {
	trimmed := bytes.TrimLeft(value, " \t\r\n")
	at += len(value) - len(trimmed)
	value = trimmed
	if depth == 0 || len(value) == 0 || value[0] != '{' && value[0] != '[' {
		return
	}
	list := membersOf(value, at)
	if value[0] == '[' {
		for _, m := range list {
			f.find(m.value, m.at, depth-1)
		}
		return
	}
	if !f.wrapper(list, depth) {
		f.call(list, at, at+len(value))
	}
}

// wrapper finds the calls in an object that holds them in a member, and reports
// whether it is one.
func (f *finder) wrapper(list []member, depth int) bool {
	tool, wraps := "", false
	for _, m := range list {
		switch m.name {
		case "name", "tool", "tool_name", "function", "action":
			if s, ok := m.str(); ok {
				tool = s
			}
		}
	}
	role := named(list, "role") != nil
	for _, m := range list {
		kind := m.value.Kind()
		switch m.name {
		case "tool_calls", "choices", "output", "content", "candidates", "parts":
			if kind == '[' {
				wraps = true
				f.find(m.value, m.at, depth-1)
			} else if kind == '"' && m.name == "content" && role {
				wraps = true
				s, _ := m.str()
				f.beside(s, m)
			} else if kind == '{' && m.name == "content" && named(membersOf(m.value, 0), "parts") != nil {
				wraps = true
				f.find(m.value, m.at, depth-1)
			}
		case "message", "function_call", "function", "functionCall":
			if kind == '{' {
				wraps = true
				f.find(m.value, m.at, depth-1)
			}
		case "input", "arguments", "parameters", "args", "kwargs", "tool_input", "action_input":
			if tool == "" {
				continue
			}
			if n := f.lineAt(m.at); otherEdit(tool) && m.name != "parameters" {
				wraps = true
				f.items = append(f.items, item{first: n, last: n, code: "unsupported", problem: "the call of " + quote(tool) + " " + otherEditMessage})
			} else if kind == '{' {
				wraps = true
				f.find(m.value, m.at, depth-1)
			} else if s, ok := m.str(); ok {
				wraps = true
				f.inString(s, m, tool, depth)
			}
		case "text":
			if t := named(list, "type"); t != nil && kind == '"' {
				if s, _ := t.str(); s == "text" || s == "output_text" {
					wraps = true
					s, _ = m.str()
					f.beside(s, m)
				}
			}
		}
	}
	return wraps
}

// beside adds a text beside the calls.
func (f *finder) beside(s string, m member) {
	if s != "" {
		f.items = append(f.items, item{first: f.lineAt(m.at), prose: s})
	}
}

// inString finds the calls in the text of a JSON string that has the parameters
// of a tool: JSON once more, or a patch.
func (f *finder) inString(s string, m member, tool string, depth int) {
	n := f.lineAt(m.at)
	if hasPatch(s) {
		f.items = append(f.items, item{first: n, last: n, nested: s, where: m.name})
		return
	}
	value, problem := parseJSON(s)
	if problem != "" {
		if (editCalls{}).tool(tool) {
			f.items = append(f.items, item{first: n, last: n, code: "invalid_input", problem: quote(m.name) + " of " + quote(tool) + " is a string that is no JSON: " + problem})
		}
		return
	}
	in := &finder{fixed: n}
	in.find(value, 0, depth-1)
	f.items = append(f.items, in.items...)
}

// hasPatch reports whether a text begins with a patch.
func hasPatch(s string) bool {
	s = trimLeft(s)
	return strings.HasPrefix(s, beginPatch) || heredocWord(s[:indexLineEnd(s)]) != ""
}

// named returns the member with a name, or nil.
func named(list []member, name string) *member {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// send reports what was found.
func (f *finder) send(sc *scope) {
	lead, other := sc.prose.lead(sc)
	if other != "" {
		lead = "" // nobody knows
	}
	for i := range f.items {
		it := &f.items[i]
		it.block.Path = cmp.Or(it.block.Path, lead)
		switch {
		case it.prose != "":
			in := sc.inner("")
			in.call, in.fixed = false, sc.number(it.first)
			in.readAll(it.prose)
		case it.problem != "":
			b := sc.begin(Call, it.block.Path, it.first)
			sc.fail(b, it.first, it.code, "%s", it.problem)
		case it.nested != "":
			it.sendNested(sc)
		case !sc.d.wants(Call):
			sc.d.failAt(sc, it.block.Path, it.first, "invalid_input", "the call edits without blocks of the format that was asked for")
		default:
			it.sendBlock(sc)
		}
	}
}

func (it *item) sendNested(sc *scope) {
	path := it.block.Path
	sc.prose.began()
	failed := sc.d.failed
	if sc.nested(path, it.nested, it.first) == 0 && sc.d.failed == failed {
		sc.d.failAt(sc, path, it.first, "invalid_input", quote(it.where)+` holds no block; write "------- SEARCH", the old text, "=======", the new text, "+++++++ REPLACE", each marker alone on its line`)
	}
}

func (it *item) sendBlock(sc *scope) {
	b := sc.begin(Call, it.block.Path, it.first)
	it.block.Path, it.block.First, it.block.Repairs = b.Path, b.First, b.Repairs
	*b = it.block
	for _, name := range it.note {
		sc.repair(b, "field_ignored", it.first, "the call has a field %s, which is ignored", quote(name))
	}
	sc.searchDone(b)
	sc.replaceLines(b, b.Replace)
	sc.complete(b, it.last)
}
