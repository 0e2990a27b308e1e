package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// editsIn fills the anchors of a file in dir into a list of edits.
func editsIn(t require.TestingT, dir, file, edits string) string {
	s := lookAll(t, dir, file)
	for i := len(s.anchors); i > 0; i-- {
		edits = strings.ReplaceAll(edits, fmt.Sprintf("«%d»", i), s.at(i))
	}
	return edits
}

func TestEditsThatOverlapAreNamedBoth(t *testing.T) {
	replace := func(first, last int) string {
		return fmt.Sprintf(`{"op":"replace","anchor":"«%d»","end_anchor":"«%d»","content":"x"}`, first, last)
	}
	search := func(first, last int) string {
		return fmt.Sprintf(`{"op":"search_replace","anchor":"«%d»","end_anchor":"«%d»","search":"line","replace":"x"}`, first, last)
	}
	after := func(n int) string { return fmt.Sprintf(`{"op":"insert_after","anchor":"«%d»","content":"x"}`, n) }
	before := func(n int) string { return fmt.Sprintf(`{"op":"insert_before","anchor":"«%d»","content":"x"}`, n) }
	remove := func(n int) string { return fmt.Sprintf(`{"op":"delete","anchor":"«%d»"}`, n) }
	for name, test := range map[string]struct {
		edits    []string
		overlaps bool
	}{
		"the same range":                 {[]string{replace(3, 5), replace(3, 5)}, true},
		"the same line":                  {[]string{remove(3), remove(3)}, true},
		"one in the other":               {[]string{replace(2, 8), replace(4, 5)}, true},
		"one around the other":           {[]string{replace(4, 5), replace(2, 8)}, true},
		"the same beginning":             {[]string{replace(2, 8), replace(2, 3)}, true},
		"the same end":                   {[]string{replace(2, 8), replace(7, 8)}, true},
		"a line in common":               {[]string{replace(2, 5), replace(5, 8)}, true},
		"some lines in common":           {[]string{replace(2, 6), replace(4, 8)}, true},
		"some lines, the other way":      {[]string{replace(4, 8), replace(2, 6)}, true},
		"a delete in a replace":          {[]string{replace(2, 6), remove(4)}, true},
		"an insert inside":               {[]string{replace(2, 6), after(4)}, true},
		"an insert inside, other way":    {[]string{before(3), replace(2, 6)}, true},
		"an insert after the first":      {[]string{replace(2, 6), after(2)}, true},
		"an insert before the last":      {[]string{replace(2, 6), before(6)}, true},
		"a search in a replaced range":   {[]string{replace(2, 6), search(4, 4)}, true},
		"two searches for one line":      {[]string{search(2, 4), search(4, 6)}, true},
		"three at once":                  {[]string{replace(2, 6), replace(3, 4), replace(5, 8)}, true},
		"ranges that touch":              {[]string{replace(2, 4), replace(5, 8)}, false},
		"ranges that touch, other way":   {[]string{replace(5, 8), replace(2, 4)}, false},
		"an insert before a range":       {[]string{replace(2, 4), before(2)}, false},
		"an insert after a range":        {[]string{replace(2, 4), after(4)}, false},
		"an insert after the line above": {[]string{replace(2, 4), after(1)}, false},
		"two inserts at one place":       {[]string{after(3), before(4)}, false},
		"an insert and its line's end":   {[]string{remove(3), after(3), before(3)}, false},
		"searches that touch":            {[]string{search(2, 4), search(5, 6)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			src := numbered(10)
			dir, file := tempFile(t, src)
			a := ask(t, dir, file, editsIn(t, dir, file, "["+strings.Join(test.edits, ",")+"]"), quick)
			if !test.overlaps {
				require.Equal(t, Applied, a.Status, textOf(a))
				return
			}
			require.Equal(t, Refused, a.Status)
			require.Equal(t, src, readFile(t, filepath.Join(dir, file)))
			text := textOf(a)
			for i := range test.edits {
				require.Contains(t, text, fmt.Sprintf("edits[%d] ", i))
			}
			for _, f := range a.Failures {
				require.Equal(t, EditsOverlap, f.Code)
				require.Equal(t, 2, strings.Count(f.Message, "edits["), f.Message)
			}
			require.GreaterOrEqual(t, len(a.Failures), len(test.edits)-1)
		})
	}
}

