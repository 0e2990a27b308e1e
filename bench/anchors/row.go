package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// A row is one scheme with its sizes: one row of the tables.
type row struct {
	name   string
	scheme hashline.Scheme
	format hashline.Format
}

// grid returns how many lines share a chunk or a checkpoint.
func (r *row) grid() int { return r.format.Grid(r.scheme) }

// window returns the lines that the anchor of line i of n proves, half-open.
func (r *row) window(i, n int) (start, end int) {
	start = i / r.grid() * r.grid()
	if r.scheme == hashline.Chain {
		return start, i + 1
	}
	return start, min(start+r.grid(), n)
}

const (
	chunkName = "chunk 2+4, 16 lines"
	sealName  = "seal 6, 16 lines"
)

// isDefault reports whether r is one of the two rows that promises are made of.
func (r *row) isDefault() bool { return r.name == chunkName || r.name == sealName }

// thinned marks a default that is measured like a row that is none, on the same
// changes, to compare it with those.
const thinned = " *"

// allRows returns the rows of the tables. content is there to compare with: it
// proves its own line alone.
func allRows() []row {
	var rows []row
	chunk := func(own, window, lines int) {
		rows = append(rows, row{fmt.Sprintf("chunk %d+%d, %d lines", own, window, lines), hashline.Chunk,
			hashline.Format{LineLetters: own, ChunkLetters: window, ChunkLines: lines}})
	}
	seal := func(letters, lines int) {
		rows = append(rows, row{fmt.Sprintf("seal %d, %d lines", letters, lines), hashline.Seal,
			hashline.Format{SealLetters: letters, ChunkLines: lines}})
	}
	chunk(2, 4, 16)
	seal(6, 16)
	chunk(2, 4, 16)
	rows[len(rows)-1].name += thinned
	chunk(3, 3, 16)
	chunk(3, 4, 16)
	chunk(2, 5, 16)
	chunk(2, 4, 8)
	chunk(2, 4, 32)
	seal(6, 16)
	rows[len(rows)-1].name += thinned
	seal(5, 16)
	seal(6, 8)
	seal(6, 32)
	for _, lines := range []int{16, 32, 64} {
		rows = append(rows, row{fmt.Sprintf("chain 2+4, %d lines", lines), hashline.Chain, hashline.Format{ChainLines: lines}})
	}
	return append(rows, row{"content 3", hashline.Content, hashline.Format{}})
}

// selectRows returns the rows whose names hold one of the parts of list, a list
// with semicolons; all of them for "".
func selectRows(list string) ([]row, error) {
	if list == "" {
		return allRows(), nil
	}
	var some []row
	for _, r := range allRows() {
		for part := range strings.SplitSeq(list, ";") {
			if strings.Contains(r.name, strings.TrimSpace(part)) {
				some = append(some, r)
				break
			}
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("no row has a name like %q", list)
	}
	return some, nil
}

var allLines = []hashline.Window{{First: 1, Last: hashline.ToEnd}}

// anchors appends the anchors of all lines of src to dst, as a read of the whole
// file shows them.
func (r *row) anchors(dst []hashline.Anchor, src []byte) ([]hashline.Anchor, error) {
	err := r.annotate(src, func(lines []hashline.Line) error {
		for i := range lines {
			dst = append(dst, lines[i].Anchor)
		}
		return nil
	})
	return dst, err
}

func (r *row) annotate(src []byte, emit func([]hashline.Line) error) error {
	return r.format.Annotate(text.ScanFrom(bytes.NewReader(src)), nil, r.scheme, 1, allLines, emit)
}
