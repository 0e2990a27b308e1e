package hashline_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// changed returns lines with the lines from ≤ n < to, 1-based, replaced.
func changed(lines []string, from, to int, by ...string) []string {
	return slices.Replace(slices.Clone(lines), from-1, to-1, by...)
}

func TestALineThatMovedIsFound(t *testing.T) {
	old := numbered(60)
	for _, scheme := range schemes {
		for _, by := range []int{1, 2, 5, 16, 32} {
			now := changed(old, 1, 1, numbered(by + 100)[100:]...)
			for _, n := range []int{1, 16, 17, 22, 40, 60} {
				res := resolveWith(t, joined(now), nil, hashline.Options{Content: true}, insertAfter(at(t, scheme, old, n), "new"))
				require.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res), "%v line %d by %d", scheme, n, by)
				f := res.Failures[0]
				want := naiveAnchor(scheme, now, n+by)
				assert.Equal(t, want, f.Shifted)
				assert.Equal(t, "anchor", f.Field)
				assert.Equal(t, naiveAnchor(scheme, old, n), f.Anchor)
				assert.Equal(t, naiveAnchor(scheme, now, n)+"→"+now[n-1], printed([]hashline.Line{*f.Current})[0])
				assert.Contains(t, printed(f.Context), want+"→"+old[n-1], "the context is where the line is now")
				assert.Contains(t, f.Message, want)
				assert.Equal(t, []hashline.Move{{Edit: 0, Field: "anchor", From: naiveAnchor(scheme, old, n), To: want}}, res.Moves)
				require.Len(t, res.Retry, 1)
				assert.Equal(t, with(parsed(t, want), old[n-1]), res.Retry[0].Anchor, "with the text attached")
				assert.Nil(t, res.Spliced, "it is not applied")
			}
		}
	}
}

func TestALineMovesUpToTheFirstLineAndNotBefore(t *testing.T) {
	old := numbered(60)
	now := old[16:] // line 17 is line 1
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal} {
		f := resolve(t, joined(now), insertAfter(at(t, scheme, old, 22), "new")).Failures[0]
		assert.Equal(t, naiveAnchor(scheme, now, 6), f.Shifted)
	}
	now = old[17:] // line 18 is line 1: the chunk lost its first line
	for _, scheme := range strong {
		f := resolve(t, joined(now), insertAfter(at(t, scheme, old, 22), "new")).Failures[0]
		assert.Equal(t, hashline.AnchorStale, f.Code)
		assert.Equal(t, "", f.Shifted, "%v", scheme)
	}
}

func TestTheWindowOfALastChunkIsCutByTheEnd(t *testing.T) {
	old := numbered(21)
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal} {
		for _, now := range [][]string{changed(old, 1, 1, "new"), changed(old, 1, 4), old[16:]} {
			by := len(now) - len(old)
			f := resolve(t, joined(now), insertAfter(at(t, scheme, old, 18), "new")).Failures[0]
			assert.Equal(t, naiveAnchor(scheme, now, 18+by), f.Shifted)
		}
		now := append(changed(old, 1, 1, "new"), "at the end")
		f := resolve(t, joined(now), insertAfter(at(t, scheme, old, 18), "new")).Failures[0]
		assert.Equal(t, "", f.Shifted, "a window of 16 lines now takes in the new line")
	}
	// A whole chunk may move to the end, where as many lines are left.
	moved := append(numbered(40)[32:40], numbered(32)[16:32]...)
	f := resolve(t, joined(moved), insertAfter(at(t, hashline.Chunk, numbered(40), 20), "new")).Failures[0]
	assert.Equal(t, naiveAnchor(hashline.Chunk, moved, 12), f.Shifted)
}

func TestALineWithManyPlacesNamesTheNearestFive(t *testing.T) {
	block := append(numbered(15), "end of block")
	var old []string
	for range 10 {
		old = append(old, block...)
	}
	now := append([]string{"new"}, old...) // copies at 1+16k
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal, hashline.Content} {
		res := resolveWith(t, joined(now), nil, hashline.Options{Content: true}, insertAfter(at(t, scheme, old, 67), "x"))
		require.Equal(t, []hashline.Code{hashline.AnchorAmbiguous}, codes(res))
		f := res.Failures[0]
		assert.Equal(t, 10, f.Count)
		var lines []int
		for _, l := range f.Candidates {
			lines = append(lines, l.Anchor.Line)
			assert.Equal(t, "line 3", string(l.Text))
			assert.Equal(t, naiveAnchor(scheme, now, l.Anchor.Line), hashline.Format{}.Print(l.Anchor))
		}
		assert.Equal(t, []int{36, 52, 68, 84, 100}, lines)
		assert.Equal(t, "", f.Shifted)
		assert.Nil(t, res.Retry)
		assert.Nil(t, res.Moves)
	}
}

