//go:build unix

package lock

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func userDir() (string, error) {
	return filepath.Join("/tmp", "hl-"+strconv.Itoa(os.Geteuid())), nil
}

func checkOwner(dir string, info fs.FileInfo) error {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return refuse(dir, fmt.Sprintf("it belongs to user %d", st.Uid))
	}
	if perm := info.Mode().Perm(); perm != 0o700 {
		return refuse(dir, fmt.Sprintf("its mode is %04o", perm))
	}
	return nil
}
