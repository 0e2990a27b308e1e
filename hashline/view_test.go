package hashline_test

import (
	"math"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAPrinterPrintsWhatPrintPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom([]hashline.Format{{}, {LineLetters: 3}, {LineLetters: 1, ChunkLetters: 1}}).Draw(t, "format")
		p := f.Printer(nil)
		own, window := uint64(26), uint64(26)
		line := 0
		for range rapid.IntRange(1, 60).Draw(t, "lines") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				line = rapid.SampledFrom([]int{1, 2, 8, 9, 10, 99, 100, 999, 1000, 19_999, math.MaxInt - 1}).Draw(t, "line")
			default:
				line = min(line, math.MaxInt-1) + 1
			}
			a := hashline.Anchor{
				Scheme: rapid.SampledFrom([]hashline.Scheme{hashline.Chunk, hashline.Chunk, hashline.Chunk, hashline.Chunk, hashline.Seal, hashline.Chain, hashline.Content, hashline.File}).Draw(t, "scheme"),
				Line:   line,
			}
			if a.Scheme != hashline.File {
				a.Own = rapid.Uint64Range(0, own-1).Draw(t, "own")
			}
			if a.Scheme == hashline.Chunk || a.Scheme == hashline.Chain {
				a.Window = rapid.Uint64Range(0, 1).Draw(t, "window") * (window - 1)
			}
			l := hashline.Line{Anchor: a, Text: []byte("x→y")}
			want := "before " + f.Print(a) + "→x→y"
			if rapid.IntRange(0, 9).Draw(t, "cut") == 0 {
				l.Cut = 7
				want += "…+7b"
			}
			require.Equal(t, want+"\n", string(p.AppendLine([]byte("before "), &l)))
		}
	})
}

func TestAPrinterShowsTextInUTF8(t *testing.T) {
	enc, err := text.LookupEncoding("shift_jis")
	require.NoError(t, err)
	l := hashline.Line{Anchor: hashline.Anchor{Line: 3}, Text: []byte("\x83\x65\x83\x58\x83\x67")}
	assert.Equal(t, "3:aa:aaaa→テスト\n", string(hashline.Format{}.Printer(enc).AppendLine(nil, &l)))
	shown, lossy := l.Shown(enc)
	assert.Equal(t, "テスト", shown)
	assert.False(t, lossy)
}

func TestTextThatIsNoUTF8IsPrintedAsItIsAndShownLossy(t *testing.T) {
	l := hashline.Line{Anchor: hashline.Anchor{Line: 3}, Text: []byte("a\xffb"), Cut: 12}
	assert.Equal(t, "3:aa:aaaa→a\xffb…+12b\n", string(hashline.Format{}.Printer(nil).AppendLine(nil, &l)))
	shown, lossy := l.Shown(nil)
	assert.Equal(t, "a\ufffdb…+12b", shown)
	assert.True(t, lossy)
}

func TestAHeaderSaysWhatTheViewShows(t *testing.T) {
	tag := hashline.TagOf(nil)
	for want, h := range map[string]hashline.Header{
		"a.go base=ef46db3751d8e999 lines 1-9/9":  {Path: "a.go", Base: tag, HasBase: true, Windows: []hashline.Window{{First: 1, Last: 9}}, Total: 9},
		"a.go base=- lines 2-3,7-9/9":             {Path: "a.go", Base: tag, Windows: []hashline.Window{{First: 2, Last: 3}, {First: 7, Last: 9}}, Total: 9},
		"a.go base=- lines 1-2/?":                 {Path: "a.go", Windows: []hashline.Window{{First: 1, Last: 2}}, Total: -1},
		`"a b.go" base=- lines 7-/?`:              {Path: "a b.go", Windows: []hashline.Window{{First: 7, Last: hashline.ToEnd}}, Total: -1},
		"empty base=ef46db3751d8e999 lines 0-0/0": {Path: "empty", Base: tag, HasBase: true},
		`"a\nb base=x" base=- lines 1-1/1`:        {Path: "a\nb base=x", Windows: []hashline.Window{{First: 1, Last: 1}}, Total: 1},
	} {
		assert.Equal(t, want, h.String())
	}
	assert.Equal(t, "x… 12 lines\n", string(hashline.AppendGap([]byte("x"), 12)))
	assert.Equal(t, "more: --lines 41-\n", string(hashline.AppendMore(nil, 41)))
}

