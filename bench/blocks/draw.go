package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A sample is a block and a file.
type sample struct {
	pair  *pair
	lines []string // of the file
	crlf  bool     // how they end

	// The target: the search as the file had it when the block was written. It stands
	// at line start, or, if that is below 0, nowhere.
	start int
	clean []string
	wants []string // what the target is to become
	keeps []int    // for each line of the replacement, the line of the search that it keeps; -1 for a new one

	search, replace []string // of the block
	blockCRLF       bool
	gutter          func(i int) string // what the block has before line i of each side; nil for nothing
	bareReplace     bool               // but the replacement has it not
	meant           []string           // the search as it is meant: without what is no blanks; nil for search itself
	pieces          [][]string         // of an elision
	loose           look               // how a line of the target may differ from wants: which of several equal lines stayed, and with it the file's spelling, the block does not say
	tab             int                // blanks that the block has for a tab; 0 if it has not
	whole           bool               // wholly outdented: a line of the search has no indentation left
	from, to        int                // of a changed target: the lines of the file that are about where it was
	merged          []string           // what a changed target becomes where only the lines that the replacement changes are replaced
}

// lengths are the classes of blocks, by the lines of their search.
var lengths = [...]struct {
	first, last int
	share       int // percent
}{{1, 1, 21}, {2, 2, 20}, {3, 5, 23}, {6, 10, 18}, {11, 30, 18}}

func lengthOf(n int) int {
	for i, l := range lengths {
		if n <= l.last {
			return i
		}
	}
	return len(lengths) - 1
}

// drawLength returns how many lines a search has.
func drawLength(rng *rand.Rand) int {
	n := rng.IntN(100)
	for _, l := range lengths {
		if n < l.share {
			return l.first + rng.IntN(l.last-l.first+1)
		}
		n -= l.share
	}
	return 1
}

// mostNew is how many lines a replacement has at most.
const mostNew = 80

// clone returns s with what damages change in place.
func (s *sample) clone() *sample {
	c := *s
	c.search, c.replace = slices.Clone(s.search), slices.Clone(s.replace)
	return &c
}

// draw makes a block of size lines of an edit, on the older version. Nil if the
// file has none of that size.
func draw(rng *rand.Rand, p *pair, size int) *sample {
	h, start, ok := drawWindow(rng, p, size, func(h hunk) bool { return true })
	if !ok {
		return nil
	}
	s := &sample{pair: p, lines: p.old, start: start, clean: p.old[start : start+size]}
	at := start
	keep := func(to int) {
		for ; at < to; at++ {
			s.wants = append(s.wants, p.old[at])
			s.keeps = append(s.keeps, at-start)
		}
	}
	for _, o := range p.hunks {
		// Other edits of the window come along if they lie wholly inside.
		if o != h && (o.s0 < start || o.s1 > start+size || o.s0 == o.s1 && (o.s0 == start || o.s0 == start+size)) {
			continue
		}
		keep(o.s0)
		for _, l := range p.new[o.r0:o.r1] {
			s.wants = append(s.wants, l)
			s.keeps = append(s.keeps, -1)
		}
		at = o.s1
	}
	keep(start + size)
	if len(s.wants) > mostNew || blank(s.clean) || slices.Equal(s.wants, s.clean) {
		return nil
	}
	s.search, s.replace = slices.Clone(s.clean), slices.Clone(s.wants)
	return s
}

// drawWindow returns an edit that ok takes and where a window of size lines around
// it begins.
func drawWindow(rng *rand.Rand, p *pair, size int, ok func(hunk) bool) (h hunk, start int, found bool) {
	if size > len(p.old) {
		return h, 0, false
	}
	for range 4 {
		h = p.hunks[rng.IntN(len(p.hunks))]
		if h.s1-h.s0 > size || h.r1-h.r0 > mostNew || !ok(h) {
			continue
		}
		low, high := max(0, h.s1-size), min(h.s0, len(p.old)-size)
		if low > high {
			continue
		}
		return h, low + rng.IntN(high-low+1), true
	}
	return h, 0, false
}

func blankLine(s string) bool { return strings.Trim(s, " \t") == "" }

func blank(lines []string) bool {
	for _, s := range lines {
		if !blankLine(s) {
			return false
		}
	}
	return true
}
