package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

func tagOnDisk(t require.TestingT, dir, file string) string {
	b, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	return hashline.TagOf(b).String()
}

func TestAReadGivesATagOnlyIfItShowsTheWholeFile(t *testing.T) {
	long := numbered(3000)
	wide := strings.Repeat(strings.Repeat("x", 1000)+"\n", 300)
	for name, test := range map[string]struct {
		src string
		opt ReadOptions
		tag bool
	}{
		"whole":                        {numbered(10), ReadOptions{}, true},
		"whole by all":                 {long, ReadOptions{Windows: allLines}, true},
		"whole by numbers":             {numbered(10), ReadOptions{Windows: []hashline.Window{{First: 1, Last: 10}}}, true},
		"whole and more":               {numbered(10), ReadOptions{Windows: []hashline.Window{{First: 1, Last: 99}}}, true},
		"whole in two windows":         {numbered(10), ReadOptions{Windows: hashline.MergeWindows([]hashline.Window{{First: 6, Last: 10}, {First: 1, Last: 5}})}, true},
		"empty":                        {"", ReadOptions{}, true},
		"empty, a window beyond":       {"", ReadOptions{Windows: []hashline.Window{{First: 5, Last: 9}}}, true},
		"a lone byte order mark":       {"\xEF\xBB\xBF", ReadOptions{}, true},
		"UTF-16":                       {utf16Of("a\nb\n", true), ReadOptions{}, true},
		"no final newline":             {"a\nb", ReadOptions{}, true},
		"the beginning of 3,000 lines": {long, ReadOptions{}, false},
		"the beginning of wide lines":  {wide, ReadOptions{}, false},
		"all but the last":             {numbered(10), ReadOptions{Windows: []hashline.Window{{First: 1, Last: 9}}}, false},
		"all but the first":            {numbered(10), ReadOptions{Windows: []hashline.Window{{First: 2, Last: hashline.ToEnd}}}, false},
		"all but one":                  {numbered(10), ReadOptions{Windows: []hashline.Window{{First: 1, Last: 4}, {First: 6, Last: 10}}}, false},
		"past the end":                 {numbered(10), ReadOptions{Windows: []hashline.Window{{First: 11, Last: 12}}}, false},
		"over a megabyte":              {strings.Repeat(wide, 5), ReadOptions{Windows: allLines}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.src)
			s := look(t, dir, file, test.opt)
			if test.tag {
				require.Equal(t, tagOnDisk(t, dir, file), s.base)
			} else {
				require.Empty(t, s.base)
			}
		})
	}
}

