package apply

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

// send carries out a reply as sr apply does.
func send(t require.TestingT, dir, reply string, opt Options) *Answer {
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	opt.NoSync = true
	return ws.Edit(context.Background(), RequestOf(searchreplace.Decode([]byte(reply), searchreplace.DecodeOptions{}), ""), opt)
}

// files returns the bytes of the files below dir.
func files(t require.TestingT, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			name, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(name)] = readFile(t, path)
		}
		return err
	}))
	return all
}

func makeFiles(t require.TestingT, dir string, all map[string]string) {
	for name, src := range all {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), src)
	}
}

// git runs git, which must be there.
func git(t require.TestingT, dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CEILING_DIRECTORIES="+dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestAUnifiedDiffDoesWhatGitApplyDoes makes random changes of a tree, with files
// renamed, made and removed, and final line ends given and taken, and applies what
// git diff says of them, as a reply.
func TestAUnifiedDiffDoesWhatGitApplyDoes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	rnd := rand.New(rand.NewPCG(7, 4))
	trials := 16
	if testing.Short() {
		trials = 4
	}
	seen := map[string]int{}
	for trial := range trials {
		repo := t.TempDir()
		old := map[string]string{}
		for i := range 4 {
			old[fmt.Sprintf("d%d/f%d.txt", i%2, i)] = randomText(rnd, 5+rnd.IntN(30), fmt.Sprint("file ", i))
		}
		makeFiles(t, repo, old)
		run := func(args ...string) string {
			out, err := git(t, repo, args...)
			require.NoError(t, err, out)
			return out
		}
		run("init", "-q")
		run("add", "-A")
		before := strings.TrimSpace(run("write-tree"))
		for _, name := range slices.Sorted(maps.Keys(old)) {
			src := old[name]
			path := filepath.Join(repo, name)
			switch rnd.IntN(6) {
			case 0:
				require.NoError(t, os.Remove(path))
			case 1:
				require.NoError(t, os.Remove(path))
				writeFile(t, filepath.Join(repo, "moved", filepath.Base(name)), changedText(rnd, src, 1))
			case 2:
				writeFile(t, filepath.Join(repo, fmt.Sprintf("new/%d.txt", rnd.IntN(9))), randomText(rnd, 3, "new"))
			default:
				writeFile(t, path, changedText(rnd, src, 3))
			}
		}
		run("add", "-A")
		diff := run("diff", "--cached", "-M", before)
		for _, kind := range []string{"rename to", "new file", "deleted file", `\ No newline`} {
			if strings.Contains(diff, kind) {
				seen[kind]++
			}
		}
		want := map[string]string{}
		for name, src := range files(t, repo) {
			if !strings.HasPrefix(name, ".git/") {
				want[name] = src
			}
		}
		theirs, ours := t.TempDir(), t.TempDir()
		makeFiles(t, theirs, old)
		makeFiles(t, ours, old)
		writeFile(t, filepath.Join(repo, "the.diff"), diff)
		if diff != "" {
			out, err := git(t, theirs, "apply", filepath.Join(repo, "the.diff"))
			require.NoError(t, err, out)
			require.Equal(t, want, files(t, theirs))
			answer := send(t, ours, "I would do this:\n\n"+diff, Options{})
			require.Equal(t, Applied, answer.Status, "trial %d\n%s\n%s", trial, diff, textOf(answer))
			require.Equal(t, want, files(t, ours), "trial %d\n%s", trial, diff)
		}
	}
	require.Len(t, seen, 4)
}

// randomText returns lines that differ from each other, the last one perhaps without
// a line end.
func randomText(rnd *rand.Rand, n int, name string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of %s, %d\n", i, name, rnd.IntN(1000))
	}
	return strings.TrimSuffix(b.String(), strings.Repeat("\n", rnd.IntN(2)))
}

// changedText returns src with up to n lines changed, inserted or deleted, and
// perhaps another end.
func changedText(rnd *rand.Rand, src string, n int) string {
	lines := strings.SplitAfter(src, "\n")
	for range 1 + rnd.IntN(n) {
		at := rnd.IntN(len(lines))
		switch rnd.IntN(3) {
		case 0:
			lines[at] = ""
		case 1:
			lines[at] = fmt.Sprintf("inserted %d\n", rnd.IntN(1000)) + lines[at]
		default:
			if lines[at] != "" {
				lines[at] = "changed " + lines[at]
			}
		}
	}
	out := strings.Join(lines, "")
	switch rnd.IntN(4) {
	case 0:
		return strings.TrimSuffix(out, "\n")
	case 1:
		return strings.TrimSuffix(out, "\n") + "\n"
	}
	return out
}

func TestAUnifiedDiffGivesAndTakesTheFinalLineEnd(t *testing.T) {
	const none = "\\ No newline at end of file\n"
	for _, c := range []struct{ name, src, hunk, want string }{
		{"given beside a change", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n" + none + "+c\n", "a\nc\n"},
		{"given alone", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n" + none + "+b\n", "a\nb\n"},
		{"given with CRLF", "a\r\nb", "@@ -1,2 +1,2 @@\n a\n-b\n" + none + "+c\n", "a\r\nc\r\n"},
		{"given with a line behind", "a\nb", "@@ -1,2 +1,3 @@\n a\n-b\n" + none + "+b\n+c\n", "a\nb\nc\n"},
		{"taken beside a change", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" + none, "a\nc"},
		{"taken alone", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n" + none, "a\nb"},
		{"taken with CRLF", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n" + none, "a\r\nb"},
		{"taken with the last line", "a\nb\n", "@@ -1,2 +1 @@\n-a\n-b\n+a\n" + none, "a"},
		{"taken though it is not there", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" + none, "a\nc"},
		{"on both sides", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n" + none + "+c\n" + none, "a\nc"},
		{"on both sides, and the file has one", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n" + none + "+c\n" + none, "a\nc\n"},
		{"said of none, and the file has none", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a\nc"},
		{"behind context", "a\nb", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n" + none, "c\nb"},
		{"said of a line in the middle", "a\nb\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n" + none, "a\nx\nc\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := tempFile(t, c.src)
			reply := "```diff\n--- a/f.txt\n+++ b/f.txt\n" + c.hunk + "```\n"
			answer := send(t, dir, reply, Options{Diff: true})
			require.Equal(t, Applied, answer.Status, textOf(answer))
			require.Equal(t, c.want, readFile(t, filepath.Join(dir, "f.txt")))

			// What it prints as its diff makes the same of the old file.
			again, _ := tempFile(t, c.src)
			answer = send(t, again, "```diff\n"+answer.Files[0].Diff+"```\n", Options{})
			require.Equal(t, Applied, answer.Status, textOf(answer))
			require.Equal(t, c.want, readFile(t, filepath.Join(again, "f.txt")))
		})
	}
}

func TestAFinalLineEndThatCannotBeTakenIsRefused(t *testing.T) {
	dir, _ := tempFile(t, "a\n\n")
	answer := send(t, dir, "```diff\n--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-a\n+b\n-\n+\n\\ No newline at end of file\n```\n", Options{})
	require.Equal(t, []Code{InvalidInput}, codes(answer), textOf(answer))
	require.Contains(t, textOf(answer), "it would be no line")
	require.Equal(t, "a\n\n", readFile(t, filepath.Join(dir, "f.txt")))
}
