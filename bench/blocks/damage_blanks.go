package main

import (
	"math/rand/v2"
	"slices"
)

// trailingBlanks gives blanks at the ends of lines to the block, or to the file.
func trailingBlanks(rng *rand.Rand, s *sample) bool {
	add := func(l string) string {
		if rng.IntN(2) == 0 {
			return l
		}
		return l + []string{" ", "  ", "\t", "    "}[rng.IntN(4)]
	}
	if rng.IntN(2) == 0 || s.start < 0 {
		if s.moves() {
			return false // which line stayed is open, and what it ends in
		}
		i := rng.IntN(len(s.search))
		s.context(add)
		if s.search[i] == s.clean[i] {
			s.search[i] += " "
			s.context(func(l string) string { return l })
		}
		return !s.moves()
	}
	// The file has them, where the block keeps a line.
	i := rng.IntN(len(s.clean))
	s.lines = slices.Clone(s.lines)
	for k := range s.clean {
		l := &s.lines[s.start+k]
		*l = add(*l)
		if k == i && *l == s.clean[k] {
			*l += " "
		}
	}
	s.file(s.lines[s.start : s.start+len(s.clean)])
	s.loose = noTail
	return true
}

// moves reports whether a new line is one of the search as well, as it was or as it is
// now.
func (s *sample) moves() bool {
	for j, i := range s.keeps {
		if i < 0 && (slices.Contains(s.clean, s.wants[j]) || slices.Contains(s.search, s.wants[j])) {
			return true
		}
	}
	return false
}

// file takes other lines for the target in the file, and for the lines of it that
// stay.
func (s *sample) file(lines []string) {
	s.clean = slices.Clone(lines)
	s.wants = slices.Clone(s.wants)
	for j, i := range s.keeps {
		if i >= 0 {
			s.wants[j] = s.clean[i]
		}
	}
}

// blankEdges adds blank lines at the top (1), the bottom (2) or both (3) of the
// search, or of both sides. Where the file has a blank line there, or the replacement
// has one that the block could have got by the other damage, it could not be undone.
func (s *sample) blankEdges(rng *rand.Rand, ends int, both bool) bool {
	added := func() []string {
		lines := []string{"", ""}
		if rng.IntN(8) > 0 {
			lines = lines[:1]
		}
		if rng.IntN(8) == 0 {
			lines[0] = "    "
		}
		return lines
	}
	sides := []*[]string{&s.search}
	if both {
		sides = append(sides, &s.replace)
	}
	for end := range 2 {
		own, kept := edge(s.search, end), edge(s.replace, end)
		if ends>>end&1 != 0 && (!both && kept > 0 || both && own > 0 && kept != own) {
			return false
		}
	}
	free := func(i int) bool { return s.start < 0 || i < 0 || i >= len(s.lines) || !blankLine(s.lines[i]) }
	if ends&1 != 0 {
		if !free(s.start - 1) {
			return false
		}
		e := added()
		for _, side := range sides {
			*side = slices.Concat(e, *side)
		}
	}
	if ends&2 != 0 {
		if !free(s.start + len(s.clean)) {
			return false
		}
		e := added()
		for _, side := range sides {
			*side = slices.Concat(*side, e)
		}
	}
	return true
}

// edge counts the blank lines at the top (0) or the bottom (1) of lines.
func edge(lines []string, end int) int {
	n := 0
	for n < len(lines) {
		i := n
		if end == 1 {
			i = len(lines) - 1 - n
		}
		if !blankLine(lines[i]) {
			break
		}
		n++
	}
	return n
}
