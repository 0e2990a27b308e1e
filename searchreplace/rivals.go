package searchreplace

import (
	"cmp"
	"slices"
	"strings"
)

// A place that a tier found by looking past one slip is in doubt where another slip
// as likely would take the block elsewhere. What stands as it is has no rivals.

// rivals returns where else the search of f stands as nearly as at line start, where
// tier found it; none for nowhere:
//
//   - but for look-alike characters;
//   - where tier looked past blanks at line ends or indentation: as it is, but for
//     blank lines at its ends;
//   - where it looked past blanks at line ends alone: at another depth, where the
//     indent tier would take it. A brace without blanks at its ends says so little that
//     any depth counts.
func (r *resolver) rivals(tier Tier, f *finding, start int) []*finding {
	if tier == Confusables || nonBlank(f.want.search) == 0 || r.index.stands(foldNone, f.want.search, start) {
		return nil
	}
	all := []*finding{r.looksRival(tier, f)}
	switch tier {
	case Trailing:
		all = append(all, r.edgeRival(f), r.depthRival(f))
	case Indent, Trimmed, BlanksRemoved:
		all = append(all, r.edgeRival(f))
	}
	return slices.DeleteFunc(all, func(f *finding) bool { return f == nil || len(f.hits) == 0 })
}

func (r *resolver) looksRival(tier Tier, f *finding) *finding {
	if r.index.isASCII() && !slices.ContainsFunc(f.want.search, func(s string) bool { return !ascii(s) }) {
		return nil
	}
	other := &finding{want: f.want, fold: foldLooks, fit: r.verbatim}
	if tier == BlankEdge {
		other.fit = noFit // what f wants is the search without its edges, and no replacement
	}
	return r.elsewhere(f, other, func(int) bool { return true })
}

func noFit(*want, int) fitting { return fitting{} }

// edgeRival is none if one of f's places has all of the search but its blank lines as
// it is: it is the nearer one.
func (r *resolver) edgeRival(f *finding) *finding {
	core := dropBlankEdges(f.want.search)
	if len(core) == len(f.want.search) {
		return nil
	}
	other := &finding{want: f.want.with(core, nil), fold: foldNone, fit: r.edgeFit(f.want)}
	other.hits = r.index.find(foldNone, core, nil)
	top := countBlank(f.want.search)
	if slices.ContainsFunc(other.hits, func(h int) bool { return f.has(h - top) }) {
		return nil
	}
	return other
}

// mostDepths bounds the lines that are looked at for the places of one block at
// another depth. Beyond it they all count.
const mostDepths = 20_000

func (r *resolver) depthRival(f *finding) *finding {
	search := f.want.search
	brace := len(search) == 1 && spoken(search) == 0 && foldTrimmed.string(search[0]) == search[0]
	left := mostDepths
	known := map[uint64]bool{} // by the window's bytes
	takes := func(h int) bool {
		if brace || left < 0 {
			return true
		}
		window := r.index.fold(foldNone).window(h, len(search), r.index.power(len(search)))
		took, ok := known[window]
		if !ok {
			left -= len(search) + len(f.want.replace)
			took = r.indented(f.want, h).ok
			known[window] = took
		}
		return took
	}
	return r.elsewhere(f, &finding{want: f.want, fold: foldTrimmed, fit: r.indented}, takes)
}

// elsewhere returns other with those of its places that takes takes and f has not, the
// first mostCounted of them.
func (r *resolver) elsewhere(f, other *finding, takes func(start int) bool) *finding {
	for _, h := range r.index.find(other.fold, other.want.search, nil) {
		if len(other.hits) == mostCounted {
			break
		}
		if !f.has(h) && takes(h) {
			other.hits = append(other.hits, h)
		}
	}
	return other
}

// has reports whether line start is one of f's places.
func (f *finding) has(start int) bool {
	_, found := slices.BinarySearch(f.hits, start)
	return found
}

// among reports whether the block's hints choose line start of f's places among all
// of them and those of f's rivals.
func (t *try) among(f *finding, rivals []*finding, start int) (Note, bool) {
	b := t.block
	if !t.opt.First && b.Line <= 0 && len(b.Context) == 0 && !b.AtEnd && !b.SearchUnterminated && !b.ReplaceUnterminated {
		return Note{}, false
	}
	type place struct{ start, end int }
	var all []place
	for _, f := range append(rivals, f) {
		if len(f.hits) >= mostCounted {
			return Note{}, false // there may be one nearer to the hints
		}
		for _, h := range f.hits {
			all = append(all, place{h, h + len(f.want.search)})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	all = slices.CompactFunc(all, func(a, b place) bool { return a.start == b.start })
	index := make([]int, len(all))
	for i := range index {
		index[i] = i
	}
	chosen, note := t.choose(index, 1, func(i int) (int, int) { return all[i].start, all[i].end })
	note.Text = strings.Replace(note.Text, "stands in", "stands, or nearly so, in", 1)
	return note, len(chosen) > 0 && all[chosen[0]].start == start
}
