package apply

import "io/fs"

// sameMode reports whether two files have one mode, owner and group, and as many
// names.
func sameMode(a, b fs.FileInfo) bool {
	return a.Mode() == b.Mode() && sameOwner(a, b) && linkCount(a) == linkCount(b)
}

// sameAttributes reports whether a and b, two looks at one file, show the same
// attributes, those included of which only the time of their last change tells.
func sameAttributes(a, b fs.FileInfo) bool {
	return sameMode(a, b) && changeTime(a) == changeTime(b)
}

// sameTimes reports whether a and b, two looks at one file, show no write between.
func sameTimes(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
