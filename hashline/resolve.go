package hashline

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hlkit/hlkit/text"
)

// Resolve checks all edits of req against snap and returns what they come to.
// It reports every failure, not the first. The order of the edits does not
// matter, but for inserts at one place.
func (f Format) Resolve(snap Snapshot, req Request, opt Options) *Resolution {
	prints := newPrints(f, snap.Doc)
	c := newCheck(prints, snap, req, opt)
	c.run()
	if !c.onlyStale() {
		return c.finish()
	}
	// Every failure is an anchor that does not fit. If all of their lines moved,
	// the request on the new anchors must pass the same checks, without a base
	// that no longer fits.
	moved, ok := c.rewrite()
	if !ok {
		return c.finish()
	}
	again := newCheck(prints, snap, Request{Base: c.matchingBase(), Edits: moved}, opt)
	again.run()
	if len(again.failures) > 0 {
		return c.finish()
	}
	if opt.Relocate {
		res := again.finish()
		res.Moves, res.BaseChanged = c.moves, c.res.BaseChanged
		return res
	}
	c.res.Moves, c.res.Retry = c.moves, moved
	return c.finish()
}

// A check is one pass over a request.
type check struct {
	*prints
	req      Request
	opt      Options
	res      Resolution
	failures []*Failure
	failed   []bool // edits with a failure

	lost      []lostRef // anchors that do not fit
	whole     *scope    // of the whole text; nil until a search needs it
	shown     int       // lines shown in failures so far
	needsBase bool      // a range was, or could only have been, proved by the base
	moves     []Move
}

func newCheck(p *prints, snap Snapshot, req Request, opt Options) *check {
	c := &check{prints: p, req: req, opt: opt, failed: make([]bool, len(req.Edits))}
	c.res.Edits = make([]Resolved, len(req.Edits))
	c.res.BaseMatches = req.Base != nil && *req.Base == snap.Tag
	c.res.BaseChanged = req.Base != nil && !c.res.BaseMatches
	c.res.Scheme = requestScheme(req, opt, c.res.BaseMatches)
	return c
}

// requestScheme returns the scheme of fresh anchors: the option's, or that of
// the first lettered anchor in the request that may stand, or Chunk.
func requestScheme(req Request, opt Options, baseMatches bool) Scheme {
	if opt.Scheme != nil && opt.Scheme.lettered() {
		return *opt.Scheme
	}
	for _, e := range req.Edits {
		if e.Anchor == nil || !e.Anchor.Anchor.Scheme.lettered() {
			continue
		}
		if s := e.Anchor.Anchor.Scheme; s != Content || opt.Content || baseMatches {
			return s
		}
	}
	return Chunk
}

func (c *check) matchingBase() *Tag {
	if c.res.BaseMatches {
		return c.req.Base
	}
	return nil
}

func (c *check) run() {
	for i := range c.req.Edits {
		c.place(i)
	}
	c.explainLost()
	// Overlapping edits are not looked at further: a thousand edits of one large
	// range would cost a thousand scans of it.
	c.overlaps()
	for i, e := range c.req.Edits {
		if c.failed[i] {
			continue
		}
		switch e.Op {
		case Replace, Delete:
			c.replace(i)
		case InsertAfter, InsertBefore:
			if !e.Later {
				c.splice(i, e.Lines)
			}
		case SearchReplace:
			c.search(i)
		}
	}
	c.overlaps()
	c.assemble()
}

// finish returns the result, its failures in the order of the edits.
func (c *check) finish() *Resolution {
	c.withholdTag()
	c.nameOldBase()
	slices.SortStableFunc(c.failures, func(a, b *Failure) int { return a.Edit - b.Edit })
	c.res.Failures = c.failures
	return &c.res
}

func (c *check) fail(i int, field string, code Code, format string, args ...any) *Failure {
	f := &Failure{Code: code, Edit: i, Field: field, Message: fmt.Sprintf(format, args...)}
	c.failures = append(c.failures, f)
	c.failed[i] = true
	return f
}

