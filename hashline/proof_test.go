package hashline_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func del(anchor, end *hashline.Ref) hashline.Edit {
	return hashline.Edit{Op: hashline.Delete, Anchor: anchor, End: end}
}

func insertAfter(anchor *hashline.Ref, lines ...string) hashline.Edit {
	return hashline.Edit{Op: hashline.InsertAfter, Anchor: anchor, Lines: lines}
}

func TestAnAnchorProvesItsSurroundingsAndNothingElse(t *testing.T) {
	old := numbered(80)
	for _, tt := range []struct {
		scheme     hashline.Scheme
		line       int
		start, end int // the lines it proves, 1-based, inclusive
	}{
		{hashline.Chunk, 22, 17, 32}, {hashline.Chunk, 17, 17, 32}, {hashline.Chunk, 32, 17, 32}, {hashline.Chunk, 80, 65, 80},
		{hashline.Seal, 22, 17, 32}, {hashline.Seal, 1, 1, 16}, {hashline.Seal, 65, 65, 80},
		{hashline.Chain, 22, 1, 22}, {hashline.Chain, 33, 33, 33}, {hashline.Chain, 64, 33, 64}, {hashline.Chain, 80, 65, 80},
		{hashline.Content, 22, 22, 22}, {hashline.Content, 1, 1, 1},
	} {
		ref := at(t, tt.scheme, old, tt.line)
		for changed := 1; changed <= len(old); changed++ {
			now := append([]string{}, old...)
			now[changed-1] = "changed"
			res := resolveWith(t, joined(now), nil, hashline.Options{Content: true}, insertAfter(ref, "new"))
			if tt.start <= changed && changed <= tt.end {
				assert.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res), "%v, line %d changed", tt, changed)
			} else {
				assert.Empty(t, res.Failures, "%v, line %d changed", tt, changed)
			}
		}
	}
}

func TestTheLastChunkIsWhatTheFileLeaves(t *testing.T) {
	old := numbered(21)
	for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal} {
		ref := at(t, scheme, old, 18)
		assert.Empty(t, resolve(t, joined(old), insertAfter(ref, "new")).Failures)
		assert.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(resolve(t, joined(numbered(22)), insertAfter(ref, "new"))), "one line more")
		assert.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(resolve(t, joined(old[:20]), insertAfter(ref, "new"))), "one line less")
	}
	ref := at(t, hashline.Chunk, old, 16)
	assert.Empty(t, resolve(t, joined(numbered(22)), insertAfter(ref, "new")).Failures, "a whole chunk does not see what follows")
}

// TestARangeIsProvedWhole changes every line of many ranges.
func TestARangeIsProvedWhole(t *testing.T) {
	old := numbered(100)
	opt := hashline.Options{Content: true}
	for _, scheme := range schemes {
		for _, r := range [][2]int{{1, 2}, {1, 16}, {1, 17}, {1, 32}, {1, 33}, {16, 17}, {10, 40}, {17, 48}, {17, 49}, {16, 33}, {20, 60}, {33, 64}, {32, 65}, {40, 64}, {5, 100}, {70, 71}, {99, 100}} {
			e := del(at(t, scheme, old, r[0]), at(t, scheme, old, r[1]))
			// What the anchors prove, from the table of DESIGN.
			proved := map[int]bool{}
			for _, n := range r {
				switch scheme {
				case hashline.Chunk, hashline.Seal:
					for i := (n-1)/16*16 + 1; i <= (n-1)/16*16+16; i++ {
						proved[i] = true
					}
				case hashline.Chain:
					for i := (n-1)/32*32 + 1; i <= n; i++ {
						proved[i] = true
					}
				default:
					proved[n] = true
				}
			}
			var unproved []string
			for n := r[0]; n <= r[1]; n++ {
				if !proved[n] {
					unproved = append(unproved, naiveAnchor(scheme, old, n)+"→"+old[n-1])
				}
			}
			res := resolveWith(t, joined(old), nil, opt, e)
			if unproved == nil {
				assert.Empty(t, res.Failures, "%v %v", scheme, r)
				continue
			}
			require.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(res), "%v %v", scheme, r)
			f := res.Failures[0]
			assert.Equal(t, unproved, printed(f.Context), "%v %v", scheme, r)
			assert.True(t, f.Proves)
			assert.Equal(t, "", f.Field)
			assert.Empty(t, resolveWith(t, joined(old), tagOf(joined(old)), hashline.Options{}, e).Failures, "a matching base proves it")
		}
	}
}