func TestEditsOfOneRequestAreMadeTogether(t *testing.T) {
	for name, test := range map[string]struct{ src, edits, want string }{
		"inserts at one place keep their order": {"a\nb\n",
			`{"op":"insert_after","anchor":"«1»","content":"1"},{"op":"insert_before","anchor":"«2»","content":"2"},{"op":"insert_after","anchor":"«1»","content":["3","4"]}`,
			"a\n1\n2\n3\n4\nb\n"},
		"inserts at the top keep their order": {"a\n",
			`{"op":"insert_before","anchor":"«1»","content":"1"},{"op":"insert_after","anchor":"0:","content":"2"},{"op":"insert_before","anchor":"0:","content":"3"}`,
			"1\n2\n3\na\n"},
		"inserts at the bottom keep their order": {"a",
			`{"op":"insert_after","anchor":"EOF","content":"1"},{"op":"insert_after","anchor":"«1»","content":"2"},{"op":"insert_before","anchor":"EOF","content":"3"}`,
			"a\n1\n2\n3"},
		"inserts at both edges of a replaced range": {"a\nb\nc\nd\n",
			`{"op":"replace","anchor":"«2»","end_anchor":"«3»","content":"X"},{"op":"insert_after","anchor":"«3»","content":"below"},{"op":"insert_before","anchor":"«2»","content":"above"}`,
			"a\nabove\nX\nbelow\nd\n"},
		"inserts into an empty file": {"",
			`{"op":"insert_after","anchor":"EOF","content":"1"},{"op":"insert_before","anchor":"0:","content":"2"}`,
			"1\n2\n"},
		"delete everything, line by line": {"a\nb\nc",
			`{"op":"delete","anchor":"«3»"},{"op":"delete","anchor":"«1»"},{"op":"delete","anchor":"«2»"}`,
			""},
		"delete everything and begin anew": {"a\nb\n",
			`{"op":"delete","anchor":"«1»","end_anchor":"«2»"},{"op":"insert_before","anchor":"0:","content":"new"}`,
			"new\n"},
		"the order of edits does not matter": {"a\nb\nc\n",
			`{"op":"replace","anchor":"«3»","content":["C","C"]},{"op":"delete","anchor":"«1»"},{"op":"replace","anchor":"«2»","content":"B"}`,
			"B\nC\nC\n"},
		"an anchor, a place and a search": {"a\nb\nc\nd\n",
			`{"op":"replace","anchor":"«1»","content":"A"},{"op":"insert_after","anchor":"EOF","content":"e"},{"op":"search_replace","anchor":"«3»","search":"c","replace":"C"}`,
			"A\nb\nC\nd\ne\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.src)
			a := ask(t, dir, file, editsIn(t, dir, file, "["+test.edits+"]"), quick)
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, test.want, readFile(t, filepath.Join(dir, file)))
			require.Len(t, a.Files[0].Edits, strings.Count(test.edits, `"op"`))
		})
	}
}

func TestOneStaleAnchorAmongFiftyRefusesThemAll(t *testing.T) {
	src := numbered(100)
	dir, file := tempFile(t, src)
	s := lookAll(t, dir, file)
	edits := func(stale ...int) string {
		var list []any
		for i := range 50 {
			anchor := s.at(2*i + 1)
			for _, n := range stale {
				if n == i {
					anchor = fmt.Sprintf("%d:aa:aaaa", 2*i+1)
				}
			}
			list = append(list, map[string]any{"op": "replace", "anchor": anchor, "content": fmt.Sprint("new ", i)})
		}
		return quote(list)
	}
	for _, stale := range [][]int{{0}, {25}, {49}, {0, 1, 2}, {7, 30, 48}} {
		a := ask(t, dir, file, edits(stale...), quick)
		require.Equal(t, NotApplied, a.Status)
		require.Equal(t, src, readFile(t, filepath.Join(dir, file)))
		var reported []int
		for _, f := range a.Failures {
			require.Equal(t, AnchorStale, f.Code)
			reported = append(reported, *f.Edit)
		}
		require.Equal(t, stale, reported)
		requireNoSuccess(t, textOf(a))
	}
	require.Equal(t, Applied, ask(t, dir, file, edits(), quick).Status)
}

