//go:build fire

package realedits

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A line is a line of a file: its text, and what ends it.
type line struct{ text, ending string }

// linesOf returns the lines of b. It shares no code with package text.
func linesOf(b []byte) []line {
	var lines []line
	for raw := range strings.SplitAfterSeq(string(b), "\n") {
		if raw != "" {
			lines = append(lines, lineOf(raw))
		}
	}
	return lines
}

func lineOf(raw string) line {
	if s, ok := strings.CutSuffix(raw, "\r\n"); ok {
		return line{s, "\r\n"}
	}
	if s, ok := strings.CutSuffix(raw, "\n"); ok {
		return line{s, "\n"}
	}
	return line{raw, ""}
}

// bytesOf is the inverse of linesOf.
func bytesOf(lines []line) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(l.text + l.ending)
	}
	return b.Bytes()
}

// A change puts fresh in place of the lines start ≤ i < end of the old version.
type change struct {
	start, end int
	fresh      []line
}

// changesOf returns what differs between two versions, from the top to the
// bottom. Between two changes there is at least one line that both versions have.
func changesOf(old, new []byte) ([]change, error) {
	parts := strings.SplitAfterN(string(diff.Diff("old", old, "new", new)), "\n", 4)
	if len(parts) < 4 {
		return nil, errors.New("there is no difference")
	}
	var changes []change
	at, before := 0, byte(' ') // lines of old passed; the mark of the row before
	for row := range strings.SplitAfterSeq(parts[3], "\n") {
		if row == "" {
			break
		}
		mark := row[0]
		last := len(changes) - 1
		if (mark == '-' || mark == '+') && before != '-' && before != '+' {
			changes = append(changes, change{start: at, end: at})
			last++
		}
		switch mark {
		case '@':
			var count int
			if _, err := fmt.Sscanf(row, "@@ -%d,%d ", &at, &count); err != nil {
				return nil, fmt.Errorf("hunk %q: %w", row, err)
			}
			if count > 0 {
				at--
			}
		case ' ':
			at++
		case '-':
			at++
			changes[last].end = at
		case '+':
			changes[last].fresh = append(changes[last].fresh, lineOf(row[1:]))
		case '\\':
			// The line of the row before has its line feed only in the diff.
			if before == '+' {
				fresh := changes[last].fresh
				l := &fresh[len(fresh)-1]
				*l = lineOf(strings.TrimSuffix(l.text+l.ending, "\n"))
			}
			continue // the change may go on
		}
		before = mark
	}
	return changes, replay(old, new, changes)
}

// replay makes sure that changes, taken literally, lead from old to new: else the
// fault would be in this test.
func replay(old, new []byte, changes []change) error {
	lines, at := linesOf(old), 0
	var out []line
	for _, c := range changes {
		out = append(append(out, lines[at:c.start]...), c.fresh...)
		at = c.end
	}
	if !bytes.Equal(bytesOf(append(out, lines[at:]...)), new) {
		return errors.New("the hunks were not read as they were meant")
	}
	return nil
}
