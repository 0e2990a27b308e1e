package hashline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestARetryIsTheWholeRequestOnNewAnchors(t *testing.T) {
	old := numbered(80)
	now := changed(old, 33, 33, "new") // 1-32 stay
	ref := func(n int) *hashline.Ref { return at(t, hashline.Chunk, old, n) }
	edits := []hashline.Edit{
		{Op: hashline.Replace, Anchor: ref(40), End: ref(42), Lines: []string{"x"}, Whole: true},
		insertAfter(ref(5), "y"),
		{Op: hashline.SearchReplace, Anchor: ref(50), Search: "line", Replace: "z", Expect: 1},
		insertAfter(parsed(t, "EOF"), "end"),
		{Op: hashline.SearchReplace, Search: "line 7\n", Replace: "seven\n", Expect: 1},
	}
	res := resolveWith(t, joined(now), tagOf("other"), hashline.Options{}, edits...)
	require.Len(t, res.Failures, 3)
	require.Len(t, res.Retry, len(edits))
	nowRef := func(n int) *hashline.Ref { return with(at(t, hashline.Chunk, now, n), now[n-1]) }
	want := slices.Clone(edits)
	want[0].Anchor, want[0].End = nowRef(41), nowRef(43)
	want[1].Anchor = nowRef(5)
	want[2].Anchor = nowRef(51)
	assert.Equal(t, want, res.Retry)
	assert.Equal(t, ref(40), edits[0].Anchor, "the request is left alone")
	got := strings.Split(applied(t, resolve(t, joined(now), res.Retry...)), "\n")
	assert.Equal(t, []string{"line 5", "y", "line 6", "seven", "line 8"}, got[4:9])
	assert.Equal(t, []string{"line 39", "x", "line 43"}, got[40:43])
	assert.Contains(t, got, "z 50")
}

// Each of these requests has a stale anchor whose line is in one place.
func TestARetryIsNotOfferedWhereTheMeaningIsInDoubt(t *testing.T) {
	old := numbered(120)
	now := changed(old, 1, 1, "new")
	ref := func(n int) *hashline.Ref { return at(t, hashline.Chunk, old, n) }
	nowRef := func(n int) *hashline.Ref { return at(t, hashline.Chunk, now, n) }
	long := changed(now, 31, 32, strings.Repeat("x", 2001))
	longOld := long[1:]
	moved := insertAfter(ref(20), "x")
	for _, tt := range []struct {
		name  string
		now   []string
		base  *hashline.Tag
		edits []hashline.Edit
	}{
		{"a stale range needed a base", now, nil, []hashline.Edit{del(ref(10), ref(40))}},
		{"another range needs one", now, nil, []hashline.Edit{moved, del(nowRef(50), nowRef(90))}},
		{"another range had one", now, tagOf(joined(now)), []hashline.Edit{moved, del(nowRef(50), nowRef(90))}},
		{"another anchor is nowhere", now, nil, []hashline.Edit{moved, insertAfter(parsed(t, "50:zz:zzzz"), "x")}},
		{"another anchor is past the end", now, nil, []hashline.Edit{moved, insertAfter(parsed(t, "500:zz:zzzz"), "x")}},
		{"a bare number has no base", now, nil, []hashline.Edit{moved, insertAfter(parsed(t, "50"), "x")}},
		{"a bare number has another base", now, tagOf("other"), []hashline.Edit{moved, insertAfter(parsed(t, "50"), "x")}},
		{"a content anchor stands alone", now, nil, []hashline.Edit{moved, insertAfter(at(t, hashline.Content, now, 50), "x")}},
		{"the moved line overlaps an edit in place", now, nil, []hashline.Edit{del(ref(20), nil), del(nowRef(21), nil)}},
		{"the moved line is deleted around an insert", now, nil, []hashline.Edit{del(ref(20), ref(21)), insertAfter(nowRef(21), "x")}},
		{"two moved ranges overlap", now, nil, []hashline.Edit{del(ref(20), ref(22)), del(ref(22), nil)}},
		{"the moved line is cut", long, nil, []hashline.Edit{del(at(t, hashline.Chunk, longOld, 30), nil)}},
		{"a search finds nothing at the new place", now, nil, []hashline.Edit{{Op: hashline.SearchReplace, Anchor: ref(20), Search: "nothing"}}},
		{"a search in the file finds nothing", now, nil, []hashline.Edit{moved, {Op: hashline.SearchReplace, Search: "nothing", Expect: 1}}},
		{"an edit is malformed", now, nil, []hashline.Edit{moved, {Op: hashline.Delete}}},
		{"a line cannot be written", now, nil, []hashline.Edit{moved, insertAfter(nowRef(50), "a\rb\r")}},
		{"a range is reversed", now, nil, []hashline.Edit{moved, del(nowRef(50), nowRef(49))}},
	} {
		for _, relocate := range []bool{false, true} {
			res := resolveWith(t, joined(tt.now), tt.base, hashline.Options{Relocate: relocate}, tt.edits...)
			assert.NotEmpty(t, res.Failures, tt.name)
			assert.Nil(t, res.Retry, tt.name)
			assert.Nil(t, res.Moves, tt.name)
			assert.Nil(t, res.Spliced, tt.name)
		}
	}
}

