package hashline_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnAnchorTellsItsSchemeByItsShape(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want hashline.Anchor
	}{
		{"22:ab:rstu", hashline.Anchor{Scheme: hashline.Chunk, Line: 22, Own: 1, Window: ((17*26+18)*26+19)*26 + 20}},
		{"1:zz:aaaa", hashline.Anchor{Scheme: hashline.Chunk, Line: 1, Own: 675}},
		{"22.abcdef", hashline.Anchor{Scheme: hashline.Seal, Line: 22, Own: (((1*26+2)*26+3)*26+4)*26 + 5}},
		{"22:ab~rstu", hashline.Anchor{Scheme: hashline.Chain, Line: 22, Own: 1, Window: ((17*26+18)*26+19)*26 + 20}},
		{"22:abc", hashline.Anchor{Scheme: hashline.Content, Line: 22, Own: 28}},
		{"22", hashline.Anchor{Scheme: hashline.File, Line: 22}},
		{"9223372036854775807", hashline.Anchor{Scheme: hashline.File, Line: math.MaxInt}},
		{"0:", hashline.Anchor{Scheme: hashline.Top}},
		{"EOF", hashline.Anchor{Scheme: hashline.Bottom}},
	} {
		ref, err := hashline.Format{}.Parse(tt.s)
		require.NoError(t, err, tt.s)
		assert.Equal(t, hashline.Ref{Anchor: tt.want}, ref, tt.s)
		assert.Equal(t, tt.s, hashline.Format{}.Print(ref.Anchor))
		assert.Equal(t, "see "+tt.s, string(hashline.Format{}.Append([]byte("see "), ref.Anchor)))
	}
}

func TestTextAfterTheFirstArrowIsAttached(t *testing.T) {
	for s, want := range map[string]string{
		"22:ab:rstu→if err != nil {":  "if err != nil {",
		"22.abcdef→":                  "",
		"22:ab~rstu→a → b":            "a → b",
		"22:abc→\t x ":                "\t x ",
		"22→22→x":                     "22→x",
		"22:ab:rstu→\xff not UTF-8":   "\xff not UTF-8",
		"22:ab:rstu→0: and EOF, 1-2,": "0: and EOF, 1-2,",
	} {
		ref, err := hashline.Format{}.Parse(s)
		require.NoError(t, err, s)
		assert.True(t, ref.HasText, s)
		assert.Equal(t, want, ref.Text, s)
	}
}

func TestWhatIsNoAnchorIsRefusedWithTheRightForm(t *testing.T) {
	for _, s := range []string{
		"", " ", "x", ":", ".", "→", "→text", "-1", "+1", "1.0", "1e3", "0x16",
		"22:AB:rstu", "22:ab:RSTU", "22:Ab:rstu", "22.ABCDEF", "22:ABC", "22:ab~RSTU", "22:äb:rstu",
		"22:", "22.", "22:a", "22:ab", "22:abcd", "22:ab:", "22:ab~", "22::rstu", "22:ab:rst", "22:ab:rstuv",
		"22:a:rstu", "22:abc:rstu", "22:abc:rst", "22:ab~rst", "22:ab~rstuv", "22.abcde", "22.abcdefg", "22~ab:rstu",
		"22:ab.rstu", "22:ab:rstu:", "22:ab:rstu|", "22:ab:rst1", "22:1b:rstu", "22:ab:rs-u", ":ab:rstu", "ab:rstu",
		"022:ab:rstu", "00", "01", "022", "00:", "000:ab:rstu", "022.abcdef",
		"22-25", "22,25", "22:ab:rstu-25:cd:rstu", "22:ab:rstu,25:cd:rstu",
		" 22:ab:rstu", "22:ab:rstu ", "22 :ab:rstu", "22: ab:rstu", "22:ab:rstu\n", "22\t", "\ufeff22",
		"eof", "Eof", "EOF:", "EOF ", " EOF", "0: ", "EOF→", "0:→", "0:→text", "1:",
		"22:ab:rstu->text", "22:ab:rstu=>text", "22|text", "22:ab:rstu\u2794text", "２２", "22:ab：rstu",
	} {
		ref, err := hashline.Format{}.Parse(s)
		bad, ok := errors.AsType[*hashline.AnchorError](err)
		if !assert.True(t, ok, "%q parses as %+v", s, ref) {
			continue
		}
		assert.Zero(t, ref, s)
		assert.Equal(t, hashline.AnchorMalformed, bad.Code, s)
		assert.Contains(t, bad.Error(), `"22:ab:rstu"`, s)
		assert.NotContains(t, bad.Error(), "\n", s)
	}
}

func TestLineZeroIsInvalidInput(t *testing.T) {
	for _, s := range []string{"0", "0:ab:rstu", "0.abcdef", "0:ab~rstu", "0:abc", "0→x"} {
		_, err := hashline.Format{}.Parse(s)
		bad, ok := errors.AsType[*hashline.AnchorError](err)
		require.True(t, ok, s)
		assert.Equal(t, hashline.InvalidInput, bad.Code, s)
		assert.Contains(t, bad.Error(), `"0:"`, s)
	}
}

