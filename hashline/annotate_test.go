package hashline_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// view returns the lines of windows of what r reads, from line first on, as a
// view prints them.
func view(r io.Reader, enc *text.Encoding, scheme hashline.Scheme, windows []hashline.Window) ([]string, error) {
	scan, err := text.NewScanner(r, enc)
	if err != nil {
		return nil, err
	}
	return viewOf(scan, enc, scheme, 1, windows)
}

func viewOf(scan *text.Scanner, enc *text.Encoding, scheme hashline.Scheme, first int, windows []hashline.Window) ([]string, error) {
	var shown []string
	err := hashline.Format{}.Annotate(scan, enc, scheme, first, windows, func(lines []hashline.Line) error {
		for i := range lines {
			s := hashline.Format{}.Print(lines[i].Anchor) + hashline.Arrow
			shown = append(shown, string(lines[i].AppendText([]byte(s), enc)))
		}
		return nil
	})
	return shown, err
}

// naiveView returns the same, of lines.
func naiveView(scheme hashline.Scheme, lines []string, windows []hashline.Window) []string {
	var shown []string
	for _, w := range windows {
		for n := w.First; n <= min(w.Last, len(lines)); n++ {
			shown = append(shown, naiveAnchor(scheme, lines, n)+"→"+lines[n-1])
		}
	}
	return shown
}

var drawLine = rapid.SampledFrom([]string{"", "}", "\tx", "a b", "→", "é", "\r", "12:ab→", strings.Repeat("y", 1999), strings.Repeat("z", 2000)})

func drawWindows(t *rapid.T, n int) []hashline.Window {
	var windows []hashline.Window
	for range rapid.IntRange(1, 4).Draw(t, "windows") {
		first := rapid.IntRange(1, n+20).Draw(t, "first")
		last := first + rapid.IntRange(0, 40).Draw(t, "more")
		if rapid.IntRange(0, 9).Draw(t, "open") == 0 {
			last = hashline.ToEnd
		}
		windows = append(windows, hashline.Window{First: first, Last: last})
	}
	return hashline.MergeWindows(windows)
}

func TestAnnotateIsTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(drawLine, 0, 100).Draw(t, "lines")
		scheme := rapid.SampledFrom(append(schemes, hashline.File)).Draw(t, "scheme")
		windows := drawWindows(t, len(lines))
		crlf := rapid.Bool().Draw(t, "crlf")
		src := joined(lines)
		if crlf {
			src = strings.Join(lines, "\r\n") + "\r\n"
		} else {
			for i := range lines {
				lines[i] = strings.TrimSuffix(lines[i], "\r")
			}
		}
		if len(lines) == 0 {
			src = ""
		} else if last := lines[len(lines)-1]; last != "" && !strings.HasSuffix(last, "\r") && rapid.Bool().Draw(t, "unterminated") {
			src = strings.TrimRight(src, "\r\n")
			if !strings.HasSuffix(src, last) {
				src += last
			}
		}
		bom := rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(t, "bom")
		var r io.Reader = strings.NewReader(bom + src)
		if rapid.Bool().Draw(t, "slow") {
			r = iotest.OneByteReader(r)
		}
		got, err := view(r, nil, scheme, windows)
		require.NoError(t, err)
		require.Equal(t, naiveView(scheme, lines, windows), got)
	})
}

func TestAFileOfWholeChunksEndsWithThem(t *testing.T) {
	for _, scheme := range append(schemes, hashline.File) {
		for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 64} {
			lines := numbered(n)
			got, err := view(strings.NewReader(joined(lines)), nil, scheme, wholeDoc)
			require.NoError(t, err)
			assert.Equal(t, naiveView(scheme, lines, wholeDoc), got, "%v, %d lines", scheme, n)
		}
	}
}

func TestAWindowPastTheEndIsCut(t *testing.T) {
	lines := numbered(32)
	for _, windows := range [][]hashline.Window{{{First: 30, Last: 40}}, {{First: 33, Last: 40}}, {{First: 500, Last: 600}}, {{First: 1, Last: 2}, {First: 32, Last: 90}, {First: 100, Last: 101}}, nil} {
		got, err := view(strings.NewReader(joined(lines)), nil, hashline.Chunk, windows)
		require.NoError(t, err)
		assert.Equal(t, naiveView(hashline.Chunk, lines, windows), got)
	}
}

func TestAScannerMayBeginAfterWholeChunks(t *testing.T) {
	lines := numbered(200)
	src := joined(lines)
	for _, scheme := range append(schemes, hashline.File) {
		grid := hashline.Format{}.Grid(scheme)
		for first := 1; first <= 201; first += grid {
			skipped := len(joined(lines[:first-1]))
			windows := []hashline.Window{{First: first + 2, Last: first + 5}, {First: first + 40, Last: hashline.ToEnd}}
			got, err := viewOf(text.ScanFrom(strings.NewReader(src[skipped:])), nil, scheme, first, windows)
			require.NoError(t, err)
			assert.Equal(t, naiveView(scheme, lines, windows), got)
		}
	}
	assert.Equal(t, 16, hashline.Format{}.Grid(hashline.Chunk))
	assert.Equal(t, 32, hashline.Format{}.Grid(hashline.Chain))
	assert.Equal(t, 8, hashline.Format{ChunkLines: 8}.Grid(hashline.Seal))
	assert.Equal(t, 1, hashline.Format{}.Grid(hashline.File))
}

