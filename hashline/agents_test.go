package hashline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An agent edits what it last read.
type agent struct {
	seen []string // the lines
	base *hashline.Tag
}

func (a *agent) read(lines []string) {
	a.seen = slices.Clone(lines)
	a.base = tagOf(joined(lines))
}

func linesIn(src string) []string {
	if src == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(src, "\n"), "\n")
}

// TestTwoAgentsLoseNoLineAroundALongRange lets B edit a text in which A holds a range, and then A delete
// its range; and the other way round.
func TestTwoAgentsLoseNoLineAroundALongRange(t *testing.T) {
	old := numbered(100)
	for _, tt := range []struct {
		name string
		b    int  // B inserts after this line
		hits bool // inside the lines 20-60 of A
	}{
		{"above", 3, false},
		{"in the chunk of the first line, above", 18, false},
		{"right above", 19, false},
		{"inside, in the first chunk", 25, true},
		{"inside, between the chunks", 40, true},
		{"inside, at the edge of a chunk", 32, true},
		{"inside, in the last chunk", 55, true},
		{"right below", 60, false},
		{"in the chunk of the last line, below", 62, false},
		{"below", 90, false},
	} {
		for _, scheme := range schemes {
			for _, base := range []*hashline.Tag{nil, tagOf(joined(old))} {
				opt := hashline.Options{Content: true}
				b := insertAfter(at(t, scheme, old, tt.b), "B was here")
				a := del(at(t, scheme, old, 20), at(t, scheme, old, 60))

				now := applied(t, resolveWith(t, joined(old), base, opt, b))
				for _, relocate := range []bool{false, true} {
					opt.Relocate = relocate
					res := resolveWith(t, now, base, opt, a)
					require.NotEmpty(t, res.Failures, "%s: a range of 41 lines is not proved by its ends", tt.name)
					assert.Nil(t, res.Retry, tt.name)
					opt.Relocate = false
				}

				now = ""
				if res := resolveWith(t, joined(old), base, opt, a); base != nil {
					now = applied(t, res)
				} else {
					require.Equal(t, []hashline.Code{hashline.RangeUnverified}, codes(res))
					continue
				}
				res := resolveWith(t, now, base, opt, b)
				if tt.b < 16 {
					require.Empty(t, res.Failures, "%s: nothing around its line has changed", tt.name)
				}
				if len(res.Failures) == 0 {
					got := string(res.Spliced.Bytes())
					assert.Contains(t, got, "B was here\n")
					assert.False(t, tt.hits, "its line is gone")
				}
			}
		}
	}
}

// A short range is proved by its anchors alone, so that an edit elsewhere is no
// obstacle, and one inside is.
func TestTwoAgentsLoseNoLineAroundAShortRange(t *testing.T) {
	old := numbered(100)
	for _, scheme := range strong {
		for line := 1; line <= 99; line++ {
			now := applied(t, resolve(t, joined(old), insertAfter(at(t, scheme, old, line), "B was here")))
			a := del(at(t, scheme, old, 36), at(t, scheme, old, 44))
			res := resolve(t, now, a)
			if len(res.Failures) > 0 && res.Retry != nil {
				res = resolve(t, now, res.Retry...)
				require.Empty(t, res.Failures)
			}
			if len(res.Failures) > 0 {
				inside := line >= 33 && line < 48
				assert.True(t, inside, "%v: B inserted after line %d", scheme, line)
				continue
			}
			got := linesIn(string(res.Spliced.Bytes()))
			assert.Len(t, got, 100+1-9)
			assert.Contains(t, got, "B was here")
			assert.NotContains(t, got, "line 40")
		}
	}
}

