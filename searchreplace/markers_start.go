package searchreplace

import "strings"

// From this many characters on, a run is taken for a marker even where the rest
// of it is misspelled, or where it stands alone. Shorter ones occur in prose:
// ">>> REPLACE" is what Python prints.
const surelyMarker = 5

// startMarkers begins a block between markers, Cline's or git's, and reports
// markers that belong to no block.
func startMarkers(sc *scope, l line) machine {
	text := l.text()
	if text == "" {
		return nil
	}
	indent := ""
	if text[0] == ' ' || text[0] == '\t' {
		indent = text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		text = text[len(indent):]
	}
	switch {
	case text == "":
		return nil
	case text[0] == '&':
		return startEntities(sc, l, text)
	}
	m := parseMarker(text)
	switch m.word {
	case "SEARCH":
		return startBlock(sc, l, m, indent)
	case "REPLACE":
		if m.rest == "" && m.run >= surelyMarker && sc.d.wants(dialectOf(m)) {
			if sc.stray.told {
				sc.stray.told = false
				sc.prose.line(sc, l)
				return oneLine{}
			}
			sc.fail(nil, l.n, "invalid_input", "%s closes no block; begin a block with %s alone on a line, and write a marker that is text with a backslash before it", quote(trimRight(text)), openerFor(m))
			return oneLine{}
		}
	}
	return nil
}

func startBlock(sc *scope, l line, m marker, indent string) machine {
	dialect, proper := m.opener()
	if !proper {
		dialect = dialectOf(m)
		if m.run < surelyMarker {
			return nil
		}
	}
	if !sc.d.wants(dialect) {
		return nil
	}
	path := ""
	if m.rest != "" {
		path = pathLine(m.rest)
	}
	b := sc.begin(dialect, path, l.n)
	if m.rest != "" && path == "" {
		sc.fail(b, l.n, "invalid_input", "%s stands behind SEARCH; write the opener alone on its line, and the old text from the next line on", quote(m.rest))
		return &skipBlock{opener: m}
	}
	if path != "" {
		sc.repair(b, "path_after_opener", l.n, "a file name stands behind SEARCH; it is taken for the file of the block")
	}
	if m.glue || m.fold || m.char != '-' && m.char != '<' {
		sc.repair(b, "opener_spelling", l.n, "the opener is spelled %s; it is read as %s", quote(trimBlanks(l.text())), openerFor(m))
	}
	if indent != "" {
		sc.repair(b, "indented_markers", l.n, "the markers are indented; the lines between them are read as they stand")
	}
	k := sc.d.newMarkers()
	k.b, k.opener, k.indent, k.first, k.fence, k.hints = b, m, indent, l.n, sc.prose.fence, true
	k.crlf = strings.HasSuffix(l.text(), "\r")
	return k
}

// newMarkers returns a machine without a block.
func (d *Decoder) newMarkers() *markers {
	m := d.spare
	d.spare = nil
	if m == nil {
		m = &markers{lines: make([]line, 0, 16)}
	}
	*m = markers{firstDiv: -1, firstExact: -1, wrongCloser: -1, lines: m.lines[:0]}
	return m
}

// reuse keeps a machine that has done its work for the next block, unless it has
// grown large.
func (d *Decoder) reuse(m *markers) {
	if cap(m.lines) <= 1024 {
		clear(m.lines)
		d.spare = m
	}
}

// dialectOf returns the dialect of a block that has m as a marker.
func dialectOf(m marker) Dialect {
	if m.char == '<' || m.char == '>' {
		return Git
	}
	return Cline
}

const dividerText = `"======="`

// openerFor returns how the block of m begins, in quotes, for a message.
func openerFor(m marker) string {
	if dialectOf(m) == Git {
		return quote(strings.Repeat("<", m.run) + " SEARCH")
	}
	return quote(strings.Repeat("-", m.run) + " SEARCH")
}

// startEntities reports markers that are written as HTML entities. Nothing is
// decoded: the text between them may mean its entities.
func startEntities(sc *scope, l line, text string) machine {
	if strings.HasPrefix(text, "&lt;&lt;&lt;") && strings.HasSuffix(trimRight(strings.TrimLeft(text, "&lt;")), "SEARCH") {
		sc.fail(nil, l.n, "invalid_input", "the marker is written with HTML entities, and so may be the text of the block; write <, > and & as they are")
		return oneLine{}
	}
	return nil
}

// oneLine is the machine of a line that has been dealt with.
type oneLine struct{}

func (oneLine) line(*scope, line) verdict { return last }
func (oneLine) end(*scope)                {}

// skipBlock passes over the rest of a block that has failed, so that its closer
// is not reported, too.
type skipBlock struct {
	opener marker
	begun  bool
}

func (s *skipBlock) line(sc *scope, l line) verdict {
	if !s.begun {
		s.begun = true
		return taken
	}
	m := parseMarker(trimBlanks(l.text()))
	if m.word == "REPLACE" && m.within(s.opener) {
		return last
	}
	if _, ok := m.opener(); ok && m.within(s.opener) {
		return passed
	}
	return taken
}

func (s *skipBlock) end(*scope) {}
