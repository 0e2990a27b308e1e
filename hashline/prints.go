package hashline

import (
	"bytes"

	"github.com/hlkit/hlkit/text"
)

// Prints are the fingerprints of a Document's lines. They are computed where
// they are asked for, a chunk at most once.
type prints struct {
	f      Format // with its sizes
	doc    *text.Document
	chunks map[int]uint64 // H of a grid chunk, by its number
	summer summer
	hashes []uint64
}

func newPrints(f Format, doc *text.Document) *prints {
	return &prints{f: f.sizes(), doc: doc, chunks: map[int]uint64{}}
}

// sum returns H of the lines start ≤ i < end, 0-based.
func (p *prints) sum(start, end int) uint64 {
	p.hashes = p.hashes[:0]
	for _, line := range p.doc.Lines(start, end) {
		p.hashes = append(p.hashes, hashLine(line))
	}
	return p.summer.sum(p.hashes...)
}

// chunk returns H of the grid chunk of line i, 0-based.
func (p *prints) chunk(i int) uint64 {
	k := i / p.f.ChunkLines
	sum, ok := p.chunks[k]
	if !ok {
		start := k * p.f.ChunkLines
		sum = p.sum(start, min(start+p.f.ChunkLines, p.doc.NumLines()))
		p.chunks[k] = sum
	}
	return sum
}

// anchor returns the anchor of line i, 0-based.
func (p *prints) anchor(scheme Scheme, i int) Anchor {
	a := Anchor{Scheme: scheme, Line: i + 1}
	var sum uint64
	switch scheme {
	case Chunk, Seal:
		sum = p.chunk(i)
	case Chain:
		sum = p.sum(i/p.f.ChainLines*p.f.ChainLines, i+1)
	}
	a.Own = p.f.own(&p.summer, scheme, hashLine(p.doc.Line(i)), sum)
	a.Window = p.f.window(scheme, sum)
	return a
}

// line returns line i, 0-based, as a view shows it.
func (p *prints) line(scheme Scheme, i int) Line {
	l := Line{Anchor: p.anchor(scheme, i)}
	raw := p.doc.Line(i)
	l.Text, l.Cut = cutLine(p.doc.Encoding(), raw, len(raw))
	return l
}

// view returns the lines start ≤ i < end, 0-based, those of them that exist.
func (p *prints) view(scheme Scheme, start, end int) []Line {
	var lines []Line
	for i := max(start, 0); i < min(end, p.doc.NumLines()); i++ {
		lines = append(lines, p.line(scheme, i))
	}
	return lines
}

// proven returns the lines, 0-based and half-open, that an anchor proves where
// it fits, if the text reaches so far.
func (p *prints) proven(a Anchor) (start, end int) {
	i := a.Line - 1
	switch a.Scheme {
	case Chunk, Seal:
		start = i / p.f.ChunkLines * p.f.ChunkLines
		return start, start + p.f.ChunkLines
	case Chain:
		return i / p.f.ChainLines * p.f.ChainLines, i + 1
	case Content:
		return i, i + 1
	}
	return i, i
}

// hasText reports whether line i, 0-based, is what the text attached to ref
// says it is.
func (p *prints) hasText(ref Ref, i int) bool {
	if !ref.HasText {
		return true
	}
	raw := p.doc.Line(i)
	if bytes.Equal(raw, []byte(ref.Text)) && p.doc.Encoding() == nil {
		return true
	}
	if whole, _ := p.doc.Decode(raw); whole == ref.Text {
		return true
	}
	if len(raw) <= CutAt {
		return false
	}
	line := Line{}
	line.Text, line.Cut = cutLine(p.doc.Encoding(), raw, len(raw))
	shown, _ := line.Shown(p.doc.Encoding())
	return shown == ref.Text
}
