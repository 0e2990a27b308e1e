//go:build fire && linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// five is a tree, and fiveRequest a request for five of its files that holds every
// op; fiveAfter is what the tree is then.
var five = map[string]string{
	"a.txt":     "one\ntwo\nthree\n",
	"b.txt":     "alpha\nbeta\n",
	"sub/c.txt": "gone\n",
	"d.txt":     "d1\nd2\n",
}

var fiveAfter = map[string]string{
	"a.txt":         "one\nTHREE\n",
	"b.txt":         "alpha\ntwo\nbeta\nalpha\n",
	"sub/e.txt":     "d1\nD2\n",
	"new/dir/f.txt": "made\n",
}

var fiveNames = []string{"a.txt", "b.txt", "sub/c.txt", "d.txt", "sub/e.txt", "new/dir/f.txt"}

func makeFive(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range five {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

// fiveRequest returns the request, which is the same for every such tree.
func fiveRequest(t *testing.T, hl, dir string) string {
	t.Helper()
	read := func(name string) (base string, anchors []string) {
		out, err := exec.Command(hl, "read", "--json", "--root", dir, name).Output()
		require.NoError(t, err)
		var v struct {
			Files []struct {
				Base  string `json:"base"`
				Lines []struct {
					Anchor string `json:"anchor"`
				} `json:"lines"`
			} `json:"files"`
		}
		require.NoError(t, json.Unmarshal(out, &v), "%s", out)
		require.Len(t, v.Files, 1)
		for _, l := range v.Files[0].Lines {
			anchors = append(anchors, l.Anchor)
		}
		return v.Files[0].Base, anchors
	}
	_, a := read("a.txt")
	_, b := read("b.txt")
	c, _ := read("sub/c.txt")
	_, d := read("d.txt")
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
		a[1], b[0], a[2], b[0], c, d[1])
}

// allIn returns all files below dir, and all directories without any; links by
// where they lead.
func allIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir():
			if list, err := os.ReadDir(path); err == nil && len(list) == 0 {
				all[rel+"/"] = ""
			}
		case entry.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			all[rel] = "-> " + to
			return err
		default:
			text, err := os.ReadFile(path)
			all[rel] = string(text)
			return err
		}
		return nil
	}))
	return all
}

