//go:build fire && linux

package apply

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Another user makes a marker and a journal where he may write but not change our
// files; or a journal where a marker of ours, of a request that was cut off, says
// that there is one.
func TestAJournalOfAnotherUserDoesNothingToOurFiles(t *testing.T) {
	requireRoot(t)
	for _, test := range []struct {
		name   string
		mode   os.FileMode // of the directory of our file
		marker int         // its owner
		marked string      // the file with the marker
	}{
		{"a sticky directory", 0o777 | os.ModeSticky, nobody, "ours.txt"},
		{"a sticky directory, under another file", 0o777 | os.ModeSticky, nobody, "his.txt"},
		{"a marker of ours", 0o755, 0, "ours.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &hostile{openDir(t)}
			require.NoError(t, os.MkdirAll(h.path("shared"), 0o755))
			require.NoError(t, os.MkdirAll(h.path("his"), 0o755))
			require.NoError(t, os.Chown(h.path("his"), nobody, nobody))
			require.NoError(t, os.Chmod(h.path("shared"), test.mode))
			writeFile(t, h.path("shared/ours.txt"), "ours\n")
			writeFile(t, h.path("shared/his.txt"), "his\n")
			require.NoError(t, os.Chown(h.path("shared/his.txt"), nobody, nobody))
			name := h.journalName(t, "his")
			step := step1("shared/ours.txt", "-", tagText("ours\n"), hostilePart)
			writeFile(t, h.path("his/"+name), record1("..", true, "", step))
			require.NoError(t, os.Chown(h.path("his/"+name), nobody, nobody))
			h.mark(t, "ours.txt", "../his/"+name)
			h.mark(t, "his.txt", "../his/"+name)
			require.NoError(t, os.Lchown(h.path("shared/"+markerName("ours.txt")), test.marker, test.marker))
			require.NoError(t, os.Lchown(h.path("shared/"+markerName("his.txt")), nobody, nobody))
			before := contents(t, h.top)
			lookAll(t, h.path("shared"), test.marked)
			a := ask(t, h.path("shared"), test.marked, `[{"op":"insert_after","anchor":"EOF","content":"more"}]`, Options{DryRun: true})
			if test.marker == nobody && test.marked == "ours.txt" {
				require.Equal(t, Applied, a.Status, textOf(a))
			} else {
				require.Equal(t, []Code{IOError}, codes(a), textOf(a))
			}
			require.Equal(t, before, contents(t, h.top))
		})
	}
}

// Who works in the same directory finishes what another was about to do.
func TestARequestOfAnotherUserIsRepaired(t *testing.T) {
	if dir, again := isAgain(); again {
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		requireAllOrNone(t, ws, dir, 0)
		return
	}
	requireRoot(t)
	for k := 60; k < 90; k += 10 {
		from, ok := crashed(t, k, nil)
		require.True(t, ok)
		dir := filepath.Join(openDir(t), "d")
		require.NoError(t, os.Rename(from, dir))
		require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			require.NoError(t, err)
			if entry.IsDir() {
				return os.Chmod(path, 0o777)
			}
			return nil
		}))
		names, err := filepath.Glob(filepath.Join(dir, ".hl-*.journal"))
		require.NoError(t, err)
		for _, name := range names { // as it is made where others may write
			require.NoError(t, os.Chmod(name, 0o644))
		}
		person{uid: nobody}.again(t, dir)
	}
}

func TestAJournalCanBeReadByWhoMayWriteBesideIt(t *testing.T) {
	for mode, want := range map[os.FileMode]os.FileMode{0o755: 0o600, 0o775: 0o640, 0o777: 0o644, 0o700: 0o600} {
		dir := tempTree(t, five)
		request := fiveRequest(t, dir)
		require.NoError(t, os.Chmod(dir, mode))
		ws, err := Open(dir)
		require.NoError(t, err)
		seen := false
		ws.fault = func(string) error {
			names, err := filepath.Glob(filepath.Join(dir, ".hl-*.journal"))
			require.NoError(t, err)
			for _, name := range names {
				info, err := os.Stat(name)
				require.NoError(t, err)
				require.Equal(t, want, info.Mode().Perm())
				seen = true
			}
			return nil
		}
		require.Equal(t, Applied, askIn(ws, "", request, quick).Status)
		require.True(t, seen)
		ws.Close()
	}
}
