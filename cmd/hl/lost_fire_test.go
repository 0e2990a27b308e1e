//go:build fire && linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Each of 16 agents owns a line of a file, and all lines are in one chunk. An
// agent reads the file, writes its line anew by anchor, and reads again when it
// is refused.
func TestNoEditOfManyAgentsIsLost(t *testing.T) {
	const agents, edits = 16, 12
	hl := buildHL(t)
	path := filepath.Join(t.TempDir(), "f.txt")
	line := func(agent, n int) string { return fmt.Sprintf("agent %d wrote %d times", agent, n) }
	var first strings.Builder
	for agent := range agents {
		fmt.Fprintln(&first, line(agent, 0))
	}
	require.NoError(t, os.WriteFile(path, []byte(first.String()), 0o666))

	var refused, reads atomic.Int32
	work := func(agent int) error {
		for n := 0; n < edits; {
			view, err := exec.Command(hl, "read", path).Output()
			if err != nil {
				return err
			}
			lines := strings.Split(string(view), "\n")
			if len(lines) != 1+agents+1 {
				return fmt.Errorf("a view of the file: %s", view)
			}
			anchor, text, _ := strings.Cut(lines[1+agent], "→")
			if text != line(agent, n) {
				return fmt.Errorf("after %d edits that were applied the line reads %q", n, text)
			}
			cmd := exec.Command(hl, "edit", path)
			cmd.Env = append(os.Environ(), "HL_FSYNC=off")
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`[{"op": "replace", "anchor": %q, "content": %q}]`, anchor, line(agent, n+1)))
			out, err := cmd.CombinedOutput()
			switch cmd.ProcessState.ExitCode() {
			case 0:
				n++
			case 1:
				if !bytes.Contains(out, []byte("anchor_stale")) {
					return fmt.Errorf("%s", out)
				}
				refused.Add(1)
			default:
				return fmt.Errorf("%w: %s", err, out)
			}
		}
		return nil
	}
	stop := make(chan struct{})
	var reader, all sync.WaitGroup
	reader.Go(func() {
		for ; ; time.Sleep(time.Millisecond) {
			select {
			case <-stop:
				return
			default:
			}
			src, err := os.ReadFile(path)
			if err != nil || bytes.Count(src, []byte("\n")) != agents || !bytes.HasSuffix(src, []byte(" times\n")) {
				t.Errorf("a reader saw %q (%v)", src, err)
			}
			reads.Add(1)
		}
	})
	for agent := range agents {
		all.Go(func() {
			if err := work(agent); err != nil {
				t.Error(agent, err)
			}
		})
	}
	all.Wait()
	close(stop)
	reader.Wait()

	var last strings.Builder
	for agent := range agents {
		fmt.Fprintln(&last, line(agent, edits))
	}
	src, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, last.String(), string(src))
	require.Positive(t, refused.Load())
	t.Logf("%d edits applied, %d refused, %d reads", agents*edits, refused.Load(), reads.Load())
}
