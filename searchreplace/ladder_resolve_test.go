package searchreplace_test

import (
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseLadder(t *testing.T) {
	for _, name := range everyPreset {
		want, ok := searchreplace.Preset(name)
		require.True(t, ok)
		got, err := searchreplace.ParseLadder(name)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		again, err := searchreplace.ParseLadder(got.String())
		require.NoError(t, err)
		assert.Equal(t, want, again)
	}
	got, err := searchreplace.ParseLadder("trimmed, exact")
	require.NoError(t, err)
	assert.Equal(t, searchreplace.Ladder{searchreplace.Trimmed, searchreplace.Exact}, got)
	for _, bad := range []string{"", "fuzzy", "exact,", "exact,exact", "substring"} {
		_, err := searchreplace.ParseLadder(bad)
		assert.Error(t, err, bad)
	}
	_, err = searchreplace.ParseLadder("default,ends")
	assert.ErrorContains(t, err, `"default" is a preset, which stands alone`)
}

func TestFileInAnotherEncoding(t *testing.T) {
	enc, err := text.LookupEncoding("windows-1252")
	require.NoError(t, err)
	doc, err := text.Parse([]byte("caf\xe9 \x93hi\x94\r\nb\r\n"), enc)
	require.NoError(t, err)
	for _, tt := range []struct {
		name  string
		block searchreplace.Block
		want  string
	}{
		{"lines", searchreplace.Block{Search: "café “hi”\n", Replace: "thé\n"}, "th\xe9\r\nb\r\n"},
		{"text", searchreplace.Block{Search: "café", Replace: "thé", Substring: true}, "th\xe9 \x93hi\x94\r\nb\r\n"},
		{"look-alikes", searchreplace.Block{Search: "café \"hi\"", Replace: "thé", Substring: true}, "th\xe9\r\nb\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := searchreplace.Preset("grok")
			res := searchreplace.Resolve(doc, []searchreplace.Block{tt.block}, searchreplace.Options{Ladder: l})
			require.Empty(t, res.Failures)
			assert.Equal(t, tt.want, string(res.Spliced.Bytes()))
		})
	}
	res := searchreplace.Resolve(doc, []searchreplace.Block{{Search: "b\n", Replace: "中\n"}}, searchreplace.Options{})
	require.Len(t, res.Failures, 1)
	assert.Equal(t, searchreplace.EncodingError, res.Failures[0].Code)
}

func TestUTF16File(t *testing.T) {
	res := resolve(t, "\xff\xfea\x00\r\x00\n\x00b\x00\r\x00\n\x00", searchreplace.Options{}, searchreplace.Block{Search: "b\n", Replace: "é\nc\n"})
	require.Empty(t, res.Failures)
	assert.Equal(t, "\xff\xfea\x00\r\x00\n\x00\xe9\x00\r\x00\n\x00c\x00\r\x00\n\x00", string(res.Spliced.Bytes()))
}

func TestSearchThatTheFileCannotHold(t *testing.T) {
	res := resolve(t, "caf\xe9\n", searchreplace.Options{}, searchreplace.Block{Search: "café\n", Replace: "x\n"})
	require.Len(t, res.Failures, 1)
	assert.Equal(t, searchreplace.EncodingError, res.Failures[0].Code)
	// Bytes that a reader took from the file as they are.
	res = resolve(t, "caf\xe9\n", searchreplace.Options{}, searchreplace.Block{Search: "caf\xe9\n", Replace: "x\n"})
	assert.Empty(t, res.Failures)
}

func TestOnlyReplacingBlocksHaveAPlace(t *testing.T) {
	res := resolve(t, "a\n", searchreplace.Options{}, searchreplace.Block{Op: searchreplace.Delete})
	require.Len(t, res.Failures, 1)
	assert.Equal(t, searchreplace.Unsupported, res.Failures[0].Code)
}

