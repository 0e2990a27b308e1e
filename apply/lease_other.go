//go:build !linux

package apply

import (
	"errors"
	"os"
)

// takeLease cannot be done here.
func takeLease(*os.File) error { return errors.ErrUnsupported }

func holdsLease(*os.File) bool { return false }
