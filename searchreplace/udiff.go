package searchreplace

import "strings"

// A udiff reads unified diffs, a file after the other: the header of a file, then
// its hunks, each of which is a block.
//
// A hunk has no closer. It is over where its counts say so, if its lines agree;
// else at the next hunk or file, at the closing fence, or at the end of the call
// that holds it. What ends with the reply alone may have been cut off, and is a
// problem.
type udiff struct {
	state  diffState
	file   diffFile
	hunk   *hunk
	files  int    // whose headers are complete
	blanks []line // of betweenHunks
}

type diffState int

const (
	inHeader diffState = iota // of a file
	inHunk
	betweenHunks // blank lines behind a complete hunk
	skipHunk     // up to the next hunk or file, after a problem
	skipFile     // up to the next file
	skipMaybe    // skipFile, and the line before was "--- x"
)

// startUnified begins a diff at the header of a file, or at a hunk. A hunk without
// numbers looks like much else, so it begins a diff only in a fence that says that
// it holds one, or in a call.
func startUnified(sc *scope, l line) machine {
	s := l.raw
	switch s[0] {
	case ' ', '\t':
		return startIndented(sc, l)
	case 'd', 'I':
		if !beginsFile(s) {
			return nil
		}
		return &udiff{}
	case '-':
		if !strings.HasPrefix(s, "--- ") {
			return nil
		}
		return &udiff{}
	case '+':
		if !strings.HasPrefix(s, "+++ ") {
			return nil
		}
		return &udiff{}
	case '@':
		if !strings.HasPrefix(s, "@@") {
			return nil
		}
		if r := parseRanges(cutCR(l.text())); !r.counted && !sc.call && !isDiffFence(sc.prose.fence) {
			return &bareHunk{}
		}
		return &udiff{}
	}
	return nil
}

// beginsFile reports whether a line begins the header of a file, and can be
// nothing else.
func beginsFile(s string) bool {
	return strings.HasPrefix(s, "diff --git ") || strings.HasPrefix(s, "Index: ")
}

func isDiffFence(f fence) bool {
	lang, _, _ := strings.Cut(f.info, " ")
	switch strings.ToLower(lang) {
	case "diff", "patch", "udiff":
		return true
	}
	return false
}

// cutCR cuts a carriage return at the end of s.
func cutCR(s string) string { return strings.TrimSuffix(s, "\r") }

func (m *udiff) line(sc *scope, l line) verdict {
	text := cutCR(l.text())
	switch m.state {
	case inHeader:
		return m.headerLine(sc, l, text)
	case inHunk:
		return m.hunkLine(sc, l, text)
	case betweenHunks:
		return m.between(sc, l, text)
	}
	return m.skip(sc, l, text)
}

// beginHunk begins a hunk with its "@@" line, or without one if text is "": then
// l is its first line.
func (m *udiff) beginHunk(sc *scope, l line, text string) verdict {
	f := &m.file
	if strings.HasPrefix(text, "@@@") {
		sc.fail(nil, l.n, "unsupported", "the diff of a merge, with %q, cannot be read; send a diff of two files", "@@@")
		m.state = skipFile
		return taken
	}
	first := l.n
	if f.hunks == 0 && f.first != 0 {
		first = f.first
		m.files++
		if (f.minus || f.plus || f.git) && !m.resolve(sc) {
			return taken
		}
	}
	f.hunks++
	b := sc.begin(Unified, f.path, first)
	m.state = inHunk
	h := sc.d.newHunk(b, l)
	m.hunk = h
	h.ranges, h.fenced = parseRanges(text), sc.call || sc.prose.fence.open()
	b.To = f.to
	if op, whole := f.op(); whole && op != Rename {
		b.Op = op
	}
	m.noteMode(sc, b)
	if name, _, one := f.one(); one && f.hunks == 1 {
		sc.repair(b, "file_header", f.last, `the diff has "--- FILE" or "+++ FILE" alone, and not both; %s names the file`, quote(name))
	}
	if b.Op != Replace && f.hunks > 1 {
		sc.fail(b, l.n, "invalid_input", "a file that is new or deleted has one hunk, and this is number %d of %q; write all its lines in one", f.hunks, f.path)
		m.state = skipFile
		return taken
	}
	if c := h.context; c != "" && (c[0] == '-' || c[0] == '+') {
		return m.fail(sc, l, `a line of the hunk stands behind its "@@": %s; write it on a line of its own`, quote(c))
	}
	if h.context != "" {
		b.Context = []string{h.context}
	}
	if b.Op == Replace {
		b.Line = h.line
	}
	if h.odd {
		sc.repair(b, "hunk_header", l.n, "the numbers of %s are not read; they are -line,count +line,count", quote(text))
	}
	if b.Op == Create {
		sc.searchDone(b)
	}
	if text == "" {
		sc.repair(b, "hunk_header", l.n, "a line %q is missing before the changed lines", "@@")
		return m.hunkLine(sc, l, cutCR(l.text()))
	}
	return taken
}

// between takes what follows a hunk and a blank line.
func (m *udiff) between(sc *scope, l line, text string) verdict {
	switch {
	case text == "":
		m.blanks = append(m.blanks, l)
		return taken
	case strings.HasPrefix(text, "@@"):
		m.blanks = nil
		return m.beginHunk(sc, l, text)
	case beginsFile(text):
		m.blanks = nil
		m.file, m.state = diffFile{}, inHeader
		return m.headerLine(sc, l, text)
	}
	sc.giveBack(m.blanks)
	return passed
}

func (m *udiff) end(sc *scope) {
	switch m.state {
	case inHeader:
		f := &m.file
		switch {
		case m.certain(sc):
			m.withoutHunk(sc, true)
		case f.git || f.plus && f.named() || m.files > 0:
			sc.fail(nil, f.last, "invalid_input", "the reply ends in the header of a diff; send the whole diff")
		}
	case inHunk:
		m.endHunk(sc)
	case betweenHunks:
		sc.giveBack(m.blanks)
	}
}
