package searchreplace_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// pieces are lines that a reader may take for something else.
var pieces = []string{
	"", " ", "a", "b", "\ta", "x = 1", "- item", "é", "\xff", "a\r", "\r", "\f",
	"=======", "===", "=========", " =======", "======= ", `\=======`, `\\=======`, "=======\r",
	"------- SEARCH", "<<<<<<< SEARCH", "<<<<<<<<< SEARCH", "--- SEARCH>", "<<<<<<<SEARCH", "------- search",
	"+++++++ REPLACE", ">>>>>>> REPLACE", ">>> REPLACE>", "------- REPLACE", ">>>>>>> REPLACE x", `\>>>>>>> REPLACE`,
	"<<<<<<< HEAD", ">>>>>>> branch", "|||||||", "-------", "---", `\---`, "+++++++",
	":start_line:12", ":end_line: 3", `\:start_line:1`,
	"```", "```go", "````", "~~~", "</source>", "<source>",
	"main.go", "src/a.py", "`x`", "...",
	"<replace_in_file>", "</replace_in_file>", "<path>x</path>", "<diff>", "</diff>", "</str_replace>", "</old_string>", "<new_string>",
	"</old_string><new_string>", "<![CDATA[", "]]>", "</content>", "</write_to_file>", "<old_string>",
	"--- a/x", "+++ b/x", "@@ -1 +1 @@", "*** Begin Patch", "*** End Patch", `{"path": "a"}`,
	"1 | a", "2 | b", "22:ab:rstu→a", "22→a", "&lt;&lt;&lt; SEARCH", "// ... existing code ...", "$&",
	"**<<<<<<< SEARCH**", "`=======`", "> >>>>>>> REPLACE", "＜＜＜＜＜＜＜ SEARCH", "<<<<<<< ORIGINAL", "SEARCH:", "[REPLACE]",
	"@@", "-a", "+b", "+++ b/y.go", "--- a/y.go", "```diff", "*** begin patch", "  *** Update File: y.go", "***Add File: z.go", "  @@",
	"<tool_call>", `{"path": "a", "old_string": "x", "new_string": "y"}</tool_call>`, `{'path': 'a', 'old_string': 'x',`, `'new_string': 'y'}`,
	"see c.go", "- a.go", "<search>", "<replace>", "  --- a/x", "  +++ b/x", "***************", "*** 1,2 ****",
}

func drawText(t *rapid.T, label string) string {
	lines := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.SampledFrom(pieces), rapid.StringN(0, 8, -1)), 0, 6).Draw(t, label)
	var s strings.Builder
	for _, l := range lines {
		s.WriteString(strings.ReplaceAll(l, "\n", "") + "\n")
	}
	return s.String()
}

func drawBlock(t *rapid.T) *searchreplace.Block {
	b := &searchreplace.Block{
		Path:    rapid.SampledFrom([]string{"", "main.go", "src/a b.py", "Makefile", "x", "ü/ñ.txt", "a`b", "#x.go", "a:b.c"}).Draw(t, "path"),
		Search:  drawText(t, "search"),
		Replace: drawText(t, "replace"),
		Line:    rapid.SampledFrom([]int{0, 0, 12}).Draw(t, "line"),
	}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		b.Substring = true
		b.All = rapid.Bool().Draw(t, "all")
		b.Search = strings.TrimSuffix(b.Search, "\n")
		b.Line = 0
	case 1:
		b.Op, b.Search, b.Line = searchreplace.Write, "", 0
	case 2:
		b.Op, b.Search, b.Line = searchreplace.Create, "", 0
	}
	return b
}

// requireSame fails unless what Print writes is read as b again.
func requireSame(t require.TestingT, b *searchreplace.Block, printed string) {
	r := searchreplace.Decode([]byte(printed), searchreplace.DecodeOptions{})
	require.Empty(t, r.Problems, printed)
	require.Len(t, r.Blocks, 1, printed)
	got := r.Blocks[0]
	got.Dialect, got.First, got.Last, got.Repairs, got.Stripped = b.Dialect, b.First, b.Last, b.Repairs, b.Stripped
	require.Equal(t, *b, got, printed)
}

func TestWhatIsPrintedIsReadAsTheSameBlock(t *testing.T) {
	held := map[searchreplace.Dialect]int{}
	refused := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		b := drawBlock(t)
		for _, dialect := range []searchreplace.Dialect{searchreplace.Cline, searchreplace.Git, searchreplace.Call} {
			printed, err := searchreplace.Print(b, dialect)
			if err != nil {
				require.NotContains(t, err.Error(), "\n")
				refused[err.Error()]++
				continue
			}
			held[dialect]++
			requireSame(t, b, printed)
		}
	})
	for dialect := range held {
		require.Positive(t, held[dialect])
	}
	require.Len(t, held, 3)
	t.Log(held, refused)
}

func TestBlocksOfTheCorpusArePrintedInTheirOwnDialect(t *testing.T) {
	for _, c := range decodeCases(t) {
		for _, b := range searchreplace.Decode([]byte(c.reply), c.opt).Blocks {
			if b.Dialect == searchreplace.Patch && b.Line != 0 {
				continue // numbers that do not belong there
			}
			printed, err := searchreplace.Print(&b, b.Dialect)
			require.NoError(t, err, c.name)
			requireSame(t, &b, printed)
		}
	}
}

func FuzzPrint(f *testing.F) {
	for _, p := range pieces {
		f.Add("a.go", p+"\n", "x\n"+p+"\n")
	}
	f.Fuzz(func(t *testing.T, path, search, replace string) {
		b := &searchreplace.Block{Path: path, Search: search, Replace: replace}
		for _, dialect := range []searchreplace.Dialect{searchreplace.Cline, searchreplace.Git, searchreplace.Call} {
			b.Substring = dialect == searchreplace.Call
			if printed, err := searchreplace.Print(b, dialect); err == nil {
				requireSame(t, b, printed)
			}
		}
	})
}

func TestWhatMarkersCannotHoldIsSaid(t *testing.T) {
	for _, tt := range []struct {
		block   searchreplace.Block
		dialect searchreplace.Dialect
		want    string
	}{
		{searchreplace.Block{Context: []string{"func f() {"}}, searchreplace.Git, "git cannot say where in the file the text stands"},
		{searchreplace.Block{SearchUnterminated: true}, searchreplace.Cline, "cline cannot say that the last line of the file has no end"},
		{searchreplace.Block{Op: searchreplace.Write}, searchreplace.Cline, "cline cannot write a whole file"},
		{searchreplace.Block{Search: "a"}, searchreplace.Cline, "cline holds whole lines"},
		{searchreplace.Block{Substring: true}, searchreplace.Cline, "cline replaces whole lines, in one place"},
		{searchreplace.Block{Path: "a\nb"}, searchreplace.Git, `git cannot hold the file name "a\nb"`},
		{searchreplace.Block{Path: "a", Replace: "22:ab:rstu→a\n"}, searchreplace.Cline, "cline cannot hold this text: it would be read as something else"},
	} {
		printed, err := searchreplace.Print(&tt.block, tt.dialect)
		require.EqualError(t, err, tt.want)
		require.Empty(t, printed)
	}
}
