package searchreplace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hlkit/hlkit/text"
)

// Resolve finds the place of each block in doc. The blocks are of one file and
// are matched against it as it stands, so that their order does not matter. It
// reports every failure, not the first. Only blocks whose Op is Replace can be
// resolved; Path is not looked at.
func Resolve(doc *text.Document, blocks []Block, opt Options) *Resolution {
	r := &resolver{doc: doc, opt: opt, ladder: opt.Ladder, index: newFileIndex(doc)}
	if r.ladder == nil {
		r.ladder, _ = Preset("default")
	}
	for i := range blocks {
		r.tries = append(r.tries, &try{resolver: r, i: i, block: &blocks[i]})
	}
	for _, t := range r.tries {
		t.run()
	}
	r.overlaps()
	return r.assemble()
}

// A resolver is one call of Resolve.
type resolver struct {
	doc    *text.Document
	opt    Options
	ladder Ladder
	index  *fileIndex
	tries  []*try
	plain  *plainText // nil until a block is searched as text
	words  *wordIndex // nil until a block stands nowhere
	count  *pairCount
	hits   []int // scratch

	contexts map[contextKey][]int // the lines below each context line that was looked for
}

// A try is one block on its way.
type try struct {
	*resolver
	i      int
	block  *Block
	result Result
	fail   *Failure

	edits []text.Edit // on whole lines
	texts []textSpan  // on pieces of them; a block has one or the other
	why   []string    // why places that were looked at were not taken
}

func (t *try) run() {
	switch {
	case t.block.Op != Replace:
		t.failed(Unsupported, "the block is about a whole file, not about a place in it")
		return
	case !t.opt.AllowPlaceholder:
		if line, text := Placeholder(t.block.Search, t.block.Replace); line > 0 {
			t.failed(ContentHasPlaceholder, "line %d of the replacement, %q, stands for text that is left out; write that text, or leave the lines out of search and replacement (--allow-placeholder takes it as it is)", line, clip(text))
			return
		}
	}
	w := newWant(t.doc, t.block.Search, t.block.Replace, t.block.Substring)
	if t.block.Search == "" {
		t.placeEmpty(w)
		return
	}
	if t.block.Dialect == Call && w.searchText == w.replaceText {
		t.failed(InvalidInput, "the text to replace and its replacement are the same; nothing would change")
		return
	}
	if t.climb(w) {
		return
	}
	if s := t.block.Stripped; s != nil && s.Search != "" {
		kept := t.why
		if t.climb(newWant(t.doc, s.Search, s.Replace, t.block.Substring)) {
			if t.fail == nil {
				t.note(NoteStripped, "the lines of the block begin with line numbers, which the file does not have; it was read without them")
			}
			return
		}
		t.why = kept
	}
	t.noMatch(w)
}

// climb tries the tiers in turn. It reports whether one of them decided, for the
// block or against it.
func (t *try) climb(w *want) bool {
	if w.substring && w.searchText != "\n" {
		if t.substring(w) {
			return true
		}
	}
	for _, tier := range t.ladder {
		if tier == Elision {
			if t.elision(w) {
				return true
			}
			continue
		}
		if tier == Confusables && w.substring && t.looksLike(w) {
			return true
		}
		f := t.tier(tier, w)
		if f == nil {
			continue
		}
		if t.decide(tier, f) {
			return true
		}
	}
	return false
}

// tier returns what one tier finds; nil if nothing.
func (r *resolver) tier(tier Tier, w *want) *finding {
	switch tier {
	case Exact:
		return r.exact(w)
	case Trailing:
		return r.trailing(w)
	case Indent:
		return r.indent(w)
	case BlankEdge:
		return r.blankEdge(w)
	case Trimmed:
		return r.trimmed(w)
	case BlanksRemoved:
		return r.blanksRemoved(w)
	case Escapes:
		return r.escapes(w)
	case EscapesBlanksRemoved:
		return r.escapesBlanksRemoved(w)
	case Confusables:
		return r.confusables(w)
	case Ends:
		return r.ends(w)
	}
	return nil
}

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
	if note.Rule != "" {
		notes = append(notes, note)
	}
	t.settle(tier, places, notes)
	t.edits = edits
	t.result.Unchanged = len(edits) == 0
	if t.result.Unchanged && !asked.same() {
		t.result.AlreadyAt = cmp.Or(alreadyAt, places[0].Start+1)
	}
	if asked.finalNewline {
		t.note(NoteFinalNewline, "search and replacement differ in a line end at their end, which whole lines do not have; it was ignored")
	}
	return true
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
	t.noteUnterminated()
}

func (t *try) note(rule, text string) {
	t.result.Notes = append(t.result.Notes, Note{rule, text})
}

// noteUnterminated reports what a unified diff says about the end of the file and
// the edit does not do: it changes lines, and the file's last line end, or its
// lack, stays.
func (t *try) noteUnterminated() {
	b := t.block
	if b.Dialect != Unified || len(t.result.Places) == 0 {
		return
	}
	last := t.result.Places[len(t.result.Places)-1].End == t.doc.NumLines()
	is := last && t.doc.Unterminated()
	if b.SearchUnterminated != is || b.ReplaceUnterminated != is {
		t.note(NoteFinalNewline, "the diff says otherwise about a line end at the end of the file; the file's stays as it is")
	}
}
