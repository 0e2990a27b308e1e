//go:build fire && linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestKilledAtAnySystemCallTheFileIsOldOrNew kills hl at the entry of each of its
// system calls from the lock on. What the killed run left is then made two hours
// old, and the next run removes it.
func TestKilledAtAnySystemCallTheFileIsOldOrNew(t *testing.T) {
	hl := buildTraceable(t)
	for name, s := range stages() {
		t.Run(name, func(t *testing.T) {
			locks := filepath.Join(t.TempDir(), "locks")
			t.Setenv("HL_LOCK_DIR", locks)
			s.trace(t, hl, s.set(t)) // makes the lock directory
			whole := s.trace(t, hl, s.set(t))
			require.True(t, whole.state.Success(), whole.stderr)
			calls := whole.afterTheLock(t)
			require.Greater(t, len(calls), 30)
			old, strays := 0, 0
			for _, c := range calls {
				dir := s.set(t)
				run := s.trace(t, hl, dir, "-e", "trace="+c.name, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", c.name, c.nth))
				require.True(t, run.killed(), "not killed at %s number %d:\n%s", c.name, c.nth, run.log)
				require.Len(t, run.calls, c.nth, "killed at another call than %s:\n%s", c.line, run.log)

				got := s.look(t, dir)
				if got == s.old {
					old++
				} else {
					require.Equal(t, s.new, got, "killed at %s", c.line)
				}
				files, _ := filesIn(t, dir)
				strays += len(files)
				if got != "" {
					strays--
				}

				makeOld(t, filepath.Join(dir, filepath.Dir(s.path)), locks)
				out, err := exec.Command(hl, "edit", "--json", "--root", dir, "-f", writeAgain(t, s.path)).CombinedOutput()
				require.NoError(t, err, "killed at %s: %s", c.line, out)
				require.Equal(t, "again\n", s.look(t, dir))
				files, empty := filesIn(t, dir)
				require.Equal(t, []string{s.path}, files, "killed at %s", c.line)
				require.Empty(t, empty)
			}
			require.Greater(t, old, 10)
			require.Greater(t, len(calls)-old, 5)
			require.Greater(t, strays, 5)
			t.Logf("killed at %d system calls: %d times the old file, %d times the new; %d strays, all swept", len(calls), old, len(calls)-old, strays)
		})
	}
}

// writeAgain writes a request that writes path again, and returns its name.
func writeAgain(t *testing.T, path string) string {
	name := filepath.Join(t.TempDir(), "request")
	require.NoError(t, os.WriteFile(name, []byte(fmt.Sprintf(`{"path":%q,"edits":[{"op":"write","content":"again\n","blind":true}]}`, path)), 0o666))
	return name
}

// makeOld makes what killed runs left in dir two hours old, and lets the next run
// look for it.
func makeOld(t *testing.T, dir, locks string) {
	t.Helper()
	past := time.Now().Add(-2 * time.Hour)
	strays, err := filepath.Glob(filepath.Join(dir, ".hl-*"))
	require.NoError(t, err)
	for _, path := range strays {
		part := strings.Split(path, "-") // the time is the third from the end
		if strings.HasSuffix(path, ".swap") {
			part[len(part)-3] = strconv.FormatInt(past.Unix(), 16)
			require.NoError(t, os.Rename(path, strings.Join(part, "-")))
			continue
		}
		require.NoError(t, os.Chtimes(path, past, past))
	}
	stamps, err := filepath.Glob(filepath.Join(locks, "*.swept"))
	require.NoError(t, err)
	for _, stamp := range stamps {
		require.NoError(t, os.Chtimes(stamp, past, past))
	}
}

// TestASignalAtAnySystemCallEndsTheRunBeforeTheCommitOrNotAtAll sends hl the
// signal at each system call from the lock on.
func TestASignalAtAnySystemCallEndsTheRunBeforeTheCommitOrNotAtAll(t *testing.T) {
	hl := buildTraceable(t)
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	for name, s := range stages() {
		if name == "a file is made" {
			continue // as with its directories
		}
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(name+"/"+sig.String(), func(t *testing.T) {
				s.trace(t, hl, s.set(t)) // makes the lock directory
				calls := s.trace(t, hl, s.set(t)).afterTheLock(t)
				interrupted, early := 0, 0
				for i, c := range calls {
					if c.name == "exit_group" {
						continue // too late for any signal
					}
					dir := s.set(t)
					run := s.trace(t, hl, dir, "-e", "trace="+c.name, "-e", fmt.Sprintf("inject=%s:signal=%d:when=%d", c.name, sig, c.nth))
					require.Contains(t, run.log, "--- "+unix.SignalName(sig), "no signal at %s number %d", c.name, c.nth)
					got := s.look(t, dir)
					files, empty := filesIn(t, dir)
					switch exit := run.state.ExitCode(); exit {
					case 0:
						require.Equal(t, s.new, got, "signal at %s", c.line)
						require.True(t, strings.HasPrefix(run.stdout, "applied "), run.stdout)
						require.Equal(t, []string{s.path}, files)
					case 128 + int(sig):
						require.Equal(t, s.old, got, "signal at %s", c.line)
						require.True(t, strings.HasPrefix(run.stderr, "not applied"), run.stderr)
						if s.old == "" {
							require.Empty(t, files)
						} else {
							require.Equal(t, []string{s.path}, files)
						}
						interrupted++
						if i < len(calls)/4 {
							early++
						}
					default:
						require.Fail(t, "exit", "%d at %s: %s%s", exit, c.line, run.stdout, run.stderr)
					}
					require.Empty(t, empty)
				}
				require.Greater(t, early, len(calls)/8, "most of those that come early")
				require.Less(t, interrupted, len(calls)-5)
				t.Logf("%v at %d system calls: %d times nothing written, else all", sig, len(calls), interrupted)
			})
		}
	}
}

