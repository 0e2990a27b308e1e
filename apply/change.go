package apply

import (
	"bytes"
	"io"
	"slices"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// A change is what a request comes to for a file: the new bytes, and what to say
// of them.
type change struct {
	doc     *text.Document // the old text, or what spliced begins with; nil for a write
	spliced *text.Spliced  // the new text; nil for a write, and if no line changes
	content []byte         // the new text of a write
	scheme  hashline.Scheme
	answer  FileAnswer
	windows []hashline.Window // what the snippet shows
	giveTag bool              // the caller knows the new bytes
}

func (c *change) warn(code, message string) {
	c.answer.Warnings = append(c.answer.Warnings, Warning{code, message})
}

// same reports whether c leaves the file as it is.
func (c *change) same(snap *snapshot) bool {
	if c.spliced != nil {
		return c.spliced.Equal()
	}
	return snap.info != nil && (c.content == nil || bytes.Equal(c.content, snap.src))
}

// reader reads the new file.
func (c *change) reader() io.Reader {
	if c.spliced != nil {
		return c.spliced.Reader()
	}
	return bytes.NewReader(c.content)
}

// describe says in f's answer what each edit came to.
func (f *file) describe() {
	c := f.c
	shown := func(i int) string {
		line := hashline.NewLine(c.doc.Line(i), f.enc)
		s, _ := line.Shown(f.enc)
		return s
	}
	if f.found != nil {
		f.describeBlocks()
	}
	var resolved []hashline.Resolved
	if f.res != nil {
		resolved = f.res.Edits
	}
	for n, r := range resolved {
		o := f.asks[n].op
		a := EditAnswer{Edit: o.index, Op: o.Op, First: r.Start + 1, Last: r.End, Tier: "anchor"}
		for _, s := range r.Splices {
			a.Added += len(s.Lines)
			a.Removed += s.End - s.Start
		}
		c.answer.Added += a.Added
		c.answer.Removed += a.Removed
		switch {
		case f.asks[n].place:
			continue // told where the lines come from
		case o.Op == "move" || o.Op == "copy":
			behind := o.dest.resolved(o, true).Start
			a.Behind, a.ToPath = &behind, o.ToPath
			if o.dest == f {
				a.Added = r.End - r.Start
			}
		case o.Op == "search_replace":
			a.Tier, a.Hits = "literal", r.Hits
		case o.Anchor == "0:" || o.Anchor == "EOF":
			a.Tier = "place"
		}
		if o.at.Op != hashline.InsertAfter && o.at.Op != hashline.InsertBefore && o.at.Op != hashline.SearchReplace {
			a.FirstRemoved = shown(r.Start)
			if r.End-r.Start > 1 {
				a.LastRemoved = shown(r.End - 1)
			}
		}
		c.answer.Edits = append(c.answer.Edits, a)
	}
	slices.SortStableFunc(c.answer.Edits, func(a, b EditAnswer) int { return a.Edit - b.Edit })
	if slices.ContainsFunc(resolved, func(r hashline.Resolved) bool { return r.FinalKept }) {
		c.warn("final_line_end", "the file's final line end, or its lack, stays as it was; only write changes that")
	}
	all, _ := f.splices()
	c.windows = newWindows(all)
	if c == f.made {
		c.windows = bothEnds(c.answer.Added)
		return
	}
	edits := make([]hashline.Edit, len(f.asks))
	for i, a := range f.asks {
		if edits[i] = a.op.at; a.place {
			edits[i] = a.op.place
		}
	}
	bare := f.res != nil && f.res.Bare
	c.giveTag = f.base != nil && *f.base == f.snap.tag && !numbersVoid(edits, bare, all, c.doc.NumLines())
}

// edge is how many lines at each end of a long insertion a snippet shows, and
// how many lines around one.
const edge = 3

// newWindows returns what to show of the new text: the lines around each splice,
// and its own, but of many only those at both ends.
func newWindows(splices []text.Edit) []hashline.Window {
	all := slices.Clone(splices)
	slices.SortStableFunc(all, func(a, b text.Edit) int { return a.Start - b.Start })
	var windows []hashline.Window
	shift := 0
	for _, s := range all {
		start := s.Start + shift // 0-based, in the new text
		end := start + len(s.Lines)
		shift += len(s.Lines) - (s.End - s.Start)
		if len(s.Lines) <= 4*edge {
			windows = append(windows, window(start-edge, end+edge))
			continue
		}
		windows = append(windows, window(start-edge, start+edge), window(end-edge, end+edge))
	}
	return windows
}

// window returns the lines start ≤ i < end, 0-based, as a window.
func window(start, end int) hashline.Window {
	return hashline.Window{First: max(start, 0) + 1, Last: max(end, 1)}
}

// mostSnippet is how many lines a snippet shows.
const mostSnippet = 200

// snippet puts the lines of c's windows into its answer.
func (f *file) snippet(c *change) error {
	windows := hashline.MergeWindows(c.windows)
	for shown, i := 0, 0; i < len(windows); i++ {
		if shown += windows[i].Last - windows[i].First + 1; shown > mostSnippet {
			windows = windows[:i+1]
			windows[i].Last -= shown - mostSnippet
			c.warn("snippet_cut", "more lines changed than are shown; read the file to see the rest")
		}
	}
	scan, err := text.NewScanner(c.reader(), f.enc)
	if err != nil {
		return err
	}
	last := 0
	return hashline.Format{}.Annotate(scan, f.enc, c.scheme, 1, windows, func(lines []hashline.Line) error {
		if first := lines[0].Anchor.Line; last > 0 && first > last+1 {
			c.answer.Snippet = append(c.answer.Snippet, Line{Gap: first - last - 1})
		}
		last = lines[len(lines)-1].Anchor.Line
		c.answer.Snippet = append(c.answer.Snippet, linesOf(lines, f.enc)...)
		return nil
	})
}

// numbersVoid reports whether the caller may go by bare line numbers that the
// edits make wrong: it named a line by number, or named none by letters, and
// lines have other numbers now. With the new tag such numbers would be taken for
// proved. It is not enough that there are as many lines as before: a delete
// above and an insert below move all lines between. Without bare numbers in the
// request, an edit that reaches the end of the file moves nothing.
func numbersVoid(edits []hashline.Edit, bare bool, splices []text.Edit, numLines int) bool {
	for _, e := range edits {
		if !bare && e.Anchor != nil && e.Anchor.Anchor.Scheme < hashline.File {
			return false
		}
	}
	for _, s := range splices {
		if len(s.Lines) != s.End-s.Start && (bare || s.End < numLines) {
			return true
		}
	}
	return false
}
