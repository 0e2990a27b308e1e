package main

// A class says what stands at the number of an old anchor now.
type class int

const (
	differs class = iota // another text
	other                // the same text, but another line, and its window differs
	twin                 // the same text and window, but another line: no scheme can tell
	very                 // the very line, but its window differs
	stands               // the very line, and its window is what it was
	classes
)

// Counts are what was counted of one row and one kind of change.
type counts struct {
	checked, accepted [classes]int64 // every old anchor whose number still exists
	past              int64          // those whose number does not

	// Of the old anchors that were drawn for recovery:
	drawn   int64
	alive   int64 // its line still exists, with its text
	inPlace int64 // its line stayed, and the anchor fits
	whole   found // its line moved, and so did its window, in one piece
	cut     found // its line moved, and its window is no more
	stayed  found // its line stayed, but the anchor does not fit
	gone    found // its line was deleted or edited
}

// Found is what became of anchors whose lines are to be found.
type found struct {
	all       int64
	taken     int64 // accepted where they were: not looked for
	right     int64
	wrong     int64 // one place is named, and it is not the line's
	equal     int64 // of these: text and window there are equal, so that no scheme can tell
	ambiguous int64
	none      int64
}

func (f *found) add(o found) {
	f.all += o.all
	f.taken += o.taken
	f.right += o.right
	f.wrong += o.wrong
	f.equal += o.equal
	f.ambiguous += o.ambiguous
	f.none += o.none
}

func (c *counts) add(o *counts) {
	for i := range classes {
		c.checked[i] += o.checked[i]
		c.accepted[i] += o.accepted[i]
	}
	c.past += o.past
	c.drawn += o.drawn
	c.alive += o.alive
	c.inPlace += o.inPlace
	c.whole.add(o.whole)
	c.cut.add(o.cut)
	c.stayed.add(o.stayed)
	c.gone.add(o.gone)
}

// stale returns how many anchors were checked at a number where another line or
// another text stands now, and how many of them were accepted.
func (c *counts) stale() (checked, accepted int64) {
	for _, class := range []class{differs, other, twin} {
		checked += c.checked[class]
		accepted += c.accepted[class]
	}
	return checked, accepted
}

// precision is the part of the refused anchors that are stale.
func (c *counts) precision() float64 {
	checked, accepted := c.stale()
	refused := checked - accepted
	for _, class := range []class{very, stands} {
		refused += c.checked[class] - c.accepted[class]
	}
	return part(checked-accepted, refused)
}

// recall is the part of the stale anchors that are refused.
func (c *counts) recall() float64 {
	checked, accepted := c.stale()
	return part(checked-accepted, checked)
}

// moved returns what became of the anchors of all lines that moved.
func (c *counts) moved() found {
	f := c.whole
	f.add(c.cut)
	return f
}

// survived is the part of the anchors drawn that still serve: they fit the line
// that they were made for, or it is found.
func (c *counts) survived() float64 {
	return part(c.inPlace+c.whole.right+c.cut.right, c.drawn)
}

// relocated returns what --relocate would do with the anchors drawn: how many it
// would follow to the right line and how many to a wrong one.
func (c *counts) relocated() (right, wrong, equal int64) {
	for _, f := range []found{c.whole, c.cut, c.stayed, c.gone} {
		right += f.right
		wrong += f.wrong
		equal += f.equal
	}
	return right, wrong, equal
}

func part(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
