//go:build fire && linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/lock"
	"github.com/stretchr/testify/require"
)

func TestAFileThatAnotherProcessHoldsIsLockedAndTheHolderIsNamed(t *testing.T) {
	hl := buildHL(t)
	locks := &lock.Dir{Path: filepath.Join(t.TempDir(), "locks")}
	t.Setenv("HL_LOCK_DIR", locks.Path)
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("a\n"), 0o666))
	unlock, err := locks.Lock(t.Context(), path)
	require.NoError(t, err)
	defer unlock()
	for want, args := range map[int][]string{
		1: {"edit", "--lock-timeout", "100ms", path},
		2: {"read", "--lock-timeout", "100ms", path},
	} {
		cmd := exec.Command(hl, args...)
		cmd.Stdin = strings.NewReader(`[{"op": "insert_after", "anchor": "EOF", "content": "b"}]`)
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Equal(t, want, cmd.ProcessState.ExitCode(), "%s", out)
		for _, part := range []string{"locked", path, filepath.Base(os.Args[0]), fmt.Sprint(os.Getpid()), "100ms"} {
			require.Contains(t, string(out), part)
		}
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "a\n", string(text))
}
