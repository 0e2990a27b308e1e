package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hlkit/hlkit/searchreplace"
)

// elide leaves out lines that both sides have, and writes "..." for them.
func elide(rng *rand.Rand, s *sample) bool {
	if slices.ContainsFunc(slices.Concat(s.search, s.replace), func(l string) bool { return bare(l) == "..." }) {
		return false // which dots are which?
	}
	// Runs of lines that the replacement keeps, one after the other; the ends of the
	// search stay.
	type run struct{ i, j, n int }
	var runs []run
	for j := 0; j < len(s.keeps); j++ {
		i := s.keeps[j]
		if i <= 0 || i >= len(s.clean)-1 {
			continue
		}
		r := run{i, j, 0}
		for j < len(s.keeps) && s.keeps[j] == r.i+r.n && r.i+r.n < len(s.clean)-1 {
			r.n++
			j++
		}
		j--
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return false
	}
	r := runs[rng.IntN(len(runs))]
	off := rng.IntN(r.n)
	r = run{r.i + off, r.j + off, 1 + rng.IntN(r.n-off)}
	dots := "..."
	if rng.IntN(2) == 0 {
		dots = indentOf(s.search[r.i]) + dots
	}
	cut := func(lines []string, at int) []string {
		return slices.Concat(lines[:at], []string{dots}, lines[at+r.n:])
	}
	s.pieces = [][]string{s.search[:r.i], s.search[r.i+r.n:]}
	s.search, s.replace = cut(s.search, r.i), cut(s.replace, r.j)
	return true
}

// curlyQuotes has typographic quotes in the block, or in the file, but not in the
// new lines.
func curlyQuotes(rng *rand.Rand, s *sample) bool {
	curl := func(l string) string {
		open := false
		return strings.Map(func(c rune) rune {
			switch c {
			case '"':
				if open = !open; open {
					return '“'
				}
				return '”'
			case '\'':
				return '’'
			}
			return c
		}, l)
	}
	if !strings.ContainsAny(strings.Join(s.clean, "\n"), `"'`) || s.moves() {
		return false
	}
	s.meant = s.clean
	if rng.IntN(2) == 0 || s.start < 0 {
		s.context(curl)
		return true
	}
	s.lines = slices.Clone(s.lines)
	for k := range s.clean {
		s.lines[s.start+k] = curl(s.lines[s.start+k])
	}
	s.file(s.lines[s.start : s.start+len(s.clean)])
	s.meant = s.clean
	s.loose = straight
	return true
}

var straight = strings.NewReplacer("“", `"`, "”", `"`, "’", "'").Replace

