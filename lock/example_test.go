package lock_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hlkit/hlkit/lock"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	// Programs mostly call lock.Lock, lock.RLock and lock.LockAll, which use the
	// user's directory.
	d := &lock.Dir{Path: filepath.Join(dir, "locks"), Timeout: 50 * time.Millisecond}
	ctx := context.Background()

	unlock, err := d.LockAll(ctx, []string{"b.txt", "a.txt"})
	if err != nil {
		panic(err)
	}
	_, err = d.RLock(ctx, "./a.txt")
	timeout, ok := errors.AsType[*lock.TimeoutError](err)
	fmt.Println(ok, timeout.Path, timeout.Holder.PID == os.Getpid())

	unlock()
	unlock, err = d.RLock(ctx, "a.txt")
	fmt.Println(err)
	unlock()
	// Output:
	// true ./a.txt true
	// <nil>
}
