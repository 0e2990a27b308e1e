package hashline

// This file finds where the lines of anchors went that no longer fit. All
// anchors of a request are looked for in one pass over the lines.

// A want is what the line of an anchor must look like, wherever it is now. Two
// anchors with equal wants have the same places.
type want struct {
	scheme      Scheme
	own, window uint64
	offset      int // of the line in its grid chunk, or from its checkpoint
	text        string
	hasText     bool
}

func (p *prints) want(ref *Ref) want {
	a := ref.Anchor
	return want{a.Scheme, a.Own, a.Window, (a.Line - 1) % p.f.grid(a.Scheme), ref.Text, ref.HasText}
}

// bare returns w without what only comparing the line's text can tell.
func (w want) bare() want {
	w.text, w.hasText = "", false
	return w
}

// A finder holds the wants by what is computed of a place first.
type finder struct {
	*prints
	hashes  []uint64
	windows map[uint64][]int // Chunk: offsets wanted, by letters of the chunk
	seals   []int            // Seal: offsets wanted
	chains  map[uint64][]int // Chain: offsets wanted, by letters of the line
	wants   map[want][]want  // by their bare form
	places  map[want][]int   // lines, 0-based, in order
}

// find returns where each want fits: the lines, 0-based, in order. A line in a
// chunk fits if its hash does and the chunk's window, moved as far as the line,
// has the fingerprint: as many lines as a chunk has, or cut by the end of the
// text, and never before its first line.
func (p *prints) find(wants []want) map[want][]int {
	f := &finder{
		prints:  p,
		windows: map[uint64][]int{},
		chains:  map[uint64][]int{},
		wants:   map[want][]want{},
		places:  map[want][]int{},
	}
	needed := map[Scheme]bool{}
	for _, w := range wants {
		if _, known := f.places[w]; known {
			continue
		}
		f.places[w] = nil
		bare := w.bare()
		f.wants[bare] = append(f.wants[bare], w)
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
			f.match(want{scheme: Content, own: code(f.hashes[i], p.f.ContentLetters)}, i)
		}
	}
	return f.places
}

func addNew(list []int, n int) []int {
	for _, have := range list {
		if have == n {
			return list
		}
	}
	return append(list, n)
}

// match notes line i as a place of the wants with the bare form w.
func (f *finder) match(w want, i int) {
	for _, full := range f.wants[w] {
		if full.hasText && !f.hasText(Ref{Text: full.text, HasText: true}, i) {
			continue
		}
		f.places[full] = append(f.places[full], i)
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
				f.match(want{scheme: Chunk, own: own, window: letters, offset: offset}, start+offset)
			}
		}
	}
	for _, offset := range f.seals {
		if offset < len(window) {
			own := code(f.summer.sum(window[offset], sum), f.f.SealLetters)
			f.match(want{scheme: Seal, own: own, offset: offset}, start+offset)
		}
	}
}

// chainTo looks for wants whose line is line i.
func (f *finder) chainTo(i int) {
	own := code(f.hashes[i], f.f.LineLetters)
	for _, offset := range f.chains[own] {
		if offset <= i {
			letters := code(f.summer.sum(f.hashes[i-offset:i+1]...), f.f.ChainLetters)
			f.match(want{scheme: Chain, own: own, window: letters, offset: offset}, i)
		}
	}
}
