//go:build unix

package apply

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A late is what comes at the second exchange of fiveRequest, when a.txt is changed
// already and b.txt is not.
type late struct {
	do   func(t *testing.T, path func(string) string)
	fail string            // the call that fails from then on; "" for that exchange
	want map[string]string // change of each file that is not as it was
	code Code              // why a.txt could not be changed back
}

func TestAPartialAnswerSaysWhatEachFileIsNow(t *testing.T) {
	const theChange = ""
	meddle := func(names ...string) func(*testing.T, func(string) string) {
		return func(t *testing.T, path func(string) string) {
			for _, name := range names {
				meddled(t, path(name), "theirs\n")
			}
		}
	}
	tests := map[string]late{
		"another program changed it":                   {meddle("a.txt"), "", map[string]string{"a.txt": "foreign"}, FileChanged},
		"the file that failed is changed, too":         {meddle("a.txt", "b.txt"), "none", map[string]string{"a.txt": "foreign", "b.txt": "foreign"}, FileChanged},
		"one that was not reached is changed, too":     {meddle("a.txt", "d.txt"), "", map[string]string{"a.txt": "foreign", "d.txt": "foreign"}, FileChanged},
		"one that was to be made is there, by another": {meddle("a.txt", "sub/e.txt"), "", map[string]string{"a.txt": "foreign", "sub/e.txt": "foreign"}, FileChanged},
		"another program removed it": {func(t *testing.T, path func(string) string) {
			require.NoError(t, os.Remove(path("a.txt")))
		}, "", map[string]string{"a.txt": "gone"}, FileChanged},
		"a directory is in its place": {func(t *testing.T, path func(string) string) {
			require.NoError(t, os.Remove(path("a.txt")))
			require.NoError(t, os.Mkdir(path("a.txt"), 0o777))
		}, "", map[string]string{"a.txt": "foreign"}, FileChanged},
		"the system cannot read it": {meddle(), "open", map[string]string{"a.txt": theChange}, IOError},
		"the system cannot say":     {meddle("a.txt"), "look", map[string]string{"a.txt": "unknown", "b.txt": "unknown", "sub/c.txt": "unknown", "d.txt": "unknown", "sub/e.txt": "unknown", "new/dir/f.txt": "unknown"}, FileChanged},
	}
	if runtime.GOOS == "linux" {
		tests["another program has it open for writing"] = late{func(t *testing.T, path func(string) string) {
			f, err := os.OpenFile(path("a.txt"), os.O_RDWR, 0)
			require.NoError(t, err)
			t.Cleanup(func() { f.Close() })
		}, "", map[string]string{"a.txt": theChange}, FileChanged}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := tempTree(t, five)
			path := func(name string) string { return filepath.Join(dir, name) }
			request := fiveRequest(t, dir)
			ws, err := Open(dir)
			require.NoError(t, err)
			defer ws.Close()
			exchanges := 0
			ws.fault = func(step string) error {
				if step == "exchange" {
					exchanges++
				}
				if exchanges == 2 && step == "exchange" {
					test.do(t, path)
					if test.fail != "none" {
						return syscall.EIO
					}
				}
				if exchanges >= 2 && step == test.fail {
					return syscall.EIO
				}
				return nil
			}
			a := askIn(ws, "", request, quick)
			require.Equal(t, Partial, a.Status, textOf(a))
			require.Len(t, a.Files, len(fiveNames))
			got := map[string]string{}
			for _, f := range a.Files {
				if f.Change != "unchanged" {
					got[f.Path] = f.Change
				}
			}
			require.Equal(t, test.want, got, textOf(a))
			require.Len(t, a.Failures, 2)
			require.Equal(t, "a.txt", a.Failures[0].File)
			require.Equal(t, test.code, a.Failures[0].Code, textOf(a))
			require.Equal(t, five["a.txt"], readFile(t, a.Failures[0].Kept), "what was there before can be put back")
			for name, change := range got {
				want := map[string]string{
					"foreign": " is as another program made it", "gone": " is gone: another program removed it",
					theChange: " has the change", "unknown": " could not be looked at",
				}[change]
				require.Contains(t, textOf(a), "\n"+name+want+"\n")
			}
			// And that is what is there.
			for _, f := range a.Files {
				b, err := os.ReadFile(path(f.Path))
				switch f.Change {
				case "unchanged":
					require.Equal(t, five[f.Path], string(b), f.Path)
				case theChange:
					require.Equal(t, fiveAfter[f.Path], string(b), f.Path)
				case "gone":
					require.ErrorIs(t, err, os.ErrNotExist)
				case "foreign":
					if err == nil { // else it is no file
						require.Equal(t, "theirs\n", string(b), f.Path)
					}
				}
			}
		})
	}
}

// A file that the request made is gone already: there is nothing to undo.
func TestAFileThatTheRequestMadeAndAnotherRemovedIsUndone(t *testing.T) {
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	made := filepath.Join(dir, "new/dir/f.txt")
	ws.fault = func(step string) error {
		if step == "link" && fileExists(made) {
			require.NoError(t, os.Remove(made))
			return syscall.EIO
		}
		return nil
	}
	a := askIn(ws, "", request, quick)
	require.Equal(t, []Code{IOError}, codes(a), textOf(a))
	require.Equal(t, Refused, a.Status, textOf(a))
	require.Equal(t, five, contents(t, dir))
}
