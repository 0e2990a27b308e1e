package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A damage is a way in which models write blocks that are not quite the file's.
type damage struct {
	name string

	// apply damages the block of s, or has the file other than the block takes it to
	// be. It reports false if it would change nothing, or could not be undone.
	apply func(rng *rand.Rand, s *sample) bool

	shift bool // of depth
	there bool // only where the target is there
}

// The names that claims and special cases need.
const (
	reordered = "blocks in another order"
	lookalike = "a lookalike elsewhere"
)

func damages() []damage {
	return []damage{
		{name: "none", apply: func(*rand.Rand, *sample) bool { return true }},
		{name: "indentation removed", apply: removeIndent, shift: true},
		{name: "indentation half removed", apply: removeHalf, shift: true},
		{name: "indentation added", apply: addIndent, shift: true},
		{name: "tabs as 4 blanks", apply: func(rng *rand.Rand, s *sample) bool { return s.blanksForTabs(4) }},
		{name: "tabs as 2 or 8 blanks", apply: func(rng *rand.Rand, s *sample) bool { return s.blanksForTabs(2 + 6*rng.IntN(2)) }},
		{name: "blanks as tabs", apply: tabsForBlanks},
		{name: "first line only", apply: firstLine},
		{name: "trailing blanks", apply: trailingBlanks},
		{name: "blank edge at one end, of the search", apply: func(rng *rand.Rand, s *sample) bool { return s.blankEdges(rng, 1+rng.IntN(2), false) }},
		{name: "blank edge at one end, of both sides", apply: func(rng *rand.Rand, s *sample) bool { return s.blankEdges(rng, 1+rng.IntN(2), true) }},
		{name: "blank edges at both ends, of the search", apply: func(rng *rand.Rand, s *sample) bool { return s.blankEdges(rng, 3, false) }},
		{name: "blank edges at both ends, of both sides", apply: func(rng *rand.Rand, s *sample) bool { return s.blankEdges(rng, 3, true) }},
		{name: "elision", apply: elide},
		{name: "curly quotes", apply: curlyQuotes},
		{name: "over-escaped", apply: overEscape},
		{name: "CRLF", apply: crlf},
		{name: "gutter", apply: gutter},
		{name: reordered, there: true},
		{name: "one wrong character", apply: wrongCharacter},
		{name: lookalike, apply: plantLookalike},
	}
}

// each changes the lines of both sides of the block that are not blank: blanks in
// a line of nothing else are no indentation.
func (s *sample) each(change func(string) string) {
	for _, side := range [][]string{s.search, s.replace} {
		for i, l := range side {
			if !blankLine(l) {
				side[i] = change(l)
			}
		}
	}
}

// context changes the lines of the search, and with them those that the
// replacement keeps. Its new lines are as they are to be.
func (s *sample) context(change func(string) string) {
	for i, l := range s.search {
		s.search[i] = change(l)
	}
	for j, i := range s.keeps {
		if i >= 0 {
			s.replace[j] = s.search[i]
		}
	}
}

func indentOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }

// common returns the indentation that all lines of both sides have.
func (s *sample) common() string {
	indent, any := "", false
	for _, side := range [][]string{s.search, s.replace} {
		for _, l := range side {
			if blankLine(l) {
				continue
			}
			own := indentOf(l)
			if !any {
				indent, any = own, true
			}
			for !strings.HasPrefix(own, indent) {
				indent = indent[:len(indent)-1]
			}
		}
	}
	return indent
}

func (s *sample) cut(indent string) {
	s.each(func(l string) string { return strings.TrimPrefix(l, indent) })
	for _, l := range s.search {
		if !blankLine(l) && indentOf(l) == "" {
			s.whole = true
		}
	}
}

// removeIndent removes all the indentation that the lines share.
func removeIndent(_ *rand.Rand, s *sample) bool {
	indent := s.common()
	s.cut(indent)
	return indent != ""
}

