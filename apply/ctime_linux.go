package apply

import (
	"io/fs"
	"syscall"
)

// changeTime returns when a file or its attributes last changed, in nanoseconds.
func changeTime(info fs.FileInfo) int64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return st.Ctim.Nano()
}
