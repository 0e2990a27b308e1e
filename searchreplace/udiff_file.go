package searchreplace

import "strings"

// This file takes a udiff through the header of a file, up to its first hunk.

// headerLine takes a line in the header of a file, or the one behind it.
func (m *udiff) headerLine(sc *scope, l line, text string) verdict {
	f := &m.file
	if f.first == 0 {
		f.first = l.n
	}
	switch {
	case strings.HasPrefix(text, "@@") && m.hunkFollows(sc, text):
		return m.beginHunk(sc, l, text)
	case f.take(l):
		if f.problem != "" {
			sc.fail(nil, l.n, f.code, "%s", f.problem)
			m.state = skipFile
			return taken
		}
		if m.certain(sc) {
			return taken
		}
		return held
	case text == "" && (f.minus || f.plus):
		f.blank = true
		if m.certain(sc) {
			return taken
		}
		return held
	case !m.certain(sc) && !(isHunkLine(text) && f.bothNamed()):
		return refused
	case f.plus && !f.blank && isHunkLine(text):
		return m.beginHunk(sc, l, "")
	}
	m.withoutHunk(sc, l.partial())
	if m.state == skipFile {
		return m.skip(sc, l, text)
	}
	if beginsFile(text) || strings.HasPrefix(text, "--- ") {
		m.file = diffFile{}
		return m.headerLine(sc, l, text)
	}
	return passed
}

// isHunkLine reports whether a line behind a header may be one of a hunk whose "@@" is
// missing.
func isHunkLine(text string) bool {
	return text != "" && strings.IndexByte(" -+", text[0]) >= 0 && !strings.HasPrefix(text, "--- ")
}

// hunkFollows reports whether a line that begins with "@@" is a hunk of the header
// before it, or without one.
func (m *udiff) hunkFollows(sc *scope, text string) bool {
	f := &m.file
	switch {
	case f.git:
		return f.certain() || parseRanges(text).counted
	case f.blank, f.plus && !f.minus && !f.named() && !f.sure:
		return sc.call || isDiffFence(sc.prose.fence) || parseRanges(text).counted
	}
	return true
}

// certain reports whether the header is one even if no hunk follows.
func (m *udiff) certain(sc *scope) bool {
	f := &m.file
	return f.sure || f.git && f.certain() ||
		f.plus && f.named() && (m.files > 0 || sc.call || isDiffFence(sc.prose.fence))
}

// withoutHunk ends the header of a file that no hunk follows. atEnd is set if
// nothing follows at all.
func (m *udiff) withoutHunk(sc *scope, atEnd bool) {
	f := &m.file
	m.files++
	if !m.resolve(sc) {
		return
	}
	op, whole := f.op()
	switch {
	case f.mode != 0 && !whole && !f.minus:
		sc.fail(nil, f.mode, "unsupported", "the mode of %q cannot be changed; leave the diff of it out", f.path)
	case !whole || f.minus:
		sc.fail(nil, f.last, "invalid_input", "the diff of %q has no hunk; write a line %q and the changed lines behind it", f.path, "@@ -1,3 +1,4 @@")
	case atEnd && sc.cut() && (!f.sealed || f.partial || sc.prose.fence.open()):
		sc.fail(nil, f.last, "invalid_input", "the reply ends in the header of the diff of %q, so it may have been cut off; put the diff into a fence", f.path)
	default:
		b := sc.begin(Unified, f.path, f.first)
		b.Op, b.To = op, f.to
		m.noteMode(sc, b)
		sc.searchDone(b)
		sc.complete(b, f.last)
		return
	}
	m.state = skipFile
}

// resolve finds what the file of the header is called, or fails and skips it.
func (m *udiff) resolve(sc *scope) bool {
	f := &m.file
	problem := f.resolve()
	if problem == "" {
		f.path, problem = sc.pathInCall(f.path)
	}
	if problem != "" {
		sc.fail(nil, f.first, "invalid_input", "%s", problem)
		m.state = skipFile
		return false
	}
	return true
}

// noteMode says that a mode in the header of the file is not set.
func (m *udiff) noteMode(sc *scope, b *Block) {
	if m.file.mode != 0 {
		sc.repair(b, "mode_ignored", m.file.mode, "the diff sets the mode of the file, which is left as it is")
		m.file.mode = 0
	}
}
