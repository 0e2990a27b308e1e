//go:build fire && unix

package lock

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func init() {
	roles["write for"] = func(args []string) { // SCHEME DIR PATH SECONDS
		lock := schemes[args[0]](args[1], args[2])
		seconds, err := strconv.ParseFloat(args[3], 64)
		check(err)
		var w writes
		end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
		fmt.Println("writing")
		for time.Now().Before(end) {
			began := time.Now()
			unlock := lock(true)
			w.Longest = max(w.Longest, time.Since(began))
			unlock()
			w.Count++
			time.Sleep(time.Millisecond)
		}
		check(json.NewEncoder(os.Stdout).Encode(w))
	}
	roles["read loop"] = func(args []string) { // SCHEME DIR PATH GOROUTINES HOLD
		lock := schemes[args[0]](args[1], args[2])
		goroutines, err := strconv.Atoi(args[3])
		check(err)
		hold, err := time.ParseDuration(args[4])
		check(err)
		var started sync.WaitGroup
		for range goroutines {
			started.Add(1)
			go func() {
				lock(false)()
				started.Done()
				for { // no pause between two reads
					unlock := lock(false)
					time.Sleep(hold)
					unlock()
				}
			}()
		}
		started.Wait()
		fmt.Println("reading")
		untilInputEnds()
	}
}

// writes is what a writer achieved.
type writes struct {
	Count   int
	Longest time.Duration // wait
}

// schemes are ways to lock: ours, and what everybody would write.
var schemes = map[string]func(dir, path string) func(write bool) (unlock func()){
	"turnstile": func(dir, path string) func(bool) func() {
		d := &Dir{Path: dir}
		return func(write bool) func() { return mustLock(d, path, write) }
	},
	"flock": func(_, path string) func(bool) func() {
		return func(write bool) func() {
			f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
			check(err)
			how := map[bool]int{false: syscall.LOCK_SH, true: syscall.LOCK_EX}[write]
			for err = syscall.EINTR; err == syscall.EINTR; {
				err = syscall.Flock(int(f.Fd()), how)
			}
			check(err)
			return func() { f.Close() }
		}
	},
}

// starve returns what a writer achieves against processes that read in a loop.
// A writer that gets nothing at all is stopped after a while.
func starve(t *testing.T, scheme string, processes, goroutines int, hold time.Duration) writes {
	dir, _, path := twoProcesses(t)
	var readers []*process
	for range processes {
		p := start(t, "read loop", scheme, dir.Path, path, strconv.Itoa(goroutines), hold.String())
		readers = append(readers, p)
	}
	for _, p := range readers {
		require.Equal(t, "reading", p.line(t))
	}
	const run = 3 * time.Second
	writer := start(t, "write for", scheme, dir.Path, path, fmt.Sprint(run.Seconds()))
	require.Equal(t, "writing", writer.line(t))
	stop := time.AfterFunc(2*run, func() { // by then it has waited for as long as the run
		for _, p := range readers {
			p.Process.Kill()
		}
	})
	defer stop.Stop()
	var w writes
	require.NoError(t, json.NewDecoder(writer.out).Decode(&w))
	t.Logf("%s, %d processes with %d goroutines that read for %v: %d writes, longest wait %v", scheme, processes, goroutines, hold, w.Count, w.Longest)
	return w
}

// demand is what a writer must get however much is read.
func demand(t *testing.T, w writes) {
	t.Helper()
	require.GreaterOrEqual(t, w.Count, 20)
	require.Less(t, w.Longest, time.Second)
}

// Readers that hold the lock for no time at all keep the gate busy; those that
// hold it for a while keep the room busy.

func TestUnderFireManyProcessesAtTheGateDoNotStarveAWriter(t *testing.T) {
	demand(t, starve(t, "turnstile", 16, 1, 0))
}

func TestUnderFireManyProcessesInTheRoomDoNotStarveAWriter(t *testing.T) {
	ours := starve(t, "turnstile", 16, 1, 5*time.Millisecond)
	demand(t, ours)
	plain := starve(t, "flock", 16, 1, 5*time.Millisecond)
	require.GreaterOrEqual(t, ours.Count, 10*plain.Count)
	require.Greater(t, plain.Longest, time.Second, "this test must be able to fail")
}

func TestUnderFireOneProcessDoesNotStarveTheWriterOfAnother(t *testing.T) {
	demand(t, starve(t, "turnstile", 1, 16, 0))
	demand(t, starve(t, "turnstile", 1, 16, 5*time.Millisecond))
}