func TestOfTwoPlacesAtOneDistanceTheUpperIsNamed(t *testing.T) {
	// "x" is wanted at line 10, and is at 5, 7, 8, 12, 13, 15.
	old := changed(numbered(20), 10, 11, "x")
	now := numbered(20)
	for _, n := range []int{5, 7, 8, 12, 13, 15} {
		now[n-1] = "x"
	}
	f := resolveWith(t, joined(now), nil, hashline.Options{Content: true}, del(at(t, hashline.Content, old, 10), nil)).Failures[0]
	assert.Equal(t, 6, f.Count)
	var lines []int
	for _, l := range f.Candidates {
		lines = append(lines, l.Anchor.Line)
	}
	assert.Equal(t, []int{5, 7, 8, 12, 13}, lines)
}

func TestALineThatChangedIsShownAsItIs(t *testing.T) {
	old := numbered(60)
	for _, scheme := range schemes {
		now := changed(old, 22, 23, "other")
		f := resolveWith(t, joined(now), nil, hashline.Options{Content: true}, insertAfter(at(t, scheme, old, 22), "x")).Failures[0]
		assert.Equal(t, hashline.AnchorStale, f.Code)
		assert.Equal(t, "other", string(f.Current.Text))
		var want []string
		for n := 19; n <= 25; n++ {
			want = append(want, naiveAnchor(scheme, now, n)+"→"+now[n-1])
		}
		assert.Equal(t, want, printed(f.Context))
		assert.Contains(t, f.Message, "line 22 is not what it was")
	}
	now := changed(old, 20, 21, "other")
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Chain} {
		f := resolve(t, joined(now), insertAfter(at(t, scheme, old, 22), "x")).Failures[0]
		assert.Contains(t, f.Message, "line 22 may be the same, but lines around it changed")
	}
}

func TestALinePastTheEndIsOutOfRangeUnlessItMoved(t *testing.T) {
	old := numbered(60)
	for _, scheme := range schemes {
		opt := hashline.Options{Content: true}
		f := resolveWith(t, joined(old[:40]), nil, opt, insertAfter(at(t, scheme, old, 50), "x")).Failures[0]
		assert.Equal(t, hashline.AnchorOutOfRange, f.Code)
		assert.Nil(t, f.Current)
		assert.Contains(t, f.Message, "40 lines")
		assert.Equal(t, 40, f.Context[len(f.Context)-1].Anchor.Line)
		f = resolveWith(t, "", nil, opt, insertAfter(at(t, scheme, old, 1), "x")).Failures[0]
		assert.Equal(t, hashline.AnchorOutOfRange, f.Code)
		assert.Empty(t, f.Context)
		now := old[20:]
		f = resolveWith(t, joined(now), nil, opt, insertAfter(at(t, scheme, old, 57), "x")).Failures[0]
		assert.Equal(t, hashline.AnchorStale, f.Code)
		if scheme != hashline.Chunk && scheme != hashline.Seal {
			assert.Equal(t, naiveAnchor(scheme, now, 37), f.Shifted, "%v", scheme)
		}
	}
}

func TestAnchorsOfOneRangeMoveTogether(t *testing.T) {
	old := numbered(60)
	for _, scheme := range strong {
		now := changed(old, 1, 1, "new")
		res := resolve(t, joined(now), del(at(t, scheme, old, 20), at(t, scheme, old, 25)))
		require.Equal(t, []hashline.Code{hashline.AnchorStale, hashline.AnchorStale}, codes(res))
		assert.Equal(t, naiveAnchor(scheme, now, 21), res.Failures[0].Shifted)
		assert.Equal(t, naiveAnchor(scheme, now, 26), res.Failures[1].Shifted)
		assert.Equal(t, "end_anchor", res.Failures[1].Field)
		require.Len(t, res.Moves, 2)
		assert.Equal(t, "end_anchor", res.Moves[1].Field)
		assert.NotNil(t, res.Retry)
		// A line inside: the ends have no places that far apart.
		now = changed(old, 22, 22, "new")
		res = resolve(t, joined(now), del(at(t, scheme, old, 17), at(t, scheme, old, 25)))
		require.NotEmpty(t, res.Failures)
		for _, f := range res.Failures {
			assert.Equal(t, "", f.Shifted, "%v", scheme)
		}
		assert.Nil(t, res.Retry)
	}
}

