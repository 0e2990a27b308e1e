package hashline

import "fmt"

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
	f.Context = c.context(c.res.Scheme, start, end)
	f.Proves = f.Context != nil
	if !f.Proves {
		f.Message = fmt.Sprintf("lines %d-%d of the range are not proved by its anchors, and the answer shows too many lines already; send fewer edits at once, or read the whole file and send its base", start+1, end)
	}
	for _, l := range f.Context {
		if l.Cut > 0 {
			f.Proves = false
			f.Message = "lines of the range are not proved by its anchors, and some are too long to show; split the range at lines whose anchors you have"
		}
	}
}

// withholdTag takes back what promises the tag, if another edit of the request
// failed that the tag would prove though nobody has seen its lines: the request
// is likely to be sent again with the tag, for all of its edits.
func (c *check) withholdTag() {
	withhold := c.opt.Others
	for _, f := range c.failures {
		withhold = withhold || !f.Proves && c.leansOnBase(&c.req.Edits[f.Edit])
	}
	if !withhold {
		return
	}
	for _, f := range c.failures {
		if f.Proves {
			f.Proves = false
			first, last := f.Context[0].Anchor.Line, f.Context[len(f.Context)-1].Anchor.Line
			f.Message = fmt.Sprintf("lines %d-%d of the range are not proved by its anchors; look at them, and split the range at lines whose anchors you have; "+
				"or read the whole file for its base, which is not given here because another edit of the request would pass with it unseen", first, last)
		}
	}
}

// leansOnBase reports whether a matching base would prove more of e than its
// anchors can.
func (c *check) leansOnBase(e *Edit) bool {
	for _, ref := range []*Ref{e.Anchor, e.End} {
		if ref != nil && !c.provesAlone(ref.Anchor.Scheme) {
			return true
		}
	}
	if e.End == nil || e.Anchor == nil {
		return false
	}
	gap, gapEnd := c.unproved(e)
	return e.End.Anchor.Line < e.Anchor.Anchor.Line || e.isRange() && gap < gapEnd
}

// provesAlone reports whether anchors of s are taken without a matching base.
func (c *check) provesAlone(s Scheme) bool {
	return s.lettered() && s != Content || s == Content && c.opt.Content || s == Top || s == Bottom
}

// nameOldBase says of ranges that are not proved that a base was sent in vain.
func (c *check) nameOldBase() {
	for _, f := range c.failures {
		if f.Code == RangeUnverified && c.res.BaseChanged {
			f.Message = "base is not the tag of the file any more, and " + f.Message
		}
	}
}
