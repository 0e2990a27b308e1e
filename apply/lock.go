package apply

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/hlkit/hlkit/lock"
)

// rlock takes the lock of t for reading, and returns what gives it back.
func (w *Workspace) rlock(ctx context.Context, t *target, timeout time.Duration) (unlock func(), err error) {
	return w.locked(ctx, lock.RLockAll, []string{filepath.Join(w.dir, t.rel)}, timeout)
}

// locked takes the locks of paths. The error is a refusal; if they are held for
// too long, it wraps a [*lock.TimeoutError].
func (w *Workspace) locked(ctx context.Context, take func(context.Context, []string) (func(), error), paths []string, timeout time.Duration) (unlock func(), err error) {
	if timeout == 0 {
		timeout = lock.DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unlock, err = take(ctx, paths)
	if held, ok := errors.AsType[*lock.TimeoutError](err); ok {
		err := refuse(Locked, "%s holds the file for longer than %v; send the request again, or wait longer with --lock-timeout", held.Holder, timeout)
		err.(*refusal).err = held
		return nil, err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, refuse(Locked, "%v is over before the file's lock was asked for; send the request again, or wait longer with --lock-timeout", timeout)
	}
	if err != nil {
		return nil, ioError("locking the file", err)
	}
	return unlock, nil
}
