package main

import (
	"fmt"
	"slices"
)

func insertName(n int) string { return fmt.Sprintf("insert %d", n) }

// token changes one word of one line into a word from elsewhere.
func (m *mutator) token(lines []line) []line {
	lines = slices.Clone(lines)
	for range 100 {
		if len(lines) == 0 {
			break
		}
		at := m.rng.IntN(len(lines))
		old := lines[at]
		start, end, ok := m.word(old.text)
		if !ok {
			continue
		}
		donor := m.fresh(1)[0].text
		from, to, ok := m.word(donor)
		if !ok {
			continue
		}
		l := edited(old, slices.Concat(old.text[:start], donor[from:to], old.text[end:]))
		if l.hash != old.hash {
			lines[at] = l
			break
		}
	}
	return lines
}

// word returns a random word of s: letters, digits and underscores.
func (m *mutator) word(s []byte) (start, end int, ok bool) {
	var words [][2]int
	for i := 0; i < len(s); i++ {
		j := i
		for j < len(s) && isWord(s[j]) {
			j++
		}
		if j > i {
			words = append(words, [2]int{i, j})
			i = j
		}
	}
	if len(words) == 0 {
		return 0, 0, false
	}
	w := words[m.rng.IntN(len(words))]
	return w[0], w[1], true
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
