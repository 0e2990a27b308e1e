//go:build !mutant

package lock

import (
	"context"
	"os"
)

// Each guarantee has its place here, and the build tag mutant puts another file in
// the place of this one, where HL_LOCK_MUTANT removes one of them, so that a test
// can show that the tests would notice. See mutant_test.go.

// enter takes the key from other processes.
func (d *Dir) enter(ctx context.Context, k key, write bool) (*pass, error) {
	return d.enterFiles(ctx, k, write)
}

// sharedGate says whether readers share the gate. They do not.
func sharedGate() bool { return false }

// isStill says whether a file that was just locked is the one to lock.
func isStill(name string, f *os.File) bool { return sameFile(name, f) }

// giveUp unlocks a file and closes it; the file stays where it is. Closing alone
// would leave the lock to a child process that is being started, until that has
// closed its copy.
func giveUp(f *os.File) {
	unlockFile(f)
	f.Close()
}

// overtakes says whether somebody may go in before those who wait. Nobody may.
func overtakes(*queue, bool) bool { return false }
