package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

// DefaultTimeout is how long a call waits where neither its context nor its Dir
// says so.
const DefaultTimeout = 10 * time.Second

// A Dir is a directory of lock files. Whoever is to be ordered must use the same.
// Do not copy a Dir after its first use.
type Dir struct {
	// Path names the directory. It is made if it is missing; if it is there, it
	// must be a directory of the user with mode 0700. Required.
	Path string

	// Timeout is how long calls wait if their context has no deadline; 0 means
	// DefaultTimeout.
	Timeout time.Duration

	queues table
}

// mostGates is how many paths a call may lock and keep the gates of. Who keeps a
// gate is safe even if somebody deletes the room's file, and the other way round.
// Who locks a thousand paths rather has a descriptor for each and no more.
const mostGates = 100

// Default returns the Dir of the package's functions: the directory is that of
// [DefaultPath] for the environment of the process, looked up once.
func Default() (*Dir, error) { return defaultDir() }

var defaultDir = sync.OnceValues(func() (*Dir, error) {
	path, err := DefaultPath(os.Getenv)
	if err != nil {
		return nil, err
	}
	return &Dir{Path: path}, nil
})

// Lock locks path for writing in the default directory. See [Dir.Lock].
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	return LockAll(ctx, []string{path})
}

// RLock locks path for reading in the default directory. See [Dir.RLock].
func RLock(ctx context.Context, path string) (unlock func(), err error) {
	d, err := Default()
	if err != nil {
		return nil, err
	}
	return d.RLock(ctx, path)
}

// LockAll locks all paths for writing in the default directory. See [Dir.LockAll].
func LockAll(ctx context.Context, paths []string) (unlock func(), err error) {
	d, err := Default()
	if err != nil {
		return nil, err
	}
	return d.LockAll(ctx, paths)
}

// RLockAll locks all paths for reading in the default directory. See
// [Dir.RLockAll].
func RLockAll(ctx context.Context, paths []string) (unlock func(), err error) {
	d, err := Default()
	if err != nil {
		return nil, err
	}
	return d.RLockAll(ctx, paths)
}

// Lock waits until nobody else holds path and locks it for writing. The file
// need not exist. Calls of unlock after the first do nothing.
//
// If others hold the path until the deadline, the error is a [*TimeoutError]; if
// ctx is cancelled, it wraps the error of ctx.
//
// Lock returns a function and is no [sync.Locker], because it can fail. A lock
// whose unlock function is dropped uncalled is a bug that would otherwise show as
// a lost update, so the program panics when the garbage collector finds it.
func (d *Dir) Lock(ctx context.Context, path string) (unlock func(), err error) {
	return d.LockAll(ctx, []string{path})
}

// RLock waits until nobody writes path, nor came earlier to do so, and locks it
// for reading. Else it is like [Dir.Lock].
func (d *Dir) RLock(ctx context.Context, path string) (unlock func(), err error) {
	return d.lock(ctx, []string{path}, false)
}

// LockAll locks all paths for writing, or none. Calls with the same paths in any
// order and spelling do not block each other for good: paths are locked in one
// order everywhere, each file once.
func (d *Dir) LockAll(ctx context.Context, paths []string) (unlock func(), err error) {
	return d.lock(ctx, paths, true)
}

// RLockAll locks all paths for reading, or none. Else it is like [Dir.LockAll].
func (d *Dir) RLockAll(ctx context.Context, paths []string) (unlock func(), err error) {
	return d.lock(ctx, paths, false)
}

func (d *Dir) lock(ctx context.Context, paths []string, write bool) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	targets, err := targetsOf(paths)
	if err != nil {
		return nil, err
	}
	if _, ok := ctx.Deadline(); !ok {
		timeout := d.Timeout
		if timeout == 0 {
			timeout = DefaultTimeout
		}
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	held := make([]hold, 0, len(targets))
	for _, t := range targets {
		began := time.Now()
		h, err := d.acquire(ctx, t.key, write)
		switch {
		case err == nil:
			if len(targets) > mostGates {
				h.pass.leaveGate()
			}
			held = append(held, h)
			continue
		case errors.Is(err, context.DeadlineExceeded):
			err = &TimeoutError{Path: t.path, Holder: d.holder(t.key), Waited: time.Since(began)}
		default:
			err = fmt.Errorf("lock %q: %w", t.path, err)
		}
		release(held)
		return nil, err
	}
	return unlocker(targets, held), nil
}

// A hold is a lock on one key, in the process and between processes.
type hold struct {
	queues *table
	queue  *queue
	write  bool
	pass   *pass
}

func (d *Dir) acquire(ctx context.Context, k key, write bool) (hold, error) {
	q, err := d.queues.lock(ctx, k, write)
	if err != nil {
		return hold{}, err
	}
	p, err := d.enterAlone(ctx, q, write)
	if err != nil {
		d.queues.unlock(q, write)
		return hold{}, err
	}
	return hold{&d.queues, q, write, p}, nil
}

// enterAlone takes the files of q, which no two of the process do at a time.
func (d *Dir) enterAlone(ctx context.Context, q *queue, write bool) (*pass, error) {
	select {
	case q.gate <- struct{}{}:
	default: // only who must wait looks at ctx
		select {
		case q.gate <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer func() { <-q.gate }()
	return d.enter(ctx, q.key, write)
}

// release gives up what is held, last taken first.
func release(held []hold) {
	for _, h := range slices.Backward(held) {
		h.pass.leave()
		h.queues.unlock(h.queue, h.write)
	}
}

// unlocker returns the function that releases what is held, once.
func unlocker(targets []target, held []hold) func() {
	if len(held) == 0 {
		return func() {}
	}
	type token struct {
		once sync.Once
		held []hold
	}
	t := &token{held: held}
	leak := runtime.AddCleanup(t, func(path string) {
		panic(fmt.Sprintf("lock: the lock on %q was dropped without a call of unlock", path))
	}, targets[0].path)
	return func() {
		t.once.Do(func() {
			leak.Stop()
			release(t.held)
		})
	}
}
