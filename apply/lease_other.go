//go:build !linux

package apply

import (
	"errors"
	"os"
)

// errBusy says that somebody has the file open for writing.
var errBusy = errors.New("the file is open for writing")

// takeLease cannot be done here.
func takeLease(*os.File) error { return errors.ErrUnsupported }

func holdsLease(*os.File) bool { return false }
