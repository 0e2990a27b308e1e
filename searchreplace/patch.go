package searchreplace

import (
	"fmt"
	"strings"
)

// A patcher reads "*** Begin Patch": sections that add, delete or update a file, and
// "*** End Patch". Each part of an update behind its "@@" lines is a block, and so
// is each other section.
//
// "*** End Patch" may be missing where something else shows that the patch is over:
// a closing fence, the end of a here-document or of a call. If nothing does, the
// reply was cut off.
type patcher struct {
	state   patchState
	heredoc string   // the word that ends the here-document around the patch, or ""
	held    bool     // the line with that word
	first   int      // the line of the section, if no block has begun with it
	indent  bool     // blanks stand before "*** Begin Patch"
	pad     string   // these, while all of the patch may be indented by them
	shifted bool     // it is
	repairs []Repair // to be reported with the next block

	path, to string // of the section
	parts    int    // blocks of an update so far
	hunk     *hunk  // the block that is open, or nil
	maybe    []line // undecided lines of it: see patchUpdate
}

type patchState int

const (
	patchBegin  patchState = iota // before "*** Begin Patch"
	patchNext                     // between sections
	patchAdd                      // in the lines of a new file
	patchDelete                   // behind "*** Delete File"
	patchUpdate
	patchSkip // up to what can be read again, after a problem
	patchDone // behind "*** End Patch", in a here-document
)

const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	endOfFile  = "*** End of File"
	moveTo     = "*** Move to:"
)

// startPatch begins a patch at its first marker, at a here-document that may hold
// one, or at a section whose "*** Begin Patch" is missing.
func startPatch(_ *scope, l line) machine {
	switch l.raw[0] {
	case '*':
		if beginsSection(cutCR(l.text())) {
			note := fmt.Sprintf("a line %q is missing before the first section", beginPatch)
			return &patcher{state: patchNext, repairs: []Repair{{"missing_begin_patch", l.n, note}}}
		}
	case ' ', '\t':
		if strings.HasPrefix(trimLeft(l.raw), "*** ") && beginsSection(trimBlanks(l.raw)) {
			return &indentedPatch{}
		}
	case 'a', 'c', '<':
		if word := heredocWord(l.text()); word != "" {
			return &patcher{heredoc: word}
		}
		return nil
	default:
		return nil
	}
	if mark, _ := spellMark(trimBlanks(l.raw)); mark == beginPatch {
		return &patcher{}
	}
	return nil
}

// heredocWord returns the word that ends the here-document which a command begins
// to hand to apply_patch.
func heredocWord(s string) string {
	command, word, ok := strings.Cut(s, "<<")
	switch command = trimBlanks(command); {
	case !ok:
		return ""
	case command == "apply_patch" || command == "":
	case command == "cat" && strings.Contains(word, "apply_patch"):
		word, _, _ = strings.Cut(word, "|")
	default:
		return ""
	}
	word = trimBlanks(word)
	if n := len(word); n > 2 && (word[0] == '\'' || word[0] == '"') && word[n-1] == word[0] {
		word = word[1 : n-1]
	}
	if word == "" || strings.ContainsAny(word, " \t'\"<>()") {
		return ""
	}
	return word
}

func (m *patcher) line(sc *scope, l line) verdict {
	if m.pad != "" && m.state != patchBegin {
		if v := m.unindent(sc, &l); v != passed {
			return v
		}
	}
	text := cutCR(l.text())
	switch m.state {
	case patchBegin:
		switch mark := m.spell(trimBlanks(text), l.n); {
		case mark == beginPatch:
			m.pad = text[:len(text)-len(trimLeft(text))]
			m.state, m.indent = patchNext, m.pad != ""
			return taken
		case !m.held:
			m.held = true
			return held
		}
		return refused
	case patchDone:
		if trimBlanks(text) == m.heredoc {
			return last
		}
		return passed
	case patchUpdate:
		if text == "" || text[0] == ' ' || text[0] == '-' || text[0] == '+' {
			return m.updateLine(sc, l, text)
		}
	case patchAdd:
		if text == "" || text[0] == '+' {
			return m.addLine(sc, l, text)
		}
	}
	return m.marker(sc, l, text)
}

