//go:build fire && linux

package apply

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A maze is a root with a sentinel beside it, and in the root directories and
// files that swap places with links to the sentinel, all the time.
type maze struct {
	root, outside string
	before        map[string]string // the sentinel
	swaps         atomic.Int64
	stop          context.Context
	halt          func() // stops the swapping
	done          sync.WaitGroup
}

// What stands outside, as text and as names.
const (
	sentinelText = "the sentinel's text"
	sentinelName = "sentinel-name"
)

// newMaze makes a maze and sets it in motion.
func newMaze(t *testing.T) *maze {
	base := t.TempDir()
	m := &maze{root: filepath.Join(base, "root"), outside: filepath.Join(base, "outside")}
	stop, cancel := context.WithCancel(context.Background())
	m.stop, m.halt = stop, func() {
		cancel()
		m.done.Wait()
	}
	for _, name := range []string{"f.txt", "sub/f.txt", sentinelName, "sub/" + sentinelName} {
		writeFile(t, filepath.Join(m.outside, name), sentinelText+"\n")
	}
	writeFile(t, filepath.Join(m.root, "a", "f.txt"), "inside\n")
	writeFile(t, filepath.Join(m.root, "b", "sub", "f.txt"), "inside\n")
	writeFile(t, filepath.Join(m.root, "c", "f.txt"), "inside\n")
	m.before = sentinel(t, m.outside)
	links := map[string]string{
		"a":       m.outside,                         // a directory, and an absolute link
		"b/sub":   "../../outside/sub",               // a directory below, and a relative link
		"c/f.txt": filepath.Join(m.outside, "f.txt"), // a file
	}
	var names []string
	for name, link := range links {
		name = filepath.Join(m.root, name)
		require.NoError(t, os.Symlink(link, name+".link"))
		names = append(names, name)
	}
	m.done.Go(func() {
		for m.stop.Err() == nil {
			name := names[rand.N(len(names))]
			if err := unix.Renameat2(unix.AT_FDCWD, name, unix.AT_FDCWD, name+".link", unix.RENAME_EXCHANGE); err != nil {
				t.Error(err)
				return
			}
			m.swaps.Add(1)
			// A spinning thread would leave little of two processors to the requests.
			time.Sleep(rand.N(100 * time.Microsecond))
		}
	})
	t.Cleanup(m.halt)
	return m
}

// mazePaths are the paths that lead through what is swapped.
var mazePaths = []string{"a/f.txt", "b/sub/f.txt", "c/f.txt", "a/new%d.txt", "b/sub/new%d.txt", "a/x%d/y/f.txt", "a.link/f.txt", "c/f.txt.link"}

// mazeEdits are what is asked for there, beside reading.
var mazeEdits = []Edit{
	{Op: "insert_after", Anchor: "EOF", Content: Text("more")},
	{Op: "insert_before", Anchor: "0:", Content: Text("more")},
	{Op: "write", Content: Text("inside, written\n"), Blind: true},
	{Op: "write", Content: Text("inside, new\n")},
}

// sentinel returns everything about the files of dir that can change, but when
// they were last read.
func sentinel(t require.TestingT, dir string) map[string]string {
	all := tree(t, dir)
	for path := range all {
		var st syscall.Stat_t
		require.NoError(t, syscall.Lstat(path, &st))
		all[path] += fmt.Sprint(" ", st.Ino, st.Nlink, st.Uid, st.Gid, st.Ctim)
	}
	return all
}

// check fails if anything got out, or lies around inside.
func (m *maze) check(t *testing.T) {
	m.halt()
	require.Equal(t, m.before, sentinel(t, m.outside))
	require.NoError(t, filepath.WalkDir(m.root, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		// What it swaps in between our exchange and its undoing is kept, not stray.
		require.False(t, strings.HasPrefix(entry.Name(), ".hl-"), "a stray file: %s", path)
		return nil
	}))
}

