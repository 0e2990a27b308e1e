package main

import (
	"slices"
	"strings"
)

// This file says what is true, in the plainest way there is. It shares no code
// with the ladder.

// A look is how lines are compared.
type look func(string) string

func asIs(s string) string   { return s }
func noTail(s string) string { return strings.TrimRight(s, " \t") }
func bare(s string) string   { return strings.Trim(s, " \t") }

// places returns where needle stands in lines.
func places(lines, needle []string, as look) []int {
	var list []int
	for at := range lines {
		if standsAt(lines, needle, at, as) {
			list = append(list, at)
		}
	}
	return list
}

func standsAt(lines, needle []string, at int, as look) bool {
	if at < 0 || at+len(needle) > len(lines) || len(needle) == 0 {
		return false
	}
	for i, s := range needle {
		if as(lines[at+i]) != as(s) {
			return false
		}
	}
	return true
}

// core returns lines without blank ones at the ends, and how many there are at the
// top.
func core(lines []string) ([]string, int) {
	top := 0
	for top < len(lines) && blankLine(lines[top]) {
		top++
	}
	end := len(lines)
	for end > top && blankLine(lines[end-1]) {
		end--
	}
	return lines[top:end], top
}

// A class says what can be asked of a block.
type class int

const (
	plain     class = iota // it is to be solved or refused
	ambiguous              // its search stands in several places: it is to be refused
	apart                  // its search, as it is, stands in another place: no rule can tell
	unitless               // it reads as well with four blanks to a tab as with those that it has (see readsAsFour)
)

// classOf judges a sample.
func (s *sample) classOf() class {
	kind := s.stands()
	if kind == plain && s.readsAsFour() {
		return unitless
	}
	return kind
}

// readsAsFour reports whether a block that has other than four blanks for a tab does
// not show it: its search has one indentation only, so that the file cannot tell
// either, and all that its lines have is whole levels of four blanks. As two blanks
// for a tab are all that two levels of them have in common with one level of four, who
// knows the damage can undo it, but who reads the block cannot.
func (s *sample) readsAsFour() bool {
	if s.tab == 0 || s.tab == 4 {
		return false
	}
	shown := map[string]bool{}
	for _, l := range s.search {
		if !blankLine(l) {
			shown[indentOf(l)] = true
		}
	}
	for _, l := range slices.Concat(s.search, s.replace) {
		if !blankLine(l) && len(indentOf(l))%4 != 0 {
			return false
		}
	}
	return len(shown) == 1
}

// stands judges a sample by where its search stands.
func (s *sample) stands() class {
	search := s.search
	if s.meant != nil {
		search = s.meant
	}
	inner, top := core(search)
	if s.start < 0 {
		// The target is gone. What the block says, or what it was before the damage,
		// may stand elsewhere.
		clean, _ := core(s.clean)
		for _, needle := range [][]string{s.search, search, inner, clean} {
			if len(places(s.lines, needle, asIs)) > 0 {
				return apart
			}
		}
		return plain
	}
	if s.pieces != nil {
		for _, piece := range s.pieces {
			if len(piece) > 0 && len(places(s.lines, piece, asIs)) != 1 {
				return ambiguous
			}
		}
		return plain
	}
	if shown, _ := core(s.search); s.meant != nil && len(places(s.lines, shown, asIs)) > 0 {
		return apart
	}
	_, own := core(s.clean)
	all, inside := needle{search, s.start + own - top}, needle{inner, s.start + own}
	switch found := places(s.lines, all.lines, asIs); {
	case slices.Contains(found, all.at) && len(found) > 1:
		return ambiguous
	case slices.Contains(found, all.at):
		return plain
	case len(found) > 0:
		return apart
	}
	if found := places(s.lines, inside.lines, asIs); len(found) > 1 || len(found) == 1 && found[0] != inside.at {
		return apart // blank edges aside, it stands byte for byte elsewhere
	}
	for _, try := range []struct {
		needle
		as look
	}{{all, noTail}, {inside, asIs}, {inside, noTail}, {all, bare}, {inside, bare}} {
		found := places(s.lines, try.lines, try.as)
		switch {
		case slices.Contains(found, try.at) && len(found) > 1:
			return ambiguous
		case len(found) > 0:
			return plain // or what else is found is stricter than what the damage needs
		}
	}
	return plain
}

// A needle is lines, and where they would stand if they are the target.
type needle struct {
	lines []string
	at    int
}

// want returns the file as it is to be; "" if the target is gone.
func (s *sample) want() string {
	if s.start < 0 {
		return ""
	}
	return s.join(slices.Concat(s.lines[:s.start], s.wants, s.lines[s.start+len(s.clean):]))
}

// join returns lines as the bytes of the file.
func (s *sample) join(lines []string) string {
	end := "\n"
	if s.crlf {
		end = "\r\n"
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l)
		b.WriteString(end)
	}
	return b.String()
}

// right reports whether got is the file as it is to be.
func (s *sample) right(got string) bool {
	if s.start < 0 {
		return false
	}
	if got == s.want() || s.loose == nil {
		return got == s.want()
	}
	lines := strings.Split(got, "\n")
	lines = lines[:len(lines)-1]
	tail := s.lines[s.start+len(s.clean):]
	if len(lines) != s.start+len(s.wants)+len(tail) || !slices.Equal(lines[:s.start], s.lines[:s.start]) || !slices.Equal(lines[s.start+len(s.wants):], tail) {
		return false
	}
	for i, l := range s.wants {
		if s.loose(lines[s.start+i]) != s.loose(l) {
			return false
		}
	}
	return true
}
