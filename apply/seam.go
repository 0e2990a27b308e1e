package apply

import (
	"errors"
	"io"
	"os"
)

// step makes one call of the replace protocol to the system, unless a test makes
// it fail. Every such call goes through here, so that a test can fail each of them.
func (w *Workspace) step(call string, do func() error) error {
	if w.fault != nil {
		if err := w.fault(call); err != nil {
			return err
		}
	}
	return do()
}

// errShort, from a test, makes a write take half of its bytes and say so.
var errShort = errors.New("short write")

// A stepWriter writes to a file, each write a step.
type stepWriter struct {
	w *Workspace
	f *os.File
}

func (s stepWriter) Write(p []byte) (n int, err error) {
	err = s.w.step("write", func() error {
		n, err = s.f.Write(p)
		return err
	})
	if errors.Is(err, errShort) {
		n, err = s.f.Write(p[:len(p)/2])
		if err == nil {
			err = io.ErrShortWrite
		}
	}
	return n, err
}