func TestUnderFireNoRequestLeavesTheRoot(t *testing.T) {
	const goroutines, requests = 2, 50_000
	m := newMaze(t)
	ws, err := Open(m.root)
	require.NoError(t, err)
	defer ws.Close()
	var mu sync.Mutex
	results := map[string]int{}
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for n := range requests {
				path := mazePaths[rand.N(len(mazePaths))]
				if strings.Contains(path, "%") {
					path = fmt.Sprintf(path, rand.N(30))
				}
				if rand.N(4) == 0 {
					path = filepath.Join(m.root, path)
				}
				what, said := mazeRequest(t, ws, path, rand.N(len(mazeEdits)+2))
				if strings.Contains(said, sentinelText) || strings.Contains(said, sentinelName) {
					t.Errorf("%s: the answer tells of the sentinel: %s", path, said)
					return
				}
				mu.Lock()
				results[what]++
				mu.Unlock()
				if n%1000 == 999 && g == 0 {
					m.tidy(t)
				}
			}
		})
	}
	all.Wait()
	m.check(t)
	t.Logf("%d swaps; %v", m.swaps.Load(), results)
	for _, what := range []string{"read", "read: outside_root", "insert_after: applied", "write: applied", "write: outside_root"} {
		require.Greater(t, results[what], 100, what)
	}
}

// mazeRequest carries out request number n: to read, or one of mazeEdits. It
// returns what came of it, in one word, and all that was said.
func mazeRequest(t *testing.T, ws *Workspace, path string, n int) (what, said string) {
	if n >= len(mazeEdits) {
		v, err := ws.Read(context.Background(), path, ReadOptions{})
		if err != nil {
			code, ok := CodeOf(err)
			assert.True(t, ok, "%v", err)
			return "read: " + string(code), err.Error()
		}
		defer v.Close()
		var b bytes.Buffer
		assert.NoError(t, v.Text(&b))
		return "read", b.String()
	}
	edit := mazeEdits[n]
	opt := quick
	opt.Diff = n%2 == 0
	a := ws.Edit(context.Background(), &Request{Files: []FileRequest{{Path: path, Edits: []Edit{edit}}}}, opt)
	what = edit.Op + ": " + string(a.Status)
	if len(a.Failures) > 0 {
		what = edit.Op + ": " + string(a.Failures[0].Code)
	}
	b, err := json.Marshal(a)
	assert.NoError(t, err)
	return what, textOf(a) + string(b)
}

// tidy removes the new files and cuts the old ones short, all in the root.
func (m *maze) tidy(t *testing.T) {
	root, err := os.OpenRoot(m.root)
	if !assert.NoError(t, err) {
		return
	}
	defer root.Close()
	for _, dir := range []string{"a", "a.link", "b/sub", "b/sub.link"} {
		d, err := root.Open(dir)
		if err != nil {
			continue // it leads out at the moment
		}
		names, err := d.Readdirnames(-1)
		d.Close()
		assert.NoError(t, err)
		for _, name := range names {
			if strings.HasPrefix(name, "new") || strings.HasPrefix(name, "x") {
				root.RemoveAll(filepath.Join(dir, name))
			}
		}
	}
}

// TestUnderFireTheMazeCatchesWhoChecksThePathFirst is how one would do it without
// os.Root. It guards the tests of the maze.
func TestUnderFireTheMazeCatchesWhoChecksThePathFirst(t *testing.T) {
	m := newMaze(t)
	escaped, inside, stray := 0, 0, 0
	for range 20_000 {
		path := filepath.Join(m.root, mazePaths[rand.N(3)])
		real, err := filepath.EvalSymlinks(path)
		if err != nil || !strings.HasPrefix(real, m.root+"/") {
			continue
		}
		src, err := os.ReadFile(path)
		switch {
		case err != nil:
		case strings.Contains(string(src), sentinelText):
			escaped++
		default:
			inside++
		}
		if err := os.WriteFile(path+".tmp", nil, 0o666); err != nil {
			continue
		}
		if err := os.Remove(path + ".tmp"); errors.Is(err, fs.ErrNotExist) {
			stray++
		}
	}
	m.halt()
	t.Logf("%d reads of %d went outside, %d temporary files stayed somewhere", escaped, escaped+inside, stray)
	require.Positive(t, escaped)
	require.Positive(t, stray)
	require.NotEqual(t, m.before, sentinel(t, m.outside))
}
