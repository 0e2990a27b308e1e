package apply

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
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

// DiffText writes the diffs of the answer in the bytes of the files.
func (a *Answer) DiffText(w io.Writer) error {
	for _, f := range a.Files {
		if _, err := w.Write(f.diff); err != nil {
			return err
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

func (p *printer) success(a *Answer) {
	mark := ""
	if a.DryRun {
		mark = " (dry run: nothing was written)"
	}
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

// failure prints why nothing was done. It never begins with a word that could be
// taken for success.
func (p *printer) failure(a *Answer) {
	paths := map[string]bool{}
	path := ""
	for _, f := range a.Failures {
		if f.File != "" {
			path = " " + quotePath(f.File)
			paths[f.File] = true
		}
	}
	if len(paths) > 1 {
		path = ""
	}
	if a.Status == Partial {
		p.partial(a)
	} else {
		p.line("not applied%s: nothing was written; %s", path, plural(len(a.Failures), "failure"))
	}
	shown := map[string]bool{}
	for _, f := range a.Failures {
		if len(paths) > 1 {
			p.WriteString(quotePath(f.File) + " ")
		}
		switch {
		case f.Edit != nil:
			p.WriteString(p.name(*f.Edit) + " ")
		case f.File == "" && strings.HasPrefix(f.Field, "files["):
			p.WriteString(f.Field + " ")
		}
		p.line("%s: %s", f.Code, f.Message)
		if p.concise {
			continue
		}
		p.candidates(f)
		p.context(f, shown)
		p.instead(f)
		if f.Base != "" {
			p.line("base=%s", f.Base)
		}
	}
	if a.Retry != nil {
		p.moves(a.Moves)
		p.line("next: if these lines are the ones you mean, send the request again with the new anchors")
		return
	}
	p.line("next: %s", next(a, p.concise))
}

// partial prints what was done though the rest was not.
func (p *printer) partial(a *Answer) {
	if a.left {
		p.line("partial: %s not applied; the others are", plural(len(a.Failures), "block"))
		for _, f := range a.Files {
			p.file(a, f, "")
			if p.concise {
				continue
			}
			for _, e := range f.Edits {
				p.edit(e)
			}
			p.lines(f.Snippet)
		}
		return
	}
	p.line("partial: the request failed, and not all that was done could be undone; %s", plural(len(a.Failures), "failure"))
	for _, f := range a.Files {
		is := "has the change"
		switch f.Change {
		case "unchanged":
			is = "is as it was"
		case "foreign":
			is = "is as another program made it"
		case "created":
			is = "is there, made by the request"
		case "removed":
			is = "is removed"
		}
		p.line("%s %s", quotePath(f.Path), is)
	}
}

// instead prints what else is known of a block that stands nowhere, or not once.
func (p *printer) instead(f Failure) {
	for _, why := range f.Why {
		p.line("  %s", why)
	}
	if f.AlreadyAt > 0 {
		p.line("  the replacement is already there, at line %d", f.AlreadyAt)
	}
	const most = 2000 // bytes
	for i, request := range f.Suggest {
		b, err := json.Marshal(request)
		if err != nil || i > 0 || len(b) > most {
			break // the JSON answer has all of them
		}
		if len(f.Candidates) > 0 {
			p.line("if it is the first of them, hl edit: %s", b)
		} else {
			p.line("if that is the place, hl edit: %s", b)
		}
	}
}

func (p *printer) candidates(f Failure) {
	if len(f.Candidates) == 0 {
		return
	}
	p.line("candidates:")
	p.lines(f.Candidates)
	if more := f.Count - len(f.Candidates); more > 0 {
		p.line("… and %d more", more)
	}
}

// context prints the lines of f that no failure before it showed.
func (p *printer) context(f Failure, shown map[string]bool) {
	var fresh []Line
	for _, l := range f.Context {
		if key := f.File + "\x00" + l.Anchor; !shown[key] {
			shown[key] = true
			fresh = append(fresh, l)
		}
	}
	if len(fresh) > 0 {
		p.line("now:")
		p.lines(fresh)
	}
}

// next says what to do about a. The lines to look at are not there if concise.
func next(a *Answer, concise bool) string {
	if a.left {
		return "send these blocks again, corrected; leave out those that are applied"
	}
	if a.Status == Partial {
		return "look at the files that are not as they were, and put them right by hand; then send the request again, all of it"
	}
	if a.Status != NotApplied {
		return "mend the request and send it again, all of it"
	}
	shown, searches := false, true
	for _, f := range a.Failures {
		if f.Base != "" && len(a.Failures) == 1 && !concise {
			return "if these lines are what you take them for, send the request again with base " + f.Base
		}
		shown = shown || len(f.Context) > 0 || len(f.Candidates) > 0
		searches = searches && (f.Code == NoMatch || f.Code == MultipleMatches)
	}
	switch {
	case a.blocks && len(a.Failures) > 0:
		return "correct these blocks and send the reply again, all of it"
	case searches:
		return "mend search or expect, and send the request again, all of it"
	case shown && !concise:
		return "look at the lines as they are now, and send the request again with fresh anchors"
	}
	return "read the file again, and send the request with what it is now"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// quotePath returns path as answers and views print it.
func quotePath(path string) string { return hashline.QuotePath(path) }
