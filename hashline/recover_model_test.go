package hashline_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawLines draws lines over an alphabet so small that many are equal.
func drawLines(t *rapid.T, label string, most int) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "}"}), 0, most).Draw(t, label)
}

// drawOld draws the old text: random lines, or some of them again and again.
func drawOld(t *rapid.T) []string {
	old := drawLines(t, "old", 60)
	if rapid.Bool().Draw(t, "repeated") && len(old) > 0 {
		period := old[:1+rapid.IntRange(0, min(20, len(old)-1)).Draw(t, "period")]
		for len(old) < 90 {
			old = append(old, period...)
		}
	}
	if len(old) == 0 {
		old = []string{"a"}
	}
	return old
}

// A hunk replaces the lines start ≤ i < end, 0-based, by some others.
type hunk struct {
	start, end int
	lines      []string
}

// drawChange draws what becomes of old: hunks from the top to the bottom.
func drawChange(t *rapid.T, old []string) []hunk {
	var hunks []hunk
	at := 0
	for range rapid.IntRange(1, 3).Draw(t, "hunks") {
		start := at + rapid.IntRange(0, max(len(old)-at, 0)).Draw(t, "start")
		end := min(start+rapid.IntRange(0, 4).Draw(t, "lines"), len(old))
		hunks = append(hunks, hunk{start, end, drawLines(t, "new", 5)})
		if at = end + 1; at > len(old) {
			break
		}
	}
	return hunks
}

func changeBy(old []string, hunks []hunk) []string {
	now := slices.Clone(old)
	for _, h := range slices.Backward(hunks) {
		now = slices.Replace(now, h.start, h.end, h.lines...)
	}
	return now
}

func TestPlacesAreThoseOfTheDefinition(t *testing.T) {
	opt := hashline.Options{Content: true}
	rapid.Check(t, func(t *rapid.T) {
		old := drawOld(t)
		now := changeBy(old, drawChange(t, old))
		var edits []hashline.Edit
		for range 8 {
			scheme := rapid.SampledFrom(schemes).Draw(t, "scheme")
			n := rapid.IntRange(1, len(old)).Draw(t, "line")
			e := insertAfter(at(t, scheme, old, n), "x")
			if rapid.Bool().Draw(t, "range") {
				last := rapid.IntRange(n, min(len(old), n+20)).Draw(t, "last")
				e = del(at(t, scheme, old, n), at(t, rapid.SampledFrom(schemes).Draw(t, "scheme"), old, last))
			}
			for _, ref := range []*hashline.Ref{e.Anchor, e.End} {
				if ref != nil && rapid.IntRange(0, 3).Draw(t, "attach") == 0 {
					ref.Text, ref.HasText = old[ref.Anchor.Line-1], true
					if rapid.Bool().Draw(t, "other") {
						ref.Text = "a"
					}
				}
			}
			edits = append(edits, e)
		}
		res := resolveWith(t, joined(now), nil, opt, edits...)
		for i, e := range edits {
			checkPlaces(t, old, now, res, i, e)
		}
	})
}

// checkPlaces compares what is said of edit i with a search over all lines.
func checkPlaces(t *rapid.T, old, now []string, res *hashline.Resolution, i int, e hashline.Edit) {
	placesOf := func(ref *hashline.Ref) []int {
		places := naivePlaces(ref.Anchor.Scheme, old, ref.Anchor.Line, now)
		return slices.DeleteFunc(places, func(n int) bool { return ref.HasText && now[n-1] != ref.Text })
	}
	places := placesOf(e.Anchor)
	if e.End != nil {
		lasts := placesOf(e.End)
		gap := e.End.Anchor.Line - e.Anchor.Anchor.Line
		places = slices.DeleteFunc(places, func(n int) bool { return !slices.Contains(lasts, n+gap) })
	}
	// A place alone in the last three lines of a chunk is not followed, but from the
	// first chunk.
	n, scheme := e.Anchor.Anchor.Line, e.Anchor.Anchor.Scheme
	if len(places) == 1 && n > 16 && (scheme == hashline.Chunk || scheme == hashline.Seal) && len(now)-(places[0]-1-(n-1)%16) < 4 {
		places = nil
	}
	fits := func(ref *hashline.Ref) bool {
		n := ref.Anchor.Line
		return n <= len(now) && naiveAnchor(ref.Anchor.Scheme, now, n) == hashline.Format{}.Print(ref.Anchor) && (!ref.HasText || now[n-1] == ref.Text)
	}
	for field, ref := range map[string]*hashline.Ref{"anchor": e.Anchor, "end_anchor": e.End} {
		if ref == nil {
			continue
		}
		n := slices.IndexFunc(res.Failures, func(f *hashline.Failure) bool {
			return f.Edit == i && f.Field == field && strings.HasPrefix(string(f.Code), "anchor_")
		})
		require.Equal(t, fits(ref), n < 0)
		if n < 0 {
			continue
		}
		f := res.Failures[n]
		behind := ref.Anchor.Line - e.Anchor.Anchor.Line
		switch {
		case len(places) == 1:
			require.Equal(t, hashline.AnchorStale, f.Code)
			require.Equal(t, naiveAnchor(ref.Anchor.Scheme, now, places[0]+behind), f.Shifted)
		case len(places) > 1:
			require.Equal(t, hashline.AnchorAmbiguous, f.Code)
			require.Equal(t, len(places), f.Count)
			require.Equal(t, naiveNearest(places, e.Anchor.Anchor.Line, behind), linesOf(f.Candidates))
		case ref.Anchor.Line > len(now):
			require.Equal(t, hashline.AnchorOutOfRange, f.Code)
		default:
			require.Equal(t, hashline.AnchorStale, f.Code)
			require.Equal(t, "", f.Shifted)
		}
	}
}

