//go:build fire && linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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
