package searchreplace

// A bare machine reads the first block of a call whose opener is missing. What
// stands before the divider is its SEARCH: the parameter begins with it. In free
// text nobody could say where it begins.
type bare struct {
	lines []line
	divs  int
	div   int // the last line like a divider
}

func startBare(sc *scope, l line) machine {
	text := l.text()
	if !sc.call || sc.read || isBlank(text) || parseFence(text).open() {
		return nil
	}
	sc.read = true
	return &bare{}
}

func (b *bare) line(sc *scope, l line) verdict {
	m := parseMarker(l.text())
	_, opens := m.opener()
	switch {
	case m.divider():
		b.divs++
		b.div = len(b.lines)
	case opens, m.closer() && b.divs != 1:
		sc.giveBack(b.lines)
		return passed
	case m.closer():
		b.complete(sc, l, m)
		return last
	}
	b.lines = append(b.lines, l)
	return taken
}

func (b *bare) end(sc *scope) { sc.giveBack(b.lines) }

// complete makes the block, with the closer m in line l.
func (b *bare) complete(sc *scope, l line, m marker) {
	first := b.lines[0].n
	as := &markers{b: sc.begin(dialectOf(m), "", first), opener: m, first: first, firstDiv: b.div, divs: 1, wrongCloser: -1, lines: b.lines}
	as.crlf = len(l.raw) > 1 && l.raw[len(l.raw)-2:] == "\r\n"
	if b.lines[b.div].raw[0] == '=' && runOf(b.lines[b.div].raw, '=') == m.run {
		as.exact, as.firstExact = 1, b.div
	}
	sc.repair(as.b, "missing_opener", first, "the opener is missing; the text begins with what to search for, and is read so")
	as.complete(sc, len(as.lines), l.n)
}
