package text_test

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linearBound is more than ten times what the slowest of these tests takes, and
// five times what it takes under the race detector. Work that grows with the
// product of text and edits would take minutes.
const linearBound = 5 * time.Second

func TestManyEditsTakeNoQuadraticTime(t *testing.T) {
	const n = 100_000
	edits := func(make func(i int) text.Edit) []text.Edit {
		var all []text.Edit
		for i := range n {
			all = append(all, make(n-1-i)) // from the bottom
		}
		return all
	}
	long := strings.Repeat("x", 10_000_000)
	for _, tt := range []struct {
		name  string
		src   string
		edits []text.Edit
	}{
		{"a replacement of every line", strings.Repeat("some line of a text\n", n), edits(func(i int) text.Edit { return edit(i, i+1, "x") })},
		{"an insert before every line", strings.Repeat("some line of a text\r\n", n), edits(func(i int) text.Edit { return edit(i, i, "x") })},
		{"an insert before every empty line", strings.Repeat("\n", n), edits(func(i int) text.Edit { return edit(i, i, "x") })},
		{"inserts at one place", "a\nb", edits(func(int) text.Edit { return edit(1, 1, "x") })},
		{"inserts at the end", "a\nb", edits(func(int) text.Edit { return edit(2, 2, "x") })},
		{"deletions of every line", strings.Repeat("line\n", n), edits(func(i int) text.Edit { return edit(i, i+1) })},
		{"inserts around a very long line", long + "\n" + long, edits(func(i int) text.Edit { return edit(i%3, i%3, "x") })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := mustParse(t, tt.src)
			start := time.Now()
			s, err := text.Splice(d, tt.edits)
			require.NoError(t, err)
			s.Equal()
			s.WriteTo(io.Discard)
			took := time.Since(start)
			t.Log(took)
			assert.Less(t, took, linearBound)
		})
	}
}

func TestSkippingLineByLineTakesNoQuadraticTime(t *testing.T) {
	s := text.ScanFrom(strings.NewReader(strings.Repeat("\n", 1_000_000)))
	start := time.Now()
	for range 1_000_000 {
		if _, err := s.Skip(1); err != nil {
			require.NoError(t, err)
		}
	}
	t.Log(time.Since(start))
	assert.Less(t, time.Since(start), linearBound)
}

func TestALongLineInSmallPiecesTakesNoQuadraticTime(t *testing.T) {
	r := chunkReader{strings.NewReader(strings.Repeat("x", 10_000_000)), 512}
	s := text.ScanFrom(r)
	start := time.Now()
	lines, err := scanLines(t, s)
	assert.Equal(t, io.EOF, err)
	assert.Len(t, lines, 1)
	t.Log(time.Since(start))
	assert.Less(t, time.Since(start), linearBound)
}

func TestASpliceOfALargeTextSharesIt(t *testing.T) {
	d := mustParse(t, strings.Repeat("line\n", 1<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := text.Splice(d, []text.Edit{edit(500_000, 500_001, "x")})
	require.NoError(t, err)
	n, err := s.WriteTo(io.Discard)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	assert.Equal(t, int64(s.Size()), n)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10))
}