func TestAnEditGivesATagOnlyToWhoHadTheOldOne(t *testing.T) {
	other := "0123456789abcdef"
	for name, test := range map[string]struct {
		base, edits string
		tag         bool
	}{
		"with the base":                      {"«base»", `{"op":"delete","anchor":"«2»"}`, true},
		"without a base":                     {"", `{"op":"delete","anchor":"«2»"}`, false},
		"with another base":                  {other, `{"op":"delete","anchor":"«2»"}`, false},
		"unchanged with the base":            {"«base»", `{"op":"replace","anchor":"«2»","content":"line 2"}`, true},
		"unchanged without a base":           {"", `{"op":"replace","anchor":"«2»","content":"line 2"}`, false},
		"every line, without a base":         {"", `{"op":"replace","anchor":"«1»","end_anchor":"«5»","content":"x"}`, false},
		"bare, the count stays":              {"«base»", `{"op":"replace","anchor":2,"content":"x"}`, true},
		"bare, the count grows":              {"«base»", `{"op":"insert_after","anchor":2,"content":"x"}`, false},
		"bare, the count shrinks":            {"«base»", `{"op":"delete","anchor":2}`, false},
		"bare, one up and one down":          {"«base»", `{"op":"delete","anchor":2},{"op":"insert_after","anchor":4,"content":"x"}`, false},
		"bare and lettered, the count grows": {"«base»", `{"op":"replace","anchor":2,"content":"x"},{"op":"insert_after","anchor":"«4»","content":"x"}`, false},
		"bare end, the count shrinks":        {"«base»", `{"op":"delete","anchor":"«2»","end_anchor":3}`, false},
		"no anchor, lines move":              {"«base»", `{"op":"insert_before","anchor":"0:","content":"x"}`, false},
		"no anchor, a search moves lines":    {"«base»", `{"op":"search_replace","expect":1,"search":"line 2\n","replace":""}`, false},
		"no anchor, no line moves":           {"«base»", `{"op":"insert_after","anchor":"EOF","content":"x"}`, true},
		"no anchor, a search in lines":       {"«base»", `{"op":"search_replace","expect":1,"search":"line 2","replace":"x"}`, true},
		"a letter, lines move":               {"«base»", `{"op":"insert_before","anchor":"0:","content":"x"},{"op":"replace","anchor":"«2»","content":"x"}`, true},
		"a write":                            {"«base»", `{"op":"write","content":"x"}`, true},
		"a blind write":                      {"", `{"op":"write","content":"x","blind":true}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, numbered(5))
			s := lookAll(t, dir, file)
			base := ""
			if test.base != "" {
				base = `"base":"` + strings.ReplaceAll(test.base, "«base»", s.base) + `",`
			}
			request := `{` + base + `"path":"f.txt","edits":` + editsIn(t, dir, file, "["+test.edits+"]") + `}`
			dry := quick
			dry.DryRun = true
			preview := ask(t, dir, "", request, dry)
			a := ask(t, dir, "", request, quick)
			require.Zero(t, a.Status.Exit(), textOf(a))
			if test.tag {
				require.Equal(t, tagOnDisk(t, dir, file), a.Files[0].Base)
			} else {
				require.Empty(t, a.Files[0].Base)
				require.Contains(t, textOf(a), " base=-")
			}
			require.Equal(t, a.Files[0].Base, preview.Files[0].Base)
		})
	}
}

func TestASecondEditWithBareNumbersIsRefusedAfterLinesMoved(t *testing.T) {
	for name, first := range map[string]string{
		"an insert":             `{"op":"insert_after","anchor":1,"content":"new"}`,
		"an insert at the top":  `{"op":"insert_before","anchor":"0:","content":"new"}`,
		"a search":              `{"op":"search_replace","expect":1,"search":"line 1\n","replace":""}`,
		"a delete and a append": `{"op":"delete","anchor":1},{"op":"insert_after","anchor":"EOF","content":"new"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, numbered(5))
			base := tagOnDisk(t, dir, file)
			a := ask(t, dir, "", `{"path":"f.txt","base":"`+base+`","edits":[`+first+`]}`, quick)
			require.Equal(t, Applied, a.Status)
			now := readFile(t, filepath.Join(dir, file))
			second := `"edits":[{"op":"replace","anchor":3,"content":"x"}]}`
			for _, b := range []string{base, a.Files[0].Base} {
				request := `{"path":"f.txt",` + second
				if b != "" {
					request = `{"path":"f.txt","base":"` + b + `",` + second
				}
				got := ask(t, dir, "", request, quick)
				require.NotZero(t, got.Status.Exit(), "line 3 is not the line 3 that was read")
				require.Equal(t, now, readFile(t, filepath.Join(dir, file)))
			}
		})
	}
}

