package text_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// supported holds the WHATWG names that LookupEncoding accepts, without UTF-8.
var supported = strings.Fields(`
	big5 euc-jp euc-kr gb18030 gbk ibm866 koi8-r koi8-u macintosh shift_jis
	iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8
	iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16
	windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254
	windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic x-user-defined`)

func mustLookup(t require.TestingT, name string) *text.Encoding {
	enc, err := text.LookupEncoding(name)
	require.NoError(t, err)
	return enc
}

func TestLookupEncodingTakesWHATWGNames(t *testing.T) {
	for _, name := range supported {
		assert.Equal(t, name, mustLookup(t, name).Name())
		assert.Equal(t, name, mustLookup(t, strings.ToUpper(name)).Name())
	}
	for label, name := range map[string]string{
		"latin1": "windows-1252", "iso-8859-1": "windows-1252", "us-ascii": "windows-1252", "gb2312": "gbk",
		"cp1251": "windows-1251", "sjis": "shift_jis", "ks_c_5601-1987": "euc-kr", "big5-hkscs": "big5",
		"utf-8": "utf-8", "UTF8": "utf-8",
	} {
		assert.Equal(t, name, mustLookup(t, label).Name(), label)
	}
	assert.Nil(t, mustLookup(t, "utf-8"))

	const (
		utf16    = "encoding %q is not supported: its line feed is not the byte 0x0A (UTF-16 is recognised by its byte order mark)"
		stateful = "encoding %q is not supported: a line cannot be read without the lines before it; convert the file to UTF-8"
		unknown  = "unknown encoding %q; use a WHATWG name such as windows-1252, gbk or shift_jis"
	)
	for name, want := range map[string]string{
		"utf-16": utf16, "UTF-16LE": utf16, "utf-16be": utf16,
		"iso-2022-jp": stateful, "iso-2022-kr": stateful, "hz-gb-2312": stateful,
		"utf-32": unknown, "utf-7": unknown, "ebcdic": unknown, "": unknown, "gbk\n8": unknown,
	} {
		enc, err := text.LookupEncoding(name)
		assert.Nil(t, enc)
		require.EqualError(t, err, fmt.Sprintf(want, name))
		assert.ErrorAs(t, err, new(*text.EncodingError))
	}
}

func TestALineFeedIsALineFeedInEveryEncoding(t *testing.T) {
	for _, name := range supported {
		enc := mustLookup(t, name)
		for b := range 256 {
			s, lossy := enc.Decode([]byte{byte(b)})
			if b < utf8.RuneSelf && (s != string(rune(b)) || lossy) {
				t.Errorf("%s: byte %#x is %q", name, b, s)
			}
			for _, lead := range [][]byte{{byte(b), '\n'}, {0x8F, byte(b), '\n'}, {0x81, 0x30, byte(b), '\n'}} {
				if s, _ := enc.Decode(lead); !strings.HasSuffix(s, "\n") {
					t.Errorf("%s: % x is %q", name, lead, s)
				}
			}
		}
	}
}

func TestEncodeAndDecodeRoundTrip(t *testing.T) {
	for name, tt := range map[string]struct{ s, bytes string }{
		"gbk":          {"a汉字€", "a\xba\xba\xd7\xd6\x80"},
		"gb18030":      {"汉😀", "\xba\xba\x94\x39\xfc\x36"},
		"big5":         {"漢字a", "\xba\x7e\xa6\x72a"},
		"shift_jis":    {"表ソｱ", "\x95\x5c\x83\x5c\xb1"}, // trail bytes that are ASCII backslashes
		"euc-kr":       {"한글", "\xc7\xd1\xb1\xdb"},
		"euc-jp":       {"漢é", "\xb4\xc1\x8f\xab\xb1"},
		"windows-1252": {"é€ß", "\xe9\x80\xdf"},
		"koi8-r":       {"Ёж", "\xb3\xd6"},
	} {
		d, err := text.Parse([]byte("ascii\n"), mustLookup(t, name))
		require.NoError(t, err)
		got, err := d.Encode(tt.s)
		require.NoError(t, err, name)
		assert.Equal(t, tt.bytes, got, name)
		s, lossy := d.Decode([]byte(got))
		assert.Equal(t, tt.s, s, name)
		assert.False(t, lossy, name)
		assert.Equal(t, name, d.Encoding().Name())
	}
}

