package apply

import (
	"os"

	"golang.org/x/sys/unix"
)

// mayAlter fails if what dir has under name is immutable, or can only be appended
// to (chattr +i, +a): such a file can be neither exchanged nor removed, and from
// such a directory nothing can be removed, not even what we made in it. It fails,
// too, if the file is one on which another is mounted, as containers have it.
func mayAlter(dir *os.File, name string) error {
	var st unix.Statx_t
	err := unix.Statx(int(dir.Fd()), name, unix.AT_SYMLINK_NOFOLLOW, 0, &st)
	what := "the file"
	if name == "." {
		what = "its directory"
	}
	switch {
	case err != nil:
		return nil // what cannot be looked at is tried
	case st.Attributes&unix.STATX_ATTR_IMMUTABLE != 0:
		return refuse(ReadOnly, "%s is immutable; lsattr shows it, chattr -i changes it", what)
	case st.Attributes&unix.STATX_ATTR_APPEND != 0:
		return refuse(ReadOnly, "%s can only be appended to; lsattr shows it, chattr -a changes it", what)
	case st.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0 && name != ".":
		return refuse(IOError, "the file is mounted here from another place; it cannot be replaced but there")
	}
	return nil
}