func TestOddPathsAreQuoted(t *testing.T) {
	for path, want := range map[string]string{
		"":           `""`,
		"a/b-c_d.go": "a/b-c_d.go",
		"日本/é.txt":   "日本/é.txt",
		"it's":       "it's",
		"a b":        `"a b"`,
		`a"b`:        `"a\"b"`,
		`a\b`:        `"a\\b"`,
		"a\tb":       `"a\tb"`,
		"a\x1b[31m":  `"a\x1b[31m"`,
		"a\xffb":     `"a\xffb"`,
		"a\ufffdb":   `"a` + "\ufffd" + `b"`,
		"a\u202eb":   `"a\u202eb"`,
		"a\u00a0b":   `"a\u00a0b"`,
		"a\u2028b":   `"a\u2028b"`,
	} {
		assert.Equal(t, want, hashline.QuotePath(path))
	}
}

func TestWindowsAreParsedMergedAndInOrder(t *testing.T) {
	const end = hashline.ToEnd
	for s, want := range map[string][]hashline.Window{
		"all":                   {{First: 1, Last: end}},
		"7":                     {{First: 7, Last: 7}},
		"10-40,90-":             {{First: 10, Last: 40}, {First: 90, Last: end}},
		"90-,10-40":             {{First: 10, Last: 40}, {First: 90, Last: end}},
		"5-9,1-4":               {{First: 1, Last: 9}},
		"1-4,6-9":               {{First: 1, Last: 4}, {First: 6, Last: 9}},
		"1-9,2-3,4":             {{First: 1, Last: 9}},
		"3-,5-6,1":              {{First: 1, Last: 1}, {First: 3, Last: end}},
		"1-,7":                  {{First: 1, Last: end}},
		"9223372036854775807":   {{First: math.MaxInt, Last: math.MaxInt}},
		"9223372036854775807-":  {{First: math.MaxInt, Last: end}},
		"1-9223372036854775806": {{First: 1, Last: math.MaxInt - 1}},
	} {
		got, err := hashline.ParseWindows(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, got, s)
	}
}

func TestWhatIsNoListOfWindowsIsRefused(t *testing.T) {
	for _, s := range []string{"", "0", "0-5", "5-4", "-5", "-", "a", "1-b", "1,,2", "1,", ",1", " 1", "1 ", "1-2-3", "1--2", "1:2", "1..2", "9223372036854775808", "1-9223372036854775808", "all,1", "ALL", "+1", "1-+2", "0x1", "1_0"} {
		got, err := hashline.ParseWindows(s)
		assert.Error(t, err, "%q is %v", s, got)
	}
}

func TestMergingWindowsKeepsEveryLineOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var windows []hashline.Window
		in := map[int]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "windows") {
			first := rapid.IntRange(1, 30).Draw(t, "first")
			w := hashline.Window{First: first, Last: first + rapid.IntRange(0, 6).Draw(t, "more")}
			windows = append(windows, w)
			for n := w.First; n <= w.Last; n++ {
				in[n] = true
			}
		}
		before := strings.Clone(hashline.Header{Windows: windows}.String())
		last := -1
		for _, w := range hashline.MergeWindows(windows) {
			require.Greater(t, w.First, last+1, "those that touch are one")
			for n := w.First; n <= w.Last; n++ {
				require.True(t, in[n])
				delete(in, n)
			}
			last = w.Last
		}
		require.Empty(t, in)
		require.Equal(t, before, hashline.Header{Windows: windows}.String(), "its argument is left alone")
	})
}
