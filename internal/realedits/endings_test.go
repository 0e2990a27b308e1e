//go:build fire

package realedits

import (
	"cmp"
	"slices"
)

// linewise returns the lines after edits, with the endings that DESIGN section 3
// gives them. It shares no code with package text, and no answer is measured by
// it: it only tells which pairs edits of lines can express.
func linewise(old []line, edits []edit) []line {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	n := len(old)
	var out []line
	at, open := 0, false // open: what was written last is or follows the end of old
	for _, e := range sorted {
		out = append(out, old[at:e.start]...)
		for k, s := range e.lines {
			ending := nearestEnding(old, e.end)
			if i := e.start + k; i < e.end && old[i].ending != "" {
				ending = old[i].ending
			}
			out = append(out, line{s, ending})
		}
		at, open = e.end, e.end == n && len(e.lines) > 0
	}
	out = append(out, old[at:]...)
	if n == 0 || old[n-1].ending != "" {
		return out
	}
	for i := range out {
		switch last := i == len(out)-1; {
		case !last && out[i].ending == "":
			out[i].ending = nearestEnding(old, n)
		case last && open && out[i].text != "":
			out[i].ending = ""
		}
	}
	return out
}

// nearestEnding returns the ending of a new line that takes no old one's place,
// in a range up to end: of the last terminated line above, else of the one below.
func nearestEnding(old []line, end int) string {
	for i := end - 1; i >= 0; i-- {
		if old[i].ending != "" {
			return old[i].ending
		}
	}
	if end < len(old) && old[end].ending != "" {
		return old[end].ending
	}
	return "\n"
}
