//go:build unix

package apply

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// faults are what a call to the system may fail with.
var faults = []error{syscall.EIO, syscall.ENOSPC, syscall.EACCES, syscall.EINTR, errShort}

// A faulty file system fails the k-th call, counted from 0, once or from then on.
type faulty struct {
	k      int
	err    error
	on     bool
	also   func(n int, call string) error // looked at first
	calls  []string
	failed []string // the calls that failed
}

func (f *faulty) step(call string) error {
	n := len(f.calls)
	f.calls = append(f.calls, call)
	if f.also != nil {
		if err := f.also(n, call); err != nil {
			return err
		}
	}
	if n == f.k || f.on && n > f.k {
		f.failed = append(f.failed, call)
		if errors.Is(f.err, errShort) && call != "write" {
			return syscall.EIO // there is no short close
		}
		if errors.Is(f.err, errShort) {
			return f.err
		}
		return &fs.PathError{Op: call, Path: "x\napplied", Err: f.err}
	}
	return nil
}

// overEveryFault runs one request with each call failing in each way, until no
// fault fires any more.
func overEveryFault(t *testing.T, run func(t *testing.T, f *faulty)) {
	overFaults(t, faults, run)
}

func overFaults(t *testing.T, faults []error, run func(t *testing.T, f *faulty)) {
	for _, err := range faults {
		for _, on := range []bool{false, true} {
			for k := 0; ; k++ {
				f := &faulty{k: k, err: err, on: on}
				t.Run(fmt.Sprintf("%v/on=%v/%d", err, on, k), func(t *testing.T) { run(t, f) })
				if t.Failed() {
					return
				}
				if len(f.failed) == 0 {
					require.Greater(t, k, 5, "the faults are reached")
					break
				}
			}
		}
	}
}

// requireHonest demands that the answer says what is on the disk.
func requireHonest(t *testing.T, a *Answer, got, old, new string) {
	t.Helper()
	switch a.Status {
	case Applied:
		require.Equal(t, new, got, textOf(a))
	case NotApplied, Refused:
		require.Equal(t, old, got, textOf(a))
		requireNoSuccess(t, textOf(a))
	default:
		require.Fail(t, "status", "%s", textOf(a))
	}
}

// strays returns the names in dir that are ours.
func strays(t require.TestingT, dir string) []string {
	var found []string
	for _, name := range readDir(t, dir) {
		if strings.HasPrefix(name, tempPrefix) || strings.Contains(name, ".hl-kept-") {
			found = append(found, name)
		}
	}
	return found
}

func TestWhateverCallFailsTheFileIsOldOrNewAndTheAnswerSaysWhich(t *testing.T) {
	overEveryFault(t, func(t *testing.T, f *faulty) {
		dir, file := tempFile(t, "old\n")
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		ws.fault = f.step
		a := askIn(ws, file, `[{"op":"write","content":"new\n","blind":true}]`, Options{})
		requireHonest(t, a, readFile(t, filepath.Join(dir, file)), "old\n", "new\n")
		if !slices.Contains(f.failed, "remove") && !slices.Contains(f.failed, "keep") {
			require.Empty(t, strays(t, dir))
		}
		if len(f.failed) == 0 {
			require.Equal(t, Applied, a.Status)
			require.True(t, *a.Durable)
		}
		// After the commit point all that failed is a matter of warnings.
		if i := slices.Index(f.calls, "exchange"); i >= 0 && f.k > i+1 {
			require.Equal(t, Applied, a.Status, "%v: %s", f.calls, textOf(a))
		}
	})
}

func TestWhateverCallFailsWithoutAnExchangeTheSameHolds(t *testing.T) {
	overEveryFault(t, func(t *testing.T, f *faulty) {
		dir, file := tempFile(t, "old\n")
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		f.also = func(_ int, call string) error {
			if call == "exchange" {
				return errors.ErrUnsupported
			}
			return nil
		}
		ws.fault = f.step
		a := askIn(ws, file, `[{"op":"write","content":"new\n","blind":true}]`, Options{})
		requireHonest(t, a, readFile(t, filepath.Join(dir, file)), "old\n", "new\n")
		if !slices.Contains(f.failed, "remove") {
			require.Empty(t, strays(t, dir))
		}
		require.Equal(t, slices.Contains(f.calls, "syncdir"), a.Status == Applied, f.calls)
	})
}