func TestARequestThatChangesNothingIsUnchangedAndWritesNothing(t *testing.T) {
	src := "a\r\nb\nc"
	dir, file := tempFile(t, src)
	before := tree(t, dir)
	for _, edit := range []string{
		`{"op":"replace","anchor":"«1»","content":"a"}`,
		`{"op":"replace","anchor":"«1»","end_anchor":"«3»","content":["a","b","c"]}`,
		`{"op":"search_replace","expect":1,"search":"b","replace":"b"}`,
		`{"op":"search_replace","expect":1,"search":"a\nb","replace":"a\r\nb"}`,
		`{"op":"write","content":"a\r\nb\nc","blind":true}`,
		`{"op":"delete","anchor":"«3»"},{"op":"insert_after","anchor":"EOF","content":"c"}`,
	} {
		ws, err := Open(dir)
		require.NoError(t, err)
		ws.fault = func(step string) error { t.Errorf("step %s", step); return nil }
		a := askIn(ws, file, editsIn(t, dir, file, "["+edit+"]"), Options{Diff: true})
		ws.Close()
		require.Equal(t, Unchanged, a.Status, "%s %s", edit, textOf(a))
		require.True(t, strings.HasPrefix(textOf(a), "unchanged f.txt "))
		require.Empty(t, a.Files[0].Diff)
		require.Nil(t, a.Durable)
		require.Equal(t, before, tree(t, dir))
	}
}

