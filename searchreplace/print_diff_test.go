package searchreplace_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// diffPieces are lines that a reader of diffs may take for something else.
var diffPieces = []string{
	"-- a/x", "++ b/x", "-", "+", " ", `\ No newline at end of file`, "@@", "@@ -1,2 +1,2 @@ f", "diff --git a/x b/x", "Index: x",
	"-- ", "---", "rename from x", "*** End Patch", "** End Patch", "*** End of File", "*** Update File: x", "*** Move to: y", "EOF",
}

func drawDiffText(t *rapid.T, label string) string {
	lines := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(diffPieces), rapid.SampledFrom(pieces), rapid.SampledFrom([]string{"a", "b", ""})), 0, 8).Draw(t, label)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func drawDiffBlock(t *rapid.T) *searchreplace.Block {
	b := &searchreplace.Block{
		Path:    rapid.SampledFrom([]string{"", "main.go", "src/a b.py", "x", "ü/\tñ\".txt", "\xff", `a\b`, "a/x", "b/x", "/dev/null", "dev/null"}).Draw(t, "path"),
		Search:  drawDiffText(t, "search"),
		Replace: drawDiffText(t, "replace"),
		Line:    rapid.SampledFrom([]int{0, 0, 1, 12}).Draw(t, "line"),
		AtEnd:   rapid.IntRange(0, 5).Draw(t, "end") == 0,
	}
	b.SearchUnterminated = b.Search != "" && rapid.IntRange(0, 3).Draw(t, "old") == 0
	b.ReplaceUnterminated = b.Replace != "" && rapid.IntRange(0, 3).Draw(t, "new") == 0
	for range rapid.IntRange(0, 2).Draw(t, "contexts") {
		b.Context = append(b.Context, rapid.SampledFrom([]string{"func f() {", "-1,3 +1,3", "...", "@@", "a @@ b"}).Draw(t, "context"))
	}
	switch op := rapid.SampledFrom([]searchreplace.Op{0, 0, 0, searchreplace.Create, searchreplace.Delete, searchreplace.Rename}).Draw(t, "op"); op {
	case searchreplace.Create:
		*b = searchreplace.Block{Op: op, Path: b.Path, Replace: b.Replace, ReplaceUnterminated: b.ReplaceUnterminated}
	case searchreplace.Delete:
		*b = searchreplace.Block{Op: op, Path: b.Path, Search: b.Search, SearchUnterminated: b.SearchUnterminated}
	case searchreplace.Rename:
		*b = searchreplace.Block{Op: op, Path: b.Path, To: "new name.go"}
	default:
		if b.Path != "" && rapid.IntRange(0, 5).Draw(t, "move") == 0 {
			b.To = "other.go"
		}
	}
	return b
}

func TestADiffThatIsPrintedIsReadAsTheSameBlock(t *testing.T) {
	held := map[searchreplace.Dialect]int{}
	refused := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		b := drawDiffBlock(t)
		for _, dialect := range []searchreplace.Dialect{searchreplace.Unified, searchreplace.Patch} {
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
	require.Len(t, held, 2)
	t.Log(held, refused)
}

// What a diff can hold by its grammar it does hold, whatever the text: there is
// nothing that only looks like a marker.
func TestADiffHoldsAnyLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &searchreplace.Block{Path: "x", Search: drawDiffText(t, "search"), Replace: drawDiffText(t, "replace") + "a\n"}
		if strings.Contains(b.Replace, "22") || strings.Contains(b.Search, "22") {
			return // anchors are no text
		}
		for _, dialect := range []searchreplace.Dialect{searchreplace.Unified, searchreplace.Patch} {
			printed, err := searchreplace.Print(b, dialect)
			require.NoError(t, err)
			requireSame(t, b, printed)
		}
	})
}

func TestJSONHoldsAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &searchreplace.Block{
			Path:      rapid.SampledFrom([]string{"", "a b.go", "ü\t\"", "</path>"}).Draw(t, "path"),
			Search:    rapid.String().Draw(t, "search") + drawDiffText(t, "lines"),
			Replace:   rapid.String().Draw(t, "replace"),
			Substring: true,
			All:       rapid.Bool().Draw(t, "all"),
			Line:      rapid.SampledFrom([]int{0, 7}).Draw(t, "line"),
		}
		if !utf8.ValidString(b.Search) {
			return
		}
		printed, err := searchreplace.PrintJSON(b)
		require.NoError(t, err)
		requireSame(t, b, printed)
		_, err = searchreplace.Print(b, searchreplace.Call)
		require.NoError(t, err)
	})
}

func TestWhatADialectCannotHoldIsSaid(t *testing.T) {
	for want, b := range map[string]searchreplace.Block{
		"unified replaces whole lines, in one place":                          {Path: "x", Search: "a", Substring: true},
		"unified names one line before the text at most":                      {Path: "x", Search: "a\n", Context: []string{"a", "b"}},
		"unified cannot say that the text ends the file":                      {Path: "x", Search: "a\n", AtEnd: true},
		"unified cannot write over a whole file":                              {Path: "x", Replace: "a\n", Op: searchreplace.Write},
		"unified must name a file":                                            {Replace: "a\n", Op: searchreplace.Create},
		"unified cannot replace nothing with nothing":                         {Path: "x"},
		"unified cannot say that new lines stand before line 1":               {Path: "x", Replace: "a\n", Line: 1},
		"patch must name a file":                                              {Search: "a\n", Dialect: searchreplace.Patch},
		"patch has no line numbers":                                           {Path: "x", Search: "a\n", Line: 3, Dialect: searchreplace.Patch},
		"patch cannot say that the last line of the file has no end":          {Path: "x", Search: "a\n", SearchUnterminated: true, Dialect: searchreplace.Patch},
		"patch deletes a file whatever it holds":                              {Path: "x", Search: "a\n", Op: searchreplace.Delete, Dialect: searchreplace.Patch},
		"patch cannot hold this text: it would be read as something else":     {Path: " x", Search: "a\n", Dialect: searchreplace.Patch},
		"call in JSON replaces text or writes a file":                         {Path: "x", Op: searchreplace.Delete, Dialect: searchreplace.Call},
		"call in JSON holds UTF-8 only":                                       {Path: "x", Search: "\xff", Line: 3, Substring: true, Dialect: searchreplace.Call},
		"call replaces a piece of text, and not whole lines":                  {Path: "x", Search: "a\n", Dialect: searchreplace.Call},
		"call cannot say where in the file the text stands, but for its line": {Path: "x", Search: "a", Substring: true, AtEnd: true, Dialect: searchreplace.Call},
	} {
		dialect := b.Dialect
		if dialect == searchreplace.Cline {
			dialect = searchreplace.Unified
		}
		_, err := searchreplace.Print(&b, dialect)
		require.EqualError(t, err, want, "%+v", b)
	}
}
