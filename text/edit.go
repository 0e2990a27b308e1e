package text

import (
	"cmp"
	"fmt"
	"slices"
)

// An Edit replaces the lines Start ≤ i < End of a Document by Lines. Start is
// 0-based; Start == End inserts before line Start, or at the end where Start is
// the number of lines. Lines hold no line endings: Splice adds them.
type Edit struct {
	Start, End int
	Lines      []string
}

// empty reports whether e changes nothing wherever it stands.
func (e Edit) empty() bool { return e.Start == e.End && len(e.Lines) == 0 }

// An OverlapError names two edits, by their index in the list given, that cannot
// both be made: they replace a line in common, or one inserts inside the lines
// that the other replaces. First is the one that begins further up.
type OverlapError struct {
	First, Second int
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("edits %d and %d overlap", e.First, e.Second)
}

// A LineError names an edit, by its index in the list given, whose range the text
// does not have, or whose lines would not be read back as they were given.
type LineError struct {
	Edit   int
	Reason string
}

func (e *LineError) Error() string { return e.Reason }

// Overlaps returns the pairs of edits that overlap, in the order of the second
// edit's place. An edit that overlaps several above it is named once, with the
// one of them that reaches furthest down. Edits that touch do not overlap.
func Overlaps(edits []Edit) []*OverlapError {
	var found []*OverlapError
	reach := -1 // the edit so far that ends last
	for _, i := range order(edits) {
		if reach >= 0 && edits[i].Start < edits[reach].End {
			found = append(found, &OverlapError{First: reach, Second: i})
		}
		if reach < 0 || edits[i].End > edits[reach].End {
			reach = i
		}
	}
	return found
}

// order returns the indexes of edits from the top of the file to its bottom.
// Inserts come before a replacement of the line they stand before; inserts at
// one place keep their order.
func order(edits []Edit) []int {
	idx := make([]int, len(edits))
	for i := range idx {
		idx[i] = i
	}
	slices.SortStableFunc(idx, func(a, b int) int {
		return cmp.Or(cmp.Compare(edits[a].Start, edits[b].Start), cmp.Compare(edits[a].End, edits[b].End))
	})
	return idx
}
