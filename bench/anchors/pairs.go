package main

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
)

// This file measures the very line whose chunk changed. What its anchor depends
// on is a pair, the old chunk and the new one: each pair counts once, however
// often changes make it.

// pairLines is the chunk that pairs are made of, the one of the format.
const pairLines = 16

// A pairFound is one pair, and which rows accept the old anchor of the line.
type pairFound struct {
	print    uint64
	accepted uint32 // a bit for each row of pairRows
}

// pairRows returns which of rows have a chunk of pairLines. Of those with the same
// letters of the chunk, on which alone a pair depends, it returns the first.
func pairRows(rows []row) (list []int) {
	letters := map[int]bool{}
	for r := range rows {
		if rows[r].grid() != pairLines {
			continue
		}
		switch f := rows[r].format; {
		case rows[r].scheme == hashline.Seal && !strings.HasSuffix(rows[r].name, thinned):
			list = append(list, r)
		case rows[r].scheme == hashline.Chunk && !letters[f.ChunkLetters]:
			letters[f.ChunkLetters] = true
			list = append(list, r)
		}
	}
	return list
}

// pairBatch is how many lines of changed chunks are annotated at once.
const pairBatch = 100_000

// pair makes chunks that are what a change within the old one leaves: the first
// lines stay, and those behind them are shifted by up to most lines, as by a
// delete there, or as by a copy of the lines above inserted there. It checks the
// anchor of the first line, which is the very line at its number.
func (s *subject) pair(m *mutator, most int) ([]pairFound, error) {
	var all []pairFound
	var starts []int // of the old chunk of each changed one
	var changed []line
	flush := func() error {
		found, err := s.comparePairs(starts, changed)
		all = append(all, found...)
		starts, changed = starts[:0], changed[:0]
		return err
	}
	for by := -most; by <= most; by++ {
		for start := 0; start+pairLines <= len(s.lines); start += pairLines {
			from, end := start+1+m.rng.IntN(pairLines-1), start+pairLines
			if by == 0 || from+by < 0 || end+by > len(s.lines) || slices.Equal(s.hashes[from:end], s.hashes[from+by:end+by]) {
				continue
			}
			starts = append(starts, start)
			changed = append(append(changed, s.lines[start:from]...), s.lines[from+by:end+by]...)
			if len(changed) >= pairBatch {
				if err := flush(); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, flush()
}

// comparePairs checks the first line of every changed chunk. Since chunks are
// whole, all of them can be annotated as one text; only the number of the line is
// not that of the old one.
func (s *subject) comparePairs(starts []int, changed []line) ([]pairFound, error) {
	found := make([]pairFound, len(starts))
	n := &s.new
	n.hashes = hashesOf(n.hashes[:0], changed)
	n.src = render(n.src[:0], changed)
	var buf []byte
	for k, start := range starts {
		buf = buf[:0]
		for _, h := range slices.Concat(piece(s.hashes, start, pairLines), piece(n.hashes, k*pairLines, pairLines)) {
			buf = binary.LittleEndian.AppendUint64(buf, h)
		}
		found[k].print = xxhash.Sum64(buf)
	}
	for bit, r := range pairRows(s.rows) {
		var err error
		if n.anchors, err = s.rows[r].anchors(n.anchors[:0], n.src); err != nil {
			return nil, err
		}
		for k, start := range starts {
			now := n.anchors[k*pairLines]
			now.Line = start + 1
			if s.anchors[r][start] == now {
				found[k].accepted |= 1 << bit
			}
		}
	}
	return found, nil
}

// PairCounts are the distinct pairs, and how many each row accepted.
type pairCounts struct {
	rows     []int // of which row the next is
	pairs    int64
	repeated int64
	accepted []int64
}

func newPairCounts(rows []row) pairCounts {
	list := pairRows(rows)
	return pairCounts{rows: list, accepted: make([]int64, len(list))}
}

func (p *pairCounts) add(found []pairFound, seen *pairSet) {
	for _, f := range found {
		if !seen.add(f.print) {
			p.repeated++
			continue
		}
		p.pairs++
		for bit := range p.rows {
			p.accepted[bit] += int64(f.accepted >> bit & 1)
		}
	}
}

// A pairSet holds the fingerprints of tens of millions of pairs in little more
// than their bytes.
type pairSet struct {
	slots []uint64 // 0 is empty; as many as a power of two
	used  int
}

func newPairSet() *pairSet { return &pairSet{slots: make([]uint64, 1<<16)} }

// add reports whether print is new.
func (s *pairSet) add(print uint64) bool {
	if print == 0 {
		print = 1
	}
	if s.used*4 >= len(s.slots)*3 {
		old := s.slots
		s.slots, s.used = make([]uint64, 2*len(old)), 0
		for _, p := range old {
			if p != 0 {
				s.add(p)
			}
		}
	}
	mask := uint64(len(s.slots) - 1)
	at := print & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if s.slots[at] == print {
			return false
		}
	}
	s.slots[at] = print
	s.used++
	return true
}
