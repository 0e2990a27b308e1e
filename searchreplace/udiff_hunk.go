package searchreplace

import "strings"

// A hunk is the lines of one hunk so far.
//
// Some lines are undecided. An empty one is a blank line of the context that has
// lost its blank, or stands behind the hunk. "--- x" is the deleted line "-- x",
// or the header of the next file, if "+++ y" and "@@" follow: then the counts
// decide, and only if they fit neither way, or are missing, the shape.
type hunk struct {
	ranges
	b      *Block
	at     int  // its "@@" line
	n      int  // its last line that is decided
	fenced bool // its end will be seen: it stands in a fence or in a call
	crs    bool // its "@@" line ends in "\r"; so that of the other lines is no content

	search, replace  []byte
	haveOld, haveNew int
	kind             byte // of the last line
	partial          bool // that one has no "\n"

	blanks []line // undecided, in front of:
	header []line // "--- x" and "+++ y"
}

// newHunk returns the hunk of a block that begins with l.
func (d *Decoder) newHunk(b *Block, l line) *hunk {
	h := d.spareHunk
	d.spareHunk = nil
	if h == nil {
		h = &hunk{}
	}
	*h = hunk{b: b, at: l.n, n: l.n, crs: strings.HasSuffix(l.text(), "\r"), search: h.search[:0], replace: h.replace[:0]}
	return h
}

// reuseHunk keeps a hunk that is complete for the next block, unless it has grown
// large.
func (d *Decoder) reuseHunk(h *hunk) {
	if cap(h.search)+cap(h.replace) <= 64<<10 {
		d.spareHunk = h
	}
}

// full reports whether the hunk has as many lines as it says.
func (h *hunk) full() bool { return h.counted && h.haveOld == h.oldN && h.haveNew == h.newN }

