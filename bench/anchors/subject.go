package main

import (
	"math/rand/v2"
	"slices"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// A subject is one file with the anchors that a read of it gave. A worker has one
// and uses it for one file after the other.
type subject struct {
	rows    []row
	lines   []line
	hashes  []uint64
	anchors [][]hashline.Anchor // by row
	src     []byte

	new changed
}

// Changed is what the file became, with the truth about its lines.
type changed struct {
	src     []byte
	hashes  []uint64
	from    []int32 // by new line: the old line that it is, or -1
	where   []int32 // by old line: where it is now, with its text, or -1
	anchors []hashline.Anchor
}

// read takes the next file.
func (s *subject) read(lines []line) error {
	s.lines = lines
	s.hashes = hashesOf(s.hashes[:0], lines)
	s.src = render(s.src[:0], lines)
	s.anchors = slices.Grow(s.anchors, len(s.rows))[:len(s.rows)]
	for i := range s.rows {
		var err error
		if s.anchors[i], err = s.rows[i].anchors(s.anchors[i][:0], s.src); err != nil {
			return err
		}
	}
	return nil
}

// change makes lines the new text.
func (s *subject) change(lines []line) {
	n := &s.new
	n.src = render(n.src[:0], lines)
	n.hashes = hashesOf(n.hashes[:0], lines)
	n.from, n.where = n.from[:0], n.where[:0]
	for range s.lines {
		n.where = append(n.where, -1)
	}
	for i, l := range lines {
		n.from = append(n.from, l.from)
		if l.from >= 0 && l.hash == s.hashes[l.from] {
			n.where[l.from] = int32(i)
		}
	}
}

// check checks every old anchor of row r at its number in the new text.
func (s *subject) check(r int, c *counts) error {
	row, n := &s.rows[r], &s.new
	var err error
	if n.anchors, err = row.anchors(n.anchors[:0], n.src); err != nil {
		return err
	}
	old := s.anchors[r]
	both := min(len(old), len(n.anchors))
	c.past += int64(len(old) - both)
	grid, chain := row.grid(), row.scheme == hashline.Chain
	for start := 0; start < both; start += grid {
		same := !chain && slices.Equal(piece(s.hashes, start, grid), piece(n.hashes, start, grid))
		sameSoFar := chain
		for i := start; i < min(start+grid, both); i++ {
			sameText := s.hashes[i] == n.hashes[i]
			sameSoFar = sameSoFar && sameText
			class := classOf(sameText, int(n.from[i]) == i, same || sameSoFar)
			c.checked[class]++
			if old[i] == n.anchors[i] {
				c.accepted[class]++
			}
		}
	}
	return nil
}

// piece returns up to n hashes from start on.
func piece(hashes []uint64, start, n int) []uint64 {
	return hashes[start:min(start+n, len(hashes))]
}

func classOf(sameText, sameLine, sameWindow bool) class {
	switch {
	case !sameText:
		return differs
	case sameLine && sameWindow:
		return stands
	case sameLine:
		return very
	case sameWindow:
		return twin
	}
	return other
}

// recover looks for the lines of old anchors of row r, as a refused edit does.
// check was called before. Each anchor is drawn with probability draw.
func (s *subject) recover(r int, doc *text.Document, draw float64, rng *rand.Rand, c *counts) error {
	row, n := &s.rows[r], &s.new
	old := s.anchors[r]
	var lost []hashline.Anchor
	var into []*found
	moved := s.movedWhole(row)
	for i := range old {
		if rng.Float64() >= draw {
			continue
		}
		fits := i < len(n.anchors) && old[i] == n.anchors[i]
		c.drawn++
		where := int(n.where[i])
		if where >= 0 {
			c.alive++
		}
		var f *found
		switch {
		case where == i && fits:
			c.inPlace++
			continue
		case where == i:
			f = &c.stayed
		case where < 0:
			f = &c.gone
		case moved[i]:
			f = &c.whole
		default:
			f = &c.cut
		}
		f.all++
		if fits {
			f.taken++
			continue
		}
		lost, into = append(lost, old[i]), append(into, f)
	}
	places, err := row.places(doc, lost)
	if err != nil {
		return err
	}
	for k, p := range places {
		i := lost[k].Line - 1
		switch f := into[k]; {
		case p == nowhere:
			f.none++
		case p == several:
			f.ambiguous++
		case p == int(n.where[i]):
			f.right++
		default:
			f.wrong++
			if s.sameWindow(row, i, p) {
				f.equal++
			}
		}
	}
	return nil
}

// movedWhole reports for each old line whether all lines that its anchor proves
// are still there, next to each other, and are what an anchor would prove there.
func (s *subject) movedWhole(row *row) []bool {
	n := &s.new
	whole := make([]bool, len(s.lines))
	for start := 0; start < len(whole); start += row.grid() {
		end := min(start+row.grid(), len(whole))
		k := start
		for k < end && n.where[k] >= 0 && n.where[k] == n.where[start]+int32(k-start) {
			k++
		}
		if row.scheme != hashline.Chain {
			// A last, shorter chunk is one only at the end.
			short := end-start < row.grid()
			if k < end || short && int(n.where[end-1]) != len(n.hashes)-1 {
				continue
			}
		}
		for i := start; i < k; i++ {
			whole[i] = true
		}
	}
	return whole
}

// sameWindow reports whether the window of old line i stands around new line p.
func (s *subject) sameWindow(row *row, i, p int) bool {
	start, end := row.window(i, len(s.hashes))
	from := p - (i - start)
	if from < 0 {
		return false
	}
	size := row.grid()
	if row.scheme == hashline.Chain {
		size = end - start
	}
	return slices.Equal(s.hashes[start:end], piece(s.new.hashes, from, size))
}
