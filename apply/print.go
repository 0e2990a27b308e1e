package apply

import (
	"bytes"
	"fmt"
	"io"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
)

// mostEdits is how many edits a text answer lists.
const mostEdits = 20

// Text writes the answer for a model or a person: first what became of the
// request, then the lines as they are now. concise leaves the lines out.
func (a *Answer) Text(w io.Writer, concise bool) error {
	p := &printer{concise: concise, blocks: a.blocks}
	switch a.Status {
	case Applied, Unchanged:
		p.success(a)
	default:
		p.failure(a)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// DiffText writes the diffs of the answer in the bytes of the files. Removals are
// first: git apply would have them remove what another file became by that name.
func (a *Answer) DiffText(w io.Writer) error {
	for _, removals := range []bool{true, false} {
		for _, f := range a.Files {
			if (f.Change == "removed") != removals {
				continue
			}
			if _, err := w.Write(f.diff); err != nil {
				return err
			}
		}
	}
	return nil
}

type printer struct {
	bytes.Buffer
	concise bool
	blocks  bool // edits are blocks of a reply
}

// name returns what the caller calls an edit.
func (p *printer) name(edit int) string {
	if p.blocks {
		return fmt.Sprintf("block %d", edit+1)
	}
	return fmt.Sprintf("edits[%d]", edit)
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p, format+"\n", args...)
}

func dryRunMark(a *Answer) string {
	if a.DryRun {
		return " (dry run: nothing was written)"
	}
	return ""
}

func (p *printer) success(a *Answer) {
	mark := dryRunMark(a)
	for _, f := range a.Files {
		p.file(a, f, mark)
		for _, w := range f.Warnings {
			p.line("warning %s: %s", w.Code, w.Message)
		}
		p.moves(a.Moves)
		if p.concise {
			continue
		}
		for i, e := range f.Edits {
			if i == mostEdits {
				p.line("… and %d more edits", len(f.Edits)-i)
				break
			}
			p.edit(e)
		}
		p.lines(f.Snippet)
	}
	if a.Durable != nil && !*a.Durable {
		p.line("durable=false")
	}
}

// file prints what was done to a file, on one line.
func (p *printer) file(a *Answer, f FileAnswer, mark string) {
	path, tag := quotePath(f.Path), tagOrDash(f.Base)
	switch {
	case a.Status == Unchanged:
		p.line("unchanged %s base=%s: it is already so%s", path, tag, mark)
	case f.Change == "unchanged":
		p.line("unchanged %s base=%s: it was already so%s", path, tag, mark)
	case f.Change == "removed":
		p.line("applied %s removed -%d%s", path, f.Removed, mark)
	case f.Change == "renamed":
		p.line("applied %s renamed to %s +%d -%d base=%s%s", path, quotePath(f.ToPath), f.Added, f.Removed, tag, mark)
	case f.Change == "created":
		p.line("applied %s created +%d base=%s%s", path, f.Added, tag, mark)
	default:
		p.line("applied %s +%d -%d base=%s%s", path, f.Added, f.Removed, tag, mark)
	}
}

func tagOrDash(tag string) string {
	if tag == "" {
		return "-"
	}
	return tag
}

func (p *printer) edit(e EditAnswer) {
	fmt.Fprintf(p, "%s %s: ", p.name(e.Edit), e.Op)
	switch {
	case e.Op == "write" || e.Op == "create":
		fmt.Fprintf(p, "+%d -%d", e.Added, e.Removed)
	case e.Op == "remove":
		fmt.Fprintf(p, "-%d", e.Removed)
	case e.Op == "rename":
		fmt.Fprintf(p, "to %s", quotePath(e.ToPath))
	case e.Last < e.First:
		fmt.Fprintf(p, "after line %d", e.Last)
	case e.Last == e.First:
		fmt.Fprintf(p, "line %d", e.First)
	default:
		fmt.Fprintf(p, "lines %d-%d", e.First, e.Last)
	}
	if e.Hits > 0 {
		p.WriteString(", " + plural(e.Hits, "place"))
	}
	if e.Behind != nil {
		p.behind(e)
	}
	switch {
	case e.FirstRemoved == "" && e.Op != "replace" && e.Op != "delete":
	case e.Last > e.First:
		fmt.Fprintf(p, ", from %q to %q", clip(e.FirstRemoved), clip(e.LastRemoved))
	default:
		fmt.Fprintf(p, ", %q", clip(e.FirstRemoved))
	}
	switch searchreplace.Tier(e.Tier) {
	case "anchor", "place", "literal", "whole", searchreplace.Exact, searchreplace.Substring:
	default:
		p.WriteString(", by tier " + e.Tier)
	}
	p.WriteByte('\n')
	for _, note := range e.Notes {
		p.line("  %s", note)
	}
}

// behind prints where lines came.
func (p *printer) behind(e EditAnswer) {
	if *e.Behind == 0 {
		p.WriteString(" to the top")
	} else {
		fmt.Fprintf(p, " to after line %d", *e.Behind)
	}
	if e.ToPath != "" {
		p.WriteString(" of " + quotePath(e.ToPath))
	}
}

// lines prints lines of a file as a view does.
func (p *printer) lines(lines []Line) {
	for _, l := range lines {
		if l.Gap > 0 {
			p.Write(hashline.AppendGap(nil, l.Gap))
			continue
		}
		p.Write(l.view)
	}
}

func (p *printer) moves(moves []Move) {
	for _, m := range moves {
		if m.File != "" {
			p.WriteString(quotePath(m.File) + " ")
		}
		p.line("%s %s: %s is now %s", p.name(m.Edit), m.Field, m.From, m.To)
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// quotePath returns path as answers and views print it.
func quotePath(path string) string { return hashline.QuotePath(path) }