// Sixteen lines are one chunk, or two of which the anchors prove one each: 1-16
// moves to 9-24, where anchors of 9 and 24 prove both chunks. But 1-48, proved
// by nothing less than three chunks, is not a range that two anchors prove.
func TestARangeThatTheNewGridLeavesUnprovedIsNotRetried(t *testing.T) {
	old := numbered(80)
	for by := 1; by <= 15; by++ {
		now := changed(old, 1, 1, numbered(100 + by)[100:]...)
		for _, r := range [][2]int{{1, 32}, {5, 30}, {16, 17}, {1, 16}, {17, 48}} {
			res := resolve(t, joined(now), del(at(t, hashline.Chunk, old, r[0]), at(t, hashline.Chunk, old, r[1])))
			require.Len(t, res.Failures, 2)
			first, last := (r[0]+by-1)/16, (r[1]+by-1)/16
			if last-first <= 1 {
				require.NotNil(t, res.Retry, "%v by %d", r, by)
				assert.Equal(t, joined(changed(now, r[0]+by, r[1]+by+1)), applied(t, resolve(t, joined(now), res.Retry...)))
			} else {
				assert.Nil(t, res.Retry, "%v by %d", r, by)
			}
			assert.NotEmpty(t, res.Failures[0].Shifted, "the anchors themselves are found")
		}
	}
}

// Two lines of the old text cannot both be the one line that is left.
func TestTwoLinesThatWouldBecomeOneAreNotRetried(t *testing.T) {
	block := numbered(16)
	old := slices.Concat(block, block, numbered(40)[20:])
	now := slices.Concat([]string{"new"}, block, numbered(40)[20:]) // one copy is left
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal} {
		for _, relocate := range []bool{false, true} {
			res := resolveWith(t, joined(now), nil, hashline.Options{Relocate: relocate},
				insertAfter(at(t, scheme, old, 5), "a"), insertAfter(at(t, scheme, old, 21), "b"))
			require.Len(t, res.Failures, 2)
			assert.Nil(t, res.Retry)
		}
		one := resolve(t, joined(now), insertAfter(at(t, scheme, old, 5), "a"), insertAfter(at(t, scheme, old, 5), "b"))
		assert.NotNil(t, one.Retry, "one line named twice is one line")
	}
	// One of them fits in place, and the other would come to it.
	now = slices.Concat(block, numbered(40)[20:])
	res := resolve(t, joined(now), insertAfter(at(t, hashline.Chunk, old, 5), "a"), insertAfter(at(t, hashline.Chunk, old, 21), "b"))
	require.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res))
	assert.Nil(t, res.Retry)
}

func TestRelocateFollowsTheLinesAndSaysSo(t *testing.T) {
	old := numbered(80)
	now := changed(old, 1, 1, "new")
	for _, scheme := range strong {
		res := resolveWith(t, joined(now), tagOf("other"), hashline.Options{Relocate: true},
			hashline.Edit{Op: hashline.Replace, Anchor: at(t, scheme, old, 20), End: at(t, scheme, old, 22), Lines: []string{"x"}})
		assert.Equal(t, joined(changed(now, 21, 24, "x")), applied(t, res))
		assert.Nil(t, res.Retry)
		assert.True(t, res.BaseChanged)
		require.Len(t, res.Moves, 2)
		assert.Equal(t, hashline.Move{Edit: 0, Field: "end_anchor", From: naiveAnchor(scheme, old, 22), To: naiveAnchor(scheme, now, 23)}, res.Moves[1])
		assert.Equal(t, []hashline.Resolved{{Start: 20, End: 23, Splices: res.Edits[0].Splices}}, res.Edits)
	}
	res := resolveWith(t, joined(now), nil, hashline.Options{Relocate: true}, insertAfter(at(t, hashline.Chunk, now, 5), "x"))
	assert.Nil(t, res.Moves, "nothing had moved")
	res = resolveWith(t, joined(now), nil, hashline.Options{Relocate: true}, insertAfter(parsed(t, "5:zz:zzzz"), "x"))
	assert.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res))
}

func TestARetryCarriesTextThatIsCutOrNoUTF8(t *testing.T) {
	old := numbered(20)
	old[4] = strings.Repeat("é", 1500)
	old[5] = "bad \xff"
	now := changed(old, 1, 1, "new")
	res := resolve(t, joined(now), insertAfter(at(t, hashline.Chunk, old, 5), "x"), insertAfter(at(t, hashline.Chunk, old, 6), "y"))
	require.Len(t, res.Retry, 2)
	assert.Equal(t, strings.Repeat("é", 1000)+"…+1000b", res.Retry[0].Anchor.Text)
	assert.Equal(t, "bad \ufffd", res.Retry[1].Anchor.Text)
	assert.Empty(t, resolve(t, joined(now), res.Retry...).Failures)
}

func TestARetryKeepsABaseThatMatches(t *testing.T) {
	lines := numbered(60)
	old := append([]string{"gone"}, lines...)
	moved := insertAfter(at(t, hashline.Chain, old, 20), "x")
	src := joined(append([]string{"new", "gone"}, lines...))
	res := resolveWith(t, src, tagOf(src), hashline.Options{}, moved, del(parsed(t, "50"), nil))
	require.NotNil(t, res.Retry, "the bare number is proved by the base")
	assert.Empty(t, resolveWith(t, src, tagOf(src), hashline.Options{}, res.Retry...).Failures)
}
