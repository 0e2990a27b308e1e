package text_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const scanBuffer = 128 << 10 // of a Scanner, in bytes

// scanLines returns the lines that s has left, and the error that ended them.
// It checks Part's promises on the way.
func scanLines(t require.TestingT, s *text.Scanner) ([]string, error) {
	var lines []string
	var line strings.Builder
	begun := false
	for {
		before, _ := s.Offset()
		part, last, err := s.Part()
		if err != nil {
			require.Empty(t, part)
			if err == io.EOF {
				require.False(t, begun, "EOF within a line")
			}
			_, _, again := s.Part()
			require.Equal(t, err, again, "the first error ends a Scanner")
			return lines, err
		}
		after, _ := s.Offset()
		require.GreaterOrEqual(t, after-before, int64(len(part)))
		require.LessOrEqual(t, after-before, int64(len(part)+len("\r\n")))
		line.Write(part)
		begun = !last
		if last {
			lines = append(lines, line.String())
			line.Reset()
		}
	}
}

func textsOf(d *text.Document) []string {
	var lines []string
	for _, line := range d.Lines(0, d.NumLines()) {
		lines = append(lines, string(line))
	}
	return lines
}

// chunkings are the ways a reader may hand out its bytes.
var chunkings = map[string]func(io.Reader) io.Reader{
	"whole":   func(r io.Reader) io.Reader { return r },
	"halves":  iotest.HalfReader,
	"bytes":   iotest.OneByteReader,
	"dataErr": iotest.DataErrReader,
	"5000":    func(r io.Reader) io.Reader { return chunkReader{r, 5000} },
}

type chunkReader struct {
	r io.Reader
	n int
}

func (c chunkReader) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

func TestScannerSeesTheLinesOfParse(t *testing.T) {
	check := func(t require.TestingT, src, chunking string) {
		s, err := text.NewScanner(chunkings[chunking](strings.NewReader(src)), nil)
		require.NoError(t, err)
		lines, err := scanLines(t, s)
		require.Equal(t, io.EOF, err)
		require.Equal(t, textsOf(mustParse(t, src)), lines)
	}
	for name := range chunkings {
		for _, src := range []string{
			"", "\n", "a", "ab", "abc", "abcd", "a\nb", "\r", "\r\n", "\xEF\xBB\xBF", "\xEF\xBB\xBFa\r\n", "\xEF\xBB",
			"\xFF\xFE", "\xFF\xFE" + toUTF16("é\r\n漢\nend", false), "\xFE\xFF" + toUTF16("é\r\n漢\nend\n", true),
		} {
			t.Run(fmt.Sprintf("%s %.10q", name, src), func(t *testing.T) { check(t, src, name) })
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"whole", "halves", "bytes", "dataErr", "5000"}).Draw(t, "chunking")
		check(t, genBody(60).Draw(t, "body"), name)
	})
}

func TestScannerReadsLinesLongerThanItsBuffer(t *testing.T) {
	for _, n := range []int{scanBuffer - 2, scanBuffer - 1, scanBuffer, scanBuffer + 1, 2 * scanBuffer, 300_000} {
		for _, tail := range []string{"", "\n", "\r\n", "\r", "\r\r\n", "\r\r", "\rx", "\n\r\n"} {
			for _, head := range []string{"", "first\r\n", "\xEF\xBB\xBF"} {
				src := head + strings.Repeat("x", n) + tail
				for _, chunking := range []string{"whole", "5000"} {
					s, err := text.NewScanner(chunkings[chunking](strings.NewReader(src)), nil)
					require.NoError(t, err)
					lines, err := scanLines(t, s)
					require.Equal(t, io.EOF, err)
					if want := textsOf(mustParse(t, src)); !assert.ObjectsAreEqual(want, lines) {
						require.Failf(t, "lines differ", "n %d, head %q, tail %q, %s", n, head, tail, chunking)
					}
				}
			}
		}
	}
}

func TestSkipThenPartGoesOnWhereLinesDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := rapid.SampledFrom([]string{"", strings.Repeat("x", scanBuffer), strings.Repeat("\n", scanBuffer+1)}).Draw(t, "long")
		src := genBody(30).Draw(t, "head") + long + genBody(30).Draw(t, "tail")
		want := textsOf(mustParse(t, src))
		s, err := text.NewScanner(strings.NewReader(src), nil)
		require.NoError(t, err)
		for at := 0; ; {
			n := rapid.SampledFrom([]int{0, 1, 2, 3, 10, 1000, 200_000}).Draw(t, "skip")
			skipped, err := s.Skip(n)
			require.Equal(t, min(n, len(want)-at), skipped)
			at += skipped
			if skipped < n {
				require.Equal(t, io.EOF, err)
				break
			}
			require.NoError(t, err)
			if !rapid.Bool().Draw(t, "read") || at == len(want) {
				continue
			}
			part, last, err := s.Part()
			require.NoError(t, err)
			require.True(t, strings.Contains(want[at], string(part)))
			if last {
				at++
			} // else the rest of the line is the next one to skip
		}
	})
}

func TestSkipOfExactlyAllLinesIsNoError(t *testing.T) {
	for _, src := range []string{"a\nb\n", "a\nb", "a\n" + strings.Repeat("x", scanBuffer)} {
		s, err := text.NewScanner(strings.NewReader(src), nil)
		require.NoError(t, err)
		n, err := s.Skip(2)
		assert.NoError(t, err)
		assert.Equal(t, 2, n)
		n, err = s.Skip(1)
		assert.Equal(t, io.EOF, err)
		assert.Equal(t, 0, n)
	}
}

func TestOffsetIsWhereScanFromGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(t, "bom") + genBody(60).Draw(t, "body")
		want := textsOf(mustParse(t, src))
		s, err := text.NewScanner(strings.NewReader(src), nil)
		require.NoError(t, err)
		n := rapid.IntRange(0, len(want)).Draw(t, "skip")
		_, err = s.Skip(n)
		require.NoError(t, err)
		at, ok := s.Offset()
		require.True(t, ok)
		lines, err := scanLines(t, text.ScanFrom(strings.NewReader(src[at:])))
		require.Equal(t, io.EOF, err)
		require.Equal(t, append([]string{}, want[n:]...), append([]string{}, lines...))
	})
	s, err := text.NewScanner(strings.NewReader("\xFF\xFEa\x00"), nil)
	require.NoError(t, err)
	_, ok := s.Offset()
	assert.False(t, ok, "UTF-16")
}

func TestScannerStopsAtANUL(t *testing.T) {
	for _, src := range []string{"\x00", "a\x00", strings.Repeat("line\n", 100_000) + "\x00", strings.Repeat("x", 300_000) + "\x00\n", "\xFF\xFEa\x00\x00\x00"} {
		for name, chunk := range chunkings {
			if name == "bytes" && len(src) > 1000 {
				continue // slow under the race detector
			}
			s, err := text.NewScanner(chunk(strings.NewReader(src)), nil)
			require.NoError(t, err)
			lines, err := scanLines(t, s)
			assert.Equal(t, text.ErrBinary, err, name)
			assert.LessOrEqual(t, len(lines), 100_000)

			s, err = text.NewScanner(chunk(strings.NewReader(src)), nil)
			require.NoError(t, err)
			_, err = s.Skip(200_000)
			assert.Equal(t, text.ErrBinary, err, name)
		}
	}
	// Beyond what was read a NUL is not seen: a window costs no scan of the rest.
	s, err := text.NewScanner(strings.NewReader(strings.Repeat("line\n", 100_000)+"\x00"), nil)
	require.NoError(t, err)
	part, _, err := s.Part()
	require.NoError(t, err)
	assert.Equal(t, "line", string(part))
}

func TestNewScannerRefusesWhatParseRefuses(t *testing.T) {
	gbk, err := text.LookupEncoding("gbk")
	require.NoError(t, err)
	for _, tt := range []struct {
		src string
		enc *text.Encoding
	}{{"\xFF\xFE\x00\x00", nil}, {"\x00\x00\xFE\xFFa", nil}, {"\xFF\xFEa\x00", gbk}} {
		_, want := text.Parse([]byte(tt.src), tt.enc)
		_, err := text.NewScanner(strings.NewReader(tt.src), tt.enc)
		assert.ErrorAs(t, err, new(*text.EncodingError))
		assert.Equal(t, want, err)
	}
	for _, src := range []string{"\xFF\xFEa", "\xFF\xFEa\x00\n\x00b", "\xFF\xFE\x00\xD8", "\xFF\xFE\x00\xDCa\x00"} {
		_, want := text.Parse([]byte(src), nil)
		s, err := text.NewScanner(strings.NewReader(src), nil)
		require.NoError(t, err)
		_, err = scanLines(t, s)
		assert.Equal(t, want, err)
	}
}

func TestScannerReturnsTheErrorOfItsReader(t *testing.T) {
	broken := errors.New("broken")
	for _, src := range []string{"", "abc", "abcd", "line\nline\nhalf", "\xFF\xFEa\x00\n\x00b\x00", "line\n" + strings.Repeat("x", 200_000)} {
		for name, chunk := range chunkings {
			if name == "bytes" && len(src) > 1000 {
				continue // slow under the race detector
			}
			r := chunk(io.MultiReader(strings.NewReader(src), iotest.ErrReader(broken)))
			s, err := text.NewScanner(r, nil)
			if len(src) < 4 {
				assert.Equal(t, broken, err, name)
				continue
			}
			require.NoError(t, err)
			lines, err := scanLines(t, s)
			assert.Equal(t, broken, err, name)
			assert.Len(t, lines, strings.Count(src, "\n"), "whole lines before the error")
		}
	}
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

func TestScannerGivesUpOnAReaderThatReturnsNothing(t *testing.T) {
	for _, src := range []string{"abcd", "\xFF\xFEa\x00"} {
		s, err := text.NewScanner(io.MultiReader(strings.NewReader(src), idleReader{}), nil)
		require.NoError(t, err)
		_, err = scanLines(t, s)
		assert.Equal(t, io.ErrNoProgress, err)
	}
}

func TestCopyWritesTheLinesThatSkipPassesOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := genBody(60).Draw(t, "body")
		d := mustParse(t, src)
		s := text.ScanFrom(strings.NewReader(src))
		var got strings.Builder
		for at := 0; at < d.NumLines(); {
			n := rapid.IntRange(1, 400).Draw(t, "n")
			copied, err := s.Copy(&got, n)
			at += copied
			if copied < n {
				require.Equal(t, io.EOF, err)
				require.Equal(t, d.NumLines(), at)
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, src[:d.Offset(at)], got.String())
		}
	})
	copied, err := text.ScanFrom(strings.NewReader("a\nb\n")).Copy(&fullWriter{1}, 2)
	assert.Equal(t, io.ErrShortWrite, err)
	assert.Equal(t, 0, copied)
}
