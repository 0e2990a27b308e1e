package lock

import (
	"context"
	"fmt"
	"time"
)

// A TimeoutError says that others held a path until the deadline. It is a
// [context.DeadlineExceeded].
type TimeoutError struct {
	Path   string        // as the caller gave it
	Holder Holder        // who holds it, where that is known
	Waited time.Duration // for this path
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%q is locked by %v; waited %v", e.Path, e.Holder, e.Waited.Round(time.Millisecond))
}

func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// A Holder is the process that took a lock last. It may have been a reader that
// is gone while another one stays: it is a hint for people.
type Holder struct {
	PID     int    // 0 if it is not known
	Command string // the base name of the program
}

// String returns "process 4242 (hl)", or "another process".
func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d (%s)", h.PID, h.Command)
}