// naiveNearest returns the five of places nearest to n, of two at one distance
// the upper, in order and moved by behind.
func naiveNearest(places []int, n, behind int) []int {
	var near []int
	for distance := 0; len(near) < min(5, len(places)); distance++ {
		for _, at := range []int{n - distance, n + distance} {
			if slices.Contains(places, at) && !slices.Contains(near, at+behind) && len(near) < 5 {
				near = append(near, at+behind)
			}
		}
	}
	slices.Sort(near)
	return near
}

func linesOf(lines []hashline.Line) []int {
	var list []int
	for _, l := range lines {
		list = append(list, l.Anchor.Line)
	}
	return list
}

// TestARetryIsWhatWasMeant edits a text that then changed. Where the request is
// offered again, it gives the edited text with the change made.
func TestARetryIsWhatWasMeant(t *testing.T) {
	compared := 0
	check := func(t *rapid.T) {
		// Lines that differ, so that no line is another's twin, and some that do not.
		old := numbered(rapid.IntRange(1, 120).Draw(t, "lines"))
		for i := range old {
			if rapid.IntRange(0, 3).Draw(t, "equal") == 0 {
				old[i] = "}"
			}
		}
		// The change: some lines go, and others come, in one or two places.
		var hunks []hunk
		at1 := rapid.IntRange(0, len(old)).Draw(t, "at")
		for _, start := range []int{at1, at1 + rapid.IntRange(40, 80).Draw(t, "apart")} {
			if start <= len(old) {
				fresh := numbered(1000 + rapid.IntRange(0, 20).Draw(t, "new"))[1000:]
				hunks = append(hunks, hunk{start, min(start+rapid.IntRange(0, 3).Draw(t, "gone"), len(old)), fresh})
			}
		}
		now := changeBy(old, hunks)
		// The edits, on lines of the old text, with what they make of it.
		var edits []hashline.Edit
		var meant []hunk
		next := 1
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			if next > len(old) {
				break
			}
			first := rapid.IntRange(next, len(old)).Draw(t, "first")
			last := min(first+rapid.IntRange(0, 12).Draw(t, "more"), len(old))
			scheme := rapid.SampledFrom(strong).Draw(t, "scheme")
			if rapid.Bool().Draw(t, "insert") {
				edits = append(edits, insertAfter(at(t, scheme, old, first), "inserted"))
				meant = append(meant, hunk{first, first, []string{"inserted"}})
				last = first
			} else {
				edits = append(edits, hashline.Edit{Op: hashline.Replace, Anchor: at(t, scheme, old, first), End: at(t, scheme, old, last), Lines: []string{"x", "y"}})
				meant = append(meant, hunk{first - 1, last, []string{"x", "y"}})
			}
			next = last + 2
		}
		res := resolve(t, joined(now), edits...)
		if res.Retry == nil {
			return
		}
		got := applied(t, resolve(t, joined(now), res.Retry...))
		followed := resolveWith(t, joined(now), nil, hashline.Options{Relocate: true}, edits...)
		require.Equal(t, got, applied(t, followed))
		for _, e := range edits {
			if !isLeftAlone(e.Anchor, old, now, hunks) || e.End != nil && !isLeftAlone(e.End, old, now, hunks) {
				return // its line was found by its twin
			}
		}
		// The edits and the change touch no line in common, so all of them can be
		// made of the old text at once.
		all := append(meant, hunks...) // at one place the edit stands first, next to its line
		slices.SortStableFunc(all, func(a, b hunk) int { return cmp.Or(a.start-b.start, a.end-b.end) })
		compared++
		require.Equal(t, joined(changeBy(old, all)), got)
	}
	// Few checks, as in short mode, may draw no case that is offered again.
	for tries := 0; tries < 50 && compared < 5; tries++ {
		rapid.Check(t, check)
	}
	require.Positive(t, compared)
}

// isLeftAlone reports whether hunks touch no line that ref proves, and no other
// line looks like its own.
func isLeftAlone(ref *hashline.Ref, old, now []string, hunks []hunk) bool {
	scheme, i := ref.Anchor.Scheme, ref.Anchor.Line-1
	start := i - offsetOf(scheme, i)
	end := min(start+16, len(old))
	if scheme == hashline.Chain {
		end = i + 1
	}
	for _, h := range hunks {
		if h.start < end && h.end > start || h.start > start && h.start < end {
			return false
		}
	}
	return len(naivePlaces(scheme, old, i+1, now)) == 1
}
