package hashline

import "slices"

// This file finds where the lines of anchors went that no longer fit. All
// anchors of a request are looked for in one pass over the lines.

// A want is what the line of an anchor must look like, wherever it is now. Two
// anchors with equal wants have the same places.
type want struct {
	shape
	text    string
	hasText bool
}

// A shape is what of a want its letters say.
type shape struct {
	scheme      Scheme
	own, window uint64
	offset      int // of the line in its grid chunk, or from its checkpoint
}

func (p *prints) want(ref *Ref) want {
	a := ref.Anchor
	return want{shape{a.Scheme, a.Own, a.Window, (a.Line - 1) % p.f.grid(a.Scheme)}, ref.Text, ref.HasText}
}

// A finder holds the wants by what is computed of a place first.
type finder struct {
	*prints
	hashes  []uint64
	windows map[uint64][]int // Chunk: offsets wanted, by letters of the chunk
	seals   []int            // Seal: offsets wanted
	chains  map[uint64][]int // Chain: offsets wanted, by letters of the line
	found   map[shape]*found
	texts   []lineTexts // of the last lines with a text to compare, by number
}

// found are the places of the wants of one shape.
type found struct {
	any   places             // whatever the text
	texts map[string]*places // by the text attached
}

// lineTexts are the texts that may be attached to a line.
type lineTexts struct {
	line  int
	texts []string
}

// of returns the places of w, which was looked for.
func (f *finder) of(w want) *places {
	if w.hasText {
		return f.found[w.shape].texts[w.text]
	}
	return &f.found[w.shape].any
}

// find returns a finder with the places where each want fits. A line in a chunk
// fits if its hash does and the chunk's window, moved as far as the line, has the
// fingerprint: as many lines as a chunk has, or cut by the end of the text, and
// never before its first line.
func (p *prints) find(wants []want) *finder {
	f := &finder{
		prints:  p,
		windows: map[uint64][]int{},
		chains:  map[uint64][]int{},
		found:   map[shape]*found{},
		texts:   make([]lineTexts, p.f.ChunkLines),
	}
	needed := map[Scheme]bool{}
	for _, w := range wants {
		of := f.found[w.shape]
		if of == nil {
			of = &found{texts: map[string]*places{}}
			f.found[w.shape] = of
		}
		if w.hasText && of.texts[w.text] == nil {
			of.texts[w.text] = &places{}
		}
		needed[w.scheme] = true
		switch w.scheme {
		case Chunk:
			f.windows[w.window] = addNew(f.windows[w.window], w.offset)
		case Seal:
			f.seals = addNew(f.seals, w.offset)
		case Chain:
			f.chains[w.own] = addNew(f.chains[w.own], w.offset)
		}
	}
	f.hashes = make([]uint64, 0, p.doc.NumLines())
	for _, line := range p.doc.Lines(0, p.doc.NumLines()) {
		f.hashes = append(f.hashes, hashLine(line))
	}
	for i := range f.hashes {
		if needed[Chunk] || needed[Seal] {
			f.chunkAt(i, needed[Chunk])
		}
		if needed[Chain] {
			f.chainTo(i)
		}
		if needed[Content] {
			f.match(shape{scheme: Content, own: code(f.hashes[i], p.f.ContentLetters)}, i)
		}
	}
	return f
}

// addNew appends n to list, unless it is there.
func addNew(list []int, n int) []int {
	if slices.Contains(list, n) {
		return list
	}
	return append(list, n)
}

// match notes line i as a place of the wants of shape s.
func (f *finder) match(s shape, i int) {
	of := f.found[s]
	if of == nil {
		return
	}
	of.any.lines = append(of.any.lines, i)
	if len(of.texts) == 0 {
		return
	}
	// A line is matched for every offset, in as many windows one after the other.
	known := &f.texts[i%len(f.texts)]
	if known.texts == nil || known.line != i {
		*known = lineTexts{i, f.textsFor(i)}
	}
	for _, text := range known.texts {
		if p := of.texts[text]; p != nil {
			p.lines = append(p.lines, i)
		}
	}
}

// chunkAt looks for wants in the window that begins at line start.
func (f *finder) chunkAt(start int, chunks bool) {
	window := f.hashes[start:min(start+f.f.ChunkLines, len(f.hashes))]
	sum := f.summer.sum(window...)
	if chunks {
		letters := code(sum, f.f.ChunkLetters)
		for _, offset := range f.windows[letters] {
			if offset < len(window) {
				own := code(window[offset], f.f.LineLetters)
				f.match(shape{scheme: Chunk, own: own, window: letters, offset: offset}, start+offset)
			}
		}
	}
	for _, offset := range f.seals {
		if offset < len(window) {
			own := code(f.summer.sum(window[offset], sum), f.f.SealLetters)
			f.match(shape{scheme: Seal, own: own, offset: offset}, start+offset)
		}
	}
}

// chainTo looks for wants whose line is line i.
func (f *finder) chainTo(i int) {
	own := code(f.hashes[i], f.f.LineLetters)
	for _, offset := range f.chains[own] {
		if offset <= i {
			letters := code(f.summer.sum(f.hashes[i-offset:i+1]...), f.f.ChainLetters)
			f.match(shape{scheme: Chain, own: own, window: letters, offset: offset}, i)
		}
	}
}
