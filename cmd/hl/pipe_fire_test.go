//go:build fire && linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
