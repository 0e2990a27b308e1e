package searchreplace

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// mostWhy is how many differences a failure tells.
const mostWhy = 5

// noMatch fails a block that stands nowhere, with what may help: the lines most
// like it, in what they differ, and where its replacement already stands.
func (t *try) noMatch(w *want) {
	if w.searchErr != nil {
		t.failed(EncodingError, "the search cannot stand in the file: %v", w.searchErr)
		return
	}
	f := t.failed(NoMatch, "")
	f.AlreadyAt = t.standsAlready(w)
	search := dropBlankEdges(w.search)
	f.Nearest = t.nearest(search)
	f.Why = t.why[:min(len(t.why), mostWhy)]
	message := "the search stands nowhere in the file"
	if n := f.Nearest; n != nil {
		for i := 0; i < n.End-n.Start && len(f.Why) < mostWhy; i++ {
			if d := t.differs(search[i], n.Start+i, len(t.why) > 0); d != "" {
				f.Why = append(f.Why, d)
			}
		}
		message += fmt.Sprintf("; %s %s most like it", lineRange(n.Start, n.End), isAre(n.End-n.Start))
	}
	switch {
	case f.AlreadyAt > 0:
		message += fmt.Sprintf("; the replacement already stands at line %d: is the block still needed?", f.AlreadyAt)
	default:
		message += "; the file may have changed since you read it: copy the search from it as it is now"
	}
	f.Message = message
}

func lineRange(start, end int) string {
	if end-start == 1 {
		return fmt.Sprintf("line %d", end)
	}
	return fmt.Sprintf("lines %d-%d", start+1, end)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// standsAlready returns the 1-based line where w's replacement stands; 0 if it
// stands nowhere, or says too little to be told from other text.
func (t *try) standsAlready(w *want) int {
	if spoken(w.replace) == 0 {
		return 0
	}
	if hits := t.index.find(foldNone, w.replace, nil); len(hits) > 0 {
		return hits[0] + 1
	}
	if w.substring {
		p := t.plainText()
		if hits := p.find(w.replaceText, 1); len(hits) > 0 {
			return p.line(hits[0]) + 1
		}
	}
	return 0
}

// differs says in what line i differs from a line of the search; "" if in nothing,
// or only in blanks at its ends where those were blamed before.
func (t *try) differs(search string, i int, blamed bool) string {
	line := string(t.index.line(i))
	if line == search {
		return ""
	}
	name := fmt.Sprintf("line %d ", i+1)
	if strings.Trim(line, blanks) == strings.Trim(search, blanks) {
		switch {
		case blamed || blankLine(line):
			return ""
		case indentOf(line) != indentOf(search):
			return name + fmt.Sprintf("is indented by %s, the search by %s", blankName(indentOf(line)), blankName(indentOf(search)))
		}
		return name + fmt.Sprintf("ends in %s, the search in %s", blankName(trailingOf(line)), blankName(trailingOf(search)))
	}
	line, _ = t.doc.Decode([]byte(line))
	search, _ = t.doc.Decode([]byte(search))
	if string(appendLooks(nil, line)) == string(appendLooks(nil, search)) {
		return name + lookAlike(line, search)
	}
	from := firstDifference(line, search)
	return name + fmt.Sprintf("has %s where the search has %s", shown(line, from), shown(search, from))
}

func trailingOf(s string) string { return s[len(strings.TrimRight(s, blanks)):] }

// lookAlike names the first character that differs, and what the search has there.
func lookAlike(line, search string) string {
	from := firstDifference(line, search)
	name := func(s string) string {
		if from == len(s) {
			return "its end"
		}
		r, _ := utf8.DecodeRuneInString(s[from:])
		return fmt.Sprintf("%q (%U)", r, r)
	}
	return fmt.Sprintf("has %s where the search has %s, which looks like it", name(line), name(search))
}

// firstDifference returns where a and b part, at the beginning of a character.
func firstDifference(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// shown quotes what s has around offset from, blanks and tabs made visible.
func shown(s string, from int) string {
	const before, after = 12, 28
	start, end := max(0, from-before), min(len(s), from+after)
	for start > 0 && !utf8.RuneStart(s[start]) {
		start--
	}
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end++
	}
	piece := s[start:end]
	if start > 0 {
		piece = "…" + piece
	}
	if end < len(s) {
		piece += "…"
	}
	return "“" + strings.NewReplacer(" ", "·", "\t", "⇥", "\r", "␍").Replace(piece) + "”"
}
