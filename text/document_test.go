package text_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A line is what the naive functions of these tests know of a line.
type line struct{ text, ending string }

// naiveLines splits body by the rules of the package documentation.
func naiveLines(body string) []line {
	var lines []line
	for raw := range strings.SplitAfterSeq(body, "\n") {
		switch {
		case raw == "": // behind the last line feed
		case strings.HasSuffix(raw, "\r\n"):
			lines = append(lines, line{raw[:len(raw)-2], "\r\n"})
		case strings.HasSuffix(raw, "\n"):
			lines = append(lines, line{raw[:len(raw)-1], "\n"})
		default:
			lines = append(lines, line{raw, ""})
		}
	}
	return lines
}

// linesOf returns the lines of d, one look-up each.
func linesOf(d *text.Document) []line {
	var lines []line
	for i := range d.NumLines() {
		lines = append(lines, line{string(d.Line(i)), d.Ending(i)})
	}
	return lines
}

func mustParse(t require.TestingT, src string) *text.Document {
	d, err := text.Parse([]byte(src), nil)
	require.NoError(t, err)
	return d
}

// toUTF16 returns s, ASCII or any of the Basic Multilingual Plane, without a
// byte order mark.
func toUTF16(s string, bigEndian bool) string {
	var b strings.Builder
	for _, r := range s {
		hi, lo := byte(r>>8), byte(r)
		if bigEndian {
			hi, lo = lo, hi
		}
		b.WriteByte(lo)
		b.WriteByte(hi)
	}
	return b.String()
}

