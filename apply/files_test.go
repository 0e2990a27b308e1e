//go:build unix

package apply

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// five is a tree, and fiveRequest a request for five of its files that holds every
// op; fiveAfter is what the tree is then.
var five = map[string]string{
	"a.txt":     "one\ntwo\nthree\n",
	"b.txt":     "alpha\nbeta\n",
	"sub/c.txt": "gone\n",
	"d.txt":     "d1\nd2\n",
	"other.txt": "other\n",
}

var fiveAfter = map[string]string{
	"a.txt":         "one\nTHREE\n",
	"b.txt":         "alpha\ntwo\nbeta\nalpha\n",
	"sub/e.txt":     "d1\nD2\n",
	"new/dir/f.txt": "made\n",
	"other.txt":     "other\n",
}

func fiveRequest(t require.TestingT, dir string) string {
	a, b, d := lookAll(t, dir, "a.txt"), lookAll(t, dir, "b.txt"), lookAll(t, dir, "d.txt")
	c := lookAll(t, dir, "sub/c.txt")
	return fmt.Sprintf(`{"files": [
		{"path": "a.txt", "edits": [
			{"op": "move", "anchor": %q, "to": %q, "to_path": "b.txt"},
			{"op": "replace", "anchor": %q, "content": "THREE"}]},
		{"path": "b.txt", "edits": [{"op": "copy", "anchor": %q, "to": "EOF"}]},
		{"path": "sub/c.txt", "base": %q, "edits": [{"op": "remove"}]},
		{"path": "d.txt", "edits": [
			{"op": "rename", "to_path": "sub/e.txt"},
			{"op": "replace", "anchor": %q, "content": "D2"}]},
		{"path": "new/dir/f.txt", "edits": [{"op": "create", "content": "made\n"}]}]}`,
		a.at(2), b.at(1), a.at(3), b.at(1), c.base, d.at(2))
}

func TestARequestForSeveralFilesIsCarriedOut(t *testing.T) {
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	dry := ask(t, dir, "", request, Options{DryRun: true, Diff: true})
	require.Equal(t, Applied, dry.Status, textOf(dry))
	require.Equal(t, five, contents(t, dir))
	a := ask(t, dir, "", request, Options{Diff: true})
	require.Equal(t, Applied, a.Status, textOf(a))
	require.True(t, *a.Durable)
	require.Equal(t, fiveAfter, contents(t, dir))
	a.DryRun, a.Durable = true, nil
	require.Equal(t, textOf(dry), textOf(a))
}

// clean takes away what lies beside files because it could not be removed.
func clean(got map[string]string) {
	for name := range got {
		if strings.Contains(filepath.Base(name), tempPrefix) || strings.HasSuffix(name, "/") {
			delete(got, name)
		}
	}
}
