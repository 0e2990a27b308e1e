//go:build fire && linux

package apply

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A directory that is mounted in two places has each file twice, with one link. It
// is the nearest to two spellings of one name that a Linux without them has.
func TestOneFileInTwoMountsIsRefusedByBothPaths(t *testing.T) {
	requireRoot(t)
	dir := tempTree(t, map[string]string{"a/f": "f\n", "b/other": "other\n"})
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, unix.Mount(a, b, "", unix.MS_BIND, ""))
	defer func() { require.NoError(t, unix.Unmount(b, unix.MNT_DETACH)) }()
	edit := `"edits":[{"op":"insert_after","anchor":"EOF","content":"more"}]`
	for _, opt := range []Options{{DryRun: true}, quick} {
		answer := ask(t, dir, "", `{"files":[{"path":"a/f",`+edit+`},{"path":"b/f",`+edit+`}]}`, opt)
		require.Equal(t, []Code{EditsOverlap}, codes(answer), textOf(answer))
		require.Contains(t, textOf(answer), "a/f and b/f are two names of one file")
		require.Equal(t, "f\n", readFile(t, filepath.Join(a, "f")))
	}
}
