//go:build fire

package apply

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnderFireNoNameLeadsOutOfTheRoot asks for odd names in a root that stands
// in a directory with other files: to be read, edited and written.
func TestUnderFireNoNameLeadsOutOfTheRoot(t *testing.T) {
	windows := runtime.GOOS == "windows"
	// What is a name like any other, but for Windows.
	name := func(code Code) Code {
		if windows {
			return code
		}
		return ""
	}
	for path, want := range map[string]Code{
		"..":                        OutsideRoot,
		"../":                       InvalidInput,
		"../outside.txt":            OutsideRoot,
		"../root/../outside.txt":    OutsideRoot,
		"sub/../../outside.txt":     OutsideRoot,
		"./../outside.txt":          OutsideRoot,
		"none/../../outside.txt":    OutsideRoot,
		"sub/../f.txt":              "",
		".":                         NotRegular,
		"./":                        InvalidInput,
		"sub":                       NotRegular,
		"sub/":                      InvalidInput,
		"f.txt/":                    InvalidInput,
		"f.txt/x":                   IOError,
		"f.txt/..":                  NotRegular,
		"":                          InvalidInput,
		"/":                         InvalidInput,
		"//":                        InvalidInput,
		"OUTSIDE":                   OutsideRoot, // an absolute path to the other file
		"ROOT/../outside.txt":       OutsideRoot,
		"ROOT/f.txt":                "",
		"ROOT/new.txt":              "",
		"ROOT2/f.txt":               OutsideRoot, // a directory whose name begins as the root's
		"/etc/passwd":               OutsideRoot,
		"f.txt\x00":                 InvalidInput,
		"\x00":                      InvalidInput,
		"../outside.txt\x00f.txt":   InvalidInput,
		`C:\outside.txt`:            name(OutsideRoot),
		`C:outside.txt`:             name(OutsideRoot),
		`..\outside.txt`:            name(OutsideRoot),
		`sub\..\..\outside.txt`:     name(OutsideRoot),
		`\\?\C:\outside.txt`:        name(OutsideRoot),
		`\\host\share\outside.txt`:  name(OutsideRoot),
		`\outside.txt`:              name(OutsideRoot),
		"CON":                       name(OutsideRoot),
		"aux.txt":                   name(OutsideRoot),
		"nul":                       name(OutsideRoot),
		"f.txt:stream":              name(IOError),
		"~":                         "",
		"~/x":                       "",
		"$HOME":                     "",
		"...":                       name(IOError),
		"file:///etc/passwd":        "",
		"-":                         "",
		"*":                         name(IOError),
		strings.Repeat("../", 100):  InvalidInput,
		strings.Repeat("x/", 10000): InvalidInput,
	} {
		t.Run(strings.Trim(quote(path)[:min(len(quote(path)), 40)], `"`), func(t *testing.T) {
			base := t.TempDir()
			root := filepath.Join(base, "root")
			writeFile(t, filepath.Join(root, "f.txt"), "inside\n")
			writeFile(t, filepath.Join(root, "sub", "f.txt"), "inside\n")
			writeFile(t, filepath.Join(base, "outside.txt"), "secret\n")
			writeFile(t, filepath.Join(base, "root2", "f.txt"), "secret\n")
			path := strings.NewReplacer("ROOT", root, "OUTSIDE", filepath.Join(base, "outside.txt")).Replace(path)
			ws, err := Open(root)
			require.NoError(t, err)
			defer ws.Close()
			outside := func() map[string]string {
				all := tree(t, base)
				for path := range all {
					if path == root || strings.HasPrefix(path, root+string(filepath.Separator)) {
						delete(all, path)
					}
				}
				return all
			}
			before := outside()

			exists := false // by now
			for _, edit := range []Edit{
				{Op: "insert_after", Anchor: "EOF", Content: Text("x")},
				{Op: "write", Content: Text("x\n")},
				{Op: "write", Content: Text("y\n"), Blind: true},
				{Op: "insert_after", Anchor: "EOF", Content: Text("x")},
			} {
				a := ws.Edit(context.Background(), &Request{Files: []FileRequest{{Path: path, Edits: []Edit{edit}}}}, quick)
				said := textOf(a)
				if v, err := ws.Read(context.Background(), path, ReadOptions{}); err != nil {
					said += err.Error()
					if want != "" {
						code, _ := CodeOf(err)
						require.Equal(t, want, code, "reading: %v", err)
					}
				} else {
					var b bytes.Buffer
					require.NoError(t, v.Text(&b))
					said += b.String()
					require.NoError(t, v.Close())
				}
				require.NotContains(t, said, "secret")
				require.Equal(t, before, outside())
				if want != "" {
					require.Equal(t, []Code{want}, codes(a), said)
					continue
				}
				exists = exists || a.Status == Applied
			}
			require.Equal(t, want == "", exists)
			names, err := filepath.Glob(filepath.Join(root, ".hl-*"))
			require.NoError(t, err)
			require.Empty(t, names)
		})
	}
}

// A hard link to a file outside looks like a file of the root, to os.Root as well.
func TestUnderFireAHardLinkToAFileOutsideIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside.txt")
	writeFile(t, outside, "theirs\n")
	root := filepath.Join(dir, "root")
	require.NoError(t, os.Mkdir(root, 0o777))
	require.NoError(t, os.Link(outside, filepath.Join(root, "f.txt")))
	before := tree(t, dir)
	for _, edit := range []string{
		`{"op":"insert_after","anchor":"EOF","content":"x"}`,
		`{"op":"write","content":"x\n","blind":true}`,
		`{"op":"search_replace","search":"theirs","replace":"x","expect":1}`,
	} {
		a := ask(t, root, "", `{"path":"f.txt","edits":[`+edit+`]}`, quick)
		require.Equal(t, []Code{HardLinked}, codes(a))
		require.Equal(t, before, tree(t, dir))
	}
	opt := quick
	opt.BreakHardlinks = true
	a := ask(t, root, "", `{"path":"f.txt","edits":[{"op":"write","content":"x\n","blind":true}]}`, opt)
	require.Equal(t, Applied, a.Status)
	require.Equal(t, "theirs\n", readFile(t, outside), "the other name keeps its file")
	require.Equal(t, "x\n", readFile(t, filepath.Join(root, "f.txt")))
}
