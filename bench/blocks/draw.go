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

// drawStale makes a block whose target a real edit has changed since: the search is
// of the older version, the file is the newer one. What the block asks for is made
// up.
func drawStale(rng *rand.Rand, p *pair, size int) *sample {
	h, start, ok := drawWindow(rng, p, size, func(h hunk) bool { return h.s1 > h.s0 || size > 1 })
	if !ok || h.s0 == h.s1 && (h.s0 == start || h.s0 == start+size) {
		return nil
	}
	s := &sample{pair: p, lines: p.new, start: -1, clean: p.old[start : start+size]}
	if blank(s.clean) {
		return nil
	}
	// Where the target only moved to another depth, it is still there.
	from, to := 0, len(p.new)
	for _, o := range p.hunks {
		// What touches the window may be a line of it now.
		switch {
		case o.s1 == start:
			from = o.r0
		case o.s1 < start:
			from = o.r1
		case o.s0 == start+size:
			to = min(to, o.r1)
		case o.s0 > start+size:
			to = min(to, o.r0)
		}
	}
	if from < to && len(places(p.new[from:to], s.clean, bare)) > 0 {
		return nil
	}
	s.from, s.to = from, to
	i := rng.IntN(size)
	for blankLine(s.clean[i]) {
		i = rng.IntN(size)
	}
	for k, l := range s.clean {
		switch {
		case k != i:
			s.wants, s.keeps = append(s.wants, l), append(s.keeps, k)
			continue
		case rng.IntN(3) == 0:
			s.wants, s.keeps = append(s.wants, l), append(s.keeps, k)
		}
		s.wants, s.keeps = append(s.wants, otherWord(rng, l)), append(s.keeps, -1)
	}
	s.search, s.replace = slices.Clone(s.clean), slices.Clone(s.wants)
	return s
}

// leave makes the target of s stale: some of its lines have other words now, or
// one line more or less. It reports false if it could not.
func (s *sample) leave(rng *rand.Rand) bool {
	at, n := s.start, len(s.clean)
	var full []int
	for i, l := range s.clean {
		if !blankLine(l) {
			full = append(full, i)
		}
	}
	s.lines = slices.Clone(s.lines)
	s.from, s.to = at, at+n
	i := full[rng.IntN(len(full))]
	switch rng.IntN(4) {
	case 0:
		s.lines = slices.Delete(s.lines, at+i, at+i+1)
		s.to--
	case 1:
		if i == 0 {
			s.lines[at] = otherWord(rng, s.lines[at])
			break
		}
		s.lines = slices.Insert(s.lines, at+i, otherWord(rng, s.lines[at+i]))
		s.to++
	default:
		altered := []int{i}
		for range n / 8 {
			if i := full[rng.IntN(len(full))]; !slices.Contains(altered, i) {
				altered = append(altered, i)
			}
		}
		for _, i := range altered {
			s.lines[at+i] = otherWord(rng, s.lines[at+i])
		}
		if merged := slices.Clone(s.wants); s.keepsAll(altered) {
			for j, k := range s.keeps {
				if k >= 0 && slices.Contains(altered, k) {
					merged[j] = s.lines[at+k]
				}
			}
			s.merged = slices.Concat(s.lines[:at], merged, s.lines[at+n:])
		}
	}
	if len(s.lines) == 0 || standsAt(s.lines, s.clean, at, bare) {
		return false
	}
	s.start = -1
	return true
}

// keepsAll reports whether the replacement keeps all of these lines.
func (s *sample) keepsAll(lines []int) bool {
	for _, i := range lines {
		if !slices.Contains(s.keeps, i) {
			return false
		}
	}
	return true
}

// hides reports whether an elision leaves out the lines in which a target has
// changed: what it shows still stands there, in order.
func (s *sample) hides() bool {
	if s.pieces == nil || s.from >= s.to {
		return false
	}
	at := s.from
	for _, piece := range s.pieces {
		for !standsAt(s.lines[:s.to], piece, at, bare) {
			if at++; at >= s.to {
				return false
			}
		}
		at += len(piece)
	}
	return true
}

// remove makes the target of s gone.
func (s *sample) remove() {
	s.lines = slices.Concat(s.lines[:s.start], s.lines[s.start+len(s.clean):])
	s.start = -1
}

// otherWord returns line with one of its words changed.
func otherWord(rng *rand.Rand, line string) string {
	var words [][2]int
	for i := 0; i < len(line); {
		if !isWord(line[i]) {
			i++
			continue
		}
		from := i
		for i < len(line) && isWord(line[i]) {
			i++
		}
		words = append(words, [2]int{from, i})
	}
	if len(words) == 0 {
		return line + " // " + names[rng.IntN(len(names))]
	}
	w := words[rng.IntN(len(words))]
	word := names[rng.IntN(len(names))]
	if word == line[w[0]:w[1]] {
		word += "2"
	}
	return line[:w[0]] + word + line[w[1]:]
}

// names are words that lines get.
var names = strings.Fields("ctx err n count name buf opts cfg value node index result size offset key parent token limit other next")

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
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
