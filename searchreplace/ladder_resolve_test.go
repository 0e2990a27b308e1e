package searchreplace_test

import (
	"slices"
	"strings"
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
// quotes or its blank edges: the block's hints choose between them. Where they choose
// what the tier did not find, nothing is written anywhere.
func TestHintsChooseBetweenAPlaceAndItsRivals(t *testing.T) {
	quotes := "say(\"a\") \nb()\nc()\nsay(“a”)\nd()\n"
	ofQuotes := searchreplace.Block{Search: "say(\"a\")\n", Replace: "say(\"z\")\n"}
	edges := "a\n\nb\nx\na\n  \nb\n\nd\n"
	ofEdges := searchreplace.Block{Search: "a\n\nb\n\n", Replace: "a\n\nz\n\n"}
	depth := "}  \nif x {\n\t}\n"
	ofDepth := searchreplace.Block{Search: "}\n", Replace: "},\n"}
	for name, test := range map[string]struct {
		src    string
		block  searchreplace.Block
		hint   func(*searchreplace.Block)
		opt    searchreplace.Options
		want   string // "" for a refusal
		ladder string
	}{
		"quotes, nothing chooses":       {src: quotes, block: ofQuotes},
		"quotes, its line":              {src: quotes, block: ofQuotes, hint: func(b *searchreplace.Block) { b.Line = 1 }, want: "say(\"z\")\nb()\nc()\nsay(“a”)\nd()\n"},
		"quotes, the line of its rival": {src: quotes, block: ofQuotes, hint: func(b *searchreplace.Block) { b.Line = 4 }},
		"quotes, the rival's context":   {src: quotes, block: ofQuotes, hint: func(b *searchreplace.Block) { b.Context = []string{"c()"} }},
		"quotes, the first":             {src: quotes, block: ofQuotes, opt: searchreplace.Options{First: true}, want: "say(\"z\")\nb()\nc()\nsay(“a”)\nd()\n"},
		"quotes, all of the tier":       {src: quotes, block: ofQuotes, opt: searchreplace.Options{All: true}, want: "say(\"z\")\nb()\nc()\nsay(“a”)\nd()\n"},
		"edges, nothing chooses":        {src: edges, block: ofEdges},
		"edges, the rival's line":       {src: edges, block: ofEdges, hint: func(b *searchreplace.Block) { b.Line = 1 }},
		"edges, its line":               {src: edges, block: ofEdges, hint: func(b *searchreplace.Block) { b.Line = 5 }, want: "a\n\nb\nx\na\n  \nz\n\nd\n"},
		"edges, the first, its rival":   {src: edges, block: ofEdges, opt: searchreplace.Options{First: true}},
		"edges, no ladder finds it":     {src: edges, block: ofEdges, hint: func(b *searchreplace.Block) { b.Line = 1 }, ladder: "exact,trailing,trimmed"},
		"depth, the first":              {src: depth, block: ofDepth, opt: searchreplace.Options{First: true}, want: "},\nif x {\n\t}\n"},
		"depth, the end of the file":    {src: depth, block: ofDepth, hint: func(b *searchreplace.Block) { b.AtEnd = true }},
	} {
		t.Run(name, func(t *testing.T) {
			if test.hint != nil {
				test.hint(&test.block)
			}
			if test.ladder != "" {
				test.opt.Ladder, _ = searchreplace.ParseLadder(test.ladder)
			}
			res := resolve(t, test.src, test.opt, test.block)
			if test.want == "" {
				require.Len(t, res.Failures, 1)
				require.Equal(t, searchreplace.MultipleMatches, res.Failures[0].Code)
				require.GreaterOrEqual(t, len(res.Failures[0].Places), 2)
				return
			}
			require.Empty(t, res.Failures)
			require.Equal(t, test.want, string(res.Spliced.Bytes()))
			if note := res.Results[0].Notes; test.hint != nil {
				require.Len(t, note, 1)
				require.Contains(t, note[0].Text, "the search stands, or nearly so, in 2 places")
			}
		})
	}
}

// What is done already has no rivals, and no place of a refusal says to do it again.
func TestWhatIsDoneAlreadyIsNotInDoubt(t *testing.T) {
	done := "a()\nb() \nc()\nnew()\nq\n\ta()\n\tb()\n\tc()\n"
	res := resolve(t, done, searchreplace.Options{}, searchreplace.Block{Search: "a()\nb()\nc()\n", Replace: "a()\nb()\nc()\nnew()\n"})
	require.Empty(t, res.Failures)
	require.True(t, res.Results[0].Unchanged)
	same := searchreplace.Block{Search: "}\n", Replace: "}\n"}
	res = resolve(t, "}  \n\t}\n", searchreplace.Options{}, same)
	require.Empty(t, res.Failures)
	require.True(t, res.Results[0].Unchanged)
	twice := done + strings.Replace(done, "new()\n", "", 1)
	res = resolve(t, twice, searchreplace.Options{}, searchreplace.Block{Search: "a()\nb()\nc()\n", Replace: "a()\nb()\nc()\nnew()\n"})
	require.Len(t, res.Failures, 1)
	require.Nil(t, res.Failures[0].Places[0].Edits)
	require.NotNil(t, res.Failures[0].Places[1].Edits)
}

// A block whose blank edges were dropped when it was applied finds them in its own
// result.
func TestABlockWithBlankEdgesIsNotAppliedTwice(t *testing.T) {
	for _, b := range []searchreplace.Block{
		{Search: "func a() {\n}\n\n", Replace: "func a() {\n}\n\nfunc b() {\n}\n\n"},
		{Search: "func a() {\n}\n\n", Replace: "func a() {\n}\n\nfunc b() {\n}\n"},
		{Search: "\nfunc a() {\n}\n", Replace: "\nfunc b() {\n}\n\nfunc a() {\n}\n"},
		{Search: "\nfunc a() {\n}\n\n", Replace: "\nfunc b() {\n}\n\nfunc a() {\n}\n\n"},
	} {
		src := "x\nfunc a() {\n}\ny\n"
		res := resolve(t, src, searchreplace.Options{}, b)
		require.Empty(t, res.Failures)
		require.False(t, res.Results[0].Unchanged)
		once := string(res.Spliced.Bytes())
		require.Contains(t, once, "func b")
		res = resolve(t, once, searchreplace.Options{}, b)
		require.Empty(t, res.Failures)
		require.True(t, res.Results[0].Unchanged, "%q", res.Spliced.Bytes())
	}
}

// The rival of a place without its blank edges is not to be deleted.
func TestARivalInOtherQuotesOfABlockWithBlankEdgesIsNotOffered(t *testing.T) {
	res := resolve(t, "say(“a”)\nb()\nx\nsay(\"a\") \nb()\n", searchreplace.Options{}, searchreplace.Block{Search: "\nsay(\"a\")\nb()\n", Replace: "\nsay(\"z\")\nb()\n"})
	require.Len(t, res.Failures, 1)
	require.Len(t, res.Failures[0].Places, 2)
	require.Nil(t, res.Failures[0].Places[0].Edits)
	require.Len(t, res.Failures[0].Places[1].Edits, 1)
}

// everyOrder calls f with blocks in each of their orders.
func everyOrder(blocks []searchreplace.Block, f func([]searchreplace.Block)) {
	var place func(n int)
	place = func(n int) {
		if n == len(blocks) {
			f(slices.Clone(blocks))
			return
		}
		for i := n; i < len(blocks); i++ {
			blocks[n], blocks[i] = blocks[i], blocks[n]
			place(n + 1)
			blocks[n], blocks[i] = blocks[i], blocks[n]
		}
	}
	place(0)
}

func TestInsertsAtOneLineThatNothingOrdersFailInEveryOrder(t *testing.T) {
	upper := searchreplace.Block{Search: "b\n", Replace: "b\nx\n"}
	both := searchreplace.Block{Search: "b\nc\n", Replace: "b\ny\nc\n"}
	lower := searchreplace.Block{Search: "c\n", Replace: "z\nc\n"}
	everyOrder([]searchreplace.Block{upper, both, lower}, func(blocks []searchreplace.Block) {
		res := resolve(t, "a\nb\nc\n", searchreplace.Options{Partial: true}, blocks...)
		require.Len(t, res.Failures, 3)
		require.Equal(t, "a\nb\nc\n", string(res.Spliced.Bytes()))
	})
	res := resolve(t, "a\nb\nc\n", searchreplace.Options{}, lower, upper)
	require.Empty(t, res.Failures)
	require.Equal(t, "a\nb\nx\nz\nc\n", string(res.Spliced.Bytes()))
}

// Pieces of text that share a line are one edit: when a block of it has failed, what
// is left may still overlap others.
func TestPiecesOfTextInLinesThatOthersReplaceFailInEveryOrder(t *testing.T) {
	everyOrder([]searchreplace.Block{
		{Search: "a", Replace: "", Substring: true, All: true},
		{Search: "a\n", Replace: "", All: true},
		{Search: "a\n", Replace: "b\na\n", All: true},
		{Search: "\na", Replace: "a", Substring: true, All: true},
	}, func(blocks []searchreplace.Block) {
		res := resolve(t, "a\na", searchreplace.Options{Partial: true}, blocks...)
		require.Len(t, res.Failures, 3)
		require.Equal(t, "b\na\nb\na", string(res.Spliced.Bytes()))
	})
}
