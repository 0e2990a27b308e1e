//go:build unix

package apply

import (
	"os"

	"golang.org/x/sys/unix"
)

// flock locks f until it is closed. It fails if somebody has it.
func flock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
