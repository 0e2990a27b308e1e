package searchreplace

import (
	"maps"
	"slices"
)

// A place that a tier found by looking past one slip is in doubt where another slip
// as likely would take the block elsewhere. What was found as it is has no rivals.

// rivals returns where else the search of f stands as nearly as where tier found it;
// nil for nowhere:
//
//   - but for look-alike characters;
//   - where tier looked past blanks at line ends: as it is, but for blank lines at
//     its ends; or at another depth, where the indent tier would take it. A brace
//     without indentation says so little that any depth counts, if it stands in f's
//     places with blanks at its end that the search lacks.
func (r *resolver) rivals(tier Tier, f *finding) []*finding {
	if tier == Exact || tier == Confusables || nonBlank(f.want.search) == 0 {
		return nil
	}
	list := r.looksRival(nil, f)
	if tier == Trailing {
		list = r.edgeRival(list, f)
		list = r.depthRival(list, f)
	}
	return list
}

func (r *resolver) looksRival(list []*finding, f *finding) []*finding {
	if r.index.isASCII() && !slices.ContainsFunc(f.want.search, func(s string) bool { return !ascii(s) }) {
		return list
	}
	return r.appendRival(list, f, &finding{want: f.want, fold: foldLooks, fit: r.verbatim}, 0, anyPlace)
}

func (r *resolver) edgeRival(list []*finding, f *finding) []*finding {
	core := dropBlankEdges(f.want.search)
	top := countBlank(f.want.search)
	if len(core) == len(f.want.search) || slices.ContainsFunc(f.hits, func(h int) bool { return r.index.stands(foldNone, core, h+top) }) {
		return list
	}
	return r.appendRival(list, f, &finding{want: f.want.with(core, nil), fold: foldNone, fit: r.edgeFit(f.want)}, top, anyPlace)
}

func (r *resolver) depthRival(list []*finding, f *finding) []*finding {
	search := f.want.search
	brace := len(search) == 1 && spoken(search) == 0 && foldTrimmed.string(search[0]) == search[0]
	budget := 4 * r.index.numLines() // against searches as long as the file
	takes := func(h int) bool {
		if !brace && budget >= 0 {
			budget -= len(search)
			return r.indented(f.want, h).ok
		}
		return true
	}
	return r.appendRival(list, f, &finding{want: f.want, fold: foldTrimmed, fit: r.indented}, 0, takes)
}

func anyPlace(int) bool { return true }

// appendRival appends other with those of its places that takes takes and f has not.
// The first line of f's search is top lines above that of other's.
func (r *resolver) appendRival(list []*finding, f, other *finding, top int, takes func(start int) bool) []*finding {
	for _, h := range r.index.find(other.fold, other.want.search, nil) {
		if _, found := slices.BinarySearch(f.hits, h-top); !found && takes(h) {
			other.hits = append(other.hits, h)
		}
	}
	if other.hits == nil {
		return list
	}
	return append(list, other)
}

// among chooses between the places of f and its rivals by the hints of the block.
func (t *try) among(f *finding, rivals []*finding) (chosen []int, note Note) {
	size := map[int]int{}
	for _, f := range append(rivals, f) {
		for _, h := range f.hits {
			size[h] = len(f.want.search)
		}
	}
	hits := slices.Sorted(maps.Keys(size))
	return t.choose(hits, 1, func(h int) (int, int) { return h, h + size[h] })
}
