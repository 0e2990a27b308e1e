//go:build unix

package apply

import (
	"io/fs"
	"os"
	"syscall"
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
