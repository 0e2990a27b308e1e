package searchreplace

import "strings"

// at takes an "@@" line of an update. It ends the part before it, or adds to the
// context of the one that has no lines yet.
func (m *patcher) at(sc *scope, l line, text string) verdict {
	m.state = patchUpdate
	if m.hunk != nil && m.hunk.kind != 0 {
		m.close(sc)
	}
	if m.hunk == nil {
		m.begin(sc, l, Replace)
	}
	b := m.hunk.b
	m.hunk.n = l.n
	r := parseRanges(text)
	if r.context != "" {
		b.Context = append(b.Context, r.context)
	}
	if r.counted || r.odd {
		b.Line = r.line
		sc.repair(b, "hunk_header", l.n, "numbers stand in the %q line of a patch; they are taken for a hint", "@@")
	}
	return taken
}

// updateLine takes a line of an update. An empty one is a blank line of the context
// if another line follows. A line " *** End Patch" is one of the context, too, but
// where nothing follows it is the marker with a blank before it. The end of the
// reply does not show that nothing would follow; then the first marker decides.
func (m *patcher) updateLine(sc *scope, l line, text string) verdict {
	h := m.hunk
	switch {
	case text == "" && h == nil:
		return taken
	case text == "", text[0] == ' ' && trimBlanks(text) == endPatch:
		if h == nil {
			return m.fail(sc, l, "the update of %q has no changes; write its lines before %q", m.path, endPatch)
		}
		m.maybe = append(m.maybe, l)
		return taken
	case h == nil && m.parts > 0:
		return m.fail(sc, l, `a line stands behind %q, so the file does not end there; begin another part with "@@"`, endOfFile)
	case h == nil:
		m.begin(sc, l, Replace)
		h = m.hunk
	}
	m.decide(sc, true)
	h.add(sc, l, text[0], l.text()[1:])
	return taken
}

// addLine takes a line of a new file.
func (m *patcher) addLine(sc *scope, l line, text string) verdict {
	if text == "" {
		m.maybe = append(m.maybe, l)
		return taken
	}
	m.decide(sc, true)
	m.hunk.add(sc, l, '+', l.text()[1:])
	return taken
}

// decide makes content of the undecided lines, but for empty ones at the end, which
// it drops unless more follows.
func (m *patcher) decide(sc *scope, more bool) {
	lines := m.maybe
	m.maybe = nil
	for !more && len(lines) > 0 && cutCR(lines[len(lines)-1].text()) == "" {
		lines = lines[:len(lines)-1]
	}
	for _, l := range lines {
		if text := l.text(); cutCR(text) == "" {
			m.hunk.blank(sc, l)
		} else {
			m.hunk.add(sc, l, ' ', text[1:])
		}
	}
}

// close ends the section or the part that is open, before a marker.
func (m *patcher) close(sc *scope) {
	h := m.hunk
	if h != nil {
		m.decide(sc, false)
		m.hunk = nil
		if h.kind == 0 && h.b.Op == Replace {
			sc.fail(h.b, h.n, "invalid_input", `a part of the update has no lines; behind its "@@" write the lines that stay, each after a blank, those to delete after "-" and the new ones after "+"`)
			return
		}
		h.complete(sc)
		return
	}
	if m.state != patchUpdate || m.parts > 0 {
		return
	}
	n := m.first
	if m.to == "" {
		sc.fail(nil, n, "invalid_input", `the update of %q has no changes; write them behind it, or "*** Move to:"`, m.path)
		return
	}
	m.begin(sc, line{n: n}, Rename)
	sc.searchDone(m.hunk.b)
	m.hunk.n = n + 1
	h, m.hunk = m.hunk, nil
	sc.complete(h.b, h.n)
}

// unclosed ends the patch where its end is seen, but "*** End Patch" is missing.
func (m *patcher) unclosed(sc *scope) {
	if m.padded(sc) {
		m.close(sc)
		return
	}
	if m.hunk == nil && m.state == patchUpdate && m.parts == 0 && m.to != "" {
		n := m.first
		m.begin(sc, line{n: n}, Rename)
		m.hunk.n = n + 1
	}
	if m.hunk != nil {
		sc.repair(m.hunk.b, "missing_end_patch", m.hunk.n, "a line %q is missing behind the last section", endPatch)
	}
	m.close(sc)
}

// padded reports whether the last of the undecided lines is " *** End Patch", and
// then takes it for the marker.
func (m *patcher) padded(sc *scope) bool {
	for i := len(m.maybe) - 1; i >= 0; i-- {
		if l := m.maybe[i]; strings.TrimSpace(l.raw) != "" {
			m.maybe = m.maybe[:i]
			sc.repair(m.hunk.b, "padded_marker", l.n, "blanks stand before %q", endPatch)
			return true
		}
	}
	return false
}

func (m *patcher) end(sc *scope) {
	switch {
	case m.state == patchBegin, m.state == patchDone:
		return
	case !sc.cut():
		m.unclosed(sc)
		return
	case m.indent && m.hunk != nil && m.padded(sc):
		m.close(sc)
		return
	}
	var b *Block
	n := sc.d.n
	if m.hunk != nil {
		b = m.hunk.b
	}
	sc.fail(b, n, "invalid_input", "the reply ends in a patch, which may have been cut off; end it with a line %q", endPatch)
}
