package apply

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// In the workspace of one file, too, the directories that another path lacks are made,
// and nowhere else.
func TestBesideAFileMissingDirectoriesAreMade(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	writeFile(t, filepath.Join(sub, "n.txt"), "n\n")
	require.NoError(t, os.Symlink("nowhere", filepath.Join(sub, "dangling")))
	require.NoError(t, os.Symlink(dir, filepath.Join(sub, "up")))
	file := filepath.Join(sub, "n.txt")
	rename := func(to string) *Answer {
		ws, err := OpenFile(file)
		require.NoError(t, err)
		defer ws.Close()
		return askIn(ws, file, `[{"op":"rename","to_path":"`+filepath.ToSlash(to)+`"}]`, quick)
	}
	before := contents(t, dir)
	for name, code := range map[string]Code{
		"dangling/k/new.txt": FileNotFound,
		"../k/new.txt":       FileNotFound,
		"../new.txt":         OutsideRoot,
		"up/k/new.txt":       OutsideRoot,
		"k/../../x/new.txt":  FileNotFound,
	} {
		a := rename(sub + "/" + name)
		require.Equal(t, []Code{code}, codes(a), "%s: %s", name, textOf(a))
		require.Equal(t, before, contents(t, dir))
	}
	a := rename(filepath.Join(sub, "k", "l", "new.txt"))
	require.Equal(t, Applied, a.Status, textOf(a))
	require.Equal(t, "n\n", readFile(t, filepath.Join(sub, "k", "l", "new.txt")))
	require.NoFileExists(t, file)
}
