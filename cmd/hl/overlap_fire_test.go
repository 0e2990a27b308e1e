//go:build fire && linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRequestsForOverlappingFilesAreEachAllOrNone runs requests for three of four
// files from many processes, in opposite orders; each appends a line of its own to
// its files. Some are killed. Readers read in between. A line that is in one of a
// request's files must be in all of them, once, and all files that two requests
// share must have their lines in one order.
func TestRequestsForOverlappingFilesAreEachAllOrNone(t *testing.T) {
	const rounds, workers, readers = 1000, 4, 2
	hl := buildHL(t)
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	t.Setenv("HL_FSYNC", "off")
	dir := t.TempDir()
	sets := [][]string{{"1.txt", "2.txt", "3.txt"}, {"4.txt", "3.txt", "2.txt"}}
	for _, name := range []string{"1.txt", "2.txt", "3.txt", "4.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("first\n"), 0o666))
	}
	command := func(stdin string, args ...string) (*exec.Cmd, *strings.Builder) {
		cmd := exec.Command(hl, args...)
		cmd.Stdin = strings.NewReader(stdin)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		return cmd, &out
	}
	edit := func(set []string, line string) (*exec.Cmd, *strings.Builder) {
		var files []string
		for _, name := range set {
			files = append(files, fmt.Sprintf(`{"path":%q,"edits":[{"op":"insert_after","anchor":"EOF","content":%q}]}`, name, line))
		}
		return command(`{"files":[`+strings.Join(files, ",")+`]}`, "edit", "--concise", "--lock-timeout", "60s", "--root", dir)
	}
	read := func(name string) []string {
		cmd, out := command("", "read", "--plain", "--lines", "all", "--lock-timeout", "60s", "--root", dir, name)
		if err := cmd.Run(); err != nil {
			t.Errorf("reading %s: %v: %s", name, err, out)
		}
		return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	}
	begin := time.Now()
	for range 5 {
		cmd, out := edit(sets[0], "warm up")
		require.NoError(t, cmd.Run(), out)
	}
	long := time.Since(begin) / 5 * workers
	var acked sync.Map
	var number, killed, reads atomic.Int64
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 2))
			for {
				n := number.Add(1)
				if n > rounds {
					return
				}
				line := fmt.Sprintf("%d of %d", n, worker%2)
				cmd, out := edit(sets[worker%2], line)
				if err := cmd.Start(); err != nil {
					t.Errorf("starting: %v", err)
					return
				}
				if n%4 == 0 {
					timer := time.AfterFunc(time.Duration(random.Int64N(int64(long))), func() { cmd.Process.Kill() })
					defer timer.Stop()
				}
				err := cmd.Wait()
				switch status := cmd.ProcessState.Sys().(syscall.WaitStatus); {
				case status.Signaled() && status.Signal() == syscall.SIGKILL:
					killed.Add(1)
				case err != nil:
					t.Errorf("%v: %s", err, out)
				}
				if strings.HasPrefix(out.String(), "applied ") {
					acked.Store(line, worker%2)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	var reading sync.WaitGroup
	for reader := range readers {
		reading.Go(func() {
			pair := []string{"2.txt", "3.txt"}
			if reader%2 == 1 {
				slices.Reverse(pair)
			}
			for {
				select {
				case <-done:
					return
				default:
				}
				// What is in the one must be in the other, read later.
				one, other := read(pair[0]), read(pair[1])
				if len(other) < len(one) || !slices.Equal(one, other[:len(one)]) {
					t.Errorf("%s has %q, and later %s has %q", pair[0], one, pair[1], other)
					return
				}
				reads.Add(1)
			}
		})
	}
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		require.Fail(t, "deadlock")
	}
	reading.Wait()

	lines := map[string][]string{}
	for _, name := range []string{"1.txt", "2.txt", "3.txt", "4.txt"} {
		cmd, out := command(fmt.Sprintf(`{"path":%q,"edits":[{"op":"search_replace","search":"first","replace":"first","expect":1}]}`, name), "edit", "--root", dir)
		require.NoError(t, cmd.Run(), out)
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSuffix(line, "\n"); line != "warm up" {
				lines[name] = append(lines[name], line)
			}
		}
	}
	require.Equal(t, lines["2.txt"], lines["3.txt"])
	var of [2][]string
	for _, line := range lines["2.txt"][1:] {
		set := 0
		if strings.HasSuffix(line, " of 1") {
			set = 1
		}
		of[set] = append(of[set], line)
	}
	require.Equal(t, of[0], lines["1.txt"][1:])
	require.Equal(t, of[1], lines["4.txt"][1:])
	acks := 0
	acked.Range(func(line, _ any) bool {
		acks++
		n := 0
		for _, l := range lines["2.txt"] {
			if l == line {
				n++
			}
		}
		require.Equal(t, 1, n, "%s was acknowledged", line)
		return true
	})
	files, _ := filesIn(t, dir)
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, ".tmp") })
	require.Equal(t, []string{"1.txt", "2.txt", "3.txt", "4.txt"}, files)
	require.Greater(t, acks, rounds/2)
	require.Greater(t, killed.Load(), int64(rounds/20))
	t.Logf("%d requests, %d killed, %d acknowledged, %d made; %d pairs of reads", rounds, killed.Load(), acks, len(lines["2.txt"])-1, reads.Load())
}
