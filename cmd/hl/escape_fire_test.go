//go:build fire && linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// In a root a directory and a link to one outside swap places all the time.
func TestNoRunOfTheProgramLeavesTheRoot(t *testing.T) {
	const workers, runs = 4, 500
	const text, name = "the sentinel's text", "sentinel-name"
	hl := buildHL(t)
	base := t.TempDir()
	root, outside := filepath.Join(base, "root"), filepath.Join(base, "outside")
	for _, dir := range []string{outside, filepath.Join(root, "d")} {
		require.NoError(t, os.MkdirAll(dir, 0o777))
	}
	for _, file := range []string{"f.txt", name} {
		require.NoError(t, os.WriteFile(filepath.Join(outside, file), []byte(text+"\n"), 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "d", "f.txt"), []byte("inside\n"), 0o666))
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "link")))
	sentinel := func() (all []string) {
		require.NoError(t, filepath.WalkDir(outside, func(path string, _ fs.DirEntry, err error) error {
			require.NoError(t, err)
			var st syscall.Stat_t
			require.NoError(t, syscall.Lstat(path, &st))
			src, _ := os.ReadFile(path)
			all = append(all, fmt.Sprint(path, st.Ino, st.Mode, st.Nlink, st.Mtim, st.Ctim, string(src)))
			return nil
		}))
		return all
	}
	before := sentinel()

	stop := make(chan struct{})
	var swapper, all sync.WaitGroup
	defer swapper.Wait()
	defer close(stop)
	swapper.Go(func() {
		for ; ; time.Sleep(rand.N(200 * time.Microsecond)) {
			select {
			case <-stop:
				return
			default:
			}
			err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(root, "d"), unix.AT_FDCWD, filepath.Join(root, "link"), unix.RENAME_EXCHANGE)
			if err != nil {
				t.Error(err)
			}
		}
	})
	var exits [4]atomic.Int32
	for range workers {
		all.Go(func() {
			for range runs {
				file := []string{"d/f.txt", "link/f.txt", fmt.Sprintf("d/new%d", rand.N(20)), fmt.Sprintf("d/x%d/y", rand.N(20)), root + "/d/f.txt"}[rand.N(5)]
				cmd := exec.Command(hl, "read", "--root", root, file)
				if n := rand.N(4); n > 0 {
					edit := []string{
						`{"op": "insert_after", "anchor": "EOF", "content": "more"}`,
						`{"op": "write", "content": "inside, written\n", "blind": true}`,
						`{"op": "write", "content": "inside, new\n"}`,
					}[n-1]
					cmd = exec.Command(hl, "edit", "--root", root)
					cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"path": %q, "edits": [%s]}`, file, edit))
				}
				cmd.Env = append(os.Environ(), "HL_FSYNC=off")
				cmd.Dir = root
				out, err := cmd.CombinedOutput()
				code := cmd.ProcessState.ExitCode()
				if code < 0 || code > 2 || bytes.Contains(out, []byte(text)) || bytes.Contains(out, []byte(name)) {
					t.Errorf("%v: %v: %s", cmd, err, out)
					return
				}
				exits[code].Add(1)
			}
		})
	}
	all.Wait()
	require.Equal(t, before, sentinel())
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		require.False(t, strings.HasPrefix(entry.Name(), ".hl-"), path)
		return nil
	}))
	require.Greater(t, exits[0].Load(), int32(100))
	require.Greater(t, exits[2].Load(), int32(100))
	t.Logf("%d applied or read, %d not applied, %d refused", exits[0].Load(), exits[1].Load(), exits[2].Load())
}
