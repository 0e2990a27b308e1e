package apply

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// failure prints why nothing was done. It never begins with a word that could be
// taken for success.
func (p *printer) failure(a *Answer) {
	paths := map[string]bool{} // "" for a block that names none
	path := ""
	for _, f := range a.Failures {
		if f.File != "" {
			path = " " + quotePath(f.File)
			paths[f.File] = true
		} else if a.blocks {
			paths[""] = true
		}
	}
	for _, f := range a.Files {
		if a.left {
			paths[f.Path] = true // the failures are to say of which file they are
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
		if len(paths) > 1 && f.File != "" {
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
	lost := 0
	for _, f := range a.Failures {
		if f.Code == AnchorStale || f.Code == AnchorAmbiguous || f.Code == AnchorOutOfRange {
			lost++
		}
	}
	if lost > 1 && !a.blocks {
		p.line(`or without anchors: {"op":"search_replace","search":OLD,"replace":NEW}, or blocks for sr apply`)
	}
}

// partial prints what was done though the rest was not.
func (p *printer) partial(a *Answer) {
	if a.left {
		mark := dryRunMark(a)
		p.line("partial: %s not applied; the others are%s", plural(len(a.Failures), "block"), mark)
		failed := map[string]bool{}
		for _, f := range a.Failures {
			failed[f.File] = true
		}
		for _, f := range a.Files {
			if f.Change == "unchanged" && failed[f.Path] {
				p.line("unchanged %s: nothing was applied to it%s", quotePath(f.Path), mark)
				continue
			}
			p.file(a, f, mark)
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
		case "gone":
			is = "is gone: another program removed it"
		case "unknown":
			is = "could not be looked at"
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
	reply := "request"
	if a.blocks {
		reply = "reply"
	}
	if a.left && a.DryRun {
		return "correct these blocks; the others are applied without --dry-run"
	}
	if a.left {
		return "send these blocks again, corrected; leave out those that are applied"
	}
	if a.Status == Partial {
		return "look at the files that are not as they were, and put them right by hand; then send the request again, all of it"
	}
	if !slices.ContainsFunc(a.Failures, func(f Failure) bool { return f.Code != Locked }) {
		return "send the " + reply + " again, all of it"
	}
	if a.Status != NotApplied && !slices.ContainsFunc(a.Failures, func(f Failure) bool { return !f.Code.elsewhere() }) {
		return "when that is mended, send the " + reply + " again, all of it"
	}
	if a.Status != NotApplied {
		return "mend the " + reply + " and send it again, all of it"
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
