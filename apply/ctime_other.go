//go:build !linux

package apply

import "io/fs"

// changeTime returns the time of the last write, all that is the same everywhere.
func changeTime(info fs.FileInfo) int64 { return info.ModTime().UnixNano() }
