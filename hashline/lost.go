package hashline

import (
	"fmt"
	"slices"
)

const (
	contextLines   = 3 // shown before and after a line
	mostCandidates = 5
)

// A lostRef is an anchor of an edit that does not fit.
type lostRef struct {
	edit  int
	field string
	ref   *Ref
}

// explainLost reports the anchors that do not fit, and where their lines are.
func (c *check) explainLost() {
	if len(c.lost) == 0 {
		return
	}
	var wants []want
	for _, l := range c.lost {
		wants = append(wants, c.refs(l.edit)...)
	}
	f := c.find(wants)
	for _, l := range c.lost {
		count, near := c.placesOf(l.edit, f)
		c.explain(l, count, near)
	}
}

// refs returns the wants of the lettered anchors of edit i.
func (c *check) refs(i int) []want {
	var wants []want
	for _, ref := range []*Ref{c.req.Edits[i].Anchor, c.req.Edits[i].End} {
		if ref != nil && ref.Anchor.Scheme.lettered() {
			wants = append(wants, c.want(ref))
		}
	}
	return wants
}

// leastWindow is how many lines the window of a chunk must have to be followed by
// itself. A last chunk of one line, say a closing brace, would be found at any
// other brace that ends the text. The first chunk of a text is an exception: if it
// is short, it was all there was.
const leastWindow = 4

// placesOf returns how many lines there are at which the first line of edit i can
// be now, so that all of its anchors fit, and those nearest to where it was. One
// alone in too short a window does not count, but it makes another one ambiguous.
func (c *check) placesOf(i int, f *finder) (count int, near []int) {
	e := &c.req.Edits[i]
	if !e.Anchor.Anchor.Scheme.lettered() || e.End != nil && !e.End.Anchor.Scheme.lettered() {
		return 0, nil
	}
	first, at := f.of(c.want(e.Anchor)), e.Anchor.Anchor.Line-1
	if e.End == nil {
		count, near = len(first.lines), nearest(first.lines, at)
	} else {
		count, near = both(first, f.of(c.want(e.End)), e.End.Anchor.Line-e.Anchor.Anchor.Line, at, c.doc.NumLines())
	}
	if count == 1 && c.inShortWindow(e.Anchor.Anchor, near[0]) {
		return 0, nil
	}
	return count, near
}

// inShortWindow reports whether the window of a, moved so that its line is line i,
// 0-based, is too short to be followed by itself.
func (c *check) inShortWindow(a Anchor, i int) bool {
	if a.Scheme != Chunk && a.Scheme != Seal || a.Line <= c.f.ChunkLines {
		return false
	}
	start := i - (a.Line-1)%c.f.ChunkLines
	return c.doc.NumLines()-start < leastWindow
}

// explain reports l, whose edit's first line fits at count places, the nearest of
// which are near, and notes the move if that is one place.
func (c *check) explain(l lostRef, count int, near []int) {
	e := &c.req.Edits[l.edit]
	sent := l.ref.Anchor
	f := c.fail(l.edit, l.field, AnchorStale, "")
	f.Anchor = c.f.Print(sent)
	now := sent.Line - 1 // where to look, 0-based
	if now < c.doc.NumLines() {
		if lines := c.context(c.scheme(sent), now, now+1); lines != nil {
			f.Current = &lines[0]
		}
	}
	// Places are those of the edit's first anchor; this one is as far from it now
	// as it was then.
	behind := sent.Line - e.Anchor.Anchor.Line
	switch count {
	case 0:
		c.explainGone(f, l)
	case 1:
		now = near[0] + behind
		f.Shifted = c.f.Print(c.anchor(sent.Scheme, now))
		f.Message = fmt.Sprintf("line %d is now line %d; use %s", sent.Line, now+1, f.Shifted)
		c.move(e, l.edit, near[0]-(e.Anchor.Anchor.Line-1))
	default:
		f.Code = AnchorAmbiguous
		f.Count = count
		for _, at := range near {
			f.Candidates = append(f.Candidates, c.context(sent.Scheme, at+behind, at+behind+1)...)
		}
		f.Message = fmt.Sprintf("line %d is not what it was, and could now be any of %d lines; choose one of the candidates", sent.Line, count)
	}
	f.Context = c.context(c.scheme(sent), now-contextLines, now+contextLines+1)
	if n := c.doc.NumLines(); now-contextLines >= n {
		f.Context = c.context(c.scheme(sent), n-contextLines, n)
	}
}

