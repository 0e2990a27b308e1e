package apply

import (
	"fmt"
	"os"
	"testing"
)

// role carries out what a process of this test program is started for, if it is
// one of those, and ends it.
var role = func() {}

// The tests lock files of their own, in a directory that they take away.
func TestMain(m *testing.M) {
	role()
	if os.Getenv("HL_LOCK_DIR") != "" { // of who started it
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "locks")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("HL_LOCK_DIR", dir)
	exit := m.Run()
	os.RemoveAll(dir)
	os.Exit(exit)
}