func TestALongLineIsHashedWholeAndCut(t *testing.T) {
	for _, tt := range []struct {
		name, line, shown string
	}{
		{"2,000 bytes are shown", strings.Repeat("x", 2000), strings.Repeat("x", 2000)},
		{"2,001 are not", strings.Repeat("x", 2001), strings.Repeat("x", 2000) + "…+1b"},
		{"a character across the cut goes", strings.Repeat("x", 1999) + "é", strings.Repeat("x", 1999) + "…+2b"},
		{"and one of three bytes", strings.Repeat("x", 1998) + "€€", strings.Repeat("x", 1998) + "…+6b"},
		{"and one of four", strings.Repeat("x", 1997) + "😀!", strings.Repeat("x", 1997) + "…+5b"},
		{"a character before the cut stays", strings.Repeat("x", 1996) + "😀!", strings.Repeat("x", 1996) + "😀…+1b"},
		{"bytes that are no character are cut at the place", strings.Repeat("\x80", 2005), strings.Repeat("\x80", 2000) + "…+5b"},
		{"longer than the Scanner's buffer", strings.Repeat("0123456789", 40_000), strings.Repeat("0123456789", 200) + "…+398000b"},
		{"a carriage return in the buffer's last byte", strings.Repeat("x", 128<<10-1) + "\r" + strings.Repeat("y", 10), strings.Repeat("x", 2000) + "…+129082b"},
	} {
		for _, scheme := range schemes {
			lines := append(numbered(20), tt.line, "after")
			got, err := view(strings.NewReader(strings.Join(lines, "\r\n")), nil, scheme, wholeDoc)
			require.NoError(t, err)
			want := naiveView(scheme, lines, wholeDoc)
			want[20] = naiveAnchor(scheme, lines, 21) + "→" + tt.shown
			require.Len(t, got, len(want))
			for i := range want { // not at once: the report would hold the long line several times
				assert.True(t, want[i] == got[i], "%s: line %d", tt.name, i+1)
			}
		}
	}
}

func TestUTF16IsHashedAndShownAsUTF8(t *testing.T) {
	lines := append(numbered(20), "é€😀", strings.Repeat("é", 1500))
	src := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(strings.Join(lines, "\r\n") + "\r\n")) {
		src = append(src, byte(u), byte(u>>8))
	}
	got, err := view(bytes.NewReader(src), nil, hashline.Chunk, wholeDoc)
	require.NoError(t, err)
	want := naiveView(hashline.Chunk, lines, wholeDoc)
	want[21] = naiveAnchor(hashline.Chunk, lines, 22) + "→" + strings.Repeat("é", 1000) + "…+1000b"
	assert.Equal(t, want, got)
}

func TestAnEncodingIsForTheViewNotForTheHash(t *testing.T) {
	enc, err := text.LookupEncoding("gbk")
	require.NoError(t, err)
	lines := append(numbered(17), "\xc4\xe3\xba\xc3", "x"+strings.Repeat("\xc4\xe3", 1000))
	got, err := view(strings.NewReader(joined(lines)), enc, hashline.Seal, wholeDoc)
	require.NoError(t, err)
	want := naiveView(hashline.Seal, lines, wholeDoc)
	want[17] = naiveAnchor(hashline.Seal, lines, 18) + "→你好"
	want[18] = naiveAnchor(hashline.Seal, lines, 19) + "→x" + strings.Repeat("你", 999) + "…+2b"
	assert.Equal(t, want, got)
}

func TestAnnotateReturnsTheErrorOfEmitAndOfTheScanner(t *testing.T) {
	boom := errors.New("boom")
	scan := text.ScanFrom(strings.NewReader(joined(numbered(100))))
	calls := 0
	err := hashline.Format{}.Annotate(scan, nil, hashline.Chunk, 1, wholeDoc, func([]hashline.Line) error { calls++; return boom })
	assert.Equal(t, boom, err)
	assert.Equal(t, 1, calls)
	_, err = view(io.MultiReader(strings.NewReader(joined(numbered(40))), iotest.ErrReader(boom)), nil, hashline.Chunk, wholeDoc)
	assert.Equal(t, boom, err)
	_, err = view(io.MultiReader(strings.NewReader(joined(numbered(40))), iotest.ErrReader(boom)), nil, hashline.Chunk, []hashline.Window{{First: 1000, Last: 1000}})
	assert.Equal(t, boom, err)
	_, err = view(strings.NewReader("a\nb\x00"), nil, hashline.Chunk, wholeDoc)
	assert.Equal(t, text.ErrBinary, err)
}

func TestAnnotateReadsNoFurtherThanTheChunk(t *testing.T) {
	read := 0
	r := io.TeeReader(strings.NewReader(strings.Repeat("some line of a large file\n", 1_000_000)), counter{&read})
	got, err := view(r, nil, hashline.Chunk, []hashline.Window{{First: 3, Last: 4}})
	require.NoError(t, err)
	assert.Len(t, got, 2)
	assert.Less(t, read, 1<<20)
}

type counter struct{ n *int }

func (c counter) Write(b []byte) (int, error) { *c.n += len(b); return len(b), nil }
