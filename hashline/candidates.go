package hashline

import (
	"cmp"
	"math/bits"
	"slices"
)

// places are the lines at which a want fits.
type places struct {
	lines []int    // 0-based, in order
	set   []uint64 // the same, a bit for each line of the text; where asked for
}

// bits returns p as a set of n lines if that is worth it: if one line of 64, the
// bits of a word, or more is in it; else nil.
func (p *places) bits(n int) []uint64 {
	if p.set == nil && len(p.lines) > n/64 {
		p.set = make([]uint64, n/64+1)
		for _, i := range p.lines {
			p.set[i/64] |= 1 << (i % 64)
		}
	}
	return p.set
}

// both returns how many lines there are that are in first and, gap lines further
// down, in last, and those of them that are nearest to at. The text has n lines.
// Texts of equal lines have places by the thousand for every range, so these are
// counted by the word.
func both(first, last *places, gap, at, n int) (count int, near []int) {
	if gap >= n {
		return 0, nil
	}
	firstSet, lastSet := first.bits(n), last.bits(n)
	if firstSet != nil && lastSet != nil {
		return bothSets(firstSet, lastSet, gap, at)
	}
	var list []int
	if len(first.lines) <= len(last.lines) {
		for _, i := range first.lines {
			if last.has(i + gap) {
				list = append(list, i)
			}
		}
	} else {
		for _, i := range last.lines {
			if first.has(i - gap) {
				list = append(list, i-gap)
			}
		}
	}
	return len(list), nearest(list, at)
}

func (p *places) has(i int) bool {
	if p.set != nil {
		return i >= 0 && i/64 < len(p.set) && p.set[i/64]>>(i%64)&1 == 1
	}
	_, found := slices.BinarySearch(p.lines, i)
	return found
}

func bothSets(first, last []uint64, gap, at int) (count int, near []int) {
	words, shift := gap/64, gap%64
	word := func(w int) uint64 {
		if w+words >= len(last) {
			return 0
		}
		moved := last[w+words] >> shift
		if shift > 0 && w+words+1 < len(last) {
			moved |= last[w+words+1] << (64 - shift)
		}
		return first[w] & moved
	}
	for w := range first {
		count += bits.OnesCount64(word(w))
	}
	// Those around at: its word, and words above and below until there are enough.
	var list []int
	add := func(w int) (added int) {
		for rest := word(w); rest != 0; rest &= rest - 1 {
			list = append(list, w*64+bits.TrailingZeros64(rest))
			added++
		}
		return added
	}
	middle := min(at/64, len(first)-1)
	add(middle)
	for w, n := middle-1, 0; w >= 0 && n < mostCandidates; w-- {
		n += add(w)
	}
	for w, n := middle+1, 0; w < len(first) && n < mostCandidates; w++ {
		n += add(w)
	}
	slices.Sort(list)
	return count, nearest(list, at)
}

// nearest returns the mostCandidates of sorted, which is in order, that are
// nearest to at, in order; of two at the same distance the upper one is taken.
func nearest(sorted []int, at int) []int {
	n, _ := slices.BinarySearch(sorted, at)
	list := slices.Clone(sorted[max(n-mostCandidates, 0):min(n+mostCandidates, len(sorted))])
	distance := func(i int) int { return max(i-at, at-i) }
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	list = list[:min(len(list), mostCandidates)]
	slices.Sort(list)
	return list
}
