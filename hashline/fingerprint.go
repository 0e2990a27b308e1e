package hashline

import (
	"slices"

	"github.com/hlkit/hlkit/text"
)

// prints are the fingerprints of a Document's lines. They are computed where
// they are asked for, each at most once.
type prints struct {
	f      Format // with its sizes
	doc    *text.Document
	blocks map[blockKey]*block
	summer summer
}

// A block is the lines that share a chunk or a checkpoint.
type block struct {
	hashes []uint64 // h of each
	sum    uint64   // H of them
}

// A blockKey says which of the blocks of so many lines it is.
type blockKey struct{ size, number int }

func newPrints(f Format, doc *text.Document) *prints {
	return &prints{f: f.sizes(), doc: doc, blocks: map[blockKey]*block{}}
}

// block returns the block of size lines that line i, 0-based, is in.
func (p *prints) block(size, i int) *block {
	key := blockKey{size, i / size}
	b := p.blocks[key]
	if b == nil {
		b = &block{}
		start := key.number * size
		for _, line := range p.doc.Lines(start, min(start+size, p.doc.NumLines())) {
			b.hashes = append(b.hashes, hashLine(line))
		}
		b.sum = p.summer.sum(b.hashes...)
		p.blocks[key] = b
	}
	return b
}

// anchor returns the anchor of line i, 0-based.
func (p *prints) anchor(scheme Scheme, i int) Anchor {
	a := Anchor{Scheme: scheme, Line: i + 1}
	if !scheme.lettered() {
		return a
	}
	size := p.f.grid(scheme)
	b := p.block(size, i)
	sum := b.sum
	if scheme == Chain {
		sum = p.summer.sum(b.hashes[:i%size+1]...)
	}
	a.Own = p.f.own(&p.summer, scheme, b.hashes[i%size], sum)
	a.Window = p.f.window(scheme, sum)
	return a
}

// line returns line i, 0-based, as a view shows it.
func (p *prints) line(scheme Scheme, i int) Line {
	l := NewLine(p.doc.Line(i), p.doc.Encoding())
	l.Anchor = p.anchor(scheme, i)
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
func (p *prints) hasText(ref *Ref, i int) bool {
	return !ref.HasText || slices.Contains(p.textsFor(i), ref.Text)
}

// textsFor returns the texts that may be attached to line i, 0-based: its bytes,
// as text output has them, its text in UTF-8, and the text of its view.
func (p *prints) textsFor(i int) []string {
	raw := p.doc.Line(i)
	text, lossy := p.doc.Decode(raw)
	texts := []string{text}
	if lossy && p.doc.Encoding() == nil {
		texts = append(texts, string(raw))
	}
	if len(raw) > CutAt {
		line := NewLine(raw, p.doc.Encoding())
		shown, _ := line.Shown(p.doc.Encoding())
		if shown != text { // a line may end like its own view
			texts = append(texts, shown)
		}
	}
	return texts
}

// own returns the letters of an anchor that are its line's, as a number: h is the
// line's hash, sum that of its chunk.
func (f *Format) own(s *summer, scheme Scheme, h, sum uint64) uint64 {
	switch scheme {
	case Chunk, Chain:
		return code(h, f.LineLetters)
	case Seal:
		return code(s.sum(h, sum), f.SealLetters)
	case Content:
		return code(h, f.ContentLetters)
	}
	return 0
}

// window returns the letters of an anchor that are its chunk's or its chain's, as
// a number: sum is the hash of that.
func (f *Format) window(scheme Scheme, sum uint64) uint64 {
	switch scheme {
	case Chunk:
		return code(sum, f.ChunkLetters)
	case Chain:
		return code(sum, f.ChainLetters)
	}
	return 0
}
