package apply

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// cur is a link to real/deep, so cur/.. is real, and not the directory that cur
// is in. There is another file of the same name there.
func TestDotDotBehindALinkIsTheParentOfWhatItLeadsTo(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "real", "deep"), 0o777))
	require.NoError(t, os.Symlink(filepath.Join("real", "deep"), filepath.Join(dir, "cur")))
	writeFile(t, filepath.Join(dir, "f.txt"), "precious\n")
	abs := func(path string) string { return dir + string(filepath.Separator) + filepath.FromSlash(path) }
	write := `{"path":"%","edits":[{"op":"write","content":"new\n","blind":true}]}`

	for name, edit := range map[string]func(path string) *Answer{
		"a FILE": func(path string) *Answer {
			ws, err := OpenFile(abs(path))
			require.NoError(t, err)
			defer ws.Close()
			return askIn(ws, abs(path), `[{"op":"write","content":"new\n","blind":true}]`, quick)
		},
		"a path in a request": func(path string) *Answer {
			return ask(t, dir, "", strings.Replace(write, "%", path, 1), quick)
		},
		"an absolute path in a request": func(path string) *Answer {
			return ask(t, dir, "", strings.Replace(write, "%", filepath.ToSlash(abs(path)), 1), quick)
		},
		"a link to an absolute path": func(path string) *Answer {
			link := filepath.Join(dir, "link")
			os.Remove(link)
			require.NoError(t, os.Symlink(abs(path), link))
			return ask(t, dir, "", strings.Replace(write, "%", "link", 1), quick)
		},
		"a root": func(path string) *Answer {
			ws, err := Open(abs("cur/.."))
			require.NoError(t, err)
			defer ws.Close()
			return askIn(ws, "", strings.Replace(write, "%", "f.txt", 1), quick)
		},
	} {
		t.Run(name, func(t *testing.T) {
			there := filepath.Join(dir, "real", "f.txt")
			for _, exists := range []bool{false, true} {
				os.Remove(there)
				if exists {
					writeFile(t, there, "old\n")
				}
				a := edit("cur/../f.txt")
				require.Equal(t, "precious\n", readFile(t, filepath.Join(dir, "f.txt")), textOf(a))
				if a.Status == Applied {
					require.Equal(t, "new\n", readFile(t, there))
				} else {
					require.False(t, exists, textOf(a)) // a link to what does not exist is refused
				}
			}
		})
	}
	_, err := OpenFile(abs("cur/../none"))
	require.NoError(t, err)
	ws, err := OpenFile(abs("cur/../f.txt"))
	require.NoError(t, err)
	defer ws.Close()
	require.NoError(t, os.Remove(filepath.Join(dir, "real", "f.txt")))
	_, err = ws.Read(context.Background(), abs("cur/../f.txt"), ReadOptions{Scheme: hashline.Chunk})
	code, _ := CodeOf(err)
	require.Equal(t, FileNotFound, code)
}

func TestAPathLongerThanAnyIsRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{strings.Repeat("a/", 300) + "x", strings.Repeat("x", 5000)} {
		a := ask(t, dir, "", `{"path":"`+path+`","edits":[{"op":"write","content":"x"}]}`, quick)
		require.Equal(t, []Code{InvalidInput}, codes(a))
		require.Empty(t, readDir(t, dir))
	}
}
