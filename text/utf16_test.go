package text_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const torn = "the file is UTF-16 by its byte order mark, but holds half a character and would not survive a rewrite; convert it to UTF-8"

func TestUTF16IsReadOrRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		src  string
		want string // the text, or the error
		ok   bool
	}{
		{"little-endian", "\xFF\xFEa\x00\n\x00", "a\n", true},
		{"big-endian", "\xFE\xFF\x00a\x00\n", "a\n", true},
		{"a surrogate pair, little-endian", "\xFF\xFE\x3D\xD8\x00\xDE", "😀", true},
		{"a surrogate pair, big-endian", "\xFE\xFF\xD8\x3D\xDE\x00", "😀", true},
		{"the first and the last pair", "\xFE\xFF\xD8\x00\xDC\x00\xDB\xFF\xDF\xFF", "\U00010000\U0010FFFF", true},
		{"a second byte order mark is content", "\xFF\xFE\xFF\xFEa\x00", "\uFEFFa", true},
		{"noncharacters and U+FFFD are content", "\xFE\xFF\xFF\xFE\xFF\xFF\xFF\xFD", "\uFFFE\uFFFF\uFFFD", true},
		{"a high surrogate at the end", "\xFF\xFEa\x00\x3D\xD8", torn, false},
		{"a high surrogate before a letter", "\xFF\xFE\x3D\xD8a\x00", torn, false},
		{"a high surrogate before another", "\xFE\xFF\xD8\x3D\xD8\x3D\xDE\x00", torn, false},
		{"a low surrogate", "\xFF\xFE\x00\xDEa\x00", torn, false},
		{"an odd length", "\xFF\xFEa\x00b", torn, false},
		{"one byte", "\xFF\xFEa", torn, false},
		{"a pair without its last byte", "\xFF\xFE\x3D\xD8\x00", torn, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := text.Parse([]byte(tt.src), nil)
			if !tt.ok {
				require.EqualError(t, err, tt.want)
				require.ErrorAs(t, err, new(*text.EncodingError))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(d.Body()))
			checkUTF16(t, d, tt.src)
		})
	}
}

func TestAnEditOfUTF16ChangesItsLineAlone(t *testing.T) {
	for _, bigEndian := range []bool{false, true} {
		bom := "\xFF\xFE"
		if bigEndian {
			bom = "\xFE\xFF"
		}
		utf16 := func(s string) string { return bom + toUTF16(s, bigEndian) }
		d := mustParse(t, utf16("é\r\nold\nend"))
		s, err := text.Splice(d, []text.Edit{edit(1, 2, "neu ü", "漢"), edit(3, 3, "last")})
		require.NoError(t, err)
		assert.Equal(t, utf16("é\r\nneu ü\n漢\nend\nlast"), string(s.Bytes()))
		assert.False(t, s.Equal())
		assert.Equal(t, len(bom+"é\r\nneu ü\n漢\nend\nlast"), s.Size(), "the text counts as UTF-8")

		s, err = text.Splice(d, []text.Edit{edit(0, 3)})
		require.NoError(t, err)
		assert.Equal(t, bom, string(s.Bytes()))
	}
	// A character beyond the Basic Multilingual Plane becomes a pair.
	s, err := text.Splice(mustParse(t, "\xFF\xFEa\x00"), []text.Edit{edit(0, 1, "😀")})
	require.NoError(t, err)
	assert.Equal(t, "\xFF\xFE\x3D\xD8\x00\xDE", string(s.Bytes()))
}

// checkUTF16 sees that splices of d write back every unit that they leave.
func checkUTF16(t require.TestingT, d *text.Document, src string) {
	require.True(t, utf8.Valid(d.Body()))
	checkDocument(t, d, string(d.Body()))
	s, err := text.Splice(d, nil)
	require.NoError(t, err)
	require.True(t, s.Equal())
	require.Equal(t, src, string(s.Bytes()))

	for i := range d.NumLines() {
		s, err := text.Splice(d, []text.Edit{edit(i, i+1, "é 😀")})
		require.NoError(t, err)
		head, tail := string(d.Body()[:d.Offset(i)]), d.Ending(i)+string(d.Body()[d.Offset(i+1):])
		bigEndian := src[0] == 0xFE
		want := src[:2] + units(head, bigEndian) + units("é 😀", bigEndian) + units(tail, bigEndian)
		require.Equal(t, want, string(s.Bytes()))
		require.Equal(t, src[:2+len(units(head, bigEndian))], want[:2+len(units(head, bigEndian))])
		require.True(t, strings.HasSuffix(src, units(tail, bigEndian)))
		var w bytes.Buffer
		n, err := s.WriteTo(&w)
		require.NoError(t, err)
		require.Equal(t, int64(len(want)), n)
		require.Equal(t, want, w.String())
	}
}

// units returns s as UTF-16.
func units(s string, bigEndian bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if bigEndian {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func FuzzUTF16(f *testing.F) {
	f.Add([]byte("a\x00\r\x00\n\x00b\x00"), false)
	f.Add([]byte("\x00a\x00\r\x00\n\x00b"), true)
	f.Add([]byte("\x3D\xD8\x00\xDE\n\x00"), false)
	f.Add([]byte("\xD8\x3D\xDE\x00"), true)
	f.Add([]byte("\x3D\xD8"), false)
	f.Add([]byte("\x00\xDE\x3D\xD8"), false)
	f.Add([]byte("abc"), true)
	f.Add([]byte("\x0A\x0A\x0D\x0A"), false)
	f.Add([]byte("\xFF\xFE"), false)
	f.Fuzz(func(t *testing.T, body []byte, bigEndian bool) {
		bom := "\xFF\xFE"
		if bigEndian {
			bom = "\xFE\xFF"
		}
		src := bom + string(body)
		d, err := text.Parse([]byte(src), nil)
		s, scanErr := text.NewScanner(strings.NewReader(src), nil)
		if err != nil {
			if scanErr == nil {
				_, scanErr = scanLines(t, s)
			}
			require.Error(t, scanErr)
			require.NotErrorIs(t, scanErr, io.EOF)
			return
		}
		require.NoError(t, scanErr)
		lines, scanErr := scanLines(t, s)
		require.ErrorIs(t, scanErr, io.EOF)
		require.Equal(t, textsOf(d), lines)
		if d.NumLines() <= 20 {
			checkUTF16(t, d, src)
		}
	})
}
