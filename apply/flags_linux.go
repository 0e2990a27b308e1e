package apply

import (
	"os"

	"golang.org/x/sys/unix"
)

// mayAlter fails if what dir has under name is immutable, or can only be appended
// to (chattr +i, +a): such a file can be neither exchanged nor removed, and from
// such a directory nothing can be removed, not even what we made in it.
func mayAlter(dir *os.File, name string) error {
	var st unix.Statx_t
	err := unix.Statx(int(dir.Fd()), name, unix.AT_SYMLINK_NOFOLLOW, 0, &st)
	if err == nil && st.Attributes&(unix.STATX_ATTR_IMMUTABLE|unix.STATX_ATTR_APPEND) != 0 {
		return unix.EPERM
	}
	return nil // what cannot be looked at is tried
}
