//go:build unix

package apply

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// When a block is rescued, all blocks are looked at again: one that stands nowhere
// must not get lost over it, nor be told twice.
func TestARescueOfOneBlockForgetsNoOtherThatFails(t *testing.T) {
	old := map[string]string{"a.txt": "one\n", "b.txt": "two\n"}
	block := func(path, search string) string {
		return path + "\n<<<<<<< SEARCH\n" + search + "\n=======\nnew\n>>>>>>> REPLACE\n\n"
	}
	for name, test := range map[string]struct {
		reply string
		codes []Code
	}{
		"of its file":       {block("a.txt", "two") + block("a.txt", "absent") + block("b.txt", "gone"), []Code{NoMatch, NoMatch}},
		"of the other file": {block("a.txt", "two") + block("b.txt", "absent"), []Code{NoMatch}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			makeFiles(t, dir, old)
			answer := send(t, dir, test.reply, Options{Rescue: true})
			require.Equal(t, test.codes, codes(answer), textOf(answer))
			require.Equal(t, old, files(t, dir))
		})
	}
}

// A request that finds another half done, and is refused for what that left, is
// looked at again when that is put right: with all of its edits.
func TestAfterARepairAllEditsAreLookedAtAgain(t *testing.T) {
	for name, opt := range map[string]Options{"a dry run": {DryRun: true}, "an edit, which sweeps": quick} {
		t.Run(name, func(t *testing.T) {
			looked := 0
			for k := 0; ; k++ {
				dir, ok := cutOffAt(t, k)
				if !ok {
					break
				}
				if !fileExists(filepath.Join(dir, "d")) || fileExists(filepath.Join(dir, "e")) {
					continue
				}
				looked++
				a := ask(t, dir, "", `{"files":[{"path":"x","base":"`+tagText("x1\nx2\n")+`","edits":[{"op":"move","anchor":"1","to_path":"d/y","to":"0:"},{"op":"delete","anchor":"2"}]},
					{"path":"d/y","edits":[{"op":"create","content":"y\n"}]}]}`, opt)
				require.Equal(t, Applied, a.Status, textOf(a))
				require.Len(t, a.Files, 2)
				require.Len(t, a.Files[0].Edits, 2, textOf(a))
				require.Equal(t, 2, a.Files[1].Added, textOf(a))
				if !opt.DryRun {
					require.Equal(t, map[string]string{"x": "", "d/y": "x1\ny\n"}, contents(t, dir))
				}
			}
			require.Positive(t, looked)
		})
	}
}

// cutOffAt returns a tree in which a request that changes x and makes d and e was cut
// off at the k-th call, or ok false if it has no so many.
func cutOffAt(t *testing.T, k int) (dir string, ok bool) {
	dir = tempTree(t, map[string]string{"x": "x1\nx2\n"})
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	f := &faulty{k: k, on: true, err: syscall.EIO}
	ws.fault = f.step
	askIn(ws, "", `{"files":[{"path":"x","edits":[{"op":"insert_after","anchor":"EOF","content":"x3"}]},
		{"path":"d","edits":[{"op":"create","content":"d"}]},{"path":"e","edits":[{"op":"create","content":"e"}]}]}`, quick)
	return dir, len(f.failed) > 0
}

// The file that a rescued block names is no part of the answer when nothing else is to
// be done there, and stays as it is: it is not even replaced by itself.
func TestTheFileThatARescuedBlockLeavesIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	before, err := os.Stat(filepath.Join(dir, "a.txt"))
	require.NoError(t, err)
	block := "a.txt\n<<<<<<< SEARCH\ntwo\n=======\nnew\n>>>>>>> REPLACE\n\n"
	for _, reply := range []string{block, block + "b.txt\n<<<<<<< SEARCH\nabsent\n=======\nx\n>>>>>>> REPLACE\n"} {
		makeFiles(t, dir, map[string]string{"b.txt": "two\n"})
		reply = "b.txt\n<<<<<<< SEARCH\ntwo\n=======\ntwo\n>>>>>>> REPLACE\n\n" + reply
		answer := send(t, dir, reply, Options{Rescue: true, Partial: true})
		require.Contains(t, []Status{Applied, Partial}, answer.Status, textOf(answer))
		require.Len(t, answer.Files, 1, textOf(answer))
		require.Equal(t, "b.txt", answer.Files[0].Path)
		after, err := os.Stat(filepath.Join(dir, "a.txt"))
		require.NoError(t, err)
		require.True(t, os.SameFile(before, after), "a.txt was replaced")
	}
}
