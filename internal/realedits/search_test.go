//go:build fire

package realedits

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// searchInsert inserts lines before line at by a search for the line above.
func (p *planner) searchInsert(at int, lines []string) (edit, bool) {
	if at == 0 || p.lines[at-1].ending == "" {
		return edit{}, false
	}
	return p.searchLines(at-1, at, append([]string{p.lines[at-1].text}, lines...))
}

// searchLines replaces whole lines by a search for their text.
func (p *planner) searchLines(start, end int, lines []string) (edit, bool) {
	e := edit{op: "search_replace", start: start, end: end, lines: lines, search: p.textOf(start, end)}
	for _, l := range lines {
		e.replace += l + "\n"
	}
	// Without the last line feed the lines keep their ends, so none may be lost.
	unterminated := p.lines[end-1].ending == ""
	if unterminated && (len(lines) == 0 || lines[len(lines)-1] == "") {
		return edit{}, false
	}
	if unterminated || len(lines) > 0 && p.one(2) {
		e.search = strings.TrimSuffix(e.search, "\n")
		e.replace = strings.TrimSuffix(e.replace, "\n")
	}
	return p.place(e)
}

// searchPart replaces line at by a search for the part that differs.
func (p *planner) searchPart(at int, to string) (edit, bool) {
	from := p.lines[at].text
	search, replace := difference(from, to)
	if search == "" {
		search, replace = from, to
	}
	e := edit{op: "search_replace", start: at, end: at + 1, lines: []string{to}, search: search, replace: replace}
	return p.place(e)
}

// place draws where e searches. It is in order if the search stands there once.
func (p *planner) place(e edit) (edit, bool) {
	switch {
	case e.search == "" || !utf8.ValidString(e.search):
		return e, false
	case strings.Contains(e.search, "\r"):
		return e, false // "\r\n" would be taken for a line end
	case p.one(2) && strings.Count(p.text, e.search) == 1:
		e.everywhere, e.expect = true, 1
		return e, true
	case !p.proved(e.start, e.end) || strings.Count(p.textOf(e.start, e.end), e.search) != 1:
		return e, false
	case p.one(2):
		e.expect = 1
	}
	return e, true
}

// renames returns edits that replace a text everywhere, where several lines
// change in this way only, and the changes that are left.
func (p *planner) renames() (edits []edit, rest []change) {
	type rename struct{ from, to string }
	lines := map[rename]int{}
	of := func(c change) (r rename, ok bool) {
		if c.end-c.start != 1 || len(c.fresh) != 1 {
			return r, false
		}
		r.from, r.to = difference(p.lines[c.start].text, c.fresh[0].text)
		return r, r.from != "" && utf8.ValidString(r.from) && !strings.Contains(r.from, "\r")
	}
	for _, c := range p.changes {
		if r, ok := of(c); ok {
			lines[r]++
		}
	}
	sent := map[rename]bool{}
	for _, c := range p.changes {
		r, ok := of(c)
		if !ok || strings.Count(p.text, r.from) != lines[r] {
			rest = append(rest, c)
			continue
		}
		edits = append(edits, edit{
			op: "search_replace", start: c.start, end: c.end, lines: textsOf(c.fresh),
			search: r.from, replace: r.to, everywhere: true, expect: lines[r], part: sent[r],
		})
		sent[r] = true
	}
	return edits, rest
}

// difference returns the parts of two lines that differ, taken to whole words.
func difference(from, to string) (a, b string) {
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	head := 0
	for head < len(from) && head < len(to) && from[head] == to[head] {
		head++
	}
	for head > 0 {
		r, size := utf8.DecodeLastRuneInString(from[:head])
		if !word(r) && r != utf8.RuneError {
			break
		}
		head -= size
	}
	tail := 0
	for tail < len(from)-head && tail < len(to)-head && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	for tail > 0 {
		r, size := utf8.DecodeRuneInString(from[len(from)-tail:])
		if !word(r) && r != utf8.RuneError {
			break
		}
		tail -= size
	}
	return from[head : len(from)-tail], to[head : len(to)-tail]
}
