package lock

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// A pass is what a holder has locked between processes. Each acquisition has its
// own descriptors and goes through the gate itself: if readers of one process
// shared a room lock, a stream of them would hold it for good, and the writers of
// other processes would wait forever.
type pass struct {
	gate, room *os.File // a reader has left the gate, and a writer of many paths: nil
}

// enterFiles takes the key from other processes.
func (d *Dir) enterFiles(ctx context.Context, k key, write bool) (*pass, error) {
	gate, err := d.take(ctx, d.gate(k), write || !sharedGate())
	if err != nil {
		return nil, err
	}
	room, err := d.take(ctx, d.room(k), write)
	if err != nil {
		giveUp(gate)
		return nil, err
	}
	// Not before the room is taken: while a writer waits for it, the gate names a
	// reader that it waits for.
	sign(gate)
	if !write {
		giveUp(gate)
		gate = nil
	}
	return &pass{gate, room}, nil
}

// leave gives up the room and then the gate, where the others wait.
func (p *pass) leave() {
	giveUp(p.room)
	p.leaveGate()
}

// leaveGate gives up the gate alone. The others then wait for the room, one of
// them, and behind it at the gate.
func (p *pass) leaveGate() {
	if p.gate != nil {
		giveUp(p.gate)
		p.gate = nil
	}
}

func (d *Dir) gate(k key) string { return filepath.Join(d.Path, k.String()+".gate") }
func (d *Dir) room(k key) string { return filepath.Join(d.Path, k.String()+".room") }

// take opens the lock file and locks it, or waits for it until ctx is done.
func (d *Dir) take(ctx context.Context, name string, exclusive bool) (*os.File, error) {
	for {
		f, err := d.open(ctx, name)
		if err != nil {
			return nil, err
		}
		err = poll(ctx, func() (bool, error) { return tryLock(f, exclusive) })
		if err == nil && isStill(name, f) {
			return f, nil
		}
		f.Close()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
}

// open opens a lock file, and makes it and the directory if they are missing. The
// directory is looked at every time: a process may run for weeks, and what cleans
// /tmp does not ask it.
func (d *Dir) open(ctx context.Context, name string) (*os.File, error) {
	for {
		if err := secure(d.Path); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// sameFile says whether f is the file that name names now. If it is not, somebody
// replaced it, and others may hold a lock on the new one.
func sameFile(name string, f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(name)
	return err == nil && os.SameFile(mine, now)
}

// The first pause between two attempts at a lock, and the longest. It is short
// because all who wait for a gate take their chance: who has waited longer must
// not look less often by much.
const (
	firstPause = 50 * time.Microsecond
	mostPause  = 2 * time.Millisecond
)

// poll tries, at least once, until it works, fails, or ctx is done: if the error
// is that of ctx, somebody else had the lock. It polls because a goroutine that is
// blocked in flock can be woken by nothing but the lock.
func poll(ctx context.Context, try func() (bool, error)) error {
	var timer *time.Timer
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		if ok, err := try(); ok || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		jittered := pause/2 + rand.N(pause)
		if timer == nil {
			timer = time.NewTimer(jittered)
			defer timer.Stop()
		} else {
			timer.Reset(jittered)
		}
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}
