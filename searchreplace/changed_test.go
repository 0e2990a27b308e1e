package searchreplace

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The deltas, applied to the search, give the replacement; what is in no delta is
// the same on both sides.
func TestChangedLinesLeadFromOneToTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{2, 5, 1000}).Draw(t, "alphabet")
		size := rapid.SampledFrom([]int{6, 400}).Draw(t, "size")
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strconv.Itoa(rapid.IntRange(0, most).Draw(t, "line"))
		}), 0, size)
		s, r := lines.Draw(t, "s"), lines.Draw(t, "r")
		var got []string
		at, rAt := 0, 0
		deltas := changedLines(s, r)
		for _, h := range deltas {
			require.True(t, at <= h.s0 && h.s0 <= h.s1 && h.r0 <= h.r1 && (h.s0 < h.s1 || h.r0 < h.r1))
			require.Equal(t, h.s0-at, h.r0-rAt)
			got = append(append(got, s[at:h.s0]...), r[h.r0:h.r1]...)
			at, rAt = h.s1, h.r1
		}
		got = append(got, s[at:]...)
		require.True(t, slices.Equal(got, r))
		require.Equal(t, slices.Equal(s, r), len(deltas) == 0)
		if size == 6 {
			kept := len(s)
			for _, h := range deltas {
				kept -= h.s1 - h.s0
			}
			require.Equal(t, longestCommon(s, r), kept)
		}
	})
}

func longestCommon(s, r []string) int {
	switch {
	case len(s) == 0 || len(r) == 0:
		return 0
	case s[0] == r[0]:
		return 1 + longestCommon(s[1:], r[1:])
	}
	return max(longestCommon(s[1:], r), longestCommon(s, r[1:]))
}