func TestWhateverCallFailsANewFileIsThereWholeOrNotAtAll(t *testing.T) {
	for _, linked := range []bool{false, true} {
		overEveryFault(t, func(t *testing.T, f *faulty) {
			dir := t.TempDir()
			ws, err := Open(dir)
			require.NoError(t, err)
			defer ws.Close()
			first := true
			f.also = func(_ int, call string) error {
				if linked && call == "link" && first {
					first = false
					return errors.ErrUnsupported
				}
				return nil
			}
			ws.fault = f.step
			a := askIn(ws, "", `{"path":"a/b/f.txt","edits":[{"op":"write","content":"new\n"}]}`, Options{})
			got, err := os.ReadFile(filepath.Join(dir, "a", "b", "f.txt"))
			if a.Status == Applied {
				require.NoError(t, err)
				require.Equal(t, "new\n", string(got))
			} else {
				require.Equal(t, Refused, a.Status)
				require.ErrorIs(t, err, fs.ErrNotExist)
				requireNoSuccess(t, textOf(a))
			}
			if slices.Contains(f.failed, "remove") {
				return
			}
			if a.Status == Applied {
				require.Equal(t, []string{"f.txt"}, readDir(t, filepath.Join(dir, "a", "b")))
			} else if !slices.Contains(f.failed, "rmdir") {
				require.Empty(t, readDir(t, dir))
			}
		})
	}
}

// Somebody replaces the file just before the exchange.
func TestWhateverCallFailsWhatOthersWroteIsNeverLost(t *testing.T) {
	overEveryFault(t, func(t *testing.T, f *faulty) {
		dir, file := tempFile(t, "old\n")
		path := filepath.Join(dir, file)
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		done := false
		f.also = func(_ int, call string) error {
			if call == "exchange" && !done {
				done = true
				writeFile(t, path+".new", "theirs\n")
				require.NoError(t, os.Rename(path+".new", path))
			}
			return nil
		}
		ws.fault = f.step
		a := askIn(ws, file, `[{"op":"write","content":"new\n","blind":true}]`, Options{})
		if !done {
			requireHonest(t, a, readFile(t, path), "old\n", "new\n")
			return
		}
		requireHonest(t, a, readFile(t, path), "theirs\n", "new\n")
		if a.Status == Applied {
			require.Contains(t, textOf(a), "kept")
			require.Contains(t, f.failed, "exchange", "nothing else keeps it from going back")
			found := strays(t, dir)
			require.Len(t, found, 1)
			require.Contains(t, textOf(a), found[0])
			require.Equal(t, "theirs\n", readFile(t, filepath.Join(dir, found[0])))
		}
	})
}

// Somebody replaces the file before the exchange, and again before it is undone.
func TestWhateverCallFailsBothThatOthersWroteAreKept(t *testing.T) {
	overEveryFault(t, func(t *testing.T, f *faulty) {
		dir, file := tempFile(t, "old\n")
		path := filepath.Join(dir, file)
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		exchanges := 0
		f.also = func(_ int, call string) error {
			if call == "exchange" {
				exchanges++
				writeFile(t, path+".new", fmt.Sprintf("theirs %d\n", exchanges))
				require.NoError(t, os.Rename(path+".new", path))
			}
			return nil
		}
		ws.fault = f.step
		a := askIn(ws, file, `[{"op":"write","content":"new\n","blind":true}]`, Options{})
		var all strings.Builder
		for _, name := range readDir(t, dir) {
			all.WriteString(readFile(t, filepath.Join(dir, name)))
		}
		for i := range exchanges {
			require.Contains(t, all.String(), fmt.Sprintf("theirs %d\n", i+1), textOf(a))
		}
		if len(f.failed) == 0 {
			require.Equal(t, []Code{FileChanged}, codes(a))
			require.Equal(t, "theirs 1\n", readFile(t, path))
			require.Equal(t, "theirs 2\n", readFile(t, a.Failures[0].Kept))
			require.Contains(t, textOf(a), filepath.Base(a.Failures[0].Kept))
		}
	})
}
