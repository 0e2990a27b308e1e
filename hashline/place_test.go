package hashline_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTopAndBottomServeInsertsAndNothingElse(t *testing.T) {
	top, bottom := parsed(t, "0:"), parsed(t, "EOF")
	for _, op := range []hashline.Op{hashline.InsertAfter, hashline.InsertBefore} {
		assert.Equal(t, "new\na\nb\n", applied(t, resolve(t, "a\nb\n", hashline.Edit{Op: op, Anchor: top, Lines: []string{"new"}})))
		assert.Equal(t, "a\nb\nnew\n", applied(t, resolve(t, "a\nb\n", hashline.Edit{Op: op, Anchor: bottom, Lines: []string{"new"}})))
		assert.Equal(t, "new\n", applied(t, resolve(t, "", hashline.Edit{Op: op, Anchor: top, Lines: []string{"new"}})))
		assert.Equal(t, "new\n", applied(t, resolve(t, "", hashline.Edit{Op: op, Anchor: bottom, Lines: []string{"new"}})))
	}
	lines := []string{"a", "b"}
	ref := at(t, hashline.Chunk, lines, 1)
	for _, place := range []*hashline.Ref{top, bottom} {
		for _, e := range []hashline.Edit{
			{Op: hashline.Replace, Anchor: place, Lines: []string{"x"}}, {Op: hashline.Delete, Anchor: place}, {Op: hashline.SearchReplace, Anchor: place, Search: "a"},
			{Op: hashline.Replace, Anchor: ref, End: place}, {Op: hashline.Delete, Anchor: ref, End: place}, {Op: hashline.SearchReplace, Anchor: ref, End: place, Search: "a"},
			{Op: hashline.Replace, Anchor: place, End: ref},
		} {
			res := resolveWith(t, "a\nb\n", tagOf("a\nb\n"), hashline.Options{}, e)
			assert.Equal(t, []hashline.Code{hashline.InvalidInput}, codes(res), "%+v", e)
		}
	}
}

func TestAReversedRangeIsInvalidAndAnEqualEndIsOneLine(t *testing.T) {
	lines := numbered(40)
	for _, scheme := range strong {
		five, six := at(t, scheme, lines, 5), at(t, scheme, lines, 6)
		res := resolve(t, joined(lines), del(six, five))
		require.Equal(t, []hashline.Code{hashline.InvalidInput}, codes(res))
		assert.Equal(t, "end_anchor", res.Failures[0].Field)
		assert.Contains(t, res.Failures[0].Message, "reversed")
		want := joined(append(append([]string{}, lines[:4]...), lines[5:]...))
		assert.Equal(t, want, applied(t, resolve(t, joined(lines), del(five, five))))
		assert.Equal(t, want, applied(t, resolve(t, joined(lines), del(five, with(five, "line 5")))))
	}
}

func TestAnEditThatSaysTooMuchOrTooLittleIsInvalid(t *testing.T) {
	lines := numbered(20)
	ref := at(t, hashline.Chunk, lines, 5)
	for name, e := range map[string]hashline.Edit{
		"an unknown op":                    {Op: "replce", Anchor: ref, Lines: []string{"x"}},
		"no op":                            {Anchor: ref, Lines: []string{"x"}},
		"no anchor":                        {Op: hashline.Replace, Lines: []string{"x"}},
		"no anchor for an insert":          {Op: hashline.InsertAfter, Lines: []string{"x"}},
		"an end alone":                     {Op: hashline.SearchReplace, End: ref, Search: "x", Expect: 1},
		"an insert with an end":            {Op: hashline.InsertAfter, Anchor: ref, End: ref, Lines: []string{"x"}},
		"an insert at the top with an end": {Op: hashline.InsertAfter, Anchor: parsed(t, "0:"), End: ref, Lines: []string{"x"}},
		"an insert of nothing":             {Op: hashline.InsertBefore, Anchor: ref},
		"a deletion with new lines":        {Op: hashline.Delete, Anchor: ref, Lines: []string{"x"}},
		"a search for nothing":             {Op: hashline.SearchReplace, Anchor: ref},
		"a line feed in a line":            {Op: hashline.Replace, Anchor: ref, Lines: []string{"x\ny"}},
		"a carriage return at its end":     {Op: hashline.Replace, Anchor: ref, Lines: []string{"x\r"}},
		"a NUL":                            {Op: hashline.Replace, Anchor: ref, Lines: []string{"x\x00"}},
	} {
		res := resolve(t, joined(lines), e)
		assert.Equal(t, []hashline.Code{hashline.InvalidInput}, codes(res), name)
		assert.Nil(t, res.Spliced, name)
	}
	assert.Equal(t, []hashline.Code{hashline.Unsupported}, codes(resolve(t, joined(lines), hashline.Edit{Op: hashline.SearchReplace, Search: "x"})), "no scope and no number")
}