// TestNoAcknowledgedLineIsLost lets agents edit one text by what they last read,
// which may be long ago. A line that one inserted and was told so stays, until
// somebody who had read it removes it. The letters are as many as rule out chance,
// which finds the place of a removed chunk elsewhere once in 457,000 tries.
func TestNoAcknowledgedLineIsLost(t *testing.T) {
	count, refused := 0, 0
	script := func(t *rapid.T) {
		now := drawOld(t)
		agents := []*agent{{}, {}, {}}
		for _, a := range agents {
			a.read(now)
		}
		alive := map[string]bool{} // the lines inserted, acknowledged and not removed since
		fresh := 0
		newLines := func() []string {
			var lines []string
			for range rapid.IntRange(1, 3).Draw(t, "new lines") {
				fresh++
				lines = append(lines, fmt.Sprint("inserted ", fresh))
			}
			return lines
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			a := rapid.SampledFrom(agents).Draw(t, "agent")
			if len(a.seen) == 0 || rapid.IntRange(0, 3).Draw(t, "read") == 0 {
				a.read(now)
			}
			var edits []hashline.Edit
			var inserted []string
			removes := map[string]bool{} // what the edits remove, as the agent saw it
			for range rapid.IntRange(1, 2).Draw(t, "edits") {
				e, lines, gone := drawEdit(t, a, newLines)
				edits = append(edits, e)
				inserted = append(inserted, lines...)
				for _, line := range gone {
					removes[line] = true
				}
			}
			var base *hashline.Tag
			if rapid.Bool().Draw(t, "with base") {
				base = a.base
			}
			opt := hashline.Options{Relocate: rapid.Bool().Draw(t, "relocate"), Content: rapid.IntRange(0, 3).Draw(t, "content") == 0}
			res := wide.Resolve(snapshot(t, joined(now)), hashline.Request{Base: base, Edits: edits}, opt)
			if res.Retry != nil {
				res = wide.Resolve(snapshot(t, joined(now)), hashline.Request{Edits: res.Retry}, opt)
				require.Empty(t, res.Failures)
			}
			// Where the tag is given, the agent looks at the lines shown with it and sends
			// all of its request again.
			for _, f := range res.Failures {
				if f.Proves {
					base = tagOf(joined(now))
				}
			}
			if len(res.Failures) > 0 && base != nil {
				for _, f := range res.Failures {
					for _, l := range f.Context {
						if f.Proves {
							removes[string(l.Text)] = true
						}
					}
				}
				res = wide.Resolve(snapshot(t, joined(now)), hashline.Request{Base: base, Edits: edits}, opt)
			}
			if len(res.Failures) > 0 {
				refused++
				continue
			}
			count++
			now = linesIn(string(res.Spliced.Bytes()))
			for line := range removes {
				delete(alive, line)
			}
			for _, line := range inserted {
				alive[line] = true
			}
			for line := range alive {
				n := 0
				for _, have := range now {
					if have == line {
						n++
					}
				}
				require.Equal(t, 1, n, "%q is in the text once", line)
			}
		}
	}
	for range 10 { // lines are in danger in few of the scripts
		rapid.Check(t, script)
	}
	require.Positive(t, count)
	require.Positive(t, refused)
}

// drawEdit draws an edit of what a has read: with the lines that it inserts and
// those that it removes.
func drawEdit(t *rapid.T, a *agent, newLines func() []string) (e hashline.Edit, inserted, removed []string) {
	scheme := rapid.SampledFrom(append(schemes, hashline.File)).Draw(t, "scheme")
	if len(a.seen) == 0 {
		lines := newLines()
		return insertAfter(parsed(t, "EOF"), lines...), lines, nil
	}
	first := rapid.IntRange(1, len(a.seen)).Draw(t, "first")
	last := min(len(a.seen), first+rapid.SampledFrom([]int{0, 1, 5, 15, 20, 33, 35, 40}).Draw(t, "more"))
	at := func(n int) *hashline.Ref {
		ref, err := wide.Parse(naiveAnchorOf(wide, scheme, a.seen, n))
		require.NoError(t, err)
		return &ref
	}
	one, end := at(first), at(last)
	switch rapid.IntRange(0, 4).Draw(t, "op") {
	case 0:
		inserted = newLines()
		return insertAfter(one, inserted...), inserted, nil
	case 1:
		inserted = newLines()
		return hashline.Edit{Op: hashline.InsertBefore, Anchor: one, Lines: inserted}, inserted, nil
	case 2:
		return del(one, end), nil, a.seen[first-1 : last]
	case 3:
		inserted = newLines()
		return hashline.Edit{Op: hashline.Replace, Anchor: one, End: end, Lines: inserted}, inserted, a.seen[first-1 : last]
	}
	return hashline.Edit{Op: hashline.SearchReplace, Anchor: one, End: end, Search: "a", Replace: "b"}, nil, nil
}