func TestAnUnverifiedRangeGivesTheTagWithTheLinesItShows(t *testing.T) {
	for name, test := range map[string]struct {
		lines, first, last int
		shown              int // lines; 0: none, and no tag
	}{
		"two chunks":             {100, 1, 32, -1},
		"one line between":       {100, 16, 34, 16},
		"a chunk between":        {100, 1, 48, 16},
		"the most that is shown": {400, 10, 224, 192},
		"just over two hundred":  {400, 16, 248, 0},
		"a thousand":             {2000, 5, 1500, 0},
	} {
		t.Run(name, func(t *testing.T) {
			src := numbered(test.lines)
			dir, file := tempFile(t, src)
			s := lookAll(t, dir, file)
			edits := `"edits":[{"op":"replace","anchor":"` + s.at(test.first) + `","end_anchor":"` + s.at(test.last) + `","content":"x"}]}`
			a := ask(t, dir, "", `{"path":"f.txt",`+edits, quick)
			if test.shown < 0 {
				require.Equal(t, Applied, a.Status, textOf(a))
				return
			}
			require.Equal(t, []Code{RangeUnverified}, codes(a))
			require.Equal(t, NotApplied, a.Status)
			require.Nil(t, a.Retry, "nobody looked at the lines yet")
			require.Equal(t, src, readFile(t, filepath.Join(dir, file)))
			f := a.Failures[0]
			require.Len(t, f.Context, test.shown)
			if test.shown == 0 {
				require.Empty(t, f.Base)
				require.NotContains(t, textOf(a), tagOnDisk(t, dir, file))
				return
			}
			require.Equal(t, tagOnDisk(t, dir, file), f.Base)
			require.Contains(t, textOf(a), "base="+f.Base+"\n")
			a = ask(t, dir, "", `{"path":"f.txt","base":"`+f.Base+`",`+edits, quick)
			require.Equal(t, Applied, a.Status, textOf(a))
		})
	}
	t.Run("lines too long to show", func(t *testing.T) {
		src := numbered(16) + strings.Repeat("x", 3000) + "\n" + numbered(40)
		dir, file := tempFile(t, src)
		s := lookAll(t, dir, file)
		a := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"replace","whole":true,"anchor":"`+s.at(1)+`","end_anchor":"`+s.at(40)+`","content":"x"}]}`, quick)
		require.Equal(t, []Code{RangeUnverified}, codes(a))
		require.Empty(t, a.Failures[0].Base)
	})
	t.Run("a base that does not fit proves nothing", func(t *testing.T) {
		dir, file := tempFile(t, numbered(100))
		s := lookAll(t, dir, file)
		writeFile(t, filepath.Join(dir, file), strings.Replace(numbered(100), "line 20\n", "changed\n", 1))
		a := ask(t, dir, "", `{"path":"f.txt","base":"`+s.base+`","edits":[{"op":"delete","anchor":"`+s.at(1)+`","end_anchor":"`+s.at(40)+`"}]}`, quick)
		require.Equal(t, []Code{RangeUnverified}, codes(a))
	})
}

func TestOnlyAnUnverifiedRangeGivesATagInARefusal(t *testing.T) {
	dir, file := tempFile(t, numbered(5))
	tag := tagOnDisk(t, dir, file)
	for _, edits := range []string{
		`[{"op":"delete","anchor":"2:ab:rstu"}]`, `[{"op":"delete","anchor":2}]`, `[{"op":"write","content":"x"}]`,
		`[{"op":"search_replace","expect":2,"search":"none","replace":""}]`,
	} {
		a := ask(t, dir, file, edits, quick)
		require.NotContains(t, textOf(a)+quote(a), tag)
	}
}

// An edit that could not even be read may lean on the tag once it is mended.
func TestAMalformedEditWithholdsTheTagFromItsNeighbour(t *testing.T) {
	dir, file := tempFile(t, strings.Repeat("x\n", 100))
	s := look(t, dir, file, ReadOptions{Windows: allLines})
	long := `{"op":"delete","anchor":"` + s.anchors[4] + `","end_anchor":"` + s.anchors[50] + `"}`
	a := ask(t, dir, "", `{"path":"f.txt","edits":[`+long+`]}`, quick)
	require.Equal(t, RangeUnverified, a.Failures[0].Code)
	require.NotEmpty(t, a.Failures[0].Base)
	for _, other := range []string{`{"op":"delete","anchor":"70","end_anchr":"90"}`, `{"op":"delete","anchor":"70:ab","end_anchor":"90"}`} {
		a := ask(t, dir, "", `{"path":"f.txt","edits":[`+long+`,`+other+`]}`, quick)
		require.Equal(t, RangeUnverified, a.Failures[0].Code)
		require.Empty(t, a.Failures[0].Base, other)
		require.NotContains(t, textOf(a), "base=")
	}
}
