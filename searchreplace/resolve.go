package searchreplace

import "github.com/hlkit/hlkit/text"

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
	joins  *bool // see joinsMixed; nil until asked for

	widths   []int                // of indentations; nil until asked for
	unit     int                  // blanks to a level, by the file; 0 until asked for, -1 if it does not tell
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
	end   LineEnd     // of the file
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
