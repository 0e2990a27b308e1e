//go:build fire

package realedits

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hlkit/hlkit/hashline"
)

// An edit is one edit of a request before it has anchors, and what it makes of
// the lines.
type edit struct {
	op         string
	start, end int      // the lines it replaces, 0-based and half-open
	lines      []string // by these

	place           string // inserts: "0:", "EOF", or "" for the anchor of a line
	search, replace string
	expect          int  // 0: none
	everywhere      bool // search_replace: in the whole file
	part            bool // another edit of the request does it, too
}

// A planner turns changes into edits, in one of the ways there are.
type planner struct {
	*rand.Rand
	*subject
	scheme hashline.Scheme
	base   bool   // the request has the base, which proves every range
	text   string // the older version with all endings "\n"
}

func newPlanner(rng *rand.Rand, s *subject, scheme hashline.Scheme) *planner {
	p := &planner{Rand: rng, subject: s, scheme: scheme}
	p.base = scheme == hashline.Content || scheme == hashline.File || p.one(2)
	p.text = p.textOf(0, len(s.lines))
	return p
}

// one is true once in n times.
func (p *planner) one(n int) bool { return p.IntN(n) == 0 }

// textOf returns lines with all endings "\n", but for that of an unterminated
// last line.
func (p *planner) textOf(start, end int) string {
	var b strings.Builder
	for _, l := range p.lines[start:end] {
		b.WriteString(l.text)
		if l.ending != "" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// plan returns edits that make all changes, in any order. If what was drawn does
// not come to the newer version, because of the endings that the lines would
// take, each change becomes one edit.
func (p *planner) plan() []edit {
	var edits []edit
	rest := p.changes
	if p.one(3) {
		edits, rest = p.renames()
	}
	for _, c := range rest {
		edits = append(edits, p.express(c)...)
	}
	if !p.comesTrue(edits) {
		edits = nil
		for _, c := range p.changes {
			edits = append(edits, p.whole(c)...)
		}
	}
	if !p.comesTrue(edits) {
		// Only a split, for want of a base, is left to blame.
		p.base, edits = true, nil
		for _, c := range p.changes {
			edits = append(edits, p.whole(c)...)
		}
	}
	p.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
	return edits
}

func (p *planner) comesTrue(edits []edit) bool {
	var literal []edit
	for _, c := range p.changes {
		literal = append(literal, edit{start: c.start, end: c.end, lines: textsOf(c.fresh)})
	}
	return slices.Equal(linewise(p.lines, edits), linewise(p.lines, literal))
}

// express returns edits that make one change.
func (p *planner) express(c change) []edit {
	fresh := textsOf(c.fresh)
	oldLines, newLines := c.end-c.start, len(fresh)
	switch {
	case oldLines == 0:
		if e, ok := p.searchInsert(c.start, fresh); ok && p.one(5) {
			return []edit{e}
		}
		return []edit{p.insert(c.start, fresh)}
	case newLines == 0:
		if e, ok := p.searchLines(c.start, c.end, nil); ok && p.one(5) {
			return []edit{e}
		}
		return p.whole(c)
	}
	way := p.IntN(6)
	if (c.start == 0 || c.end == len(p.lines)) && p.one(2) {
		way = 1 // few changes are at the ends, where inserts have names of their own
	}
	switch way {
	case 0:
		if e, ok := p.searchLines(c.start, c.end, fresh); ok {
			return []edit{e}
		}
	case 1:
		// The new text beside the old, which goes.
		at := c.start
		if c.start > 0 && p.one(2) {
			at = c.end
		}
		return append(p.split(c.start, c.end, nil), p.insert(at, fresh))
	case 2, 3, 4:
		return p.oneByOne(c, fresh)
	}
	return p.whole(c)
}

// oneByOne edits line for line; what one side has more is inserted or deleted.
func (p *planner) oneByOne(c change, fresh []string) []edit {
	n := min(c.end-c.start, len(fresh))
	var edits []edit
	for i := range n {
		at := c.start + i
		if p.lines[at].text == fresh[i] {
			continue // the differ takes only unique lines for common ones
		}
		if e, ok := p.searchPart(at, fresh[i]); ok && p.one(2) {
			edits = append(edits, e)
			continue
		}
		edits = append(edits, edit{op: "replace", start: at, end: at + 1, lines: fresh[i : i+1]})
	}
	switch {
	case n < len(fresh):
		edits = append(edits, p.insert(c.end, fresh[n:]))
	case c.start+n < c.end:
		edits = append(edits, p.split(c.start+n, c.end, nil)...)
	}
	return edits
}

// whole makes one edit of a change, or several if it is long and has no base.
func (p *planner) whole(c change) []edit {
	if c.start == c.end {
		return []edit{p.insert(c.start, textsOf(c.fresh))}
	}
	return p.split(c.start, c.end, textsOf(c.fresh))
}

// insert returns an insert of lines before line at.
func (p *planner) insert(at int, lines []string) edit {
	e := edit{op: "insert_before", start: at, end: at, lines: lines}
	if p.one(2) {
		e.op = "insert_after"
	}
	n := len(p.lines)
	switch {
	case at == 0 && (n == 0 || !p.one(4)):
		e.place = "0:"
	case at == n && (n == 0 || p.one(2)):
		e.place = "EOF"
	case at == 0:
		e.op = "insert_before"
	case at == n:
		e.op = "insert_after"
	}
	return e
}

// split returns edits that replace lines: one, or, if the anchors at the ends do
// not prove them all, one for each chunk.
func (p *planner) split(start, end int, lines []string) []edit {
	if p.proved(start, end) {
		return []edit{p.rangeEdit(start, end, lines)}
	}
	var edits []edit
	for at := start; at < end; {
		to := min(end, (at/chunkLines+1)*chunkLines)
		edits = append(edits, p.rangeEdit(at, to, lines))
		at, lines = to, nil
	}
	return edits
}

func (p *planner) rangeEdit(start, end int, lines []string) edit {
	e := edit{op: "replace", start: start, end: end, lines: lines}
	if len(lines) == 0 && !p.one(4) {
		e.op = "delete"
	}
	return e
}

const (
	chunkLines = 16
	chainLines = 32
)

// proved reports whether the anchors of the first and the last line prove all
// lines between them, as the table in DESIGN section 4 has it.
func (p *planner) proved(start, end int) bool {
	first, last := start, end-1
	switch {
	case p.base || first == last:
		return true
	case p.scheme == hashline.Chain:
		return last/chainLines*chainLines <= first+1
	}
	return last/chunkLines-first/chunkLines <= 1
}
