package text_test

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// large is 100 MB of lines of 50 bytes, for all benchmarks.
var large = sync.OnceValue(func() []byte {
	return []byte(strings.Repeat("func line(of, a, program) (int, error) { return 1\n", 2_000_000))
})

func BenchmarkParse(b *testing.B) {
	src := large()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := text.Parse(src, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	d, err := text.Parse(large(), nil)
	require.NoError(b, err)
	b.SetBytes(int64(len(d.Body())))
	for b.Loop() {
		n := 0
		for _, line := range d.Lines(0, d.NumLines()) {
			n += len(line)
		}
		assert.Equal(b, len(d.Body())-d.NumLines(), n)
	}
}

func BenchmarkLineAt(b *testing.B) {
	d, err := text.Parse(large(), nil)
	require.NoError(b, err)
	at := 0
	for b.Loop() {
		at = (at + 48_611_111) % len(d.Body())
		d.Offset(d.LineAt(at))
	}
}

func BenchmarkSplice(b *testing.B) {
	d, err := text.Parse(large(), nil)
	require.NoError(b, err)
	many := make([]text.Edit, 10_000)
	for i := range many {
		many[i] = edit(i*200, i*200+1, "another line")
	}
	for name, edits := range map[string][]text.Edit{
		"1 of 2,000,000 lines":      {edit(1_000_000, 1_000_001, "another line")},
		"10,000 of 2,000,000 lines": many,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := text.Splice(d, edits)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := s.WriteTo(io.Discard); n != int64(s.Size()) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}

func BenchmarkScanner(b *testing.B) {
	src := large()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := text.NewScanner(bytes.NewReader(src), nil)
		require.NoError(b, err)
		for {
			if _, _, err := s.Part(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}
