//go:build !linux

package apply

import (
	"errors"
	"os"
)

// exchange cannot be done here.
func exchange(dir *os.File, a, b string) error { return errors.ErrUnsupported }

// renameNew cannot be done here.
func renameNew(dir *os.File, a, b string) error { return errors.ErrUnsupported }
