package text

import (
	"bytes"
	"sort"
)

// indexBlock is the distance in bytes between two entries of a lineIndex. One
// entry per line would cost 8 bytes for each line, four times the text where
// lines are short; this costs 0.4 % of any text, and finding a line scans at
// most one block.
const indexBlock = 2048

// A lineIndex finds lines by number and by offset. It holds, for every block of
// the text, how many line feeds stand before the block.
type lineIndex struct {
	before []int // before[k] = line feeds in body[:k*indexBlock]
	feeds  int   // line feeds in all
}

func newLineIndex(body []byte) lineIndex {
	ix := lineIndex{before: make([]int, 0, len(body)/indexBlock+1)}
	for at := 0; at < len(body); at += indexBlock {
		ix.before = append(ix.before, ix.feeds)
		ix.feeds += bytes.Count(body[at:min(at+indexBlock, len(body))], lineFeed)
	}
	return ix
}

// offset returns where line i begins, 0 ≤ i ≤ feeds: 0, or the byte after the
// i-th line feed.
func (ix lineIndex) offset(body []byte, i int) int {
	if i == 0 {
		return 0
	}
	// The last block with fewer than i line feeds before it holds the i-th.
	block := sort.Search(len(ix.before), func(k int) bool { return ix.before[k] >= i }) - 1
	at := block * indexBlock
	n := i - ix.before[block]
	// Halve the block by counting: short lines one by one would take thirty times
	// as long.
	for size := indexBlock / 2; size >= 16; size /= 2 {
		half := body[at:min(at+size, len(body))]
		if feeds := bytes.Count(half, lineFeed); feeds < n {
			n -= feeds
			at += len(half)
		}
	}
	for ; n > 0; n-- {
		at += bytes.IndexByte(body[at:], '\n') + 1
	}
	return at
}

// line returns the number of line feeds before offset at, 0 ≤ at ≤ len(body).
func (ix lineIndex) line(body []byte, at int) int {
	if at >= len(body) {
		return ix.feeds
	}
	block := at / indexBlock
	return ix.before[block] + bytes.Count(body[block*indexBlock:at], lineFeed)
}
