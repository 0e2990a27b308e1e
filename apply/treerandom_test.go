package apply

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requestsPerTree is how many requests a tree gets before a new one is made:
// making it costs more than a request.
const requestsPerTree = 20

// twelve are the files of a tree; absent are names that no file has at first, two
// of which cannot both be files, and two of which never can.
var (
	twelve = []string{"a", "b", "c", "d.txt", "e f", "g", "sub/h", "sub/i", "sub/j", "sub/deep/k", "l", "m"}
	absent = []string{"n", "sub/o", "new/p", "new/q/r", "new/p/s", "sub", "a/t"}
)

// A million requests:
//
//	go test ./apply -run TestRandomRequests -rapid.checks=50000 -timeout=0
func TestRandomRequestsForManyFilesDoWhatANaiveModelDoes(t *testing.T) {
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "tree")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		tree := plantTree(t, dir)
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		for range requestsPerTree {
			wishes := drawWishes(t, tree)
			request := quote(map[string]any{"files": wishes})
			if len(wishes) == 1 && rapid.Bool().Draw(t, "alone") {
				request = quote(wishes[0])
			}
			status, after := tree.carryOut(wishes)
			dry := ""
			if rapid.IntRange(1, 8).Draw(t, "dry run first") == 1 {
				dry = textOf(askIn(ws, "", request, Options{NoSync: true, DryRun: true}))
			}
			a := askIn(ws, "", request, quick)
			got := textOf(a)
			require.Equal(t, status, string(a.Status), "%s\n%s", request, got)
			requireTree(t, dir, after, request)
			if dry != "" {
				a.DryRun, a.Durable = true, nil
				require.Equal(t, dry, textOf(a), request)
			}
			for _, f := range a.Files {
				name := filepath.Clean(f.Path)
				if f.ToPath != "" {
					name = filepath.Clean(f.ToPath)
				}
				if f.Base != "" {
					require.Equal(t, after.files[name].tag(), f.Base, "%s\n%s", request, got)
				}
			}
			counts[status]++
			tree = after
		}
	})
	t.Log(counts)
}

// The diff of a dry run, given to git, makes of the tree what the request does.
func TestDiffsOfRandomRequestsForManyFilesAreWhatGitApplyTakes(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "tree")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		tree := plantTree(t, dir)
		wishes := drawWishes(t, tree)
		status, after := tree.carryOut(wishes)
		if status != "applied" {
			return // nothing to apply
		}
		request := quote(map[string]any{"files": wishes})
		dry := ask(t, dir, "", request, Options{NoSync: true, DryRun: true, Diff: true})
		var diff bytes.Buffer
		require.NoError(t, dry.DiffText(&diff))
		cmd := exec.Command(git, "apply", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(diff.Bytes())
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s\n%s", request, out, diff.Bytes())
		// It takes a directory away with its last file.
		requireTree(t, dir, &modelTree{files: after.files}, request)
	})
}

// plantTree makes the twelve files, of random text.
func plantTree(t *rapid.T, dir string) *modelTree {
	tree := &modelTree{files: map[string]modelFile{}, dirs: map[string]bool{"sub": true, "sub/deep": true}}
	modes := []fs.FileMode{0o644, 0o600, 0o755}
	probe := filepath.Join(dir, "probe")
	writeFile(t, probe, "")
	info, err := os.Stat(probe)
	require.NoError(t, err)
	require.NoError(t, os.Remove(probe))
	tree.fresh = info.Mode()
	for i, name := range twelve {
		text, mode := drawText(t), modes[i%len(modes)]
		writeFile(t, filepath.Join(dir, name), text)
		require.NoError(t, os.Chmod(filepath.Join(dir, name), mode))
		tree.files[name] = modelFile{modelLines(text), mode}
	}
	return tree
}

func drawText(t *rapid.T) string {
	end := rapid.SampledFrom([]string{"\n", "\n", "\r\n", ""}).Draw(t, "endings")
	var b strings.Builder
	for range rapid.IntRange(0, 4).Draw(t, "lines") {
		b.WriteString(rapid.SampledFrom(words).Draw(t, "line"))
		if end != "" {
			b.WriteString(end)
		} else {
			b.WriteString(rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending"))
		}
	}
	b.WriteString(rapid.SampledFrom([]string{"", "", "x"}).Draw(t, "unterminated"))
	return b.String()
}

var words = []string{"x", "y", "xy", "xx", ""}

// requireTree demands that the files below dir are those of tree, in bytes and
// mode, and that there is nothing beside them. A tree without directories is one
// that git made, which knows one bit of the mode.
func requireTree(t require.TestingT, dir string, tree *modelTree, request string) {
	seen := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == "." {
			return err
		}
		if entry.IsDir() {
			if tree.dirs != nil {
				require.True(t, tree.dirs[name], "directory %s\n%s", name, request)
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want, ok := tree.files[name]
		require.True(t, ok, "%s is there\n%s", name, request)
		got, err := os.ReadFile(path)
		require.Equal(t, want.String(), string(got), "%s\n%s", name, request)
		if tree.dirs != nil {
			require.Equal(t, want.mode, info.Mode(), "%s\n%s", name, request)
		}
		require.Equal(t, want.mode&0o100, info.Mode()&0o100, "%s\n%s", name, request)
		seen++
		return err
	}))
	require.Equal(t, len(tree.files), seen, "%s", request)
}

// drawWishes returns a request that often can be carried out.
func drawWishes(t *rapid.T, tree *modelTree) []wish {
	var there []string
	for name := range tree.files {
		there = append(there, name)
	}
	slices.Sort(there)
	d := &drawer{t, tree, there}
	var wishes []wish
	for range rapid.SampledFrom([]int{1, 1, 2, 2, 3, 4}).Draw(t, "entries") {
		wishes = append(wishes, d.wish())
	}
	return wishes
}

