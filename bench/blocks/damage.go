package main

import "math/rand/v2"

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