// overEscape escapes quotes, quotes and backslashes, or these and tabs.
func overEscape(rng *rand.Rand, s *sample) bool {
	search, all := strings.Join(s.search, "\n"), strings.Join(append(slices.Clone(s.search), s.replace...), "\n")
	pairs := []string{`"`, `\"`}
	if strings.Contains(all, `\`) || rng.IntN(2) == 0 {
		pairs = append(pairs, `\`, `\\`)
	}
	if rng.IntN(4) == 0 {
		pairs = append(pairs, "\t", `\t`)
	}
	r := strings.NewReplacer(pairs...)
	if r.Replace(search) == search {
		return false
	}
	s.meant = slices.Clone(s.search)
	for _, side := range [][]string{s.search, s.replace} {
		for i, l := range side {
			side[i] = r.Replace(l)
		}
	}
	return true
}

// crlf has the block with CRLF, or the file.
func crlf(rng *rand.Rand, s *sample) bool {
	if rng.IntN(2) == 0 {
		s.blockCRLF = true
	} else {
		s.crlf = true
	}
	return true
}

// gutter copies the block from a view with line numbers.
func gutter(rng *rand.Rand, s *sample) bool {
	first := 1 + max(s.start, rng.IntN(len(s.lines)))
	if s.start >= 0 && rng.IntN(4) > 0 {
		first = s.start + 1
	}
	form := []string{"%d→", "%4d | ", "%d | ", "%d:abc→"}[rng.IntN(4)]
	s.gutter = func(i int) string { return fmt.Sprintf(form, first+i) }
	s.bareReplace = rng.IntN(5) == 0
	return true
}

// wrongCharacter has one wrong letter or digit in the search, one too many or one
// missing.
func wrongCharacter(rng *rand.Rand, s *sample) bool {
	var at [][2]int
	for i, l := range s.search {
		for k := range len(l) {
			if isWord(l[k]) {
				at = append(at, [2]int{i, k})
			}
		}
	}
	if len(at) == 0 {
		return false
	}
	p := at[rng.IntN(len(at))]
	l, k := s.search[p[0]], p[1]
	other := "abcdefghijklmnopqrstuvwxyz0123456789"[rng.IntN(36)]
	switch rng.IntN(3) {
	case 0:
		l = l[:k] + l[k+1:]
	case 1:
		l = l[:k] + string(other) + l[k:]
	default:
		if l[k] == other {
			return false
		}
		l = l[:k] + string(other) + l[k+1:]
	}
	if noTail(l) != l || blankLine(l) {
		return false // that would be another damage
	}
	s.meant = slices.Clone(s.search)
	s.search[p[0]] = l
	s.context(func(l string) string { return l })
	return true
}

// plantLookalike puts into the file what looks like the target: with other
// indentation, with one other word, with blanks at line ends, with another middle,
// or the same. The block may have lost indentation.
func plantLookalike(rng *rand.Rand, s *sample) bool {
	copied := slices.Clone(s.clean)
	way := rng.IntN(5)
	if s.start < 0 {
		way = 1 + rng.IntN(2) // what is the same but for blanks, no rule can tell from a target that moved
	}
	switch way {
	case 0:
		deeper := rng.IntN(2) == 0
		for i, l := range copied {
			switch {
			case blankLine(l):
			case deeper:
				copied[i] = "\t" + l
			case indentOf(l) == "":
				return false
			default:
				copied[i] = l[1:]
			}
		}
	case 1:
		i := rng.IntN(len(copied))
		copied[i] = otherWord(rng, copied[i])
	case 2:
		if len(copied) < 3 {
			return false
		}
		for i := 1; i < len(copied)-1; i++ {
			copied[i] = otherWord(rng, copied[i])
		}
	case 3:
		for i, l := range copied {
			copied[i] = l + " "
		}
	}
	if standsAt(copied, s.clean, 0, bare) && s.start < 0 {
		return false
	}
	at := rng.IntN(len(s.lines) + 1)
	if s.start >= 0 && at > s.start && at < s.start+len(s.clean) {
		at = s.start + len(s.clean)
	}
	s.lines = slices.Concat(s.lines[:at], copied, s.lines[at:])
	if s.start >= 0 && at <= s.start {
		s.start += len(copied)
	}
	switch rng.IntN(3) {
	case 0:
		if indent := s.common(); indent != "" {
			s.cut(indent)
		}
	case 1:
		s.firstOf()
	}
	return true
}

// firstOf is firstLine where that can be done.
func (s *sample) firstOf() {
	search, replace := slices.Clone(s.search), slices.Clone(s.replace)
	if !firstLine(nil, s) {
		s.search, s.replace = search, replace
	}
}

// block returns the block of s, as a reply gives it.
func (s *sample) block() searchreplace.Block {
	if s.gutter == nil {
		return searchreplace.Block{Search: sideOf(s.search, s.blockCRLF), Replace: sideOf(s.replace, s.blockCRLF)}
	}
	var b strings.Builder
	b.WriteString("file.go\n<<<<<<< SEARCH\n")
	for i, l := range s.search {
		b.WriteString(s.gutter(i) + l + "\n")
	}
	b.WriteString("=======\n")
	for i, l := range s.replace {
		if !s.bareReplace {
			l = s.gutter(i) + l
		}
		b.WriteString(l + "\n")
	}
	b.WriteString(">>>>>>> REPLACE\n")
	r := searchreplace.Decode([]byte(b.String()), searchreplace.DecodeOptions{})
	if len(r.Problems) > 0 || len(r.Blocks) != 1 {
		return searchreplace.Block{Op: searchreplace.Write} // which Resolve refuses
	}
	return r.Blocks[0]
}

func sideOf(lines []string, crlf bool) string {
	end := "\n"
	if crlf {
		end = "\r\n"
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, end) + end
}