// hunkLine takes a line in a hunk, or the one behind it.
func (m *udiff) hunkLine(sc *scope, l line, text string) verdict {
	h := m.hunk
	if len(h.header) > 0 {
		if done, v := m.maybeHeader(sc, l, text); done {
			return v
		}
	}
	switch {
	case text == "":
		if h.full() && !h.fenced {
			m.endBefore(sc, byText)
			m.state, m.blanks = betweenHunks, []line{l}
			return taken
		}
		h.blanks = append(h.blanks, l)
		return taken
	case strings.HasPrefix(text, "@@"):
		m.endBefore(sc, byNext)
		return m.beginHunk(sc, l, text)
	case beginsFile(text):
		m.endBefore(sc, byNext)
		m.file, m.state = diffFile{}, inHeader
		return m.headerLine(sc, l, text)
	case strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "+++ "):
		h.header = append(h.header, l)
		return taken
	case h.full() && !h.fenced && (text == "-- " || text == "---"):
		return m.over(sc, byText) // the signature of a mail, or a rule
	case text[0] == ' ' || text[0] == '-' || text[0] == '+':
		return m.content(sc, l)
	case strings.HasPrefix(text, `\ `), text == `\`:
		return m.unterminated(sc, l)
	}
	switch fence := sc.prose.fence; {
	case fence.closedBy(text), !fence.open() && parseFence(text).open():
		return m.over(sc, byFence)
	case h.full(), !h.counted && !h.fenced && len(h.blanks) > 0:
		return m.over(sc, byText)
	case h.counted && !h.fenced && len(h.blanks) > 0:
		return m.fail(sc, l, "the hunk should have %d old and %d new lines and has %d and %d, and text follows; put the diff into a fence, or correct the counts", h.oldN, h.newN, h.haveOld, h.haveNew)
	}
	return m.fail(sc, l, `a line of a hunk begins with " ", "-" or "+", and this one does not: %s; write a blank before it if it stays as it is`, quote(text))
}

// maybeHeader decides about the lines in h.header, which l follows. done is set if
// l is dealt with.
func (m *udiff) maybeHeader(sc *scope, l line, text string) (done bool, v verdict) {
	h := m.hunk
	if len(h.header) == 1 && strings.HasPrefix(text, "@@") {
		if done, v = m.oneName(sc, h.header[0]); done {
			if v == taken {
				v = m.line(sc, l)
			}
			return true, v
		}
	}
	if len(h.header) == 1 && strings.HasPrefix(text, "+++ ") && h.header[0].raw[0] == '-' {
		if !h.full() {
			h.header = append(h.header, l)
			return true, taken
		}
		return true, m.nextFile(sc, h.header[0], l)
	}
	if len(h.header) == 2 && strings.HasPrefix(text, "@@") {
		blanks := len(h.blanks)
		fits := h.counted && h.haveOld+blanks+1 == h.oldN && h.haveNew+blanks+1 == h.newN
		if !fits {
			v = m.nextFile(sc, h.header...)
			if v == taken {
				v = m.line(sc, l)
			}
			return true, v
		}
	}
	if !m.decide(sc) {
		return true, m.line(sc, l)
	}
	return false, taken
}

// oneName decides about a line "--- x" or "+++ x" alone before the next "@@": it is
// a line of the hunk if exactly that makes its counts right, and names the next file
// if they are right without it. Else, if it looks like a name, nobody can tell, and
// what follows could be made in the wrong file.
func (m *udiff) oneName(sc *scope, l line) (done bool, v verdict) {
	h := m.hunk
	text := cutCR(l.text())
	f := diffFile{sure: true}
	f.read(text, l.n)
	old, new := h.haveOld+len(h.blanks), h.haveNew+len(h.blanks)
	if f.minus {
		old++
	} else {
		new++
	}
	switch {
	case h.counted && old == h.oldN && new == h.newN:
		return false, taken
	case h.full():
		return true, m.nextFile(sc, l)
	case !f.named():
		return false, taken
	}
	h.header = nil
	v = m.fail(sc, l, `%s is a line of the hunk or names the next file; write "--- a/FILE" and "+++ b/FILE" before that, or the counts of the hunk before it`, quote(text))
	m.state = skipFile
	return true, v
}

// decide makes content of the lines in h.header. It returns false if the hunk is
// over with that, for a problem.
func (m *udiff) decide(sc *scope) bool {
	lines := m.hunk.header
	m.hunk.header = nil
	for _, l := range lines {
		if m.content(sc, l); m.state != inHunk {
			return false
		}
	}
	return true
}

// nextFile ends the hunk before the header of the next file.
func (m *udiff) nextFile(sc *scope, header ...line) verdict {
	m.hunk.header = nil
	m.endBefore(sc, byNext)
	m.file, m.state = diffFile{sure: true}, inHeader
	v := taken
	for _, l := range header {
		v = m.headerLine(sc, l, cutCR(l.text()))
	}
	return v
}

// content takes a line that begins with " ", "-" or "+", and the empty ones
// before it.
func (m *udiff) content(sc *scope, l line) verdict {
	h := m.hunk
	blanks := h.blanks
	h.blanks = nil
	for _, blank := range blanks {
		h.blank(sc, blank)
	}
	text := l.text()
	switch kind := text[0]; {
	case kind != '+' && h.b.SearchUnterminated, kind != '-' && h.b.ReplaceUnterminated:
		return m.fail(sc, l, `a line stands behind "\ No newline at end of file", so it is not the last; leave that out`)
	case kind != '+' && h.b.Op == Create:
		return m.fail(sc, l, `the file is new, so its lines begin with "+", and this one does not: %s`, quote(text))
	case kind != '-' && h.b.Op == Delete:
		return m.fail(sc, l, `the file is deleted, so its lines begin with "-", and this one does not: %s`, quote(text))
	}
	h.add(sc, l, text[0], text[1:])
	return taken
}

// blank takes an empty line that stands in the hunk.
func (h *hunk) blank(sc *scope, l line) {
	switch cr := l.text(); {
	case h.b.Op == Create, h.counted && h.oldN == 0 && h.newN > 0:
		sc.repair(h.b, "missing_plus", l.n, `an empty line among new lines; it is read as "+"`)
		h.add(sc, l, '+', cr)
	case h.b.Op == Delete, h.counted && h.newN == 0 && h.oldN > 0:
		sc.repair(h.b, "missing_minus", l.n, `an empty line among deleted lines; it is read as "-"`)
		h.add(sc, l, '-', cr)
	default:
		h.add(sc, l, ' ', cr)
	}
}

func (h *hunk) add(sc *scope, l line, kind byte, text string) {
	h.n, h.kind, h.partial = l.n, kind, l.partial()
	if h.crs {
		text = cutCR(text)
	}
	if kind != '+' {
		h.haveOld++
		h.search = append(append(h.search, text...), '\n')
	}
	if kind != '-' {
		h.haveNew++
		h.replace = append(append(h.replace, text...), '\n')
		if h.b.Op == Create {
			sc.replaceLine(h.b, string(h.replace[len(h.replace)-len(text)-1:]))
		}
	}
}

// unterminated takes "\ No newline at end of file", in any language.
func (m *udiff) unterminated(sc *scope, l line) verdict {
	h := m.hunk
	for _, blank := range h.blanks {
		h.blank(sc, blank)
	}
	h.blanks = nil
	if h.kind == 0 {
		return m.fail(sc, l, `"\ No newline at end of file" stands behind no line; it follows the line that it is about`)
	}
	h.n, h.partial = l.n, false
	h.b.SearchUnterminated = h.b.SearchUnterminated || h.kind != '+'
	h.b.ReplaceUnterminated = h.b.ReplaceUnterminated || h.kind != '-'
	return taken
}

// fail reports line l of the hunk, which is over with that.
func (m *udiff) fail(sc *scope, l line, format string, args ...any) verdict {
	sc.fail(m.hunk.b, l.n, "invalid_input", format, args...)
	m.hunk = nil
	m.state = skipHunk
	return taken
}