func TestEncodeRefusesACharacterThatTheEncodingLacks(t *testing.T) {
	for _, tt := range []struct{ name, s, lacks string }{
		{"gbk", "ab漢한c", "한"},
		{"big5", "漢é한", "한"},
		{"shift_jis", "100¥", "¥"}, // the encoder makes a backslash of it
		{"shift_jis", "é", "é"},
		{"euc-kr", "é", "é"},
		{"windows-1252", "é漢", "漢"},
		{"windows-1252", "\u0081", "\u0081"},
		{"koi8-r", "é", "é"},
		{"windows-1252", "\xff", "\uFFFD"}, // not UTF-8
	} {
		d, err := text.Parse(nil, mustLookup(t, tt.name))
		require.NoError(t, err)
		got, err := d.Encode(tt.s)
		assert.Empty(t, got)
		require.EqualError(t, err, fmt.Sprintf("%s has no bytes for %q; write it in other characters", tt.name, tt.lacks))
		assert.ErrorAs(t, err, new(*text.EncodingError))
	}
}

func TestEncodeWithoutAnEncoding(t *testing.T) {
	const refused = `the file is not UTF-8, and the request has text beyond ASCII; say what the file is with --encoding NAME (field "encoding")`
	for _, tt := range []struct{ src, s, refused string }{
		{"ascii\n", "é", ""},
		{"é\n", "漢", ""},
		{"", "é", ""},
		{"\xFF\xFEa\x00", "漢", ""},
		{"caf\xe9\n", "ascii", ""},
		{"caf\xe9\n", "é", refused},
		{"\xEF\xBB\xBFcaf\xe9\n", "é", refused},
	} {
		got, err := mustParse(t, tt.src).Encode(tt.s)
		if tt.refused != "" {
			require.EqualError(t, err, tt.refused)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, tt.s, got)
	}
}

func TestDecodeMarksWhatIsLossy(t *testing.T) {
	for _, tt := range []struct {
		enc, line, want string
		lossy           bool
	}{
		{"utf-8", "é", "é", false},
		{"utf-8", "a\xffb\xc3", "a\uFFFDb\uFFFD", true},
		{"utf-8", "\uFFFD", "\uFFFD", false},
		{"windows-1252", "\x81", "\uFFFD", true}, // stands for nothing
		{"gbk", "\xba", "\uFFFD", true},
		{"gbk", "\xff", "\uFFFD", true},
		{"shift_jis", "\x83\x5c", "ソ", false},
		{"shift_jis", "\xfa\x54", "￢", true}, // one of two spellings, the encoder writes the other
	} {
		s, lossy := mustLookup(t, tt.enc).Decode([]byte(tt.line))
		assert.Equal(t, tt.want, s, "%s %q", tt.enc, tt.line)
		assert.Equal(t, tt.lossy, lossy, "%s %q", tt.enc, tt.line)
	}
}

func TestASpliceInAnyEncodingLeavesOtherLines(t *testing.T) {
	src := "\xba\xba\r\nold\r\n\xff\x81\r\n" // the third line stands for nothing in gbk
	d, err := text.Parse([]byte(src), mustLookup(t, "gbk"))
	require.NoError(t, err)
	fresh, err := d.Encode("字")
	require.NoError(t, err)
	s, err := text.Splice(d, []text.Edit{edit(1, 2, fresh)})
	require.NoError(t, err)
	assert.Equal(t, "\xba\xba\r\n\xd7\xd6\r\n\xff\x81\r\n", string(s.Bytes()))
}

