package searchreplace

import "strings"

// startIndented reports a diff that is indented. In a hunk blanks are context, so that
// nobody knows what in it is text.
func startIndented(sc *scope, l line) machine {
	switch at := trimLeft(l.raw); {
	case strings.HasPrefix(at, "@@ -") && parseRanges(trimRight(at)).counted:
		m := &indentedDiff{}
		m.fail(sc, l.n)
		return m
	case strings.HasPrefix(at, "--- ") && looksLikePath(trimBlanks(at[len("--- "):])), strings.HasPrefix(at, "diff --git "):
		return &indentedDiff{}
	}
	return nil
}

// An indentedDiff passes over a diff that is indented. A line "--- x" alone is spoken
// of; the next one tells.
type indentedDiff struct {
	first int
	told  bool
}

func (m *indentedDiff) fail(sc *scope, n int) {
	m.told = true
	sc.fail(nil, n, "invalid_input", "the diff is indented, so that nobody knows what in it is text; write it from the beginning of the line")
}

func (m *indentedDiff) line(sc *scope, l line) verdict {
	switch text := trimBlanks(l.raw); {
	case m.first == 0:
		m.first = l.n
		if m.told {
			return taken
		}
		return held
	case m.told && text != "" && isBlankByte(l.raw[0]) && !sc.prose.fence.closedBy(text):
		return taken
	case m.told:
		return passed
	case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "@@"):
		m.fail(sc, m.first)
		return taken
	case strings.HasPrefix(text, "index "), strings.HasPrefix(text, "new file mode "), strings.HasPrefix(text, "deleted file mode "):
		return held
	}
	return refused
}

func (m *indentedDiff) end(*scope) {}

// A bareHunk reports a hunk without numbers where nothing says that it is one: the
// lines behind it do, but nobody knows where it ends.
type bareHunk struct {
	first int
	told  bool
}

func (m *bareHunk) line(sc *scope, l line) verdict {
	text := cutCR(l.text())
	content := text != "" && strings.IndexByte(" -+", text[0]) >= 0
	switch {
	case m.first == 0:
		m.first = l.n
		return held
	case m.told && (content || strings.HasPrefix(text, "@@") || strings.HasPrefix(text, `\ `)):
		return taken
	case m.told:
		return passed
	case !content || strings.Trim(text, "-+ \t") == "" || strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "- "):
		return refused // a rule, or a list
	}
	m.told = true
	sc.fail(nil, m.first, "invalid_input", `the hunk has no numbers, so that nobody knows where it ends; put it into a fence "`+"```diff"+`", with "--- a/FILE" and "+++ b/FILE" before it`)
	return taken
}

func (m *bareHunk) end(*scope) {}