func TestOver200UnprovedLinesGetNoTagButTwoWaysOn(t *testing.T) {
	old := numbered(400)
	r := func(last int) *hashline.Resolution {
		return resolve(t, joined(old), del(at(t, hashline.Chunk, old, 1), at(t, hashline.Chunk, old, last)))
	}
	res := r(16 + 200 + 8) // 17-208 are not proved, 209-224 are
	require.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(res))
	assert.True(t, res.Failures[0].Proves)
	assert.Len(t, res.Failures[0].Context, 192)

	chain := resolve(t, joined(old), del(at(t, hashline.Chain, old, 8), at(t, hashline.Chain, old, 225))) // 9-224
	require.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(chain))
	assert.False(t, chain.Failures[0].Proves)

	res = r(225) // 17-224
	require.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(res))
	f := res.Failures[0]
	assert.False(t, f.Proves)
	assert.Empty(t, f.Context)
	assert.Contains(t, f.Message, "read the whole file")
	assert.Contains(t, f.Message, "split the range")
	assert.Contains(t, f.Message, "17-224")

	exactly := resolveWith(t, joined(old), nil, hashline.Options{Content: true}, del(at(t, hashline.Content, old, 1), at(t, hashline.Content, old, 202)))
	assert.True(t, exactly.Failures[0].Proves, "200 lines")
	over := resolveWith(t, joined(old), nil, hashline.Options{Content: true}, del(at(t, hashline.Content, old, 1), at(t, hashline.Content, old, 203)))
	assert.False(t, over.Failures[0].Proves, "201 lines")
}

func TestUnprovedLinesTooLongToShowGiveNoTag(t *testing.T) {
	old := numbered(60)
	old[19] = strings.Repeat("x", 2001)
	res := resolve(t, joined(old), del(at(t, hashline.Chunk, old, 1), at(t, hashline.Chunk, old, 50)))
	require.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(res))
	assert.False(t, res.Failures[0].Proves)
	assert.Contains(t, res.Failures[0].Message, "split the range")
}

// A tag proves everything in the file, so it is not given while the request
// asks for something else that nobody has seen.
func TestNoTagIsGivenThatWouldProveAnotherEditUnseen(t *testing.T) {
	old := numbered(600)
	seen := del(at(t, hashline.Chunk, old, 401), at(t, hashline.Chunk, old, 440)) // 417-432 are shown
	now := append([]string{}, old...)
	now[100] = "changed"
	for name, other := range map[string]hashline.Edit{
		"a range too long to show":    del(at(t, hashline.Chunk, old, 150), at(t, hashline.Chunk, old, 400)),
		"a stale range":               del(at(t, hashline.Chunk, old, 50), at(t, hashline.Chunk, old, 102)),
		"a bare number":               del(parsed(t, "10"), nil),
		"a content anchor":            del(at(t, hashline.Content, old, 10), nil),
		"a bare number in a range":    del(at(t, hashline.Chunk, old, 10), parsed(t, "12")),
		"a reversed range":            del(at(t, hashline.Chunk, old, 350), at(t, hashline.Chunk, old, 250)),
		"a reversed range of numbers": del(parsed(t, "12"), parsed(t, "10")),
	} {
		for _, edits := range [][]hashline.Edit{{seen, other}, {other, seen}} {
			res := resolve(t, joined(now), edits...)
			require.Len(t, res.Failures, 2, name)
			for _, f := range res.Failures {
				assert.False(t, f.Proves, name)
				if f.Code == hashline.RangeUnverified {
					assert.NotContains(t, f.Message, "base shown here", name)
				}
			}
		}
	}
	res := resolve(t, joined(now), seen, del(at(t, hashline.Chunk, old, 501), at(t, hashline.Chunk, old, 540)), del(at(t, hashline.Chunk, old, 99), nil))
	require.Len(t, res.Failures, 3)
	assert.True(t, res.Failures[0].Proves, "both ranges are shown, and the stale line is no range")
	assert.True(t, res.Failures[1].Proves)
}

