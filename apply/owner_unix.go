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

// sameOwner reports whether two files have one owner and one group.
func sameOwner(a, b fs.FileInfo) bool {
	sa, ok1 := a.Sys().(*syscall.Stat_t)
	sb, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && sa.Uid == sb.Uid && sa.Gid == sb.Gid
}

// sameUser reports whether two files have one owner.
func sameUser(a, b fs.FileInfo) bool {
	sa, ok1 := a.Sys().(*syscall.Stat_t)
	sb, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && sa.Uid == sb.Uid
}

// isMine reports whether a file is ours.
func isMine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// inode returns the number of a file on its file system.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// keepOwner gives f the owner and group of the file that info is of.
func keepOwner(f *os.File, info fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil || sameOwner(now, info) {
		return err
	}
	want := info.Sys().(*syscall.Stat_t)
	return f.Chown(int(want.Uid), int(want.Gid))
}

// mayWrite fails if we may not write the file that dir has under the name base.
// It does not open the file: that would tell those who watch it, and would be in
// the way of leases.
func mayWrite(dir *os.Root, base string) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = unix.Faccessat(int(f.Fd()), base, unix.W_OK, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW)
	if err == nil {
		err = mayAlter(f, base)
	}
	return err
}

// mayWriteIn fails if we may make no file in the directory dir.
func mayWriteIn(dir *os.File) error {
	err := unix.Faccessat(int(dir.Fd()), ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
	if err == nil {
		err = mayAlter(dir, ".")
	}
	return err
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
