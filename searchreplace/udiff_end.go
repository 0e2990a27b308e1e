package searchreplace

// An ending is what shows that a hunk is over.
type ending int

const (
	byNext  ending = iota // another hunk or file
	byFence               // the closing fence, or the end of the call
	byText                // something that is no line of a hunk
	byEnd                 // nothing: the reply is at its end
)

// over ends the hunk before a line that is not the diff's.
func (m *udiff) over(sc *scope, how ending) verdict {
	m.endBefore(sc, how)
	return passed
}

// endHunk ends the hunk where the lines of the scope end.
func (m *udiff) endHunk(sc *scope) {
	h := m.hunk
	if !sc.cut() {
		if m.decide(sc) {
			m.endBefore(sc, byFence)
		}
		return
	}
	if len(h.header) > 0 {
		if h.full() {
			n := h.header[0].n
			m.endBefore(sc, byText)
			sc.fail(nil, n, "invalid_input", "the reply ends in the header of a diff; send the whole diff")
			return
		}
		if !m.decide(sc) {
			return
		}
	}
	m.endBefore(sc, byEnd)
}

// endBefore ends the hunk: its block is complete, or cannot be read.
func (m *udiff) endBefore(sc *scope, how ending) {
	h := m.hunk
	m.hunk = nil
	m.state = skipHunk
	rest := h.trailing(sc)
	if how == byText && !h.fenced {
		sc.giveBack(rest)
	}
	switch {
	case h.kind == 0 && how == byEnd:
		sc.fail(h.b, h.n, "invalid_input", "the reply ends before the first line of a hunk; send the whole diff")
		return
	case h.kind == 0:
		sc.fail(h.b, h.n, "invalid_input", `the hunk has no lines; behind its "@@" write the lines that stay, each after a blank, those to delete after "-" and the new ones after "+"`)
		return
	case how == byEnd && sc.prose.fence.open():
		sc.fail(h.b, h.n, "invalid_input", "the reply ends in the fence of a diff, so it may have been cut off; send the whole diff, and close the fence")
		return
	case how == byEnd && h.partial:
		sc.fail(h.b, h.n, "invalid_input", "the reply ends in a line of a hunk, which may have been cut off; end the line, or put the diff into a fence")
		return
	case h.full():
	case !h.counted && how == byEnd:
		sc.fail(h.b, h.n, "invalid_input", "the reply ends in a hunk without line counts, so it may have been cut off; put the diff into a fence, or write the counts")
		return
	case !h.counted:
	case how == byEnd:
		sc.fail(h.b, h.n, "invalid_input", "the reply ends in a hunk that should have %d old and %d new lines and has %d and %d, so it may have been cut off; put the diff into a fence, or correct the counts", h.oldN, h.newN, h.haveOld, h.haveNew)
		return
	default:
		sc.repair(h.b, "hunk_counts", h.at, "the hunk should have %d old and %d new lines and has %d and %d; its lines are taken as they are", h.oldN, h.newN, h.haveOld, h.haveNew)
	}
	h.complete(sc)
}

// trailing makes content of as many of the empty lines at the end of h as its
// counts ask for, and returns the others.
func (h *hunk) trailing(sc *scope) (rest []line) {
	rest = h.blanks
	h.blanks = nil
	missing := h.oldN - h.haveOld
	if h.b.Op == Create || h.oldN == 0 {
		missing = h.newN - h.haveNew
	} else if h.newN != 0 && h.newN-h.haveNew != missing {
		return rest
	}
	if !h.counted || missing <= 0 || missing > len(rest) {
		return rest
	}
	for _, l := range rest[:missing] {
		h.blank(sc, l)
	}
	return rest[missing:]
}

// complete completes the block.
func (h *hunk) complete(sc *scope) {
	b := h.b
	n := len(h.search)
	texts, from := sc.d.room(n + len(h.replace))
	texts.Write(h.search)
	texts.Write(h.replace)
	both := texts.String()[from:]
	b.Search, b.Replace = both[:n], both[n:]
	if b.Op != Create {
		sc.searchDone(b)
		sc.replaceLines(b, b.Replace)
	}
	sc.complete(b, h.n)
	sc.d.reuseHunk(h)
}
