//go:build fire && unix

package lock

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Waiters come and give up at any time, as in two processes.
func TestUnderFireWaitersThatGiveUpLeaveNoTrace(t *testing.T) {
	a, b, path := twoProcesses(t)
	take(t, a, path, true)()
	descriptors := func() int {
		names, err := os.ReadDir("/dev/fd")
		require.NoError(t, err)
		return len(names)
	}
	files, goroutines := descriptors(), runtime.NumGoroutine()
	var got, gaveUp, writers atomic.Int32
	var wait sync.WaitGroup
	for i := range 100 {
		d, write := []*Dir{a, b}[i%2], i%3 == 0
		wait.Go(func() {
			for range 30 {
				ctx, cancel := context.WithCancel(context.Background())
				stop := time.AfterFunc(rand.N(20*time.Millisecond), cancel)
				unlock, err := d.lock(ctx, []string{path}, write)
				stop.Stop()
				cancel()
				if err != nil {
					assert.ErrorIs(t, err, context.Canceled)
					gaveUp.Add(1)
					continue
				}
				got.Add(1)
				if write {
					assert.Equal(t, int32(1), writers.Add(1))
					writers.Add(-1)
				} else {
					time.Sleep(time.Millisecond) // so that writers wait for the room, at the gate
					assert.Zero(t, writers.Load())
				}
				unlock()
			}
		})
	}
	wait.Wait()
	t.Logf("%d got the lock, %d gave up", got.Load(), gaveUp.Load())
	require.Positive(t, got.Load())
	require.Positive(t, gaveUp.Load())
	require.Empty(t, a.queues.queues)
	require.Empty(t, b.queues.queues)
	require.Equal(t, files, descriptors())
	for end := time.Now().Add(soon); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	take(t, b, path, true)()
}