// removeHalf removes half of it.
func removeHalf(rng *rand.Rand, s *sample) bool {
	indent := s.common()
	unit := unitOf(indent)
	if unit == "" || strings.Trim(indent, "\t") != "" && strings.Trim(indent, " ") != "" {
		return false
	}
	levels := len(indent) / len(unit)
	n := (levels + rng.IntN(2)) / 2
	if n == 0 || n == levels {
		return false
	}
	s.cut(strings.Repeat(unit, n))
	s.whole = false // it may be by its least line, but the file's is less
	return true
}

// unitOf returns what one level of an indentation is; "" if it is no number of
// levels.
func unitOf(indent string) string {
	switch {
	case indent == "":
	case strings.HasPrefix(indent, "\t"):
		return "\t"
	case len(indent)%4 == 0:
		return "    "
	case len(indent)%2 == 0:
		return "  "
	}
	return ""
}

// addIndent adds one to three levels, in the file's manner.
func addIndent(rng *rand.Rand, s *sample) bool {
	unit := ""
	for _, l := range slices.Concat(s.search, s.replace, s.lines) {
		if unit = unitOf(indentOf(l)); unit != "" && !blankLine(l) {
			break
		}
	}
	if unit == "" {
		unit = "    "
	}
	blank := strings.Repeat(unit, 1+rng.IntN(3))
	s.each(func(l string) string { return blank + l })
	return true
}

// blanksForTabs writes so many blanks for every tab of an indentation. Where one
// holds blanks, that could not be undone.
func (s *sample) blanksForTabs(n int) bool {
	done := false
	for _, l := range slices.Concat(s.search, s.replace) {
		if !blankLine(l) && strings.Contains(indentOf(l), " ") {
			return false
		}
	}
	for _, l := range s.search {
		done = done || indentOf(l) != "" && !blankLine(l)
	}
	s.tab = n
	s.each(func(l string) string {
		indent := indentOf(l)
		return strings.Repeat(" ", n*len(indent)) + l[len(indent):]
	})
	return done
}

// tabsForBlanks writes a tab for every level of a file that indents by two or four
// blanks.
func tabsForBlanks(_ *rand.Rand, s *sample) bool {
	width, done := levelOf(s.lines), false
	if width == 0 {
		return false
	}
	for _, side := range [][]string{s.search, s.replace} {
		for _, l := range side {
			indent := indentOf(l)
			if !blankLine(l) && (strings.Contains(indent, "\t") || len(indent)%width != 0) {
				return false
			}
		}
	}
	for _, l := range s.search {
		done = done || !blankLine(l) && indentOf(l) != ""
	}
	s.each(func(l string) string {
		indent := indentOf(l)
		return strings.Repeat("\t", len(indent)/width) + l[len(indent):]
	})
	return done
}

// levelOf returns how many blanks a level of a file is: two or four, if that is what
// most lines that are deeper than the one before are deeper by; or 0.
func levelOf(lines []string) int {
	by := map[int]int{}
	before := 0
	for _, l := range lines {
		if !blankLine(l) {
			by[len(indentOf(l))-before]++
			before = len(indentOf(l))
		}
	}
	for _, n := range []int{2, 4} {
		most := true
		for other, times := range by {
			most = most && (other <= 0 || other == n || times < by[n])
		}
		if most && by[n] > 0 {
			return n
		}
	}
	return 0
}

// firstLine takes the indentation from the first line of both sides, as who trims
// a text does. Where that of the replacement had another, it could not be undone.
func firstLine(_ *rand.Rand, s *sample) bool {
	indent := indentOf(s.search[0])
	if len(s.search) < 2 || indent == "" || blankLine(s.search[0]) {
		return false
	}
	if len(s.replace) > 0 && (blankLine(s.replace[0]) || indentOf(s.replace[0]) != indent) {
		return false
	}
	s.search[0] = s.search[0][len(indent):]
	if len(s.replace) > 0 {
		s.replace[0] = s.replace[0][len(indent):]
	}
	// One line that keeps its depth is needed, else it is the whole block.
	rest := s.search[1:]
	return !blank(rest)
}

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
		return true
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

// moves reports whether a new line is one of the search as well.
func (s *sample) moves() bool {
	for j, i := range s.keeps {
		if i < 0 && slices.Contains(s.clean, s.wants[j]) {
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