func TestTwoNamesOfOneFileAreOneFile(t *testing.T) {
	dir, file := tempFile(t, "a\nb\n")
	require.NoError(t, os.Symlink("f.txt", filepath.Join(dir, "link.txt")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
	for _, names := range [][2]string{
		{file, "./f.txt"}, {"./f.txt", file}, {file, "sub/../f.txt"}, {file, "link.txt"}, {"link.txt", file},
		{file, filepath.Join(dir, file)}, {filepath.Join(dir, "link.txt"), ".//f.txt"},
	} {
		request := `{"path":"` + names[1] + `","edits":` + editsIn(t, dir, file, `[{"op":"replace","anchor":"«1»","content":"a"}]`) + `}`
		a := ask(t, dir, names[0], request, quick)
		require.Equal(t, Unchanged, a.Status, "%q %s", names, textOf(a))
		require.Equal(t, names[0], a.Files[0].Path)
	}
	writeFile(t, filepath.Join(dir, "other.txt"), "a\nb\n")
	a := ask(t, dir, file, `{"path":"other.txt","edits":`+editsIn(t, dir, file, `[{"op":"delete","anchor":"«1»"}]`)+`}`, quick)
	require.Equal(t, []Code{InvalidInput}, codes(a))
}

func TestAWriteGivesTheFileItsContentOrIsRefused(t *testing.T) {
	old := "one\r\ntwo\r\n"
	base := hashline.TagOf([]byte(old)).String()
	for name, test := range map[string]struct {
		src     string // of f.txt; "-": there is none
		request string
		want    string // of the file named; "-": there is none
		code    Code
	}{
		"a new file":                         {"-", `{"path":"f.txt","edits":[{"op":"write","content":"x\r\ny"}]}`, "x\r\ny", ""},
		"a new file from a list":             {"-", `{"path":"f.txt","edits":[{"op":"write","content":["x","","y"]}]}`, "x\n\ny\n", ""},
		"a new empty file":                   {"-", `{"path":"f.txt","edits":[{"op":"write","content":""}]}`, "", ""},
		"a new empty file from a list":       {"-", `{"path":"f.txt","edits":[{"op":"write","content":[]}]}`, "", ""},
		"a new file in new directories":      {"-", `{"path":"a/b/c.txt","edits":[{"op":"write","content":"x"}]}`, "x", ""},
		"a new file, blind":                  {"-", `{"path":"f.txt","edits":[{"op":"write","content":"x","blind":true}]}`, "x", ""},
		"a file that is gone":                {"-", `{"path":"f.txt","base":"` + base + `","edits":[{"op":"write","content":"x"}]}`, "-", FileChanged},
		"an empty file":                      {"", `{"path":"f.txt","edits":[{"op":"write","content":"x"}]}`, "x", ""},
		"an empty file with another base":    {"", `{"path":"f.txt","base":"` + base + `","edits":[{"op":"write","content":"x"}]}`, "", FileChanged},
		"text without a base":                {old, `{"path":"f.txt","edits":[{"op":"write","content":"x"}]}`, old, BaseRequired},
		"text, blind":                        {old, `{"path":"f.txt","edits":[{"op":"write","content":"x","blind":true}]}`, "x", ""},
		"text, blind false":                  {old, `{"path":"f.txt","edits":[{"op":"write","content":"x","blind":false}]}`, old, BaseRequired},
		"text with its base":                 {old, `{"path":"f.txt","base":"` + base + `","edits":[{"op":"write","content":"x"}]}`, "x", ""},
		"text with its base, to nothing":     {old, `{"path":"f.txt","base":"` + base + `","edits":[{"op":"write","content":""}]}`, "", ""},
		"text with another base":             {"changed\n", `{"path":"f.txt","base":"` + base + `","edits":[{"op":"write","content":"x"}]}`, "changed\n", FileChanged},
		"a list keeps CRLF":                  {old, `{"path":"f.txt","base":"` + base + `","edits":[{"op":"write","content":["x","y"]}]}`, "x\r\ny\r\n", ""},
		"a list keeps the byte order mark":   {"\xEF\xBB\xBFa\n", `{"path":"f.txt","edits":[{"op":"write","content":["x"],"blind":true}]}`, "\xEF\xBB\xBFx\n", ""},
		"a string drops the byte order mark": {"\xEF\xBB\xBFa\n", `{"path":"f.txt","edits":[{"op":"write","content":"x","blind":true}]}`, "x", ""},
		"a list over mixed endings":          {"a\r\nb\n", `{"path":"f.txt","edits":[{"op":"write","content":["x"],"blind":true}]}`, "x\n", ""},
		"a list over no ending":              {"a", `{"path":"f.txt","edits":[{"op":"write","content":["x"],"blind":true}]}`, "x\n", ""},
		"a binary file, blind":               {"\x00\x01", `{"path":"f.txt","edits":[{"op":"write","content":["x"],"blind":true}]}`, "x\n", ""},
		"a binary file with its base":        {"\x00\x01", `{"path":"f.txt","base":"` + hashline.TagOf([]byte("\x00\x01")).String() + `","edits":[{"op":"write","content":"x"}]}`, "\x00\x01", BinaryFile},
		"in a directory that is a file":      {"a", `{"path":"f.txt/g.txt","edits":[{"op":"write","content":"x"}]}`, "-", IOError},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if test.src != "-" {
				writeFile(t, filepath.Join(dir, "f.txt"), test.src)
			}
			req := Decode([]byte(test.request), "")
			path := filepath.Join(dir, req.Files[0].Path)
			before := tree(t, dir)
			dry := quick
			dry.DryRun = true
			preview := ask(t, dir, "", test.request, dry)
			require.Equal(t, before, tree(t, dir), "a dry run leaves no trace")
			a := ask(t, dir, "", test.request, quick)
			require.Equal(t, a.Status, preview.Status)
			require.True(t, preview.DryRun)
			if test.code != "" {
				require.Equal(t, []Code{test.code}, codes(a), textOf(a))
				require.Equal(t, before, tree(t, dir))
				return
			}
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, test.want, readFile(t, path))
			require.Equal(t, a.Files[0].Base, preview.Files[0].Base)
			require.Equal(t, hashline.TagOf([]byte(test.want)).String(), a.Files[0].Base)
		})
	}
}

func TestAnAnswerShowsTheEndOfAFileOfWholeChunks(t *testing.T) {
	for _, n := range []int{15, 16, 17, 31, 32, 33, 48} {
		for _, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal, hashline.Chain, hashline.Content} {
			dir, file := tempFile(t, numbered(n))
			opt := quick
			opt.Scheme = &scheme
			a := ask(t, dir, file, editsIn(t, dir, file, fmt.Sprintf(`[{"op":"replace","anchor":"«%d»","content":"x"}]`, n)), opt)
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, "x", a.Files[0].Snippet[3].Text)
			require.Len(t, a.Files[0].Snippet, 4)
			require.Equal(t, look(t, dir, file, ReadOptions{Scheme: scheme}).at(n), a.Files[0].Snippet[3].Anchor)
		}
	}
}
