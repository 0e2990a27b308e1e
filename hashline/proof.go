package hashline

// mostUnproved is how many unproved lines of a range are shown with the tag.
// Over that, nobody reads them.
const mostUnproved = 200

// unproved returns the lines of e's range, 0-based and half-open, that neither
// of its anchors proves.
func (c *check) unproved(e *Edit) (start, end int) {
	start, end = e.Anchor.Anchor.Line-1, e.End.Anchor.Line
	if from, to := c.proven(e.Anchor.Anchor); from <= start {
		start = max(start, to)
	}
	if from, to := c.proven(e.End.Anchor); to >= end {
		end = min(end, from)
	}
	return start, end
}

// unverified refuses edit i, whose anchors fit and leave the lines start ≤ line
// < end of its range without proof.
func (c *check) unverified(i int, e *Edit, start, end int) {
	if end-start > mostUnproved {
		f := c.fail(i, "", RangeUnverified,
			"%d lines of the range (%d-%d) are not proved by its anchors; read the whole file and send its base, or split the range at lines whose anchors you have", end-start, start+1, end)
		f.Anchor = c.f.Print(e.Anchor.Anchor)
		return
	}
	f := c.fail(i, "", RangeUnverified,
		"lines %d-%d of the range are not proved by its anchors; look at them, and if the edit still stands send it again with the base shown here", start+1, end)
	f.Anchor = c.f.Print(e.Anchor.Anchor)
	f.Context = c.view(c.res.Scheme, start, end)
	f.Proves = true
	for _, l := range f.Context {
		if l.Cut > 0 {
			f.Proves = false
			f.Message = "lines of the range are not proved by its anchors, and some are too long to show; split the range at lines whose anchors you have"
		}
	}
}
