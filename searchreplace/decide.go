package searchreplace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hlkit/hlkit/text"
)

// decide settles a block by the places that a tier found. It reports false if
// they are no hits after all, because the replacement cannot be put there.
func (t *try) decide(tier Tier, f *finding) bool {
	asked := f.want
	size := len(asked.search)
	starts, note := t.choose(f.hits, size, func(h int) (int, int) { return h, h + size })
	if starts == nil {
		t.ambiguous(tier, f)
		return true
	}
	var edits []text.Edit
	var places []Place
	notes := slices.Clone(f.notes)
	alreadyAt := 0
	for _, start := range starts {
		if f.fold >= 0 && !t.index.stands(f.fold, f.want.search, start) {
			return false // two windows of one hash
		}
		fit := f.fit(f.want, start)
		w := f.want
		if fit.want != nil {
			w, start = fit.want, fit.start
		}
		asked = w
		n := len(w.search)
		there, inside := 0, false
		if fit.ok {
			there, inside = t.already(w, start, fit)
		}
		if at := t.applied(w, fit); at > 0 && !inside {
			fit.tooLittle, fit.why = true, fmt.Sprintf("the replacement already stands at line %d as it is given, so that the block may have been applied", at)
		}
		if fit.tooLittle {
			if t.coreStands(w) {
				t.blame(start, n, fit.why)
				return false
			}
			t.tooLittle(tier, w, start, fit)
			return true
		}
		if !fit.ok {
			t.blame(start, n, fit.why)
			return false
		}
		places = append(places, Place{Start: start, End: start + n})
		if inside {
			alreadyAt = cmp.Or(alreadyAt, there)
			continue
		}
		if fit.err != nil {
			t.fail = fit.err
			t.fail.Block = t.i
			return true
		}
		if fit.note != "" && len(edits) == 0 {
			notes = append(notes, Note{NoteRebased, fit.note})
		}
		edits = append(edits, fit.edits...)
	}
	if len(edits) > 0 && !t.opt.All && !t.block.All {
		if rivals := t.rivals(tier, f, starts[0]); len(rivals) > 0 {
			var ok bool
			if note, ok = t.among(f, rivals, starts[0]); !ok {
				t.doubtful(tier, f, rivals)
				return true
			}
		}
	}
	if note.Rule != "" {
		notes = append(notes, note)
	}
	t.settle(tier, places, notes)
	t.edits = t.endOfFile(edits)
	t.result.Unchanged = len(t.edits) == 0
	if t.result.Unchanged && !asked.same() {
		t.result.AlreadyAt = cmp.Or(alreadyAt, places[0].Start+1)
	}
	if asked.finalNewline {
		t.note(NoteFinalNewline, "search and replacement differ in a line end at their end, which whole lines do not have; it was ignored")
	}
	return true
}

// coreStands reports whether w's search, without the blank lines at its ends,
// stands in the file as it is. Then a place where it stands with them, but at
// another depth, is not the one to offer.
func (t *try) coreStands(w *want) bool {
	core := dropBlankEdges(w.search)
	return len(core) > 0 && len(core) < len(w.search) && len(t.index.find(foldNone, core, nil)) > 0
}

// applied returns the 1-based line where the replacement of a search that was found
// at another depth stands as it is given; 0 if it does not, or is too short to say
// anything.
func (t *try) applied(w *want, fit fitting) int {
	if !fit.ok || !fit.moved || nonBlank(w.replace) < enoughApplied || w.same() {
		return 0
	}
	return t.standsAlready(w)
}

// settle records where the block goes.
func (t *try) settle(tier Tier, places []Place, notes []Note) {
	t.result.Tier, t.result.Places = tier, places
	t.result.Notes = append(t.result.Notes, notes...)
}

func (t *try) note(rule, text string) {
	t.result.Notes = append(t.result.Notes, Note{rule, text})
}
