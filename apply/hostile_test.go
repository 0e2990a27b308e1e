package apply

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// A small request must not make a large answer.
func TestManyFailuresOfLongLinesAreAllReportedInAnAnswerOfBoundedSize(t *testing.T) {
	line := strings.Repeat("x", 1990) + "\n"
	for name, test := range map[string]struct {
		edit string
		n    int
	}{
		"stale anchors":   {`{"op":"delete","anchor":"8:aa:aaaa"}`, 3000},
		"nothing matches": {`{"op":"search_replace","anchor":"1:ANCHOR","end_anchor":"16:ANCHOR","search":"y","replace":"z"}`, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, strings.Repeat(line, 40))
			s := lookAll(t, dir, file)
			edit := strings.NewReplacer("1:ANCHOR", s.at(1), "16:ANCHOR", s.at(16)).Replace(test.edit)
			a := ask(t, dir, "", `{"path":"f.txt","edits":[`+strings.Repeat(edit+",", test.n-1)+edit+`]}`, quick)
			require.Len(t, a.Failures, test.n)
			text, err := json.Marshal(a)
			require.NoError(t, err)
			require.Less(t, len(text), 6<<20)
		})
	}
}

func TestAWindowOfALargeFileFailsIfTheFileChangesMeanwhile(t *testing.T) {
	for name, show := range map[string]func(*View) error{
		"lines": func(v *View) error { return v.Lines(func([]hashline.Line) error { return nil }) },
		"plain": func(v *View) error { return v.Plain(&strings.Builder{}) },
	} {
		t.Run(name, func(t *testing.T) {
			path, src := largeFile(t, t.TempDir())
			ws, err := OpenFile(path)
			require.NoError(t, err)
			defer ws.Close()
			v, err := ws.Read(context.Background(), path, ReadOptions{Windows: []hashline.Window{{First: 10, Last: 2000}, {First: 30_000, Last: 30_010}}})
			require.NoError(t, err)
			defer v.Close()
			f, err := os.OpenFile(path, os.O_WRONLY, 0) // in place: the view holds the old descriptor
			require.NoError(t, err)
			defer f.Close()
			_, err = f.Write(append([]byte("a line on top\n"), src...))
			require.NoError(t, err)
			code, _ := CodeOf(show(v))
			require.Equal(t, FileChanged, code)
		})
	}
}

func TestADiffThatJSONCannotHoldSaysSo(t *testing.T) {
	dir, _ := tempFile(t, "a\nb\n")
	opt := quick
	opt.Diff, opt.Encoding = true, "gbk"
	a := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"search_replace","search":"b","replace":"中文","expect":1}]}`, opt)
	require.Equal(t, Applied, a.Status)
	require.Equal(t, "diff_lossy", a.Files[0].Warnings[0].Code)
	require.Contains(t, a.Files[0].Diff, "+\uFFFD\uFFFD\uFFFD\uFFFD\n", "one for each byte")
	var diff strings.Builder
	require.NoError(t, a.DiffText(&diff))
	require.Contains(t, diff.String(), "+\xd6\xd0\xce\xc4\n")
}

func TestADiffNamesTheFileAsGitDoes(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "s", "g"), "a\n")
	opt := quick
	opt.Diff, opt.DryRun = true, true
	for _, path := range []string{"s/g", "./s/g", "././s/g", "s/./g", "s//g", "s/../s/g", filepath.Join(dir, "s", "g")} {
		a := ask(t, dir, "", fmt.Sprintf(`{"path":%q,"edits":[{"op":"insert_after","anchor":"0:","content":"x"}]}`, path), opt)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.True(t, strings.HasPrefix(a.Files[0].Diff, "--- a/s/g\n+++ b/s/g\n"), "%s: %s", path, a.Files[0].Diff)
	}
}

func TestABlindWriteSaysThatItsBaseWasAnother(t *testing.T) {
	dir, _ := tempFile(t, "a\n")
	a := ask(t, dir, "", `{"path":"f.txt","base":"0000000000000000","edits":[{"op":"write","content":"x\n","blind":true}]}`, quick)
	require.Equal(t, Applied, a.Status)
	require.Equal(t, "base_changed", a.Files[0].Warnings[0].Code)
}

func TestReadOptionsOfALibraryAreChecked(t *testing.T) {
	dir, file := tempFile(t, "a\nb\nc\n")
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	for _, opt := range []ReadOptions{{Windows: []hashline.Window{{First: 0, Last: 2}}}, {Scheme: hashline.Top}, {Scheme: 99}} {
		_, err := ws.Read(context.Background(), file, opt)
		code, _ := CodeOf(err)
		require.Equal(t, InvalidInput, code)
	}
	v, err := ws.Read(context.Background(), file, ReadOptions{Windows: []hashline.Window{}})
	require.NoError(t, err)
	require.True(t, v.HasBase)
	v, err = ws.Read(context.Background(), file, ReadOptions{Windows: []hashline.Window{{First: 3, Last: 3}, {First: 1, Last: 1}, {First: 1, Last: 2}}})
	require.NoError(t, err)
	require.Equal(t, []hashline.Window{{First: 1, Last: 3}}, v.Windows)
}

func TestNewTextOfALibraryIsUTF8(t *testing.T) {
	dir, _ := tempFile(t, "a\n")
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	bad := "\xff\xfe"
	for _, edit := range []Edit{
		{Op: "insert_after", Anchor: "EOF", Content: Text(bad)},
		{Op: "insert_after", Anchor: "EOF", Content: Lines("a", bad)},
		{Op: "write", Content: Text(bad), Blind: true},
	} {
		a := ws.Edit(t.Context(), &Request{Files: []FileRequest{{Path: "f.txt", Edits: []Edit{edit}}}}, quick)
		require.Equal(t, []Code{InvalidInput}, codes(a))
	}
}