// TestNoAcknowledgedEditOfAThousandKilledRunsIsLost kills runs of hl edit at
// random moments. Each inserts a line of its own; what it has answered is an
// acknowledgement, even if it is killed then.
func TestNoAcknowledgedEditOfAThousandKilledRunsIsLost(t *testing.T) {
	const kills, workers, files = 1000, 4, 3
	hl := buildHL(t)
	locks := filepath.Join(t.TempDir(), "locks")
	t.Setenv("HL_LOCK_DIR", locks)
	dir := t.TempDir()
	path := func(file int) string { return filepath.Join(dir, fmt.Sprintf("%d.txt", file)) }
	first := strings.Repeat("a line that nobody edits\n", 2000)
	for file := range files {
		require.NoError(t, os.WriteFile(path(file), []byte(first), 0o666))
	}
	edit := func(file int, line string) (*exec.Cmd, *strings.Builder) {
		cmd := exec.Command(hl, "edit", "--concise", path(file))
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`[{"op":"insert_after","anchor":"EOF","content":%q}]`, line))
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		return cmd, &out
	}
	begin := time.Now()
	for range 10 {
		cmd, out := edit(0, "warm up")
		require.NoError(t, cmd.Run(), out)
	}
	long := time.Since(begin) / 10 * workers // that a run takes beside the others

	var killed, number atomic.Int64
	var acked, sent [files]sync.Map
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 1))
			for killed.Load() < kills {
				file := random.IntN(files)
				line := fmt.Sprintf("edit %d", number.Add(1))
				sent[file].Store(line, true)
				cmd, out := edit(file, line)
				if err := cmd.Start(); err != nil {
					t.Errorf("starting: %v", err)
					return
				}
				timer := time.AfterFunc(time.Duration(random.Int64N(int64(long))), func() { cmd.Process.Kill() })
				err := cmd.Wait()
				timer.Stop()
				switch status := cmd.ProcessState.Sys().(syscall.WaitStatus); {
				case status.Signaled() && status.Signal() == syscall.SIGKILL:
					killed.Add(1)
				case err != nil:
					t.Errorf("nobody else writes, but: %v: %s", err, out)
				}
				if strings.HasPrefix(out.String(), "applied ") {
					acked[file].Store(line, true)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	looks := 0
	for running := true; running; looks++ {
		select {
		case <-done:
			running = false
		case <-time.After(time.Millisecond):
		}
		text, err := os.ReadFile(path(looks % files))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), first) && strings.HasSuffix(string(text), "\n"), "torn: %d bytes", len(text))
	}

	acks, alive := 0, 0
	for file := range files {
		text, err := os.ReadFile(path(file))
		require.NoError(t, err)
		there := map[string]int{}
		for line := range strings.Lines(strings.TrimPrefix(string(text), first)) {
			line = strings.TrimSuffix(line, "\n")
			there[line]++
			if line == "warm up" {
				continue
			}
			_, ok := sent[file].Load(line)
			require.True(t, ok, "nobody sent %q", line)
			require.Equal(t, 1, there[line], "%s is doubled", line)
			if _, ok := acked[file].Load(line); !ok {
				alive++
			}
		}
		acked[file].Range(func(line, _ any) bool {
			require.Equal(t, 1, there[line.(string)], "%s was acknowledged and is lost", line)
			acks++
			return true
		})
	}
	strays, err := filepath.Glob(filepath.Join(dir, ".hl-*"))
	require.NoError(t, err)
	makeOld(t, dir, locks)
	cmd, out := edit(0, "the last")
	require.NoError(t, cmd.Run(), out)
	left, _ := filesIn(t, dir)
	require.Len(t, left, files, "nobody else wrote, so nothing is kept; strays are swept")
	require.Greater(t, acks, kills/10)
	require.Greater(t, alive+len(strays), kills/50, "runs were killed while they wrote")
	t.Logf("%d runs, %d killed; %d edits acknowledged, all there once; %d there without; %d strays, all swept; %d looks", number.Load(), killed.Load(), acks, alive, len(strays), looks)
}