// What a caller shows of a search that stands nowhere.
func TestNearestLines(t *testing.T) {
	src := ""
	for range 10 {
		src += "nothing of the kind\n"
	}
	src += "func open(name string) (*File, error) {\n\treturn openFile(name, 0)\n}\n"
	res := resolve(t, src, searchreplace.Options{}, searchreplace.Block{
		Search:  "func Open(name string) (*File, error) {\n\treturn openFile(name, 0)\n}\n",
		Replace: "x\n",
	})
	require.Len(t, res.Failures, 1)
	f := res.Failures[0]
	require.NotNil(t, f.Nearest)
	assert.Equal(t, 10, f.Nearest.Start)
	assert.Equal(t, 13, f.Nearest.End)
	assert.Equal(t, 5, f.Nearest.ShowStart)
	assert.Equal(t, 13, f.Nearest.ShowEnd)
	assert.Greater(t, f.Nearest.Similarity, 0.9)
	assert.Equal(t, []string{"line 11 has “func·open(name·string)·(*File,·er…” where the search has “func·Open(name·string)·(*File,·er…”"}, f.Why)

	res = resolve(t, src, searchreplace.Options{}, searchreplace.Block{Search: "entirely other text\n", Replace: "x\n"})
	assert.Nil(t, res.Failures[0].Nearest)
}

func TestPartialResolvesTheOthers(t *testing.T) {
	blocks := []searchreplace.Block{{Search: "a\n", Replace: "A\n"}, {Search: "q\n"}, {Search: "c\n", Replace: "x\ny\n"}, {Search: "b\nc\n", Replace: "z\n"}}
	res := resolve(t, "a\nb\nc\n", searchreplace.Options{}, blocks...)
	assert.Len(t, res.Failures, 3)
	assert.Nil(t, res.Edits)
	assert.Nil(t, res.Spliced)
	res = resolve(t, "a\nb\nc\n", searchreplace.Options{Partial: true}, blocks...)
	require.Len(t, res.Failures, 3)
	assert.Equal(t, []int{1, 2, 3}, []int{res.Failures[0].Block, res.Failures[1].Block, res.Failures[2].Block})
	assert.Equal(t, 3, res.Failures[1].Other)
	assert.Equal(t, [][]int{{0}}, res.Owners)
	assert.Equal(t, "A\nb\nc\n", string(res.Spliced.Bytes()))
}

func TestPlaceholder(t *testing.T) {
	for _, s := range []string{
		"// ... existing code ...", "# ... rest of the function ...", "/* ... rest of methods ... */", "// unchanged code ...",
		"<!-- ... remaining content ... -->", "-- ... existing code", "    ...", "…", "# ...", "// … rest of code …",
		"{/* ... existing code ... */}", "// rest of methods ...", "; ... same as before ...",
	} {
		line, _ := searchreplace.Placeholder("a\n", "b\n"+s+"\n")
		assert.Equal(t, 2, line, s)
	}
	for _, s := range []string{
		"fmt.Println(args...)", "x := append(a, b...)", "// see the rest of this file", "return f(rest...)", "...args", "log(\"waiting...\")",
		"// and so on...", "for i in range(0...10)", "from ... import x", "func f(rest ...string) {", "# TODO: handle existing files...",
	} {
		line, _ := searchreplace.Placeholder("a\n", "b\n"+s+"\n")
		assert.Equal(t, 0, line, s)
	}
	line, _ := searchreplace.Placeholder("a\n", "def f():\n    ...\n")
	assert.Equal(t, 0, line)
}

// A place found but for blanks at its end is no better than one found but for its
// quotes: the block's hints choose, and never what only looks like it.
func TestHintsChooseBetweenAPlaceAndItsRivals(t *testing.T) {
	src := "say(\"a\") \nb()\nc()\nsay(“a”)\nd()\n"
	first := "say(\"z\")\nb()\nc()\nsay(“a”)\nd()\n"
	for name, test := range map[string]struct {
		block searchreplace.Block
		opt   searchreplace.Options
		want  string // "" for a refusal
		code  searchreplace.Code
	}{
		"nothing chooses":                      {code: searchreplace.MultipleMatches},
		"its line":                             {block: searchreplace.Block{Line: 1}, want: first},
		"the line of its rival":                {block: searchreplace.Block{Line: 4}, code: searchreplace.NoMatch},
		"its context":                          {block: searchreplace.Block{Context: []string{"c()"}}, code: searchreplace.NoMatch},
		"the first is asked for":               {opt: searchreplace.Options{First: true}, want: first},
		"all are asked for: those of the tier": {opt: searchreplace.Options{All: true}, want: first},
	} {
		t.Run(name, func(t *testing.T) {
			test.block.Search, test.block.Replace = "say(\"a\")\n", "say(\"z\")\n"
			res := resolve(t, src, test.opt, test.block)
			if test.want == "" {
				require.Len(t, res.Failures, 1)
				require.Equal(t, test.code, res.Failures[0].Code)
				return
			}
			require.Empty(t, res.Failures)
			require.Equal(t, test.want, string(res.Spliced.Bytes()))
		})
	}
}
