package searchreplace

import "slices"

// A delta says that lines s0 ≤ i < s1 of a search become lines r0 ≤ i < r1 of its
// replacement. Lines in no delta are shared: they are context, in which the file
// keeps its bytes.
type delta struct{ s0, s1, r0, r1 int }

// mostDistance bounds the work of comparing search and replacement: beyond so many
// lines added and deleted, lines that both have once are looked for instead.
const mostDistance = 128

// changedLines returns where s and r differ, from the top.
func changedLines(s, r []string) []delta {
	return appendChanged(nil, s, r, 0, 0)
}

// appendChanged appends the deltas of s and r, which begin at lines s0 and r0.
func appendChanged(deltas []delta, s, r []string, s0, r0 int) []delta {
	for len(s) > 0 && len(r) > 0 && s[0] == r[0] {
		s, r, s0, r0 = s[1:], r[1:], s0+1, r0+1
	}
	for len(s) > 0 && len(r) > 0 && s[len(s)-1] == r[len(r)-1] {
		s, r = s[:len(s)-1], r[:len(r)-1]
	}
	switch {
	case len(s) == 0 && len(r) == 0:
		return deltas
	case len(s) == 0 || len(r) == 0:
		return append(deltas, delta{s0, s0 + len(s), r0, r0 + len(r)})
	}
	if found, ok := shortestEdit(s, r); ok {
		for _, h := range found {
			deltas = append(deltas, delta{s0 + h.s0, s0 + h.s1, r0 + h.r0, r0 + h.r1})
		}
		return deltas
	}
	anchors := uniqueInBoth(s, r)
	if len(anchors) == 0 {
		return append(deltas, delta{s0, s0 + len(s), r0, r0 + len(r)})
	}
	ps, pr := 0, 0
	for _, a := range append(anchors, [2]int{len(s), len(r)}) {
		deltas = appendChanged(deltas, s[ps:a[0]], r[pr:a[1]], s0+ps, r0+pr)
		ps, pr = a[0]+1, a[1]+1
	}
	return deltas
}

// shortestEdit is Myers's greedy algorithm; ok is false if s and r are further
// apart than mostDistance.
func shortestEdit(s, r []string) (deltas []delta, ok bool) {
	n, m := len(s), len(r)
	most := min(mostDistance, n+m)
	reach := make([]int, 2*most+2) // reach[k+most] = the furthest line of s on diagonal k
	var trace [][]int
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(reach[most-d:most+d+1]))
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && reach[k-1+most] < reach[k+1+most] {
				x = reach[k+1+most]
			} else {
				x = reach[k-1+most] + 1
			}
			for x < n && x-k < m && s[x] == r[x-k] {
				x++
			}
			reach[k+most] = x
			if x >= n && x-k >= m {
				return walkBack(trace, n, m), true
			}
		}
	}
	return nil, false
}

// walkBack returns the deltas of the path that trace found: trace[d] holds what
// was reached before step d, on diagonals -d to d.
func walkBack(trace [][]int, n, m int) []delta {
	var deltas []delta
	x, y := n, m
	for d := len(trace) - 1; d > 0; d-- {
		at := func(k int) int { return trace[d][k+d] }
		k := x - y
		down := k == -d || k != d && at(k-1) < at(k+1)
		h := delta{}
		if down {
			px := at(k + 1)
			py := px - (k + 1)
			h = delta{px, px, py, py + 1}
		} else {
			px := at(k - 1)
			py := px - (k - 1)
			h = delta{px, px + 1, py, py}
		}
		x, y = h.s0, h.r0
		if last := len(deltas) - 1; last >= 0 && deltas[last].s0 == h.s1 && deltas[last].r0 == h.r1 {
			deltas[last].s0, deltas[last].r0 = h.s0, h.r0
			continue
		}
		deltas = append(deltas, h)
	}
	slices.Reverse(deltas)
	return deltas
}

// uniqueInBoth returns the longest run of lines, as pairs of indexes that ascend,
// that stand once in s and once in r.
func uniqueInBoth(s, r []string) [][2]int {
	type seen struct{ s, r, ns, nr int }
	lines := make(map[string]*seen, len(s))
	for i, l := range s {
		if lines[l] == nil {
			lines[l] = &seen{}
		}
		lines[l].s, lines[l].ns = i, lines[l].ns+1
	}
	for i, l := range r {
		if e := lines[l]; e != nil {
			e.r, e.nr = i, e.nr+1
		}
	}
	var pairs [][2]int
	for i, l := range s {
		if e := lines[l]; e.ns == 1 && e.nr == 1 {
			pairs = append(pairs, [2]int{i, e.r})
		}
	}
	return ascending(pairs)
}

// ascending returns a longest subsequence of pairs whose second parts ascend.
func ascending(pairs [][2]int) [][2]int {
	var tails []int // tails[n] = the pair that ends the best run of n+1
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(tails, p[1], func(t, r int) int { return pairs[t][1] - r })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	run := make([][2]int, len(tails))
	for n, i := len(tails)-1, tails[len(tails)-1]; n >= 0; n, i = n-1, before[i] {
		run[n] = pairs[i]
	}
	return run
}