func TestAMatchingBaseDoesNotExcuseAWrongAnchor(t *testing.T) {
	old := numbered(80)
	src := joined(old)
	for _, wrong := range []string{"22:zz:zzzz", "22.zzzzzz", "22:zz~zzzz", "22:zzz", naiveAnchor(hashline.Chunk, old, 22) + "→other", "22→other"} {
		res := resolveWith(t, src, tagOf(src), hashline.Options{}, insertAfter(parsed(t, wrong), "new"))
		assert.Equal(t, []hashline.Code{hashline.AnchorStale}, codes(res), wrong)
		assert.True(t, res.BaseMatches)
	}
	res := resolveWith(t, src, tagOf(src), hashline.Options{}, insertAfter(parsed(t, "81"), "new"))
	assert.Equal(t, []hashline.Code{hashline.AnchorOutOfRange}, codes(res))
}

func TestABaseThatDoesNotMatchIsNoConditionWhereAnchorsProve(t *testing.T) {
	old := numbered(80)
	for _, scheme := range strong {
		res := resolveWith(t, joined(old), tagOf("other"), hashline.Options{}, insertAfter(at(t, scheme, old, 22), "new"))
		assert.Empty(t, res.Failures)
		assert.True(t, res.BaseChanged)
		assert.False(t, res.BaseMatches)
	}
	res := resolveWith(t, joined(old), tagOf("other"), hashline.Options{}, del(at(t, hashline.Chunk, old, 1), at(t, hashline.Chunk, old, 60)))
	assert.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(res))
	res = resolve(t, joined(old), insertAfter(at(t, hashline.Chunk, old, 22), "new"))
	assert.False(t, res.BaseChanged, "there was none")
	assert.False(t, res.BaseMatches)
}

func TestBareNumbersAndContentAnchorsNeedABase(t *testing.T) {
	src := joined(numbered(40))
	content := naiveAnchor(hashline.Content, numbered(40), 22)
	for _, tt := range []struct {
		anchor  string
		base    *hashline.Tag
		opt     hashline.Options
		want    hashline.Code
		mention string
	}{
		{"22", nil, hashline.Options{}, hashline.BaseRequired, `"22" is a bare line number`},
		{"22", nil, hashline.Options{Content: true}, hashline.BaseRequired, "bare"},
		{"22", tagOf("x"), hashline.Options{}, hashline.FileChanged, "read the file again"},
		{"22→line 22", tagOf("x"), hashline.Options{}, hashline.FileChanged, "read the file again"},
		{"22", tagOf(src), hashline.Options{}, "", ""},
		{"22→line 22", tagOf(src), hashline.Options{}, "", ""},
		{content, nil, hashline.Options{}, hashline.AnchorMalformed, "lacks its chunk"},
		{content, tagOf("x"), hashline.Options{}, hashline.FileChanged, "read the file again"},
		{content, tagOf("x"), hashline.Options{Content: true}, "", ""},
		{content, nil, hashline.Options{Content: true}, "", ""},
		{content, tagOf(src), hashline.Options{}, "", ""},
	} {
		chunk := at(t, hashline.Chunk, numbered(40), 20)
		for field, e := range map[string]hashline.Edit{
			"anchor":     insertAfter(parsed(t, tt.anchor), "new"),
			"end_anchor": {Op: hashline.Delete, Anchor: chunk, End: parsed(t, tt.anchor)},
		} {
			res := resolveWith(t, src, tt.base, tt.opt, e)
			if tt.want == "" {
				assert.Empty(t, res.Failures, tt)
				assert.Equal(t, strings.HasPrefix(tt.anchor, "22→") || tt.anchor == "22", res.Bare)
				continue
			}
			require.Equal(t, []hashline.Code{tt.want}, codes(res), tt)
			assert.Equal(t, field, res.Failures[0].Field)
			assert.Contains(t, res.Failures[0].Message, tt.mention)
			assert.Nil(t, res.Retry)
		}
	}
}
