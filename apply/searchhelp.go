package apply

import (
	"fmt"

	"github.com/hlkit/hlkit/searchreplace"
)

// helpSearches looks for literal searches that had no place in another way: as they
// would be found without a range and expect. What that finds is said, and proposed as
// edits on anchors; else what is most like the search is shown.
func (f *file) helpSearches(failures []Failure) {
	var blocks []searchreplace.Block
	var of []*Failure
	for i := range failures {
		x := &failures[i]
		o := f.asks[f.res.Failures[i].Edit].op
		if x.Code != NoMatch || x.Count > 0 || len(x.Candidates) > 0 || o.Op != "search_replace" || len(blocks) == mostSuggestions {
			continue
		}
		blocks = append(blocks, searchreplace.Block{Dialect: searchreplace.Call, Substring: true, Search: *o.Search, Replace: *o.Replace})
		of = append(of, x)
	}
	if len(blocks) == 0 {
		return
	}
	for i, x := range of {
		// Each alone: edits that are only proposed do not overlap.
		res := searchreplace.Resolve(f.doc, blocks[i:i+1], searchreplace.Options{})
		shown := f.linesShown(res)
		if len(res.Failures) == 0 {
			r := res.Results[0]
			if r.Unchanged {
				continue
			}
			x.Message += fmt.Sprintf(`; without "anchor" and "expect" it would be found at line %d, by tier %s`, r.Places[0].Start+1, r.Tier)
			if request := f.suggest(res.Edits, shown); request != nil {
				x.Suggest = append(x.Suggest, request)
			}
			continue
		}
		x.Why, x.AlreadyAt = res.Failures[0].Why, res.Failures[0].AlreadyAt
		if n := res.Failures[0].Nearest; n != nil && len(x.Context) == 0 {
			for at := n.ShowStart; at < n.ShowEnd; at++ {
				if l, ok := shown[at]; ok {
					x.Context = append(x.Context, l)
				}
			}
		}
	}
}