// explainGone reports an anchor whose line is nowhere.
func (c *check) explainGone(f *Failure, l lostRef) {
	a, n := l.ref.Anchor, c.doc.NumLines()
	switch {
	case a.Line > n:
		f.Code = AnchorOutOfRange
		f.Message = fmt.Sprintf("line %d is past the end: the file has %d lines; use the fresh anchors", a.Line, n)
	case c.anchor(a.Scheme, a.Line-1) == a:
		f.Message = fmt.Sprintf("line %d does not read as the text attached to its anchor; use the fresh anchors", a.Line)
	case (a.Scheme == Chunk || a.Scheme == Chain) && code(hashLine(c.doc.Line(a.Line-1)), c.f.LineLetters) == a.Own:
		f.Message = fmt.Sprintf("line %d may be the same, but lines around it changed; look at them and use the fresh anchors", a.Line)
	default:
		f.Message = fmt.Sprintf("line %d is not what it was; use the fresh anchors", a.Line)
	}
}

// scheme returns the scheme of fresh anchors in place of a.
func (c *check) scheme(a Anchor) Scheme {
	if a.Scheme.lettered() {
		return a.Scheme
	}
	return c.res.Scheme
}

// move notes that the anchors of edit i are to move by lines, once.
func (c *check) move(e *Edit, i, by int) {
	if n := len(c.moves); n > 0 && c.moves[n-1].Edit == i {
		return
	}
	add := func(field string, ref *Ref) {
		if ref != nil {
			to := c.anchor(ref.Anchor.Scheme, ref.Anchor.Line-1+by)
			c.moves = append(c.moves, Move{i, field, c.f.Print(ref.Anchor), c.f.Print(to)})
		}
	}
	add("anchor", e.Anchor)
	add("end_anchor", e.End)
}

// rewrite returns the edits of a request with lost anchors on the anchors that
// its lines have now, each with its text attached. ok is false if some of them
// are not in one place or come to one line, or a range was not proved by its
// anchors alone.
func (c *check) rewrite() (edits []Edit, ok bool) {
	if c.needsBase {
		return nil, false
	}
	to := map[int][]string{} // by edit: its new anchors
	for _, m := range c.moves {
		to[m.Edit] = append(to[m.Edit], m.To)
	}
	for _, l := range c.lost {
		if to[l.edit] == nil {
			return nil, false
		}
	}
	edits = slices.Clone(c.req.Edits)
	for i := range edits {
		e := &edits[i]
		e.Anchor = c.attach(e.Anchor, to[i], 0)
		e.End = c.attach(e.End, to[i], 1)
	}
	return edits, c.distinct(edits)
}

// distinct reports whether the lines of the request are as many lines in moved.
// Two lines that become one were twins, of which one is gone: nobody can tell
// which.
func (c *check) distinct(moved []Edit) bool {
	was := map[int]int{} // by the line now
	same := func(now, then *Ref) bool {
		if now == nil || !now.Anchor.Scheme.lettered() {
			return true
		}
		line, known := was[now.Anchor.Line]
		was[now.Anchor.Line] = then.Anchor.Line
		return !known || line == then.Anchor.Line
	}
	for i, e := range moved {
		if !same(e.Anchor, c.req.Edits[i].Anchor) || !same(e.End, c.req.Edits[i].End) {
			return false
		}
	}
	return true
}

// attach returns ref, or the n-th of the anchors in its place, with the text of
// its line.
func (c *check) attach(ref *Ref, moved []string, n int) *Ref {
	if ref == nil || !ref.Anchor.Scheme.lettered() {
		return ref
	}
	fresh := *ref
	if moved != nil {
		fresh, _ = c.f.Parse(moved[n]) // we printed it
	}
	line := c.line(fresh.Anchor.Scheme, fresh.Anchor.Line-1)
	fresh.Text, _ = line.Shown(c.doc.Encoding())
	fresh.HasText = true
	return &fresh
}
