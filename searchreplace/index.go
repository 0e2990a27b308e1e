package searchreplace

import (
	"bytes"
	"math/bits"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/text"
)

// A fileIndex finds lines in a document. It is made once for all blocks: the
// bounds of the lines at once, the rest for each fold when a tier first asks for
// it.
type fileIndex struct {
	doc    *text.Document
	bounds []bounds
	powers []uint64 // of the window hash's base
	byFold [folds]*foldIndex
	buf    []byte
	ascii  *bool // nil until asked for
	mixed  *bool // nil until asked for
}

// bounds are where a line's content stands in the body.
type bounds struct{ start, end int }

// A foldIndex is the hash of every line under one fold.
//
// A window of lines is compared by a polynomial hash of its lines' hashes: of
// 100,000 equal lines half begin a window of 50,000, and to compare those line by
// line takes minutes.
type foldIndex struct {
	hashes []uint64
	prefix []uint64 // prefix[i] = window hash of the first i lines
	lines  map[uint64]bucket
	next   []int32 // the next line with the same hash; -1 for none
}

// A bucket is the lines of one hash.
type bucket struct{ first, count int32 }

func newFileIndex(doc *text.Document) *fileIndex {
	x := &fileIndex{doc: doc, bounds: make([]bounds, 0, doc.NumLines())}
	at := 0
	body := doc.Body()
	for range doc.NumLines() {
		end, next := len(body), len(body)
		if n := bytes.IndexByte(body[at:], '\n'); n >= 0 {
			end, next = at+n, at+n+1
			if n > 0 && body[end-1] == '\r' {
				end--
			}
		}
		x.bounds = append(x.bounds, bounds{at, end})
		at = next
	}
	return x
}

func (x *fileIndex) numLines() int { return len(x.bounds) }

// hasMixedEnds reports whether lines end in LF here and in CRLF there.
func (x *fileIndex) hasMixedEnds() bool {
	if x.mixed == nil {
		body := x.doc.Body()
		crlf := bytes.Count(body, []byte("\r\n"))
		is := crlf > 0 && crlf < bytes.Count(body, []byte("\n"))
		x.mixed = &is
	}
	return *x.mixed
}

// isASCII reports whether the document is ASCII, and so has no look-alike of it.
func (x *fileIndex) isASCII() bool {
	if x.ascii == nil {
		is := x.doc.Encoding() == nil && ascii(x.doc.Body())
		x.ascii = &is
	}
	return *x.ascii
}

// line returns the content of line i.
func (x *fileIndex) line(i int) []byte {
	b := x.bounds[i]
	return x.doc.Body()[b.start:b.end:b.end]
}

// folded returns a line of the document's text under f.
func (x *fileIndex) folded(f fold, line []byte) []byte {
	if f == foldLooks && x.doc.Encoding() != nil {
		s, _ := x.doc.Decode(line)
		line = []byte(s)
	}
	got := f.of(line, x.buf)
	if f == foldBlanks || f == foldLooks {
		x.buf = got[:0:cap(got)]
		if len(line) > 0 && len(got) > 0 && &got[0] == &line[0] {
			x.buf = nil // never write into the document
		}
	}
	return got
}

func (x *fileIndex) hash(f fold, line []byte) uint64 {
	return xxhash.Sum64(x.folded(f, line)) % prime
}

func (x *fileIndex) fold(f fold) *foldIndex {
	if x.byFold[f] != nil {
		return x.byFold[f]
	}
	n := x.numLines()
	ix := &foldIndex{
		hashes: make([]uint64, n),
		prefix: make([]uint64, n+1),
		lines:  make(map[uint64]bucket, n/2),
		next:   make([]int32, n),
	}
	for i := range n {
		ix.hashes[i] = x.hash(f, x.line(i))
		ix.prefix[i+1] = plus(times(ix.prefix[i], base), ix.hashes[i])
	}
	for i := n - 1; i >= 0; i-- {
		b, ok := ix.lines[ix.hashes[i]]
		ix.next[i] = -1
		if ok {
			ix.next[i] = b.first
		}
		ix.lines[ix.hashes[i]] = bucket{int32(i), b.count + 1}
	}
	x.byFold[f] = ix
	return ix
}

// find appends to hits the first line of every window of the document that is
// equal to lines under f, overlapping ones too, from the top. Windows are found
// by hash; only the first few are compared, and whoever writes to another must
// ask stands.
func (x *fileIndex) find(f fold, lines []string, hits []int) []int {
	n := len(lines)
	if n == 0 || n > x.numLines() {
		return hits
	}
	ix := x.fold(f)
	var want uint64
	rarest, at := bucket{}, 0
	for i, s := range lines {
		h := x.hash(f, []byte(s))
		b, ok := ix.lines[h]
		if !ok {
			return hits
		}
		if i == 0 || b.count < rarest.count {
			rarest, at = b, i
		}
		want = plus(times(want, base), h)
	}
	power := x.power(n)
	compared := 0
	for i := rarest.first; i >= 0; i = ix.next[i] {
		start := int(i) - at
		if start < 0 || start+n > x.numLines() {
			continue
		}
		if n > 1 && ix.window(start, n, power) != want {
			continue
		}
		if compared <= mostPlaces {
			compared++
			if !x.stands(f, lines, start) {
				continue
			}
		}
		hits = append(hits, start)
	}
	return hits
}

// stands reports whether lines stand at line start, under f.
func (x *fileIndex) stands(f fold, lines []string, start int) bool {
	if start < 0 || start+len(lines) > x.numLines() {
		return false
	}
	for i, s := range lines {
		if !x.same(f, s, start+i) {
			return false
		}
	}
	return true
}

// same reports whether s is line i, under f.
func (x *fileIndex) same(f fold, s string, i int) bool {
	line := x.line(i)
	switch f {
	case foldNone:
		return string(line) == s
	case foldTrailing, foldTrimmed:
		return bytes.Equal(f.of(line, nil), f.of([]byte(s), nil))
	}
	got := string(x.folded(f, line))
	return got == string(x.folded(f, []byte(s)))
}

// The window hash is a polynomial in base over the integers modulo prime.
const (
	prime = 1<<61 - 1
	base  = 0x1A3F5C79B2D4E687
)

func plus(a, b uint64) uint64 {
	s := a + b
	if s >= prime {
		s -= prime
	}
	return s
}

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return plus(lo&prime, hi<<3|lo>>61)
}

// power returns base to the n.
func (x *fileIndex) power(n int) uint64 {
	if len(x.powers) == 0 {
		x.powers = append(x.powers, 1)
	}
	for len(x.powers) <= n {
		x.powers = append(x.powers, times(x.powers[len(x.powers)-1], base))
	}
	return x.powers[n]
}

// window returns the hash of n lines from start on; power is base to the n.
func (ix *foldIndex) window(start, n int, power uint64) uint64 {
	return plus(ix.prefix[start+n], prime-times(ix.prefix[start], power))
}
