package main

import (
	"fmt"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// Where a line is now, if it is not one place.
const (
	nowhere = -1
	several = -2
)

// places returns where a refused request says the line of each anchor is now,
// 0-based. No anchor fits doc.
func (r *row) places(doc *text.Document, lost []hashline.Anchor) ([]int, error) {
	if len(lost) == 0 {
		return nil, nil
	}
	edits := make([]hashline.Edit, len(lost), len(lost)+1)
	for i, a := range lost {
		edits[i] = hashline.Edit{Op: hashline.InsertAfter, Anchor: &hashline.Ref{Anchor: a}, Lines: []string{""}}
	}
	// One edit that no rewriting of anchors can mend, so that none is tried: what
	// is measured is where each anchor is said to be, one by one.
	edits = append(edits, hashline.Edit{Op: hashline.InsertAfter})
	res := r.format.Resolve(hashline.Snapshot{Doc: doc}, hashline.Request{Edits: edits}, hashline.Options{Content: true})
	places := make([]int, len(lost))
	answered := 0
	for _, f := range res.Failures {
		if f.Edit == len(lost) {
			continue
		}
		answered++
		switch {
		case f.Code == hashline.AnchorAmbiguous:
			places[f.Edit] = several
		case f.Shifted == "":
			places[f.Edit] = nowhere
		default:
			ref, err := r.format.Parse(f.Shifted)
			if err != nil {
				return nil, err
			}
			places[f.Edit] = ref.Anchor.Line - 1
		}
	}
	if answered != len(lost) {
		return nil, fmt.Errorf("%s: %d anchors do not fit, and %d failures", r.name, len(lost), answered)
	}
	return places, nil
}

// fits checks one anchor, which must fit. The second edit is refused, so that no
// new text is made.
func (r *row) fits(doc *text.Document, a hashline.Anchor) error {
	edits := []hashline.Edit{{Op: hashline.InsertAfter, Anchor: &hashline.Ref{Anchor: a}, Lines: []string{""}}, {Op: hashline.InsertAfter}}
	res := r.format.Resolve(hashline.Snapshot{Doc: doc}, hashline.Request{Edits: edits}, hashline.Options{Content: true})
	if len(res.Failures) != 1 {
		return fmt.Errorf("%s does not fit", r.format.Print(a))
	}
	return nil
}
