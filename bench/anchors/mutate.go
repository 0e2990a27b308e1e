package main

import (
	"math/rand/v2"
	"slices"
)

// A kind is one kind of change.
type kind struct {
	name  string
	one   bool // ONE insert, delete or rewrite at a random place
	apply func(m *mutator, lines []line) []line
}

// kinds returns the kinds of change. What is new comes from elsewhere in the
// corpus, so that new lines look like old ones.
func kinds() []kind {
	var list []kind
	for _, n := range insertSizes {
		list = append(list, kind{insertName(n), true, func(m *mutator, lines []line) []line { return m.insert(lines, n) }})
	}
	return append(list,
		kind{"delete 1 to 20", true, (*mutator).remove},
		kind{"rewrite 1 to 20", true, (*mutator).rewrite},
		kind{"token edit", false, (*mutator).token},
		kind{"re-indent 1 to 20", false, (*mutator).indent},
		kind{"duplicate 1 to 20", false, (*mutator).duplicate},
		kind{"move 1 to 20", false, (*mutator).move},
		kind{"scatter, 5 lines", false, (*mutator).scatter},
		kind{chainName, false, (*mutator).chain},
	)
}

const (
	mostLines = 20 // that a delete, rewrite, re-indent, duplicate or move covers
	chainName = "chain of 20"
)

var insertSizes = []int{1, 2, 3, 5, 10, 16, 100}

// A mutator makes changes. They give new slices and leave the old ones alone.
type mutator struct {
	rng    *rand.Rand
	corpus *corpus
}

// fresh returns n lines in a row from a random place of the corpus, as new ones.
func (m *mutator) fresh(n int) []line {
	var lines []line
	for len(lines) < n {
		f := m.corpus.files[m.rng.IntN(len(m.corpus.files))]
		start := m.rng.IntN(len(f))
		lines = append(lines, f[start:min(start+n-len(lines), len(f))]...)
	}
	return asNew(lines)
}

func asNew(lines []line) []line {
	for i := range lines {
		lines[i].from = -1
	}
	return lines
}

// span returns a random range of at most most lines, half-open.
func (m *mutator) span(lines []line, most int) (start, end int) {
	n := min(1+m.rng.IntN(most), len(lines))
	start = m.rng.IntN(len(lines) - n + 1)
	return start, start + n
}

// replace returns lines with start to end replaced by with.
func replace(lines []line, start, end int, with []line) []line {
	return slices.Concat(lines[:start], with, lines[end:])
}

func (m *mutator) insert(lines []line, n int) []line {
	at := m.rng.IntN(len(lines) + 1)
	return replace(lines, at, at, m.fresh(n))
}

func (m *mutator) remove(lines []line) []line {
	start, end := m.span(lines, mostLines)
	return replace(lines, start, end, nil)
}

func (m *mutator) rewrite(lines []line) []line {
	start, end := m.span(lines, mostLines)
	return replace(lines, start, end, m.fresh(1+m.rng.IntN(mostLines)))
}

// indent gives some lines one tab more, or one less where they have one.
func (m *mutator) indent(lines []line) []line {
	lines = slices.Clone(lines)
	more := m.rng.IntN(2) == 0
	if len(lines) == 0 {
		return lines
	}
	start, end := m.span(lines, mostLines)
	for i := start; i < end; i++ {
		switch s := lines[i].text; {
		case len(s) == 0:
		case more:
			lines[i] = edited(lines[i], append([]byte{'\t'}, s...))
		case s[0] == '\t':
			lines[i] = edited(lines[i], s[1:])
		}
	}
	return lines
}

// edited returns l with another text. It still is the line that it was.
func edited(l line, s []byte) line {
	fresh := newLine(s)
	fresh.from = l.from
	return fresh
}

// duplicate copies a block, behind itself or to anywhere.
func (m *mutator) duplicate(lines []line) []line {
	start, end := m.span(lines, mostLines)
	at := end
	if m.rng.IntN(2) == 0 {
		at = m.rng.IntN(len(lines) + 1)
	}
	return replace(lines, at, at, asNew(slices.Clone(lines[start:end])))
}

func (m *mutator) move(lines []line) []line {
	start, end := m.span(lines, mostLines)
	rest := replace(lines, start, end, nil)
	at := m.rng.IntN(len(rest) + 1)
	return replace(rest, at, at, lines[start:end])
}

// scatter changes five single lines, here and there.
func (m *mutator) scatter(lines []line) []line {
	for range 5 {
		switch n := m.rng.IntN(3); {
		case n == 0 || len(lines) < 2:
			lines = m.insert(lines, 1)
		case n == 1:
			at := m.rng.IntN(len(lines))
			lines = replace(lines, at, at+1, nil)
		default:
			lines = m.token(lines)
		}
	}
	return lines
}

// chain makes twenty changes of mixed kinds, one after the other.
func (m *mutator) chain(lines []line) []line {
	others := []func(*mutator, []line) []line{
		(*mutator).remove, (*mutator).rewrite, (*mutator).token, (*mutator).indent, (*mutator).duplicate, (*mutator).move,
	}
	for range 20 {
		n := m.rng.IntN(len(others) + 1)
		if n == len(others) || len(lines) == 0 {
			lines = m.insert(lines, insertSizes[m.rng.IntN(len(insertSizes))])
			continue
		}
		lines = others[n](m, lines)
	}
	return lines
}