func TestParseSplitsTheText(t *testing.T) {
	for _, tt := range []struct {
		name string
		src  string
		want []line
		bom  string
	}{
		{"an empty file has no lines", "", nil, ""},
		{"a line feed alone is one empty line", "\n", []line{{"", "\n"}}, ""},
		{"a CRLF alone is one empty line", "\r\n", []line{{"", "\r\n"}}, ""},
		{"a byte order mark alone has no lines", "\xEF\xBB\xBF", nil, "\xEF\xBB\xBF"},
		{"LF", "a\nb\n", []line{{"a", "\n"}, {"b", "\n"}}, ""},
		{"CRLF", "a\r\nb\r\n", []line{{"a", "\r\n"}, {"b", "\r\n"}}, ""},
		{"mixed endings", "a\r\nb\nc\r\n", []line{{"a", "\r\n"}, {"b", "\n"}, {"c", "\r\n"}}, ""},
		{"no final line feed", "a\nb", []line{{"a", "\n"}, {"b", ""}}, ""},
		{"only one carriage return belongs to the ending", "a\r\r\n", []line{{"a\r", "\r\n"}}, ""},
		{"a lone carriage return is content", "a\rb\n", []line{{"a\rb", "\n"}}, ""},
		{"a carriage return at the end of the file is content", "a\r", []line{{"a\r", ""}}, ""},
		{"a carriage return after the line feed is content", "a\n\rb", []line{{"a", "\n"}, {"\rb", ""}}, ""},
		{"form feed, vertical tab, NEL and U+2028 are content", "a\fb\vc\u0085d\u2028e\u2029f\n", []line{{"a\fb\vc\u0085d\u2028e\u2029f", "\n"}}, ""},
		{"the byte order mark stands outside line 1", "\xEF\xBB\xBFa\n", []line{{"a", "\n"}}, "\xEF\xBB\xBF"},
		{"a second byte order mark is content", "\xEF\xBB\xBF\uFEFFa\n", []line{{"\uFEFFa", "\n"}}, "\xEF\xBB\xBF"},
		{"a part of a byte order mark is content", "\xEF\xBBa\n", []line{{"\xEF\xBBa", "\n"}}, ""},
		{"invalid UTF-8 is content", "\xff\xfd\n\xc3\nab\x80", []line{{"\xff\xfd", "\n"}, {"\xc3", "\n"}, {"ab\x80", ""}}, ""},
		{"UTF-16LE", "\xFF\xFE" + toUTF16("é\r\nb", false), []line{{"é", "\r\n"}, {"b", ""}}, "\xFF\xFE"},
		{"UTF-16BE", "\xFE\xFF" + toUTF16("é\r\nb\n", true), []line{{"é", "\r\n"}, {"b", "\n"}}, "\xFE\xFF"},
		{"U+0A00 and U+000D of UTF-16 are told apart from line feeds", "\xFF\xFE" + toUTF16("\u0A00\u0A0D\r", false), []line{{"\u0A00\u0A0D\r", ""}}, "\xFF\xFE"},
		{"a byte order mark of UTF-16 alone has no lines", "\xFF\xFE", nil, "\xFF\xFE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := mustParse(t, tt.src)
			assert.Equal(t, tt.want, linesOf(d))
			assert.Equal(t, len(tt.want), d.NumLines())
			assert.Equal(t, tt.bom, string(d.BOM()))
			unterminated := len(tt.want) > 0 && tt.want[len(tt.want)-1].ending == ""
			assert.Equal(t, unterminated, d.Unterminated())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	gbk, err := text.LookupEncoding("gbk")
	require.NoError(t, err)
	for _, tt := range []struct {
		name string
		src  string
		enc  *text.Encoding
		want string
	}{
		{"a NUL in the first byte", "\x00abc", nil, "binary file: it holds a NUL byte"},
		{"a NUL in byte 8191", strings.Repeat("a", 8191) + "\x00b\n", nil, "binary file: it holds a NUL byte"},
		{"a NUL in the last byte", strings.Repeat("line\n", 3000) + "\x00", nil, "binary file: it holds a NUL byte"},
		{"a NUL behind a byte order mark", "\xEF\xBB\xBF\x00", nil, "binary file: it holds a NUL byte"},
		{"a NUL where an encoding is named", "a\x00", gbk, "binary file: it holds a NUL byte"},
		{"UTF-16 without a byte order mark", toUTF16("ab\n", false), nil, "binary file: it holds a NUL byte"},
		{"a NUL in UTF-16", "\xFF\xFEa\x00\x00\x00", nil, "binary file: it holds a NUL byte"},
		{"UTF-32LE", "\xFF\xFE\x00\x00a\x00\x00\x00", nil, "the file is UTF-32, which is not supported; convert it to UTF-8"},
		{"UTF-32BE", "\x00\x00\xFE\xFF\x00\x00\x00a", nil, "the file is UTF-32, which is not supported; convert it to UTF-8"},
		{"UTF-16 of an odd length", "\xFF\xFEa\x00b", nil, "the file is UTF-16 by its byte order mark, but holds half a character and would not survive a rewrite; convert it to UTF-8"},
		{"UTF-16 where an encoding is named", "\xFF\xFEa\x00", gbk, "the file is UTF-16 by its byte order mark; leave the encoding out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := text.Parse([]byte(tt.src), tt.enc)
			assert.Nil(t, d)
			require.EqualError(t, err, tt.want)
			if strings.HasPrefix(tt.want, "binary") {
				assert.ErrorIs(t, err, text.ErrBinary)
			} else {
				assert.ErrorAs(t, err, new(*text.EncodingError))
			}
		})
	}
}

// checkDocument compares every way to ask d for its lines with a naive split.
func checkDocument(t require.TestingT, d *text.Document, body string) {
	want := naiveLines(body)
	require.Equal(t, len(want), d.NumLines())
	require.Equal(t, body, string(d.Body()))
	got := make([]string, 0, len(want))
	for i, line := range d.Lines(0, d.NumLines()) {
		require.Equal(t, len(got), i)
		got = append(got, string(line))
	}
	at := 0
	for i, l := range want {
		// Plain comparisons: a million calls of require would be slow.
		if got[i] != l.text || string(d.Line(i)) != l.text || d.Ending(i) != l.ending {
			require.Failf(t, "line differs", "line %d of %q: want %q, %q", i, body, l.text, l.ending)
		}
		end := at + len(l.text) + len(l.ending)
		if d.Offset(i) != at || d.LineAt(at) != i || d.LineAt(end-1) != i {
			require.Failf(t, "offset differs", "line %d of %q: Offset %d, want %d", i, body, d.Offset(i), at)
		}
		at = end
	}
	require.Equal(t, len(body), d.Offset(d.NumLines()))
	if d.Unterminated() {
		require.Equal(t, len(want)-1, d.LineAt(len(body)))
	} else {
		require.Equal(t, len(want), d.LineAt(len(body)))
	}
}

func TestLineOffsetLineAtAndLinesAgreeWithANaiveSplit(t *testing.T) {
	// Around the border of index blocks, which are 2,048 bytes long.
	for _, n := range []int{1, 2047, 2048, 2049, 4095, 4096, 4097, 10000} {
		long := strings.Repeat("x", n)
		for _, body := range []string{
			long, long + "\n", long + "\r\n", "\n" + long, "a\n" + long + "\nb", long[1:] + "\r\n" + long + "\n\n",
			strings.Repeat("\n", n), strings.Repeat("\r\n", n), strings.Repeat("\n", n) + "end",
		} {
			checkDocument(t, mustParse(t, body), body)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		body := genBody(200).Draw(t, "body")
		checkDocument(t, mustParse(t, body), body)
		for range 5 {
			at := rapid.IntRange(0, len(body)).Draw(t, "at")
			require.Equal(t, strings.Count(body[:at], "\n"), mustParse(t, body).LineAt(at))
		}
	})
}

func TestLinesGivesAnyWindowAndStopsWhenToldTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := genBody(50).Draw(t, "body")
		d := mustParse(t, body)
		start := rapid.IntRange(0, d.NumLines()).Draw(t, "start")
		end := rapid.IntRange(start, d.NumLines()).Draw(t, "end")
		stop := rapid.IntRange(start, end).Draw(t, "stop")
		next := start
		for i, line := range d.Lines(start, end) {
			require.Equal(t, next, i)
			require.True(t, bytes.Equal(d.Line(i), line))
			next++
			if next == stop {
				break
			}
		}
		if stop > start {
			end = stop
		}
		require.Equal(t, end, next)
	})
}

