package searchreplace

import "fmt"

// pathInCall returns the file that a block is for which itself names path: in a
// call that names one, too, they must agree. One may have more directories in
// front of it than the other; that of the call is then the file.
func (sc *scope) pathInCall(path string) (string, string) {
	switch {
	case sc.path == "" || sameFile(sc.path, path):
	default:
		return "", fmt.Sprintf("the call is for %q, and the text in it for %q; send a call for each file", sc.path, path)
	}
	if sc.path != "" {
		path = sc.path
	}
	return path, ""
}