func TestALineThatViewsCutIsGivenUpOnlyWhole(t *testing.T) {
	lines := []string{"a", strings.Repeat("x", 2000), strings.Repeat("é", 1000) + "y", "b"}
	src := joined(lines)
	ref := func(n int) *hashline.Ref { return at(t, hashline.Chunk, lines, n) }
	assert.Empty(t, resolve(t, src, del(ref(2), nil)).Failures, "2,000 bytes are shown whole")
	for _, e := range []hashline.Edit{del(ref(3), nil), del(ref(1), ref(4)), {Op: hashline.Replace, Anchor: ref(3), Lines: []string{"z"}}} {
		res := resolve(t, src, e)
		require.Equal(t, []hashline.Code{hashline.LineCut}, codes(res))
		assert.Contains(t, res.Failures[0].Message, "line 3 is 2001 bytes")
		e.Whole = true
		assert.Empty(t, resolve(t, src, e).Failures)
	}
	assert.Empty(t, resolve(t, src, insertAfter(ref(3), "new")).Failures)
	assert.Empty(t, resolve(t, src, hashline.Edit{Op: hashline.SearchReplace, Anchor: ref(3), Search: "y", Replace: "z"}).Failures)
}

func TestAttachedTextIsCheckedUpToACutMark(t *testing.T) {
	long := strings.Repeat("é", 1500)
	lines := []string{"a", long, "", "bad \xff", "tail"}
	src := joined(lines)
	for n, good := range map[int][]string{
		1: {"a"}, 2: {long, long[:2000] + "…+1000b"}, 3: {""}, 4: {"bad \xff", "bad \ufffd"},
	} {
		ref := at(t, hashline.Chunk, lines, n)
		for _, s := range good {
			assert.Empty(t, resolve(t, src, insertAfter(with(ref, s), "new")).Failures, "%d %.20q", n, s)
		}
		for _, s := range []string{"b", "a ", " a", "a\n", "a\r", long[:2000], long[:2000] + "…+999b", long[:1998] + "…+1002b", "bad ?", "…+1b"} {
			res := resolve(t, src, insertAfter(with(ref, s), "new"))
			require.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res), "%d %.20q", n, s)
			assert.Contains(t, res.Failures[0].Message, "text attached")
		}
	}
}

func TestOverlappingEditsAreNamedAndTouchingOnesAreMade(t *testing.T) {
	lines := numbered(20)
	ref := func(n int) *hashline.Ref { return at(t, hashline.Chunk, lines, n) }
	for name, edits := range map[string][]hashline.Edit{
		"ranges that share a line":   {del(ref(1), ref(3)), del(ref(3), ref(4))},
		"one range twice":            {del(ref(1), ref(3)), del(ref(1), ref(3))},
		"an insert inside a range":   {insertAfter(ref(2), "x"), del(ref(2), ref(3))},
		"a search on a deleted line": {{Op: hashline.SearchReplace, Search: "line 3", Replace: "y", Expect: 1}, del(ref(3), nil)},
		"two searches on one line": {
			{Op: hashline.SearchReplace, Anchor: ref(3), Search: "line", Replace: "y"}, {Op: hashline.SearchReplace, Anchor: ref(3), Search: "3", Replace: "y"}},
	} {
		res := resolve(t, joined(lines), edits...)
		require.Equal(t, []hashline.Code{hashline.EditsOverlap}, codes(res), name)
		assert.Contains(t, res.Failures[0].Message, "edits[0]", name)
		assert.Contains(t, res.Failures[0].Message, "edits[1]", name)
	}
	res := resolve(t, joined(lines[:4]), insertAfter(at(t, hashline.Chunk, lines[:4], 1), "x"), del(at(t, hashline.Chunk, lines[:4], 2), nil),
		hashline.Edit{Op: hashline.InsertBefore, Anchor: at(t, hashline.Chunk, lines[:4], 3), Lines: []string{"y"}},
		hashline.Edit{Op: hashline.SearchReplace, Search: "line 3", Replace: "z", Expect: 1},
		insertAfter(at(t, hashline.Chunk, lines[:4], 1), "w"))
	assert.Equal(t, "line 1\nx\nw\ny\nz\nline 4\n", applied(t, res))
}

func TestEveryFailureIsReportedInTheOrderOfTheEdits(t *testing.T) {
	lines := numbered(100)
	ref := func(n int) *hashline.Ref { return at(t, hashline.Chunk, lines, n) }
	res := resolve(t, joined(lines),
		del(ref(1), ref(90)), del(parsed(t, "5:zz:zzzz"), nil), del(parsed(t, "5"), nil), insertAfter(ref(9), "ok"),
		del(parsed(t, "500:aa:aaaa"), nil), del(ref(7), ref(6)), del(ref(50), nil), del(ref(50), nil),
		hashline.Edit{Op: hashline.SearchReplace, Search: "nowhere", Expect: 1})
	assert.Equal(t, []hashline.Code{hashline.RangeUnverified, hashline.AnchorStale, hashline.BaseRequired, hashline.AnchorOutOfRange, hashline.InvalidInput, hashline.EditsOverlap, hashline.NoMatch}, codes(res))
	var order []int
	for _, f := range res.Failures {
		order = append(order, f.Edit)
		assert.Contains(t, f.Error(), string(f.Code))
	}
	assert.Equal(t, []int{0, 1, 2, 4, 5, 7, 8}, order)
}

// The text is as long as its own view, and the same.
func TestALineThatEndsLikeItsViewHasOnePlace(t *testing.T) {
	odd := strings.Repeat("x", 2000) + "…+6b"
	old := append([]string{odd}, numbered(20)...)
	now := append([]string{"new"}, old...)
	f := resolve(t, joined(now), insertAfter(with(at(t, hashline.Chunk, old, 1), odd), "x")).Failures[0]
	assert.Equal(t, naiveAnchor(hashline.Chunk, now, 2), f.Shifted)
}
