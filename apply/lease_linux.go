package apply

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// takeLease takes a read lease on f, which is open for reading alone: from now on
// whoever opens the file for writing, or truncates it, waits until f is closed.
// The kernel tells us by SIGIO, which the Go runtime ignores. It fails with errBusy
// if somebody has the file open for writing.
func takeLease(f *os.File) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if errors.Is(err, unix.EAGAIN) {
		return errBusy
	}
	return err
}

// holdsLease reports whether f has its lease, and nobody waits for it to go.
func holdsLease(f *os.File) bool {
	kind, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0)
	return err == nil && kind == unix.F_RDLCK
}