// onlyStale reports whether there are failures, all of them of anchors that do
// not fit.
func (c *check) onlyStale() bool {
	return len(c.failures) > 0 && !slices.ContainsFunc(c.failures, func(f *Failure) bool { return !f.stale() })
}

// overlaps reports the edits, of those without a failure, that cannot both be
// made.
func (c *check) overlaps() {
	var edits []text.Edit
	var owner []int
	for i, r := range c.res.Edits {
		if c.failed[i] {
			continue
		}
		switch {
		case r.Splices != nil:
			for _, s := range r.Splices {
				edits, owner = append(edits, s), append(owner, i)
			}
		case c.req.Edits[i].Op != SearchReplace && c.req.Edits[i].Op != Copy:
			edits, owner = append(edits, text.Edit{Start: r.Start, End: r.End}), append(owner, i)
		}
	}
	for _, o := range text.Overlaps(edits) {
		a, b := owner[o.First], owner[o.Second]
		if a == b {
			continue
		}
		lines := func(e text.Edit) string {
			switch e.End - e.Start {
			case 0:
				return fmt.Sprintf("inserts after line %d", e.Start)
			case 1:
				return fmt.Sprintf("changes line %d", e.End)
			}
			return fmt.Sprintf("changes lines %d-%d", e.Start+1, e.End)
		}
		f := c.fail(max(a, b), "", EditsOverlap, "%s %s and %s %s; make them one edit", c.label(a), lines(edits[o.First]), c.label(b), lines(edits[o.Second]))
		f.Other = min(a, b)
		c.failed[f.Other] = true
	}
}

// label returns what failures call edit i.
func (c *check) label(i int) string {
	if label := c.req.Edits[i].Label; label != "" {
		return label
	}
	return fmt.Sprintf("edits[%d]", i)
}

// replace resolves a replace or delete whose anchors fit.
func (c *check) replace(i int) {
	e, r := &c.req.Edits[i], &c.res.Edits[i]
	if !e.Whole {
		for n, line := range c.doc.Lines(r.Start, r.End) {
			if len(line) > CutAt {
				c.fail(i, "", LineCut, `line %d is %d bytes long and views show only its beginning; set "whole": true to give it up whole, or change a part of it with search_replace`, n+1, len(line))
				return
			}
		}
	}
	c.splice(i, e.Lines)
}

// splice makes edit i replace its lines by lines.
func (c *check) splice(i int, lines []string) {
	r := &c.res.Edits[i]
	encoded, err := c.encode(lines)
	if err != nil {
		c.fail(i, "content", EncodingError, "%v", err)
		return
	}
	r.Splices = []text.Edit{{Start: r.Start, End: r.End, Lines: encoded}}
}

// encode returns lines in the encoding of the document.
func (c *check) encode(lines []string) ([]string, error) {
	encoded := make([]string, len(lines))
	for i, line := range lines {
		var err error
		if encoded[i], err = c.doc.Encode(line); err != nil {
			return nil, err
		}
	}
	return encoded, nil
}

// assemble makes the new text. Only now lines show that would not be read back as
// they were written.
func (c *check) assemble() {
	if len(c.failures) > 0 {
		return
	}
	var all []text.Edit
	var owner []int
	for i, r := range c.res.Edits {
		for _, s := range r.Splices {
			all, owner = append(all, s), append(owner, i)
		}
	}
	spliced, err := text.Splice(c.doc, all)
	c.res.Spliced = spliced
	if lineErr, ok := errors.AsType[*text.LineError](err); ok {
		field := "content"
		if c.req.Edits[owner[lineErr.Edit]].Op == SearchReplace {
			field = "replace"
		}
		c.fail(owner[lineErr.Edit], field, InvalidInput, "%s", lineErr.Reason)
	}
}
