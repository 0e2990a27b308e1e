package searchreplace

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A params are the parameters of a call in JSON, by their roles.
type params struct {
	f       *finder
	at      string // what stands before the names of fields in messages
	roles   [talkRole + 1]*member
	edits   *member
	line    *member
	count   *member // how many places are expected
	ignored []string
	problem string // the first
}

// call makes items of an object that has the parameters of a call. An object that
// has none makes none.
func (f *finder) call(list []member, from, to int) {
	p := f.params("", list)
	it := item{first: f.lineAt(from), last: f.lineAt(to - 1)}
	if path := p.roles[pathRole]; path != nil {
		it.block.Path = p.str(pathRole)
		if it.block.Path == "" {
			p.fail("%s is empty; name a file", quote(path.name))
		}
	}
	if p.edits == nil {
		f.add(p, it)
		return
	}
	p.each(it)
}

// params sorts the members of an object.
func (f *finder) params(at string, list []member) *params {
	p := &params{f: f, at: at}
	for i := range list {
		m := &list[i]
		r := roleOf(m.name)
		switch {
		case m.name == "edits":
			p.edits = m
		case m.name == "start_line" || m.name == "line":
			p.line = m
		case m.name == "expected_replacements":
			p.count = m
		case (m.name == "input" || m.name == "command" || m.name == "cmd") && patchIn(m) != "":
			p.set(diffRole, m)
		case r == talkRole || m.name == "id" || m.name == "type" || m.name == "name" || m.name == "op" && p.at != "":
		case r == noRole:
			p.ignored = append(p.ignored, m.name)
		default:
			p.set(r, m)
		}
	}
	return p
}

// set notes the member for a role.
func (p *params) set(r role, m *member) {
	if before := p.roles[r]; before != nil {
		p.fail("%s and %s are the same field; send one", quote(join(p.at, before.name)), quote(join(p.at, m.name)))
		return
	}
	p.roles[r] = m
}

func (p *params) fail(format string, args ...any) {
	if p.problem == "" {
		p.problem = fmt.Sprintf(format, args...)
	}
}

// str returns the string of a role, or "" and notes that it is none.
func (p *params) str(r role) string {
	m := p.roles[r]
	s, ok := m.str()
	if !ok {
		p.fail("%s is %s; send a string", quote(join(p.at, m.name)), m.kind())
	}
	return s
}

// patchIn returns the patch that a member holds: a string, or the last of the words
// of a command.
func patchIn(m *member) string {
	if m.value.Kind() == '[' {
		words := membersOf(m.value, 0)
		if len(words) == 0 {
			return ""
		}
		m = &words[len(words)-1]
	}
	if s, ok := m.str(); ok && hasPatch(s) {
		return s
	}
	return ""
}

// each makes an item of each of the edits.
func (p *params) each(it item) {
	f, value, at := p.f, p.edits.value, p.edits.at
	before := len(f.items)
	if s, ok := p.edits.str(); ok {
		// A list in a string, as models write it at times.
		in, problem := parseJSON(s)
		if problem != "" {
			p.fail("%s is a string that is no JSON list: %s; send the list itself", quote("edits"), problem)
			f.add(p, it)
			return
		}
		defer func(fixed int) { f.fixed = fixed }(f.fixed)
		f.fixed = f.lineAt(at)
		value, at = in, 0
	}
	var list []member
	switch value.Kind() {
	case '[':
		list = membersOf(value, at)
	case '{':
		list = []member{{value: value, at: at}}
	default:
		p.fail("%s is %s; send a list", quote("edits"), p.edits.kind())
	}
	if len(list) == 0 {
		p.fail("%s is empty; send at least one edit", quote("edits"))
		f.add(p, it)
	}
	other, strange := "", "" // the first element that is no edit of ours, and the first that is none at all
	for i, m := range list {
		where := "edits[" + strconv.Itoa(i) + "]"
		one := item{first: f.lineAt(m.at), last: f.lineAt(m.at + len(m.value) - 1), block: Block{Path: it.block.Path}}
		had := len(f.items)
		if m.value.Kind() == '{' {
			in := f.params(where, membersOf(m.value, m.at))
			in.problem = cmp.Or(p.problem, in.problem)
			if in.roles[pathRole] != nil {
				one.block.Path = in.str(pathRole)
			}
			f.add(in, one)
		}
		if len(f.items) == had && !isRequest(m) && strange == "" {
			strange = where
		}
		if len(f.items) == had && other == "" {
			other = where
		}
	}
	switch {
	case other != "" && len(f.items) > before:
	case it.block.Path != "":
		other = strange
	default:
		return
	}
	if other != "" {
		p.fail("%s is no edit; send an object with old_string and new_string", quote(other))
		f.add(p, it)
	}
}