// comeBy is the next command on the n-th of the files: an edit that changes
// nothing. It reports whether the tree is new, and demands that it is whole: a
// journal that was being written is swept later.
func comeBy(t *testing.T, hl, dir string, n int, context ...any) (new bool) {
	t.Helper()
	name := fiveNames[n%len(fiveNames)]
	cmd := exec.Command(hl, "edit", "--root", dir)
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"path":%q,"edits":[{"op":"search_replace","search":"a","replace":"a","expect":1}]}`, name))
	out, _ := cmd.CombinedOutput() // the file may not be there
	require.NotContains(t, string(out), "panic")
	got := allIn(t, dir)
	for name := range got {
		if base := filepath.Base(name); strings.HasPrefix(base, ".hl-") && strings.HasSuffix(base, ".tmp") {
			delete(got, name)
		}
	}
	_, new = got["sub/e.txt"]
	if new {
		require.Equal(t, fiveAfter, got, context...)
	} else {
		require.Equal(t, five, got, context...)
	}
	return new
}

// traceCommand runs hl with arguments under strace, as stage.trace does.
func traceCommand(t *testing.T, stdin string, options []string, command ...string) *traced {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	args := append(append([]string{"-f", "-y", "-o", log}, options...), command...)
	cmd := exec.Command("strace", args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the state tells
	text, err := os.ReadFile(log)
	require.NoError(t, err, "%s", errs.String())
	return parseTrace(string(text), cmd.ProcessState, out.String(), errs.String())
}

// killAt returns the options of strace that kill hl at a call.
func killAt(c sysCall) []string {
	return []string{"-e", "trace=" + c.name, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", c.name, c.nth)}
}

// TestKilledAtAnySystemCallAllFilesAreOldOrAllAreNew kills hl at the entry of each
// system call of a request for five files, from the first that makes a name to the
// last. Then the next command on any of them comes, each in turn. With fsyncs the
// order of the other calls is the same: so it is each fsync and every third call.
func TestKilledAtAnySystemCallAllFilesAreOldOrAllAreNew(t *testing.T) {
	hl := buildTraceable(t)
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	request := fiveRequest(t, hl, makeFive(t))
	edit := func(dir string, options ...string) *traced {
		return traceCommand(t, request, options, hl, "edit", "--root", dir)
	}
	edit(makeFive(t)) // makes the lock directory
	for _, test := range []struct {
		name, fsync string
		every       int
		fsyncs      int
		old, new    int // at least
	}{
		{"without fsyncs", "off", 1, 0, 50, 10},
		{"with fsyncs", "", 3, 12, 40, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("HL_FSYNC", test.fsync)
			dir := makeFive(t)
			whole := edit(dir)
			require.True(t, whole.state.Success(), whole.stderr)
			require.Equal(t, fiveAfter, allIn(t, dir))
			calls := whole.afterTheLock(t)
			require.Greater(t, len(calls), 100)
			begin, end := 0, 0 // of those that make or change names
			for i, c := range calls {
				if changesNames(c) {
					if begin == 0 {
						begin = i
					}
					end = i
				}
			}
			old, new, fsyncs := 0, 0, 0
			for i, c := range calls[begin : end+1] {
				isFsync := c.name == "fsync"
				if i%test.every > 0 && !isFsync {
					continue
				}
				if isFsync {
					fsyncs++
				}
				dir := makeFive(t)
				run := edit(dir, killAt(c)...)
				require.True(t, run.killed(), "not killed at %s number %d:\n%s", c.name, c.nth, run.log)
				if comeBy(t, hl, dir, i, "killed at %s", c.line) {
					new++
				} else {
					old++
				}
			}
			require.GreaterOrEqual(t, fsyncs, test.fsyncs)
			require.Greater(t, old, test.old)
			require.Greater(t, new, test.new)
			t.Logf("killed at %d system calls, %d of them fsyncs: %d times all old, %d times all new", old+new, fsyncs, old, new)
		})
	}
}

// changesNames reports whether a call makes, renames or removes a file or
// directory.
func changesNames(c sysCall) bool {
	for _, name := range []string{"renameat", "unlinkat", "mkdirat", "symlinkat", "linkat"} {
		if strings.HasPrefix(c.name, name) {
			return true
		}
	}
	return c.name == "openat" && strings.Contains(c.line, "O_CREAT") && strings.Contains(c.line, ".hl-")
}

// TestKilledWhileItRepairsTheNextPutsAllRight kills hl in the middle of a request,
// and then the next command at each call that changes a name.
func TestKilledWhileItRepairsTheNextPutsAllRight(t *testing.T) {
	hl := buildTraceable(t)
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	t.Setenv("HL_FSYNC", "off")
	request := fiveRequest(t, hl, makeFive(t))
	edit := func(dir string, options ...string) *traced {
		return traceCommand(t, request, options, hl, "edit", "--root", dir)
	}
	edit(makeFive(t))
	var swaps, removals []sysCall
	for _, c := range edit(makeFive(t)).afterTheLock(t) {
		switch {
		case c.name == "renameat2":
			swaps = append(swaps, c)
		case c.name == "unlinkat":
			removals = append(removals, c)
		}
	}
	require.Len(t, swaps, 6, "one for each name")
	total, old, new := 0, 0, 0
	for n, c := range append(swaps[1:], removals[1], removals[len(removals)/2]) {
		name := fiveNames[n%4]
		repair := func(dir string, options ...string) *traced {
			return traceCommand(t, "", options, hl, "read", "--root", dir, name)
		}
		cut := func() (dir string) {
			dir = makeFive(t)
			run := edit(dir, killAt(c)...)
			require.True(t, run.killed(), run.log)
			return dir
		}
		dir := cut()
		for _, r := range repair(dir).calls {
			if !changesNames(r) && r.name != "fsync" {
				continue
			}
			dir := cut()
			run := repair(dir, killAt(r)...)
			if !run.killed() {
				continue // a call of the start, which differs from run to run
			}
			total++
			if comeBy(t, hl, dir, total, "killed at %s, then at %s", c.line, r.line) {
				new++
			} else {
				old++
			}
		}
	}
	require.Greater(t, old, 40)
	require.Greater(t, new, 10)
	t.Logf("repairs killed at %d system calls: %d times all old, %d times all new", total, old, new)
}
