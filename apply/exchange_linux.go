package apply

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange exchanges the files that dir has under two names, in one step. The
// error is [errors.ErrUnsupported] where that cannot be done.
func exchange(dir *os.File, a, b string) error {
	return rename2(dir, a, b, unix.RENAME_EXCHANGE)
}

// renameNew gives the file a the name b, which must be free: else the error is
// [io/fs.ErrExist]. It is [errors.ErrUnsupported] where that cannot be done.
func renameNew(dir *os.File, a, b string) error {
	return rename2(dir, a, b, unix.RENAME_NOREPLACE)
}

func rename2(dir *os.File, a, b string, flags uint) error {
	fd := int(dir.Fd())
	err := ignoringEINTR(func() error { return unix.Renameat2(fd, a, fd, b, flags) })
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		return errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
}

func ignoringEINTR(do func() error) error {
	for {
		if err := do(); err != unix.EINTR {
			return err
		}
	}
}
