package main

// A hunk says that the lines s0 ≤ i < s1 of the older version became the lines
// r0 ≤ i < r1 of the newer one.
type hunk struct{ s0, s1, r0, r1 int }

// hunksOf returns in what two versions differ, from the top. Lines are common if
// they stand once in each, in the same order, and so are those beside them.
func hunksOf(a, b []string) []hunk { return appendHunks(nil, a, b, 0, 0) }

func appendHunks(list []hunk, a, b []string, s0, r0 int) []hunk {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, s0, r0 = a[1:], b[1:], s0+1, r0+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 && len(b) == 0 {
		return list
	}
	common := uniqueCommon(a, b)
	if len(common) == 0 {
		return append(list, hunk{s0, s0 + len(a), r0, r0 + len(b)})
	}
	ps, pr := 0, 0
	for _, c := range append(common, [2]int{len(a), len(b)}) {
		list = appendHunks(list, a[ps:c[0]], b[pr:c[1]], s0+ps, r0+pr)
		ps, pr = min(c[0]+1, len(a)), min(c[1]+1, len(b))
	}
	return list
}

// uniqueCommon returns a longest run of lines that stand once in a and once in b,
// in the order of both.
func uniqueCommon(a, b []string) [][2]int {
	counts := map[string][2]int{}
	at := map[string]int{}
	for _, s := range a {
		c := counts[s]
		c[0]++
		counts[s] = c
	}
	for j, s := range b {
		c := counts[s]
		c[1]++
		counts[s] = c
		at[s] = j
	}
	var pairs [][2]int
	for i, s := range a {
		if counts[s] == [2]int{1, 1} {
			pairs = append(pairs, [2]int{i, at[s]})
		}
	}
	// best[i] is the longest run that ends in pairs[i]: quadratic, and plain.
	best, before, last := make([]int, len(pairs)), make([]int, len(pairs)), -1
	for i := range pairs {
		best[i], before[i] = 1, -1
		for k := range i {
			if pairs[k][1] < pairs[i][1] && best[k]+1 > best[i] {
				best[i], before[i] = best[k]+1, k
			}
		}
		if last < 0 || best[i] > best[last] {
			last = i
		}
	}
	var run [][2]int
	for ; last >= 0; last = before[last] {
		run = append([][2]int{pairs[last]}, run...)
	}
	return run
}