// marker takes a line that is no content: a marker, or something that should not
// be there.
func (m *patcher) marker(sc *scope, l line, text string) verdict {
	mark := trimBlanks(text)
	if m.inUpdate() && mark != "" && text[0] != '*' && text[0] != '@' {
		mark = text // its lines begin with a blank
	}
	written := mark
	mark, _ = spellMark(mark)
	switch op, path, ok := parseSection(mark); {
	case ok:
		m.close(sc)
		m.spell(written, l.n)
		return m.section(sc, l, op, path)
	case mark == endPatch:
		m.spell(written, l.n)
		m.report(sc)
		m.close(sc)
		if m.state = patchDone; m.heredoc != "" {
			return taken
		}
		return last
	case mark == beginPatch, m.fenced(sc, text), m.heredoc != "" && mark == m.heredoc:
		m.unclosed(sc)
		if m.heredoc != "" && mark == m.heredoc {
			return last
		}
		return passed
	case strings.HasPrefix(mark, "@@") && m.inUpdate():
		return m.at(sc, l, mark)
	case m.state == patchSkip:
		return taken
	case mark == endOfFile && m.state == patchUpdate && m.hunk != nil && m.hunk.kind != 0:
		m.decide(sc, false)
		m.spell(written, l.n)
		m.report(sc)
		m.hunk.b.AtEnd, m.hunk.n = true, l.n
		m.close(sc)
		return taken
	case strings.HasPrefix(mark, moveTo) && m.state == patchUpdate && m.parts == 0 && m.to == "":
		m.spell(written, l.n)
		if m.to = trimBlanks(mark[len(moveTo):]); m.to == "" {
			return m.fail(sc, l, "%q names no file; write it behind that", moveTo)
		}
		return taken
	case mark == "" && (m.state == patchNext || m.state == patchDelete):
		return taken
	case strings.HasPrefix(mark, moveTo):
		return m.fail(sc, l, `%q stands alone right behind "*** Update File:", before the changes`, moveTo)
	}
	return m.unexpected(sc, l, text)
}

// inUpdate reports whether lines of an update may follow.
func (m *patcher) inUpdate() bool {
	return m.state == patchUpdate || m.state == patchSkip && m.path != ""
}

// unexpected reports a line that does not belong where it stands.
func (m *patcher) unexpected(sc *scope, l line, text string) verdict {
	switch m.state {
	case patchUpdate:
		return m.fail(sc, l, `a line of an update begins with " ", "-", "+" or "@@", and this one does not: %s; write a blank before it if it stays as it is`, quote(text))
	case patchAdd:
		return m.fail(sc, l, `the file is new, so its lines begin with "+", and this one does not: %s`, quote(text))
	}
	return m.fail(sc, l, `a section of a patch begins with "*** Add File:", "*** Delete File:" or "*** Update File:", and this line does not: %s; end the patch with %q`, quote(text), endPatch)
}

// fenced reports whether a line closes the fence that the patch stands in.
func (m *patcher) fenced(sc *scope, text string) bool {
	fence := sc.prose.fence
	return fence.closedBy(text) || !fence.open() && parseFence(text).open()
}

// section begins a section.
func (m *patcher) section(sc *scope, l line, op Op, path string) verdict {
	m.path, m.to, m.parts, m.first = path, "", 0, l.n
	if path == "" {
		m.state = patchSkip
		sc.fail(nil, l.n, "invalid_input", "the section names no file; write it behind the colon")
		return taken
	}
	var problem string
	if m.path, problem = sc.pathInCall(path); problem != "" {
		m.state, m.path = patchSkip, ""
		sc.fail(nil, l.n, "invalid_input", "%s", problem)
		return taken
	}
	switch op {
	case Replace:
		m.state = patchUpdate
	case Create:
		m.state = patchAdd
		m.begin(sc, l, op)
		sc.searchDone(m.hunk.b)
	default:
		m.state = patchDelete
		m.begin(sc, l, op)
	}
	return taken
}

// begin begins a block.
func (m *patcher) begin(sc *scope, l line, op Op) {
	n := l.n
	if m.first != 0 {
		n = m.first
		m.first = 0
	}
	b := sc.begin(Patch, m.path, n)
	b.Op, b.To = op, m.to
	m.parts++
	m.hunk = sc.d.newHunk(b, l)
	m.report(sc)
}

// report notes what was put right since the last block in the open one, if there is
// one.
func (m *patcher) report(sc *scope) {
	if m.hunk == nil {
		return
	}
	for _, r := range m.repairs {
		sc.repair(m.hunk.b, r.Rule, r.Line, "%s", r.Note)
	}
	m.repairs = nil
}

// fail reports line l, and skips what follows up to what can be read again.
func (m *patcher) fail(sc *scope, l line, format string, args ...any) verdict {
	var b *Block
	if m.hunk != nil {
		b = m.hunk.b
	}
	if m.state != patchUpdate {
		m.path = ""
	}
	m.hunk, m.maybe, m.state = nil, nil, patchSkip
	sc.fail(b, l.n, "invalid_input", format, args...)
	return taken
}
