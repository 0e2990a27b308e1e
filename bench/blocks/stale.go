package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// beside is within how many lines of a block a hunk is one with what became of it: a
// line that moved is a hunk where it was and one where it is.
const beside = 3

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
	// Where the target only moved to another depth, or up or down by the lines of a
	// hunk beside it, it is still there.
	from, to, above, below := 0, len(p.new), false, 0
	for _, o := range p.hunks {
		switch {
		case o.s1 < start-beside:
			from = o.r1
		case o.s1 <= start && !above:
			from, above = o.r0, true
		case o.s0 >= start+size && o.s0 <= start+size+beside:
			below = o.r1
		case o.s0 > start+size:
			to = min(to, o.r0)
		}
	}
	if below > 0 {
		to = min(to, below)
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
