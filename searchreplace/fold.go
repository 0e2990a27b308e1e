package searchreplace

import (
	"bytes"
	"slices"
)

// A fold is a way to compare lines: two lines are equal under it if it makes the
// same bytes of both. What it makes is only compared, and never written.
type fold int

const (
	foldNone     fold = iota // the bytes as they are
	foldTrailing             // without blanks and tabs at the end
	foldTrimmed              // without blanks and tabs at both ends
	foldBlanks               // without any blank or tab
	foldLooks                // with look-alikes spelled in ASCII
	folds
)

const blanks = " \t"

// of returns line under f. The result is line, a part of it, or buf's storage.
func (f fold) of(line, buf []byte) []byte {
	switch f {
	case foldTrailing:
		return bytes.TrimRight(line, blanks)
	case foldTrimmed:
		return bytes.Trim(line, blanks)
	case foldBlanks:
		if bytes.IndexByte(line, ' ') < 0 && bytes.IndexByte(line, '\t') < 0 {
			return line
		}
		buf = slices.Grow(buf[:0], len(line))
		for _, c := range line {
			if c != ' ' && c != '\t' {
				buf = append(buf, c)
			}
		}
		return buf
	case foldLooks:
		return appendLooks(buf[:0], line)
	}
	return line
}

// blankLine reports whether s is empty or all blanks and tabs.
func blankLine[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			return false
		}
	}
	return true
}

// indentOf returns the blanks and tabs that s begins with.
func indentOf[T string | []byte](s T) T {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			return s[:i]
		}
	}
	return s
}

// nonBlank counts the lines that are not blank.
func nonBlank(lines []string) int {
	n := 0
	for _, s := range lines {
		if !blankLine(s) {
			n++
		}
	}
	return n
}
