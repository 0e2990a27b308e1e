package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

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
	if width := levelOf(s.lines); unit != "\t" && width > 0 {
		unit = strings.Repeat(" ", width)
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