func TestCutEndsBetweenTwoCharacters(t *testing.T) {
	for _, tt := range []struct {
		enc, line string
		n         int
		want      string
	}{
		{"utf-8", "abc", 3, "abc"},
		{"utf-8", "abc", 5, "abc"},
		{"utf-8", "abc", 2, "ab"},
		{"utf-8", "abc", 0, ""},
		{"utf-8", "aéb", 2, "a"},
		{"utf-8", "aéb", 3, "aé"},
		{"utf-8", "a漢", 3, "a"},
		{"utf-8", "a😀", 4, "a"},
		{"utf-8", "a😀", 1, "a"},
		{"utf-8", "😀", 3, ""},
		{"utf-8", "\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80"},
		{"utf-8", "\x80\x80\x80", 2, "\x80\x80"},
		{"gbk", "\xba\xba\xd7\xd6", 3, "\xba\xba"},
		{"gbk", "\xba\xba\xd7\xd6", 2, "\xba\xba"},
		{"gbk", "\xba\xba", 1, ""},
		{"gb18030", "a\x94\x39\xfc\x36", 4, "a"},
		{"shift_jis", "\x95\x5c\x83\x5c", 3, "\x95\x5c"},
		{"windows-1252", "\xe9\x81\xe9", 2, "\xe9\x81"},
	} {
		assert.Equal(t, tt.want, string(mustLookup(t, tt.enc).Cut([]byte(tt.line), tt.n)), "%s %q %d", tt.enc, tt.line, tt.n)
	}
}

func TestBoundariesAreThoseOfCharacters(t *testing.T) {
	for _, tt := range []struct {
		enc, line, needle string
		want              []bool // for every place of needle
	}{
		{"utf-8", "éaé", "é", []bool{true, true}},
		// D7 D6 stands at 1 across two characters, and at 4 as one.
		{"gbk", "\xba\xd7\xd6\xba\xd7\xd6", "\xd7\xd6", []bool{false, true}},
		{"gbk", "a\xd7\xd6\xd7\xd6", "\xd6\xd7", []bool{false}},
		{"gbk", "\x81|a|", "|", []bool{false, true}},
		{"shift_jis", "\x95\\a\\\x83\\", "\\", []bool{false, true, false}},
		{"shift_jis", "\x83\x83\x5c", "\x83\x5c", []bool{false}},
		{"gb18030", "\x94\x39\xfc\x369", "9", []bool{false, true}},
		{"gb18030", "\x94\x39\xfc\x366", "6", []bool{false, true}},
		{"big5", "\xba~~", "~", []bool{false, true}},
		{"windows-1252", "\xe9\xe9", "\xe9", []bool{true, true}},
		{"gbk", "\xba\n\xd7\xd6\n\xba\xd7\xd6", "\xd7\xd6", []bool{true, false}}, // half a character ends with its line
	} {
		begins := mustLookup(t, tt.enc).Boundaries([]byte(tt.line))
		var got []bool
		for at := range len(tt.line) {
			if strings.HasPrefix(tt.line[at:], tt.needle) {
				got = append(got, begins(at))
			}
		}
		assert.Equal(t, tt.want, got, "%s %q", tt.enc, tt.line)
	}
}

func TestCutAndBoundariesAgreeWithDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		enc := mustLookup(t, rapid.SampledFrom(supported).Draw(t, "encoding"))
		piece := rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0x81, 0x30, 0x8F, 0x8E, 0xA1, 0xFC, 0xFF, 0x5C, 'a'}))
		line := rapid.SliceOfN(piece.Filter(func(b byte) bool { return b != '\n' }), 1, 20).Draw(t, "line")
		begins := enc.Boundaries(line)
		var starts []bool
		for at := range line {
			starts = append(starts, begins(at))
		}
		require.True(t, starts[0])
		var byChar strings.Builder
		for at := 0; at < len(line); {
			end := at + 1
			for end < len(line) && !starts[end] {
				end++
			}
			s, _ := enc.Decode(line[at:end])
			byChar.WriteString(s)
			at = end
		}
		whole, _ := enc.Decode(line)
		require.Equal(t, whole, byChar.String())

		n := rapid.IntRange(0, len(line)).Draw(t, "n")
		cut := enc.Cut(line, n)
		require.LessOrEqual(t, len(cut), n)
		require.Greater(t, len(cut), n-utf8.UTFMax)
		require.True(t, len(cut) == len(line) || starts[len(cut)])
	})
}
