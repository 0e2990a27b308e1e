package apply

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// requireSnippet fails unless the lines of a snippet are those of the file now,
// in order, and its gaps are as long as they say.
func requireSnippet(t *testing.T, dir, file string, snippet []Line, scheme hashline.Scheme) {
	s := look(t, dir, file, ReadOptions{Windows: allLines, Scheme: scheme})
	last := 0
	for i, l := range snippet {
		if l.Gap > 0 {
			next, err := hashline.Format{}.Parse(snippet[i+1].Anchor)
			require.NoError(t, err)
			require.Equal(t, next.Anchor.Line-last-1, l.Gap)
			continue
		}
		ref, err := hashline.Format{}.Parse(l.Anchor)
		require.NoError(t, err)
		require.Greater(t, ref.Anchor.Line, last)
		last = ref.Anchor.Line
		require.Equal(t, s.at(last), l.Anchor)
		require.Equal(t, s.texts[last-1], l.Text)
	}
}

func TestASnippetShowsTheLinesAroundEachEdit(t *testing.T) {
	many := func(n int) string {
		return quote(strings.Split(strings.TrimSuffix(strings.Repeat("new\n", n), "\n"), "\n"))
	}
	var spread, close []string
	for i := range 100 {
		spread = append(spread, fmt.Sprintf(`{"op":"replace","anchor":"«%d»","content":"x"}`, 20*i+1))
		close = append(close, fmt.Sprintf(`{"op":"replace","anchor":"«%d»","content":"x"}`, i+1))
	}
	for name, test := range map[string]struct {
		edits string
		shown string // line numbers
	}{
		"a replaced line":        {`{"op":"replace","anchor":"«50»","content":"x"}`, "47-53"},
		"a deleted line":         {`{"op":"delete","anchor":"«50»"}`, "47-52"},
		"the first line":         {`{"op":"delete","anchor":"«1»"}`, "1-3"},
		"the last line":          {`{"op":"delete","anchor":"«2000»"}`, "1997-1999"},
		"a line at the top":      {`{"op":"insert_before","anchor":"0:","content":"x"}`, "1-4"},
		"a line at the bottom":   {`{"op":"insert_after","anchor":"EOF","content":"x"}`, "1998-2001"},
		"twelve lines":           {`{"op":"insert_after","anchor":"«50»","content":` + many(12) + `}`, "48-65"},
		"thirteen lines":         {`{"op":"insert_after","anchor":"«50»","content":` + many(13) + `}`, "48-53 61-66"},
		"a thousand lines":       {`{"op":"insert_after","anchor":"«50»","content":` + many(1000) + `}`, "48-53 1048-1053"},
		"two near each other":    {`{"op":"delete","anchor":"«50»"},{"op":"delete","anchor":"«56»"}`, "47-57"},
		"two apart":              {`{"op":"insert_after","anchor":"«50»","content":"x"},{"op":"delete","anchor":"«90»"}`, "48-54 88-93"},
		"places of a search":     {`{"op":"search_replace","anchor":"«50»","end_anchor":"«60»","search":"line 5","replace":"x"}`, "47-62"},
		"a hundred in one place": {strings.Join(close, ","), "1-103"},
		"a hundred far apart":    {strings.Join(spread, ","), ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, numbered(2000))
			a := ask(t, dir, "", `{"path":"f.txt","base":"`+tagOnDisk(t, dir, file)+`","edits":`+editsIn(t, dir, file, "["+test.edits+"]")+`}`, quick)
			require.Equal(t, Applied, a.Status, textOf(a))
			snippet := a.Files[0].Snippet
			requireSnippet(t, dir, file, snippet, hashline.Chunk)
			if test.shown == "" {
				lines := 0
				for _, l := range snippet {
					if l.Gap == 0 {
						lines++
					}
				}
				require.Equal(t, mostSnippet, lines)
				require.Equal(t, "snippet_cut", a.Files[0].Warnings[0].Code)
				require.Contains(t, textOf(a), "… and 80 more edits\n")
				return
			}
			var shown []string
			first, last := "", ""
			end := func() { shown = append(shown, first+"-"+last) }
			for _, l := range snippet {
				n, _, _ := strings.Cut(l.Anchor, ":")
				switch {
				case l.Gap > 0:
					end()
					first = ""
				case first == "":
					first, last = n, n
				default:
					last = n
				}
			}
			end()
			require.Equal(t, test.shown, strings.Join(shown, " "))
		})
	}
}

func TestAnAnswerCountsWhatEachEditDid(t *testing.T) {
	dir, file := tempFile(t, numbered(10))
	a := ask(t, dir, file, editsIn(t, dir, file, `[{"op":"replace","anchor":"«2»","end_anchor":"«4»","content":"x"},{"op":"delete","anchor":"«6»"},
		{"op":"insert_after","anchor":"«8»","content":["a","b"]},{"op":"insert_before","anchor":"«8»","content":""},{"op":"insert_before","anchor":"0:","content":"top"},
		{"op":"search_replace","anchor":"«9»","end_anchor":"«10»","search":"line","replace":"L\nL"}]`), quick)
	require.Equal(t, []EditAnswer{
		{Edit: 0, Op: "replace", First: 2, Last: 4, FirstRemoved: "line 2", LastRemoved: "line 4", Tier: "anchor", Added: 1, Removed: 3},
		{Edit: 1, Op: "delete", First: 6, Last: 6, FirstRemoved: "line 6", Tier: "anchor", Removed: 1},
		{Edit: 2, Op: "insert_after", First: 9, Last: 8, Tier: "anchor", Added: 2},
		{Edit: 3, Op: "insert_before", First: 8, Last: 7, Tier: "anchor", Added: 1},
		{Edit: 4, Op: "insert_before", First: 1, Last: 0, Tier: "place", Added: 1},
		{Edit: 5, Op: "search_replace", First: 9, Last: 10, Tier: "literal", Hits: 2, Added: 4, Removed: 2},
	}, a.Files[0].Edits)
	require.Equal(t, []int{9, 6}, []int{a.Files[0].Added, a.Files[0].Removed})
	require.True(t, strings.HasPrefix(textOf(a), "applied f.txt +9 -6 base=-\n"))
}

func TestAnEmptyRequestOfALibraryIsRefused(t *testing.T) {
	dir, file := tempFile(t, "a\n")
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	for _, req := range []*Request{{}, {Files: []FileRequest{{}}}, {Files: []FileRequest{{Path: file}}}, {Files: []FileRequest{{Path: file, Edits: []Edit{{}}}}}, {Files: make([]FileRequest, 2)}} {
		a := ws.Edit(t.Context(), req, quick)
		require.Equal(t, Refused, a.Status)
		require.NotEmpty(t, a.Failures)
		requireNoSuccess(t, textOf(a))
	}
}