// isRequest reports whether an element of "edits" is one of hl edit, which is none for
// us.
func isRequest(m member) bool {
	if m.value.Kind() != '{' {
		return false
	}
	list := membersOf(m.value, 0)
	return named(list, "anchor") != nil || named(list, "op") != nil
}

// add adds the item that p asks for, or that says what is wrong with p. If p asks
// for nothing, it adds none.
func (f *finder) add(p *params, it item) {
	b := &it.block
	it.note = p.ignored
	old, with, diff, content := p.roles[oldRole], p.roles[newRole], p.roles[diffRole], p.roles[contentRole]
	switch {
	case p.problem != "" && (b.Path != "" || p.edits == nil && (old != nil || with != nil || diff != nil)):
	case old != nil && with != nil:
		b.Search, b.Replace, b.Substring = p.str(oldRole), p.str(newRole), true
		p.all(b)
		p.hint(b)
	case old != nil && (old.name != "search" || p.at != ""):
		p.fail(`the call has %s and no new text; send it, "" to delete`, quote(join(p.at, old.name)))
	case b.Path != "" && slices.Contains(p.ignored, "insert_line"):
		it.code = "unsupported"
		p.fail("a call that inserts behind a line %s", otherEditMessage)
	case with != nil && (with.name != "replace" || p.at != ""):
		p.fail(`the call has %s and no old text; send it, "" for a new file`, quote(join(p.at, with.name)))
	case diff != nil:
		it.where = diff.name
		if it.nested = patchIn(diff); it.nested == "" {
			it.nested = p.str(diffRole)
		}
		if b.Path == "" && !looksLikeDiff(it.nested) {
			return
		}
		if it.nested == "" {
			p.fail("%s is empty; send blocks", quote(join(p.at, diff.name)))
		}
	case content != nil && b.Path != "" && p.at == "":
		b.Op, b.Dialect = Write, Call
		b.Replace = p.str(contentRole)
		if s := b.Replace; s != "" && !strings.HasSuffix(s, "\n") {
			b.Replace, b.ReplaceUnterminated = s+"\n", true
		}
		if slices.Contains(p.ignored, "anchor") || slices.Contains(p.ignored, "op") {
			return // of hl edit
		}
		// What is ignored here could say that this is only a part of the file.
		if p.line != nil {
			p.ignored = append(p.ignored, p.line.name)
		}
		if len(p.ignored) > 0 {
			p.fail(`the call has "path", %s and a field %s, which is not known; leave that out to write the whole file`, quote(content.name), quote(p.ignored[0]))
		}
	case p.roles[sketchRole] != nil && b.Path != "":
		it.code = "unsupported"
		p.fail("%s", sketchMessage)
	default:
		return
	}
	b.Dialect = Call
	if it.problem = p.problem; it.problem != "" && it.code == "" {
		it.code = "invalid_input"
	}
	f.items = append(f.items, it)
}

// all sets b.All.
func (p *params) all(b *Block) {
	if m := p.roles[allRole]; m != nil {
		s, _ := m.str()
		switch {
		case m.value.Kind() == 't' || strings.EqualFold(s, "true"):
			b.All = true
		case m.value.Kind() == 'f' || m.value.Kind() == 'n' || strings.EqualFold(s, "false"):
		default:
			p.fail("%s is %s; send true or false", quote(join(p.at, m.name)), m.kind())
		}
	}
	if m := p.count; m != nil && string(m.value) != "1" && string(m.value) != "null" && !b.All {
		p.fail(`%s is not 1; send "replace_all": true for all places, or a call for each`, quote(join(p.at, m.name)))
	}
}

// hint sets b.Line.
func (p *params) hint(b *Block) {
	if p.line == nil || p.line.value.Kind() == 'n' {
		return
	}
	s := string(p.line.value)
	if text, ok := p.line.str(); ok {
		s = text
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 999_999_999 {
		p.fail("%s is no number of a line; send 1 or more, or leave it out", quote(join(p.at, p.line.name)))
		return
	}
	b.Line = n
}

// looksLikeDiff reports whether a text without a file's name may hold blocks.
func looksLikeDiff(s string) bool {
	return strings.Contains(s, "SEARCH") || strings.Contains(s, "@@") || hasPatch(s)
}
