//go:build !unix

package apply

import "os"

// flock does nothing: an open file cannot be renamed or removed here anyway.
func flock(*os.File) error { return nil }