// A copy of the first line's chunk stands in its old place, so that it fits
// there; the last line shows where the range went.
func TestAnEndThatStillFitsMovesWithTheOther(t *testing.T) {
	block := numbered(16)
	old := slices.Concat(block, numbered(132)[100:132])
	now := slices.Concat(block, old) // the same block once more on top
	res := resolve(t, joined(now), del(at(t, hashline.Chunk, old, 10), at(t, hashline.Chunk, old, 20)))
	require.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res), "the first anchor fits in place")
	assert.Equal(t, "end_anchor", res.Failures[0].Field)
	assert.Equal(t, naiveAnchor(hashline.Chunk, now, 36), res.Failures[0].Shifted)
	require.Len(t, res.Moves, 2)
	assert.Equal(t, naiveAnchor(hashline.Chunk, now, 26), res.Moves[0].To)
	require.NotNil(t, res.Retry)
	got := applied(t, resolve(t, joined(now), res.Retry...))
	assert.Equal(t, joined(changed(now, 26, 37)), got)
}

func TestAttachedTextMustFitAtTheNewPlaceToo(t *testing.T) {
	// Two lines whose letters are equal but not their texts, by search.
	a, b := collision(t)
	old := []string{a, "tail"}
	now := []string{"new", b, "x", a, "tail"}
	ref := at(t, hashline.Content, old, 1)
	opt := hashline.Options{Content: true}
	f := resolveWith(t, joined(now), nil, opt, del(ref, nil)).Failures[0]
	assert.Equal(t, hashline.AnchorAmbiguous, f.Code)
	assert.Equal(t, 2, f.Count)
	f = resolveWith(t, joined(now), nil, opt, del(with(ref, a), nil)).Failures[0]
	assert.Equal(t, naiveAnchor(hashline.Content, now, 4), f.Shifted)
	f = resolveWith(t, joined(now), nil, opt, del(with(ref, "other"), nil)).Failures[0]
	assert.Equal(t, "", f.Shifted)
	f = resolveWith(t, joined([]string{b}), nil, opt, del(with(ref, a), nil)).Failures[0]
	assert.Contains(t, f.Message, "text attached", "its letters fit where it is")
}

// collision returns two lines with the same three letters.
func collision(t *testing.T) (a, b string) {
	seen := map[string]string{}
	for i := range 100_000 {
		line := "line " + strconv.Itoa(i)
		code := strings.TrimPrefix(naiveAnchor(hashline.Content, []string{line}, 1), "1:")
		if other, ok := seen[code]; ok {
			return other, line
		}
		seen[code] = line
	}
	t.Fatal("no two lines of 100,000 have one code of 17,576")
	return
}

func TestARangeWithManyPlacesNamesTheNearestFive(t *testing.T) {
	var old []string
	for range 40 {
		old = append(old, numbered(16)...)
	}
	now := append([]string{"new"}, old...)
	res := resolve(t, joined(now), del(at(t, hashline.Chunk, old, 323), at(t, hashline.Chunk, old, 325)))
	require.Len(t, res.Failures, 2)
	for i, behind := range []int{0, 2} {
		f := res.Failures[i]
		assert.Equal(t, 40, f.Count)
		assert.Equal(t, []int{292 + behind, 308 + behind, 324 + behind, 340 + behind, 356 + behind}, linesOf(f.Candidates))
	}
	res = resolve(t, joined(now), del(parsed(t, "16"+naiveAnchor(hashline.Chunk, old, 323)), parsed(t, "16"+naiveAnchor(hashline.Chunk, old, 325))))
	assert.Equal(t, 40, res.Failures[0].Count)
	assert.Equal(t, []int{564, 580, 596, 612, 628}, linesOf(res.Failures[0].Candidates), "past the end, the last five")
}

// The last line of the old text was all of its chunk: a closing brace. The text
// goes on behind it now, and ends in another brace, which is not it.
func TestAWindowOfFewerThanFourLinesIsNotFollowed(t *testing.T) {
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal} {
		for last := 1; last <= 5; last++ {
			old := append(numbered(16+last-1), "}")
			now := append(slices.Clone(old), "", "func b() {")
			now = append(now, old[16:]...)
			res := resolve(t, joined(now), del(at(t, scheme, old, 16+last), nil))
			require.Len(t, res.Failures, 1)
			if last < 4 {
				require.Empty(t, res.Failures[0].Shifted, "%d lines", last)
				require.Nil(t, res.Retry)
			} else {
				require.NotEmpty(t, res.Failures[0].Shifted, "%d lines", last)
			}
		}
	}
}
