// Package near finds the name that somebody probably meant.
package near

// Best returns the one of names that is nearest to s by [Distance], the first of
// several equally near; "" if none is near. A name is near if at most a third of
// its bytes are edited, or two of a short name, but not all of them.
func Best(s string, names []string) string {
	best, bestDistance := "", 0
	for _, name := range names {
		d := Distance(s, name)
		if d <= max(2, len(name)/3) && d < max(len(s), len(name)) && (best == "" || d < bestDistance) {
			best, bestDistance = name, d
		}
	}
	return best
}

// Distance returns how many bytes must be inserted, deleted, replaced or swapped
// with their neighbour to make b of a (the optimal string alignment distance).
func Distance(a, b string) int {
	const longest = 256 // names longer than this are near to nothing
	if len(a) > longest || len(b) > longest {
		return longest
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