type drawer struct {
	t     *rapid.T
	tree  *modelTree
	there []string
}

// odds is true once in n times.
func (d *drawer) odds(n int, what string) bool {
	return rapid.IntRange(1, n).Draw(d.t, what) == n
}

// path returns the name of a file that is there, or one that is not.
func (d *drawer) path(there bool) string {
	name := ""
	if there == (len(d.there) > 0 && !d.odds(40, "the other kind")) {
		name = rapid.SampledFrom(d.there).Draw(d.t, "path")
	} else {
		name = rapid.SampledFrom(absent).Draw(d.t, "absent path")
	}
	if d.odds(10, "dotted") {
		name = "./" + name
	}
	return name
}

func (d *drawer) wish() wish {
	kind := rapid.SampledFrom([]string{"edit", "edit", "edit", "rename", "rename", "create", "write", "remove"}).Draw(d.t, "kind")
	w := wish{Path: d.path(kind != "create")}
	f := d.tree.files[strings.TrimPrefix(w.Path, "./")]
	switch {
	case kind == "create" && !d.odds(20, "base of none"):
	case !d.odds(6, "no base"):
		w.Base = f.tag()
	case d.odds(6, "another base"):
		w.Base = "0123456789abcdef"
	}
	switch kind {
	case "create":
		w.Edits = []wishEdit{{Op: "create", Content: d.content()}}
	case "write":
		w.Edits = []wishEdit{{Op: "write", Content: d.content(), Blind: d.odds(4, "blind")}}
	case "remove":
		w.Edits = []wishEdit{{Op: "remove"}}
	case "rename":
		w.Edits = []wishEdit{{Op: "rename", ToPath: d.path(d.odds(8, "onto"))}}
	}
	if kind == "edit" || kind == "rename" && d.odds(2, "edits beside") || d.odds(30, "too many") {
		for range rapid.SampledFrom([]int{1, 1, 1, 2, 2, 3}).Draw(d.t, "edits") {
			w.Edits = append(w.Edits, d.edit(f))
		}
	}
	return w
}

// content is a whole text, or lines.
func (d *drawer) content() any {
	if rapid.Bool().Draw(d.t, "string") {
		return drawText(d.t)
	}
	return d.lines()
}

func (d *drawer) lines() []string {
	return rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(d.t, "lines")
}

// anchor names a line of f, most often as it is.
func (d *drawer) anchor(f modelFile) string {
	kind := rapid.SampledFrom([]string{"right", "right", "right", "right", "right", "right", "right", "right", "right", "bare", "bare", "stale"}).Draw(d.t, "anchor")
	n := rapid.IntRange(1, max(1, len(f.lines))).Draw(d.t, "number")
	switch {
	case kind == "bare" && d.odds(8, "beyond"):
		return strconv.Itoa(len(f.lines) + 1)
	case kind == "bare":
		return strconv.Itoa(n)
	case kind == "stale" && d.odds(4, "wrong") || len(f.lines) == 0:
		return "1:zz:zzzz"
	}
	return f.anchor(n)
}

// ordered returns two anchors of f, the first not behind the second but rarely.
func (d *drawer) ordered(f modelFile) (string, string) {
	a, b := d.anchor(f), d.anchor(f)
	if lineNumber(a) > lineNumber(b) && !d.odds(30, "reversed") {
		a, b = b, a
	}
	return a, b
}

func (d *drawer) edit(f modelFile) wishEdit {
	e := wishEdit{Op: rapid.SampledFrom([]string{"replace", "delete", "insert_after", "insert_before", "search_replace", "move", "move", "copy", "copy"}).Draw(d.t, "op")}
	switch {
	case strings.HasPrefix(e.Op, "insert") && (len(f.lines) == 0 || d.odds(4, "at an end")):
		e.Anchor = rapid.SampledFrom([]string{"0:", "EOF"}).Draw(d.t, "end")
	case !strings.HasPrefix(e.Op, "insert") && rapid.Bool().Draw(d.t, "range"):
		e.Anchor, e.End = d.ordered(f)
	default:
		e.Anchor = d.anchor(f)
	}
	switch e.Op {
	case "replace", "insert_after", "insert_before":
		lines := d.lines()
		if e.Content = lines; len(lines) == 0 {
			e.Content = []string{""}
		}
		if d.odds(3, "as a string") {
			e.Content = strings.Join(lines, "\n") + "\n"
		}
	case "search_replace":
		search, replace := rapid.SampledFrom([]string{"x", "y", "xy"}).Draw(d.t, "search"), rapid.SampledFrom(words).Draw(d.t, "replace")
		e.Search, e.Replace = &search, &replace
		if d.odds(2, "expect") {
			e.Expect = rapid.IntRange(1, 3).Draw(d.t, "count")
		}
		if e.Expect > 0 && d.odds(2, "in the whole file") {
			e.Anchor, e.End = "", ""
		}
	case "move", "copy":
		dest := f
		if !d.odds(3, "within the file") {
			e.ToPath = d.path(!d.odds(4, "into a file to be made"))
			dest = d.tree.files[strings.TrimPrefix(e.ToPath, "./")]
		}
		if e.To = d.anchor(dest); len(dest.lines) == 0 || d.odds(3, "at an end") {
			e.To = rapid.SampledFrom([]string{"0:", "EOF"}).Draw(d.t, "end")
		}
		e.Place = rapid.SampledFrom([]string{"", "after", "before"}).Draw(d.t, "place")
	}
	return e
}