func TestADocumentIsSafeForConcurrentUse(t *testing.T) {
	d := mustParse(t, strings.Repeat("é\r\nline\n", 1000))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := d.Encode("é")
			assert.NoError(t, err)
			assert.Equal(t, "é", s)
			res, err := text.Splice(d, []text.Edit{edit(1000, 1001, "é")})
			assert.NoError(t, err)
			assert.True(t, res.Equal())
		})
	}
	wg.Wait()
}

func TestWithTextPutsTheFileTogether(t *testing.T) {
	for src, want := range map[string]string{
		"a":             "é\n",
		"\xEF\xBB\xBFa": "\xEF\xBB\xBFé\n",
		"\xFF\xFEa\x00": "\xFF\xFE\xe9\x00\n\x00",
	} {
		d, err := text.Parse([]byte(src), nil)
		require.NoError(t, err)
		assert.Equal(t, want, string(d.WithText([]byte("é\n"))))
		assert.Equal(t, src, string(d.WithText(d.Body())))
		assert.Equal(t, src[0] == 0xFF, d.UTF16())
	}
}

// genBody generates texts without a NUL or a byte order mark, of up to n pieces.
func genBody(n int) *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"\n", "\n", "\r\n", "\r", "\r\r\n", "a", "line", "é", "\u2028", "\f", "\xff", "\xc3", "漢字",
		strings.Repeat("y", 700), strings.Repeat("z", 2047), strings.Repeat("\n", 300),
	})
	return rapid.Map(rapid.SliceOfN(piece, 0, n), func(p []string) string {
		body := strings.Join(p, "")
		if strings.HasPrefix(body, "\xff") {
			return "." + body // FF could begin a byte order mark, by what follows
		}
		return body
	})
}
