//go:build fire && linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hlkit/hlkit/lock"
	"github.com/stretchr/testify/require"
)

// Dying of SIGPIPE, or any exit status but 0, would say that nothing was written.
func TestAnEditWhoseAnswerNobodyReadsExitsWithZero(t *testing.T) {
	hl := buildHL(t)
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("a\n"), 0o666))
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	cmd := exec.Command(hl, "edit", path)
	cmd.Stdin = strings.NewReader(`[{"op": "insert_after", "anchor": "EOF", "content": "b"}]`)
	cmd.Stdout = w
	require.NoError(t, cmd.Run())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "a\nb\n", string(text))
}

func TestEditsOfManyProcessesAreAllMade(t *testing.T) {
	const processes, edits = 6, 50
	hl := buildHL(t)
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("first\n"), 0o666))
	var wait sync.WaitGroup
	for p := range processes {
		wait.Go(func() {
			for i := range edits {
				cmd := exec.Command(hl, "edit", path)
				cmd.Stdin = strings.NewReader(fmt.Sprintf(`[{"op": "insert_after", "anchor": "EOF", "content": "%d.%d"}]`, p, i))
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			}
		})
	}
	wait.Wait()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, processes*edits+1, strings.Count(string(text), "\n"))
	for p := range processes {
		for i := range edits {
			require.Contains(t, string(text), fmt.Sprintf("\n%d.%d\n", p, i))
		}
	}
}

func TestAFileThatAnotherProcessHasOpenForWritingIsNotEdited(t *testing.T) {
	hl := buildHL(t)
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("a\n"), 0o666))
	writer, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	edit := func() (string, int) {
		cmd := exec.Command(hl, "edit", path)
		cmd.Stdin = strings.NewReader(`[{"op": "insert_after", "anchor": "EOF", "content": "mine"}]`)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, exit := edit()
	require.Equal(t, 1, exit)
	require.Contains(t, out, "file_changed: another program has the file open for writing")
	_, err = writer.WriteString("theirs\n")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	out, exit = edit()
	require.Zero(t, exit, out)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "a\ntheirs\nmine\n", string(text))
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestASignalEndsTheWaitForTheLock(t *testing.T) {
	hl := buildHL(t)
	locks := &lock.Dir{Path: filepath.Join(t.TempDir(), "locks")}
	t.Setenv("HL_LOCK_DIR", locks.Path)
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("a\n"), 0o666))
	unlock, err := locks.Lock(t.Context(), path)
	require.NoError(t, err)
	defer unlock()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.Command(hl, "edit", path)
		cmd.Stdin = strings.NewReader(`[{"op": "insert_after", "anchor": "EOF", "content": "b"}]`)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return hasOpen(cmd.Process.Pid, ".gate") }, 10*time.Second, time.Millisecond)
		begin := time.Now()
		require.NoError(t, cmd.Process.Signal(sig))
		require.Error(t, cmd.Wait())
		require.Less(t, time.Since(begin), 2*time.Second)
		require.Equal(t, 128+int(sig), cmd.ProcessState.ExitCode(), out.String())
		require.True(t, strings.HasPrefix(out.String(), "not applied"), out.String())
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "a\n", string(text))
}

// hasOpen reports whether a process has a file open whose name ends in this.
func hasOpen(pid int, end string) bool {
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	return err == nil && slices.ContainsFunc(links, func(link string) bool {
		name, err := os.Readlink(link)
		return err == nil && strings.HasSuffix(name, end)
	})
}
