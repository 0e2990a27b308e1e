//go:build unix

package lock

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func init() {
	roles["hold with a child"] = func(args []string) { // DIR PATH
		unlock := mustLock(&Dir{Path: args[0]}, args[1], true)
		defer unlock()
		exe, err := os.Executable()
		check(err)
		child := exec.Command(exe)
		child.Env = append(os.Environ(), roleVariable+"=idle")
		child.Stdin, child.Stdout = os.Stdin, os.Stdout
		check(child.Start()) // prints "idle" and ends with our input
		child.Wait()
	}
	roles["lock all"] = func(args []string) { // DIR ROUNDS PATH…
		d := &Dir{Path: args[0]}
		rounds, err := strconv.Atoi(args[1])
		check(err)
		for range rounds {
			unlock, err := d.LockAll(context.Background(), args[2:])
			check(err)
			unlock()
		}
	}
	roles["count"] = func(args []string) { // DIR FILE TIMES
		d := &Dir{Path: args[0]}
		times, err := strconv.Atoi(args[2])
		check(err)
		for range times {
			unlock := mustLock(d, args[1], true)
			n := readCount(args[1])
			check(os.WriteFile(args[1], fmt.Appendf(nil, "%d %d", n+1, n+1), 0o600)) // not atomic
			unlock()
			unlock = mustLock(d, args[1], false)
			readCount(args[1])
			unlock()
		}
	}
	roles["leak"] = func(args []string) { // DIR PATH
		mustLock(&Dir{Path: args[0]}, args[1], true)
		for range 100 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func readCount(name string) int {
	src, err := os.ReadFile(name)
	check(err)
	var n, again int
	if _, err := fmt.Sscan(string(src), &n, &again); err != nil || n != again {
		check(fmt.Errorf("a torn file: %q", src))
	}
	return n
}

func TestTheLockOfAProcessThatIsKilledIsFree(t *testing.T) {
	d, _, path := twoProcesses(t)
	var longest time.Duration
	for i := range 5 {
		p := start(t, "hold", d.Path, path, []string{"read", "write"}[i%2])
		require.Equal(t, "held", p.line(t))
		var freed time.Time
		wait := mustBlock(t, "a writer", func() {
			take(t, d, path, true)()
			freed = time.Now()
		})
		killed := time.Now()
		require.NoError(t, p.Process.Kill())
		wait()
		longest = max(longest, freed.Sub(killed))
	}
	t.Logf("longest wait after a kill: %v", longest)
	require.Less(t, longest, time.Second)
}

func TestAChildProcessDoesNotKeepTheLock(t *testing.T) {
	d, _, path := twoProcesses(t)
	p := start(t, "hold with a child", d.Path, path)
	require.Equal(t, "idle", p.line(t))
	wait := mustBlock(t, "a writer beside the parent", func() { take(t, d, path, true)() })
	require.NoError(t, p.Process.Kill())
	wait()
	// The child was alive all the time: it holds the other end of our pipe.
	ended := mustBlock(t, "the end of the child", func() { io.Copy(io.Discard, p.out) })
	p.in.Close()
	ended()
}

func TestTwoProcessesLockTheSamePathsInOppositeOrder(t *testing.T) {
	d, _, path := twoProcesses(t)
	paths := []string{path, path + "1", path + "2"}
	there := start(t, "lock all", append([]string{d.Path, "1000"}, paths...)...)
	slices.Reverse(paths)
	back := start(t, "lock all", append([]string{d.Path, "1000"}, paths...)...)
	there.finish(t)
	back.finish(t)
}

func TestProcessesLoseNoUpdateAndSeeNoTornFile(t *testing.T) {
	d, _, path := twoProcesses(t)
	require.NoError(t, os.WriteFile(path, []byte("0 0"), 0o600))
	var all []*process
	for range 4 {
		all = append(all, start(t, "count", d.Path, path, "100"))
	}
	for _, p := range all {
		p.finish(t)
	}
	require.Equal(t, 400, readCount(path))
}

func TestAFileTakesTwoDescriptorsAndGivesThemBack(t *testing.T) {
	d, other, path := twoProcesses(t)
	open := func() int {
		names, err := os.ReadDir("/dev/fd")
		require.NoError(t, err)
		return len(names)
	}
	var paths []string
	for i := range 100 {
		paths = append(paths, fmt.Sprint(path, i))
	}
	take(t, d, path, true)()
	before := open()
	unlock, err := d.LockAll(t.Context(), paths)
	require.NoError(t, err)
	require.Equal(t, before+2*len(paths), open())
	other.Timeout = time.Millisecond
	_, err = other.LockAll(t.Context(), paths)
	require.Error(t, err)
	require.Equal(t, before+2*len(paths), open(), "who gives up keeps none")
	unlock()
	require.Equal(t, before, open())
	unlock = take(t, d, path, false)
	require.Equal(t, before+1, open(), "a reader has left the gate")
	unlock()
}

func TestManyFilesTakeOneDescriptorEachAndAreHeld(t *testing.T) {
	d, other, path := twoProcesses(t)
	var paths []string
	for i := range 1000 {
		paths = append(paths, fmt.Sprint(path, i))
	}
	take(t, d, path, true)()
	before, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	unlock, err := d.LockAll(t.Context(), paths)
	require.NoError(t, err)
	now, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	require.Equal(t, len(before)+len(paths), len(now))
	for _, write := range []bool{true, false} {
		wait := mustBlock(t, "another", func() { take(t, other, paths[500], write)() })
		defer wait()
	}
	unlock()
}

func TestALockThatIsDroppedPanics(t *testing.T) {
	d, _, path := twoProcesses(t)
	p := start(t, "leak", d.Path, path)
	out, err := io.ReadAll(p.out)
	require.NoError(t, err)
	require.Empty(t, out)
	require.Error(t, p.Wait())
	require.Contains(t, p.Stderr.(*bytes.Buffer).String(), fmt.Sprintf("the lock on %q was dropped", path))
}

func TestTheFunctionsOfThePackageUseTheVariable(t *testing.T) {
	d, _, path := twoProcesses(t)
	t.Setenv("HL_LOCK_DIR", d.Path)
	p := start(t, "default", path)
	require.Equal(t, "held", p.line(t))
	wait := mustBlock(t, "a reader", func() { take(t, d, path, false)() })
	p.finish(t)
	wait()
	require.FileExists(t, filepath.Join(d.Path, mustKey(t, path).String()+".room"))
}
