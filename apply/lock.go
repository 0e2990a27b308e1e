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
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unlock, err = take(limited, paths)
	own := ctx.Err() != nil // the caller's time is over, which may be less
	if held, ok := errors.AsType[*lock.TimeoutError](err); ok {
		err := refuse(Locked, "%s holds the file for longer than %v; send the request again, or wait longer with --lock-timeout", held.Holder, timeout)
		if own {
			err = refuse(Locked, "%s holds the file, and the request has no more time to wait; send it again", held.Holder)
		}
		err.(*refusal).err = held
		return nil, err
	}
	if errors.Is(err, context.DeadlineExceeded) && own {
		return nil, refuse(Locked, "the request's time was over before the file's lock was asked for; send it again")
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, refuse(Locked, "%v is over before the file's lock was asked for; send the request again, or wait longer with --lock-timeout", timeout)
	}
	if errors.Is(err, context.Canceled) && own {
		return nil, refuse(Locked, "the request was called off before it had the file's lock; send it again")
	}
	if err != nil {
		return nil, ioError("locking the file", err)
	}
	return unlock, nil
}
