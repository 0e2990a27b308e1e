//go:build unix

package apply

import (
	"io/fs"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// linkCount returns how many names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// keepOwner gives f the owner and group of the file that info is of.
func keepOwner(f *os.File, info fs.FileInfo) error {
	want, ok1 := info.Sys().(*syscall.Stat_t)
	now, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok2 := now.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// mayWriteIn fails if we may make no file in the directory dir.
func mayWriteIn(dir *os.File) error {
	return unix.Faccessat(int(dir.Fd()), ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// mayKeepOwner fails if a new file of ours cannot be given the owner and group of
// the file that info is of.
func mayKeepOwner(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() == 0 {
		return nil
	}
	groups, err := os.Getgroups()
	if int(st.Uid) != os.Geteuid() || err == nil && int(st.Gid) != os.Getegid() && !slices.Contains(groups, int(st.Gid)) {
		return syscall.EPERM
	}
	return nil
}
