package apply

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"time"

	"github.com/hlkit/hlkit/lock"
)

// openToRead opens the file that the caller calls name. It is not half of a request
// for several files, or the warnings say that it may be.
func (w *Workspace) openToRead(ctx context.Context, name string, timeout time.Duration) (*os.File, fs.FileInfo, []Warning, error) {
	deadline := time.Now().Add(cmp.Or(timeout, lock.DefaultTimeout))
	left := func() time.Duration { return max(time.Until(deadline).Round(time.Millisecond), time.Millisecond) }
	wait := timeout
	for repairs := 0; ; wait = left() {
		t, err := w.locate(name)
		if err != nil {
			return nil, nil, nil, err
		}
		f, info, p, err := w.openLocked(ctx, t, wait)
		t.close()
		if p == nil {
			return f, info, nil, err
		}
		half := refuse(IOError, "requests for several files are cut off again and again")
		if repairs < mostRepairs {
			half = w.repair(ctx, p, left())
		}
		code, _ := CodeOf(half)
		if half != nil && code != Locked && err == nil {
			return f, info, []Warning{{"cut_off", "the file may hold half of a request: " + half.Error()}}, nil
		}
		if f != nil {
			f.Close()
		}
		switch {
		case half == nil:
			repairs++
		case code != Locked || time.Now().After(deadline) || ctx.Err() != nil:
			return nil, nil, nil, half
		default:
			// It is under way, by somebody who has his locks elsewhere.
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
}

// openLocked opens t, and returns the journal that a marker beside it names. The
// lock is held only meanwhile: files are replaced, never rewritten, so an open one
// is a snapshot.
func (w *Workspace) openLocked(ctx context.Context, t *target, timeout time.Duration) (*os.File, fs.FileInfo, *pending, error) {
	unlock, err := w.rlock(ctx, t, timeout)
	if code, _ := CodeOf(err); code == Locked || err != nil && ctx.Err() != nil {
		return nil, nil, nil, err
	}
	// Where locks cannot be had, such as in a sandbox that may write nowhere, a read
	// is safe without.
	if err == nil {
		defer unlock()
	}
	p := w.pending(t)
	if t.missing {
		return nil, nil, p, refuse(FileNotFound, "%s", w.notFound(t))
	}
	f, info, err := t.open()
	if p == nil {
		p = w.pending(t) // locks may be elsewhere, and a request have begun meanwhile
	}
	return f, info, p, err
}
