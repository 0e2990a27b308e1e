package apply

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/hlkit/hlkit/lock"
)

// lock takes the lock of t among the programs of this toolkit, for writing or for
// reading, and returns what gives it back. It brings order: the programs wait for
// each other instead of refusing each other's edits. That nothing is overwritten
// unseen does not hang on it.
func (w *Workspace) lock(ctx context.Context, t *target, write bool, timeout time.Duration) (unlock func(), err error) {
	if timeout == 0 {
		timeout = lock.DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	take := lock.RLock
	if write {
		take = lock.Lock
	}
	unlock, err = take(ctx, filepath.Join(w.dir, t.rel))
	if held, ok := errors.AsType[*lock.TimeoutError](err); ok {
		return nil, refuse(Locked, "%s holds the file for longer than %v; send the request again, or wait longer with --lock-timeout", held.Holder, timeout)
	}
	if err != nil {
		return nil, ioError("locking the file", err)
	}
	return unlock, nil
}
