package lock

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadersShareAndAWriterExcludes(t *testing.T) {
	a, b, path := twoProcesses(t)
	for name, other := range map[string]*Dir{"in the process": a, "between processes": b} {
		t.Run(name, func(t *testing.T) {
			first := take(t, a, path, false)
			second := take(t, other, path, false)
			var writer func()
			wait := mustBlock(t, "a writer beside two readers", func() { writer = take(t, other, path, true) })
			first()
			wait2 := mustBlock(t, "a writer beside one reader", wait)
			second()
			wait2()
			var reader func()
			wait = mustBlock(t, "a reader beside a writer", func() { reader = take(t, a, path, false) })
			writer()
			wait()
			reader()
		})
	}
}

func TestDifferentPathsDoNotWaitForEachOther(t *testing.T) {
	d, _, path := twoProcesses(t)
	unlock := take(t, d, path, true)
	wait := mustBlock(t, "a second writer", func() { take(t, d, path, true)() })
	take(t, d, path+"2", true)()
	unlock()
	wait()
}

func TestACallThatGivesUpSaysWhyAndLeavesNoTrace(t *testing.T) {
	a, b, path := twoProcesses(t)
	for name, other := range map[string]*Dir{"in the process": a, "between processes": b} {
		t.Run(name, func(t *testing.T) {
			unlock := take(t, a, path, true)
			ctx, cancel := context.WithCancel(t.Context())
			wait := mustBlock(t, "a second writer", func() {
				_, err := other.Lock(ctx, path)
				assert.ErrorIs(t, err, context.Canceled)
			})
			cancel()
			wait()
			unlock()
			require.Empty(t, a.queues.queues)
			require.Empty(t, b.queues.queues)
			take(t, other, path, true)()
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.RLock(ctx, path)
	require.ErrorIs(t, err, context.Canceled, "even if the path is free")
}

func TestThereIsAlwaysADeadline(t *testing.T) {
	a, b, path := twoProcesses(t)
	defer take(t, a, path, true)()
	b.Timeout = 30 * time.Millisecond
	start := time.Now()
	_, err := b.Lock(context.Background(), path)
	took := time.Since(start)
	var timeout *TimeoutError
	require.ErrorAs(t, err, &timeout)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, path, timeout.Path)
	require.Equal(t, os.Getpid(), timeout.Holder.PID)
	require.GreaterOrEqual(t, took, b.Timeout)
	// Finding the lock files is no waiting, and on a busy machine takes a while.
	require.Positive(t, timeout.Waited)
	require.LessOrEqual(t, timeout.Waited, took)

	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = (&Dir{Path: b.Path}).RLock(ctx, path)
	require.ErrorAs(t, err, &timeout, "the deadline of the context comes before the default")
}

func TestTheDefaultDeadlineIsTenSecondsAway(t *testing.T) {
	a, b, path := twoProcesses(t)
	defer take(t, a, path, true)()
	synctest.Test(t, func(t *testing.T) { // on a clock that does not wait
		_, err := b.Lock(context.Background(), path)
		var timeout *TimeoutError
		require.ErrorAs(t, err, &timeout)
		require.Equal(t, 10*time.Second, timeout.Waited)
		require.Contains(t, err.Error(), "; waited 10s")
	})
}

func TestAnErrorNamesThePathAndTheHolder(t *testing.T) {
	a, b, path := twoProcesses(t)
	b.Timeout = 30 * time.Millisecond
	for _, mode := range []string{"read", "write"} {
		take(t, a, path, true)() // leaves a name behind
		holder := start(t, "hold", a.Path, path, mode)
		require.Equal(t, "held", holder.line(t))
		_, err := b.Lock(t.Context(), path)
		var timeout *TimeoutError
		require.ErrorAs(t, err, &timeout)
		require.Equal(t, Holder{holder.Process.Pid, filepath.Base(os.Args[0])}, timeout.Holder, mode)
		require.Contains(t, err.Error(), path)
		require.Contains(t, err.Error(), timeout.Holder.String())
		holder.finish(t)
	}
	require.Equal(t, Holder{}, a.holder(mustKey(t, path)), "the last holder is gone")
	require.Equal(t, "another process", Holder{}.String())
}

func mustKey(t *testing.T, path string) key {
	t.Helper()
	k, err := keyOf(path)
	require.NoError(t, err)
	return k
}

func TestLockAllTakesEachFileOnceInAnyOrderAndSpelling(t *testing.T) {
	d, other, path := twoProcesses(t)
	dir := filepath.Dir(path)
	unlock, err := d.LockAll(t.Context(), []string{path, dir + "/x", dir + "/./a.txt", filepath.Join(dir, "new/b")})
	require.NoError(t, err)
	require.Len(t, d.queues.queues, 3)
	wait := mustBlock(t, "another writer", func() { take(t, other, dir+"/new/b", true)() })
	unlock()
	unlock() // does nothing
	wait()
	unlock, err = d.LockAll(t.Context(), nil)
	require.NoError(t, err)
	unlock()
}

func TestLockAllTakesNothingIfItCannotTakeAll(t *testing.T) {
	d, other, path := twoProcesses(t)
	paths := []string{path, path + "1", path + "2", path + "3"}
	for _, taken := range paths {
		unlock := take(t, other, taken, false)
		d.Timeout = 5 * time.Millisecond
		_, err := d.LockAll(t.Context(), paths)
		var timeout *TimeoutError
		require.ErrorAs(t, err, &timeout)
		require.Equal(t, taken, timeout.Path)
		require.Empty(t, d.queues.queues)
		unlock()
		all, err := other.LockAll(t.Context(), paths)
		require.NoError(t, err)
		all()
	}
	_, err := d.LockAll(t.Context(), []string{path, ""})
	require.Error(t, err)
}

func TestAFileHasOneKeyHoweverItIsReached(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o777))
	require.NoError(t, os.Symlink("real", filepath.Join(dir, "link")))
	t.Chdir(filepath.Join(dir, "real"))
	want := mustKey(t, filepath.Join(dir, "real", "f"))
	for _, path := range []string{"f", "./f", "../real/f", "../link/f", dir + "/link/../real//f"} {
		require.Equal(t, want, mustKey(t, path), path)
	}
	require.NotEqual(t, want, mustKey(t, "g"))
	require.Equal(t, mustKey(t, "new/dir/f"), mustKey(t, "../link/new/dir/f"), "in a directory that is not there yet")
}

func TestManyGoroutinesExcludeEachOther(t *testing.T) {
	d, _, path := twoProcesses(t)
	count := 0 // which the race detector watches
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			for range 10 {
				unlock := take(t, d, path, true)
				count++
				unlock()
				unlock = take(t, d, path, false)
				_ = count
				unlock()
			}
		})
	}
	group.Wait()
	require.Equal(t, 200, count)
	require.Empty(t, d.queues.queues)
}
