package hashline

// place sets which lines edit i covers.
func (c *check) place(i int) {
	e, n := &c.req.Edits[i], c.doc.NumLines()
	r := &c.res.Edits[i]
	if !c.isWhole(i) {
		return
	}
	if e.Anchor == nil {
		if e.Op != SearchReplace || e.End != nil {
			c.fail(i, "anchor", InvalidInput, `"anchor" is missing; name a line, "0:" or "EOF"`)
		} else if e.Expect == 0 {
			c.fail(i, "", Unsupported, `search_replace in the whole file needs "expect", the number of places to replace; or name the lines with "anchor" and "end_anchor"`)
		}
		r.End = n
		return
	}
	insert := e.Op == InsertAfter || e.Op == InsertBefore
	switch scheme := e.Anchor.Anchor.Scheme; {
	case insert && scheme == Top:
		return
	case insert && scheme == Bottom:
		r.Start, r.End = n, n
		return
	}
	if !c.isLine(i, "anchor", e.Anchor) || e.End != nil && !c.isLine(i, "end_anchor", e.End) {
		return
	}
	first, last := e.Anchor.Anchor.Line, e.Anchor.Anchor.Line
	if e.End != nil {
		last = e.End.Anchor.Line
	}
	if last < first {
		c.fail(i, "end_anchor", InvalidInput, "the range is reversed: end_anchor (line %d) stands before anchor (line %d)", last, first)
		return
	}
	ok := c.permitted(i, "anchor", e.Anchor.Anchor) && (e.End == nil || c.permitted(i, "end_anchor", e.End.Anchor))
	if ok {
		c.verify(i, e)
	}
	switch {
	case e.Op == InsertAfter:
		r.Start, r.End = first, first
	case e.Op == InsertBefore:
		r.Start, r.End = first-1, first-1
	default:
		r.Start, r.End = first-1, last
	}
}

// isWhole refuses an edit with an op that there is not, and one whose op does
// not go with what it holds.
func (c *check) isWhole(i int) bool {
	e := &c.req.Edits[i]
	switch e.Op {
	case Replace, SearchReplace, Copy:
	case Delete:
		if len(e.Lines) > 0 {
			c.fail(i, "content", InvalidInput, "delete takes no new lines; to put them in place of the old ones use replace")
		}
	case InsertAfter, InsertBefore:
		if e.End != nil {
			c.fail(i, "end_anchor", InvalidInput, "%s takes no end_anchor: it has one place", e.Op)
		}
		if len(e.Lines) == 0 && !e.Later {
			c.fail(i, "content", InvalidInput, "%s has nothing to insert", e.Op)
		}
	default:
		c.fail(i, "op", InvalidInput, "there is no op %q", e.Op)
	}
	return !c.failed[i]
}

// isLine refuses the two anchors that name no line.
func (c *check) isLine(i int, field string, ref *Ref) bool {
	if s := ref.Anchor.Scheme; s == Top || s == Bottom {
		c.fail(i, field, InvalidInput, "%q is a place for insert_after and insert_before only; name a line", c.f.Print(ref.Anchor))
		return false
	}
	return true
}

// permitted refuses anchors that prove too little without a base that matches.
func (c *check) permitted(i int, field string, a Anchor) bool {
	if c.res.BaseMatches || c.provesAlone(a.Scheme) {
		return true
	}
	sent := c.f.Print(a)
	var f *Failure
	switch {
	case c.req.Base != nil:
		f = c.fail(i, field, FileChanged, "the file is not the one that base names, and %q proves nothing without it; read the file again", sent)
	case a.Scheme == File:
		f = c.fail(i, field, BaseRequired, `%q is a bare line number, which proves nothing; send "base" from a read of the whole file, or an anchor like "22:ab:rstu"`, sent)
	default:
		f = c.fail(i, field, AnchorMalformed, `%q lacks its chunk; copy anchors whole from a read, like "22:ab:rstu"`, sent)
	}
	f.Anchor = sent
	return false
}

// verify checks the anchors of edit i against the text, and its range.
func (c *check) verify(i int, e *Edit) {
	if e.Anchor.Anchor.Scheme == File || e.End != nil && e.End.Anchor.Scheme == File {
		c.res.Bare = true
	}
	ok := c.fits(i, "anchor", e.Anchor)
	if e.End != nil && !c.fits(i, "end_anchor", e.End) {
		ok = false
	}
	if !e.isRange() {
		return
	}
	gap, gapEnd := c.unproved(e)
	if gap < gapEnd {
		c.needsBase = true
		if ok && !c.res.BaseMatches {
			c.unverified(i, e, gap, gapEnd)
		}
	}
}

// isRange reports whether e names more than one line.
func (e *Edit) isRange() bool {
	return e.End != nil && e.End.Anchor.Line > e.Anchor.Anchor.Line
}

// fits reports whether ref names the line it was made for. If not, the line is
// looked for later.
func (c *check) fits(i int, field string, ref *Ref) bool {
	a := ref.Anchor
	if a.Line <= c.doc.NumLines() && c.anchor(a.Scheme, a.Line-1) == a && c.hasText(ref, a.Line-1) {
		return true
	}
	c.lost = append(c.lost, lostRef{edit: i, field: field, ref: ref})
	c.failed[i] = true
	return false
}
