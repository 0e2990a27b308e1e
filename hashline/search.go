package hashline

import (
	"bytes"
	"strings"

	"github.com/hlkit/hlkit/text"
)

// search resolves a search_replace: every place in its lines where Search
// stands, from the first on, none overlapping the one before.
func (c *check) search(i int) {
	e, r := &c.req.Edits[i], &c.res.Edits[i]
	search, err := c.doc.Encode(unifyFeeds(e.Search))
	if err != nil {
		c.fail(i, "search", EncodingError, "%v", err)
		return
	}
	replace, err := c.doc.Encode(unifyFeeds(e.Replace))
	if err != nil {
		c.fail(i, "replace", EncodingError, "%v", err)
		return
	}
	if search == "" {
		c.fail(i, "search", InvalidInput, `"search" is empty`)
		return
	}
	scope := c.scope(r.Start, r.End)
	hits := scope.find(search)
	r.Hits = len(hits)
	if code, ok := wrongCount(len(hits), e.Expect); !ok {
		f := c.miscounted(i, code, len(hits))
		for _, at := range hits[:min(len(hits), mostCandidates)] {
			line := scope.line(at)
			f.Candidates = append(f.Candidates, c.context(c.res.Scheme, line, line+1)...)
		}
		f.Count = len(hits)
		return
	}
	edits, ok := scope.splices(hits, len(search), replace)
	if !ok {
		c.fail(i, "replace", InvalidInput, "the replacement joins line %d, the last one named, with the line after it; end it with a line end, or name that line too", r.End)
		return
	}
	r.FinalKept = scope.keepsFinal(hits[len(hits)-1], len(search), replace)
	r.Splices = edits
}

func unifyFeeds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// wrongCount reports whether n hits are not what was expected, and what that is.
func wrongCount(n, expect int) (Code, bool) {
	switch {
	case n == 0, n < expect:
		return NoMatch, false
	case expect > 0 && n > expect:
		return MultipleMatches, false
	}
	return "", true
}

func (c *check) miscounted(i int, code Code, n int) *Failure {
	e, r := &c.req.Edits[i], &c.res.Edits[i]
	where := "in the file"
	if e.Anchor != nil {
		where = "in the lines named"
	}
	if n == 0 {
		f := c.fail(i, "search", code, "search stands nowhere %s; it is literal: copy it from the text, without anchors", where)
		if e.Anchor != nil {
			f.Context = c.context(c.res.Scheme, r.Start, min(r.End, r.Start+mostUnproved))
		}
		return f
	}
	return c.fail(i, "expect", code, "search stands in %d places %s, not %d; change expect, or make search longer", n, where, e.Expect)
}

// A scope is some lines of a document with every line end a line feed, so that a
// search over several lines finds them whatever their endings.
type scope struct {
	doc        *text.Document
	start, end int    // lines
	text       []byte // unified
}

// scope returns the scope of some lines. That of the whole text is made once: many
// searches of a text that is not all line feeds would copy it as often.
func (c *check) scope(start, end int) *scope {
	if start > 0 || end < c.doc.NumLines() {
		return newScope(c.doc, start, end)
	}
	if c.whole == nil {
		c.whole = newScope(c.doc, start, end)
	}
	return c.whole
}

func newScope(doc *text.Document, start, end int) *scope {
	raw := doc.Body()[doc.Offset(start):doc.Offset(end)]
	if bytes.Contains(raw, []byte("\r\n")) {
		raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	}
	return &scope{doc, start, end, raw}
}

// line returns the line that offset at of the scope's text is in.
func (s *scope) line(at int) int { return s.start + bytes.Count(s.text[:at], []byte("\n")) }

// find returns the offsets in the scope's text at which search stands: the first,
// then the first that does not overlap it, and so on.
func (s *scope) find(search string) []int {
	needle := []byte(search)
	begins := s.doc.Encoding().Boundaries(s.text)
	var hits []int
	for at := 0; ; {
		n := bytes.Index(s.text[at:], needle)
		if n < 0 {
			return hits
		}
		at += n
		if !begins(at) {
			at++
			continue
		}
		hits = append(hits, at)
		at += len(needle)
	}
}

// keepsFinal reports whether the file's final line end, or its lack, stays though
// the last hit and its replacement, taken literally, would change it.
func (s *scope) keepsFinal(hit, size int, replace string) bool {
	if s.end < s.doc.NumLines() || hit+size < len(s.text) {
		return false
	}
	if replace == "" && (hit == 0 || s.text[hit-1] == '\n') {
		return false // the last line is gone
	}
	return strings.HasSuffix(replace, "\n") == s.doc.Unterminated()
}

// splices returns the edits that put replace in place of the size bytes at each
// of hits. Hits that share a line are one edit. The final line end of the file, or
// its lack, stays. ok is false if the text behind the last hit would be joined with
// a line beyond the scope.
func (s *scope) splices(hits []int, size int, replace string) (edits []text.Edit, ok bool) {
	line, lineStart := s.start, 0 // of the place reached
	reached := 0
	// reach moves to the line that holds offset at, which is not before the place
	// reached. It looks at every byte once, however many hits a line has.
	reach := func(at int) {
		passed := s.text[reached:at]
		if n := bytes.Count(passed, []byte("\n")); n > 0 {
			line += n
			lineStart = reached + bytes.LastIndexByte(passed, '\n') + 1
		}
		reached = at
	}
	var built []byte // what has become of the lines since first
	for i := 0; i < len(hits); {
		reach(hits[i])
		first := line
		built = append(built[:0], s.text[lineStart:hits[i]]...)
		for {
			built = append(built, replace...)
			at := hits[i] + size
			i++
			reach(at)
			if at == lineStart && (len(built) == 0 || built[len(built)-1] == '\n') {
				break // whole lines are replaced by whole lines
			}
			if i < len(hits) && bytes.IndexByte(s.text[at:hits[i]], '\n') < 0 {
				built = append(built, s.text[at:hits[i]]...)
				continue
			}
			if line == s.end && s.end < s.doc.NumLines() {
				return nil, false
			}
			rest := s.text[at:]
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				rest = rest[:n]
			}
			built = append(append(built, rest...), '\n')
			line++
			lineStart = min(at+len(rest)+1, len(s.text))
			reached = lineStart
			break
		}
		e := text.Edit{Start: first, End: min(line, s.doc.NumLines())}
		if len(built) > 0 {
			e.Lines = strings.Split(string(built[:len(built)-1]), "\n")
		}
		if n := len(e.Lines); n > 0 && e.Lines[n-1] == "" && e.End == s.doc.NumLines() && s.doc.Unterminated() {
			e.Lines = e.Lines[:n-1] // what nothing is left of, and no line feed ends, is no line
		}
		edits = append(edits, e)
	}
	return edits, true
}
