package apply

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// quick leaves it to the system when bytes reach the disk.
var quick = Options{NoSync: true}

// ask carries out a request as hl edit does: in dir, and with file, if it is
// given, for that file alone.
func ask(t require.TestingT, dir, file, request string, opt Options) *Answer {
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	return askIn(ws, file, request, opt)
}

func askIn(ws *Workspace, file, request string, opt Options) *Answer {
	req := Decode([]byte(request), file)
	if file != "" {
		ws.Only(req, file)
	}
	return ws.Edit(context.Background(), req, opt)
}

// tempFile makes a file with bytes src in a directory of its own.
func tempFile(t testing.TB, src string) (dir, name string) {
	t.Helper()
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "f.txt"), src)
	return dir, "f.txt"
}

func writeFile(t require.TestingT, path, src string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(src), 0o666))
}

func readFile(t require.TestingT, path string) string {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// A seen is what a read of a file shows.
type seen struct {
	base    string   // "" if the read gives none
	anchors []string // of line i+1
	texts   []string
}

// look reads all lines of a file, or those of windows.
func look(t require.TestingT, dir, file string, opt ReadOptions) seen {
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	v, err := ws.Read(context.Background(), file, opt)
	require.NoError(t, err)
	defer v.Close()
	var s seen
	if v.HasBase {
		s.base = v.Base.String()
	}
	require.NoError(t, v.Lines(func(lines []hashline.Line) error {
		for i := range lines {
			s.anchors = append(s.anchors, hashline.Format{}.Print(lines[i].Anchor))
			s.texts = append(s.texts, string(lines[i].Text))
		}
		return nil
	}))
	return s
}

var allLines = []hashline.Window{{First: 1, Last: hashline.ToEnd}}

// lookAll reads all lines with default anchors.
func lookAll(t require.TestingT, dir, file string) seen {
	return look(t, dir, file, ReadOptions{Windows: allLines})
}

// at returns the anchor of line n, 1-based.
func (s seen) at(n int) string { return s.anchors[n-1] }

// quote returns v as JSON.
func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// textOf returns the text answer.
func textOf(a *Answer) string {
	var b strings.Builder
	a.Text(&b, false)
	return b.String()
}

// codes lists the codes of the failures.
func codes(a *Answer) []Code {
	var list []Code
	for _, f := range a.Failures {
		list = append(list, f.Code)
	}
	return list
}

// tree returns every file below dir: its mode, time of change and bytes.
func tree(t require.TestingT, dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(b)
		}
		all[path] = fmt.Sprintf("%v %v %q", info.Mode(), info.ModTime(), content)
		return nil
	})
	require.NoError(t, err)
	return all
}

// requireNoSuccess fails if a refusal has a line that begins like a success.
func requireNoSuccess(t require.TestingT, text string) {
	require.True(t, strings.HasPrefix(text, "not applied"), text)
	for line := range strings.Lines(text) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		require.NotContains(t, []string{"applied", "unchanged"}, strings.Trim(word, ":,.;"), text)
	}
}

// numbered returns n lines, each different from the others.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// tempTree makes files in a directory of its own.
func tempTree(t testing.TB, files map[string]string) string {
	dir := t.TempDir()
	for name, content := range files {
		writeFile(t, filepath.Join(dir, name), content)
	}
	return dir
}

// contents returns all files below dir, and all directories without any.
func contents(t require.TestingT, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && len(readDir(t, path)) == 0:
			all[rel+"/"] = ""
		case entry.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			all[rel] = "-> " + to
			return err
		case !entry.IsDir():
			all[rel] = readFile(t, path)
		}
		return nil
	}))
	return all
}