func TestARangeInOneAnchorIsToldToUseTwo(t *testing.T) {
	_, err := hashline.Format{}.Parse("22-25")
	assert.ErrorContains(t, err, "end_anchor")
	_, err = hashline.Format{}.Parse("22:AB:rstu→a-b")
	assert.NotContains(t, err.Error(), "end_anchor")
}

func TestALineNumberThatOverflowsIsInvalidInput(t *testing.T) {
	for _, s := range []string{"9223372036854775808", "9223372036854775808:ab:rstu", "18446744073709551617.abcdef", strings.Repeat("9", 5000) + ":abc"} {
		_, err := hashline.Format{}.Parse(s)
		bad, ok := errors.AsType[*hashline.AnchorError](err)
		require.True(t, ok, s)
		assert.Equal(t, hashline.InvalidInput, bad.Code)
		assert.Less(t, len(bad.Reason), 300, "the message must not repeat all of it")
	}
}

func TestAnAnchorAtTheLargestLineIsPastTheEndOfAnyFile(t *testing.T) {
	const most = "9223372036854775807"
	for _, codes := range []string{":ab:rstu", ".abcdef", ":ab~rstu", ":abc", ""} {
		for _, e := range []hashline.Edit{
			{Op: hashline.Replace, Anchor: parsed(t, most+codes)},
			insertAfter(parsed(t, most+codes), "x"),
			{Op: hashline.Delete, Anchor: parsed(t, "1"), End: parsed(t, most+codes)},
		} {
			res := resolveWith(t, "a\nb\n", tagOf("a\nb\n"), hashline.Options{}, e)
			require.Len(t, res.Failures, 1)
			assert.Equal(t, hashline.AnchorOutOfRange, res.Failures[0].Code)
			assert.Len(t, res.Failures[0].Context, 2, "the last lines are shown")
		}
	}
}

func TestOtherFormatsCountTheirLetters(t *testing.T) {
	f := hashline.Format{LineLetters: 3, ChunkLetters: 3, ChainLetters: 1, SealLetters: 13, ContentLetters: 5}
	for _, s := range []string{"22:abc:rst", "22:abc~r", "22.abcdefghijklm", "22.zzzzzzzzzzzzz", "22:abcde", "22:abcde→x", "7"} {
		ref, err := f.Parse(s)
		require.NoError(t, err, s)
		want, _, _ := strings.Cut(s, "→")
		assert.Equal(t, want, f.Print(ref.Anchor))
	}
	for _, s := range []string{"22:ab:rstu", "22:ab~rstu", "22.abcdef", "22:abc", "22:abc:rstu", "22:abc~", "22:abcd"} {
		_, err := f.Parse(s)
		assert.Error(t, err, s)
	}
	_, err := (hashline.Format{LineLetters: 3}).Parse("22:abc")
	assert.NoError(t, err, "a content anchor beside line letters of the same number")
}

func TestATagIsSixteenDigits(t *testing.T) {
	assert.Equal(t, "ef46db3751d8e999", hashline.TagOf(nil).String(), "XXH64 of nothing")
	tag, ok := hashline.ParseTag("00ff00000000abcd")
	assert.True(t, ok)
	assert.Equal(t, "00ff00000000abcd", tag.String())
	for _, s := range []string{"", "-", "ef46db3751d8e99", "ef46db3751d8e9999", "EF46DB3751D8E999", "ef46db3751d8e99g", "0xef46db3751d8e9", " ef46db3751d8e99"} {
		_, ok := hashline.ParseTag(s)
		assert.False(t, ok, s)
	}
}

func TestASchemeHasOneName(t *testing.T) {
	for s := hashline.Chunk; s <= hashline.File; s++ {
		got, err := hashline.ParseScheme(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, got)
	}
	for _, name := range []string{"", "top", "bottom", "Chunk", "chunks"} {
		_, err := hashline.ParseScheme(name)
		assert.ErrorContains(t, err, "chunk, seal, chain, content or file", name)
	}
}

// FuzzParse: what parses prints back identically. Run it with
//
//	go test ./hashline -run '^$' -fuzz FuzzParse
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"22:ab:rstu", "22.abcdef", "22:ab~rstu", "22:abc", "22", "0:", "EOF", "22:ab:rstu→text", "22→", "0:→", "→", "22:AB:rstu",
		"022", "22:", "22-25", "9223372036854775808", "9223372036854775807:abc", "0", "22:ab:rst", "1:ab~→→", "\xff", "1\xe2\x86", "5:abcde→", "5:abc:rst",
	} {
		f.Add(s)
	}
	formats := []hashline.Format{{}, {LineLetters: 3, ChunkLetters: 3, ContentLetters: 5}, {LineLetters: 1, ChainLetters: 13, SealLetters: 13}}
	f.Fuzz(func(t *testing.T, s string) {
		for _, format := range formats {
			ref, err := format.Parse(s)
			if err != nil {
				_, ok := errors.AsType[*hashline.AnchorError](err)
				require.True(t, ok)
				require.NotContains(t, err.Error(), "\n")
				continue
			}
			back := format.Print(ref.Anchor)
			if ref.HasText {
				back += hashline.Arrow + ref.Text
			}
			require.Equal(t, s, back)
		}
	})
}
