package hashline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
)

// bound is far more than these tests take: less than a second each on an idle
// machine, and ten under the race detector, which makes hashing dear. Work that
// grows with the product of edits and lines takes minutes.
const bound = time.Minute

// TestManyAnchorsTakeNoQuadraticTime sends 10,000 edits for 100,000 lines.
func TestManyAnchorsTakeNoQuadraticTime(t *testing.T) {
	const n, many = 100_000, 10_000
	equal := strings.Repeat("equal\n", n)
	equalLines := strings.Split(strings.TrimSuffix(equal, "\n"), "\n")
	mixed := make([]string, n)
	for i := range mixed {
		mixed[i] = "equal"
		if i%7 == i/7%7 {
			mixed[i] = fmt.Sprint("line ", i)
		}
	}
	// The anchors of equal lines, spelled for other line numbers than they have.
	edits := func(make func(i int) hashline.Edit) []hashline.Edit {
		var all []hashline.Edit
		for i := range many {
			all = append(all, make(i))
		}
		return all
	}
	stale := func(scheme hashline.Scheme, i int) *hashline.Ref {
		// Of a text with the first line another, so that offsets vary.
		ref := at(t, scheme, equalLines[:64], 17+i%32)
		ref.Anchor.Line = n + 1 + i*32 + i%32
		return ref
	}
	longRef := at(t, hashline.Chunk, []string{strings.Repeat("x", 1_000_000), "b"}, 1)
	for _, tt := range []struct {
		name  string
		src   string
		opt   hashline.Options
		edits []hashline.Edit
	}{
		{"stale anchors on equal lines, chunk", equal, hashline.Options{}, edits(func(i int) hashline.Edit { return insertAfter(stale(hashline.Chunk, i), "x") })},
		{"stale anchors on equal lines, seal", equal, hashline.Options{}, edits(func(i int) hashline.Edit { return insertAfter(stale(hashline.Seal, i), "x") })},
		{"stale anchors on equal lines, chain", equal, hashline.Options{}, edits(func(i int) hashline.Edit { return insertAfter(stale(hashline.Chain, i), "x") })},
		{"stale anchors on equal lines, content", equal, hashline.Options{Content: true}, edits(func(i int) hashline.Edit { return insertAfter(stale(hashline.Content, i), "x") })},
		{"stale anchors with the text attached", equal, hashline.Options{}, edits(func(i int) hashline.Edit { return insertAfter(with(stale(hashline.Chunk, i), "equal"), "x") })},
		{"stale anchors with 10,000 texts attached", equal, hashline.Options{}, edits(func(i int) hashline.Edit {
			return insertAfter(with(stale(hashline.Chunk, 0), fmt.Sprint("text ", i)), "x")
		})},
		{"ranges of equal lines", equal, hashline.Options{}, edits(func(i int) hashline.Edit {
			e := del(stale(hashline.Chunk, i), stale(hashline.Chunk, i))
			e.End.Anchor.Line += 16
			return e
		})},
		{"ranges of 10,000 lengths", equal, hashline.Options{}, edits(func(i int) hashline.Edit {
			e := del(stale(hashline.Chunk, 0), stale(hashline.Chunk, 0))
			e.End.Anchor.Line += i
			return e
		})},
		{"one large range 10,000 times", equal, hashline.Options{}, edits(func(int) hashline.Edit {
			return del(at(t, hashline.Chunk, equalLines[:64], 1), parsed(t, "99984"+naiveAnchor(hashline.Chunk, equalLines[:64], 16)[2:]))
		})},
		{"inserts after one line", equal, hashline.Options{}, edits(func(int) hashline.Edit { return insertAfter(at(t, hashline.Chunk, equalLines[:64], 5), "x") })},
		{"inserts after a very long line", strings.Repeat("x", 1_000_000) + "\nb\n", hashline.Options{}, edits(func(int) hashline.Edit {
			return insertAfter(longRef, "x")
		})},
	} {
		t.Run(tt.name, func(t *testing.T) { within(t, tt.src, tt.edits, tt.opt) })
	}
}

// within resolves edits in less than bound.
func within(t *testing.T, src string, edits []hashline.Edit, opt hashline.Options) *hashline.Resolution {
	snap := snapshot(t, src)
	start := time.Now()
	res := hashline.Format{}.Resolve(snap, hashline.Request{Edits: edits}, opt)
	took := time.Since(start)
	t.Log(took, len(res.Failures), "failures")
	assert.Less(t, took, bound)
	return res
}

func TestManyEditsThatMovedTakeNoQuadraticTime(t *testing.T) {
	old := numbered(100_000)
	now := "new\n" + joined(old)
	for _, scheme := range strong {
		var edits []hashline.Edit
		for n := 1; n <= len(old); n += 20 {
			// With the text: six letters alone fit by chance at one of 300 million
			// places, and there are 500 million.
			edits = append(edits, hashline.Edit{Op: hashline.Replace, Anchor: with(at(t, scheme, old, n), old[n-1]), Lines: []string{"x"}})
		}
		res := within(t, now, edits, hashline.Options{})
		assert.Len(t, res.Retry, 5_000)
		assert.Empty(t, within(t, now, res.Retry, hashline.Options{}).Failures)
	}
}

func TestManySearchesTakeNoQuadraticTime(t *testing.T) {
	src := strings.Repeat("a b\r\n", 100_000)
	res := within(t, src, []hashline.Edit{{Op: hashline.SearchReplace, Search: "a", Replace: "x\ny", Expect: 100_000}}, hashline.Options{})
	assert.Empty(t, res.Failures)
	within(t, src, []hashline.Edit{{Op: hashline.SearchReplace, Search: "b\n", Replace: "\n", Expect: 100_000}}, hashline.Options{})
	lines := strings.Split(strings.Repeat("a b,", 20_000), ",")[:20_000]
	var edits []hashline.Edit
	for n := 1; n <= len(lines); n += 2 {
		edits = append(edits, hashline.Edit{Op: hashline.SearchReplace, Anchor: at(t, hashline.Chunk, lines, n), Search: "a", Replace: "x"})
	}
	assert.Empty(t, within(t, joined(lines), edits, hashline.Options{}).Failures)
}
