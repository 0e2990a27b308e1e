package apply

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// access fails if there is a file that we may not write: a rename would get
// around that.
func (w *Workspace) access(t *target, snap *snapshot) error {
	if snap.info == nil {
		return nil
	}
	err := w.step("access", func() error { return mayWrite(t.dir, t.base) })
	if errors.Is(err, fs.ErrNotExist) {
		return changed()
	}
	return err
}

// mayReplace fails if prepare would for want of permission to write the file, or
// to its directory.
func (w *Workspace) mayReplace(t *target, snap *snapshot) error {
	err := w.access(t, snap)
	if err == nil && snap.info != nil {
		err = mayKeepOwner(snap.info)
	}
	if err == nil {
		err = w.dirAccess(t)
	}
	if err != nil {
		return ioError("writing the new file", err)
	}
	return nil
}

// dirAccess fails if we may make no file in t's directory, or in the nearest one
// above it that there is.
func (w *Workspace) dirAccess(t *target) error {
	for dir := filepath.Dir(t.rel); ; dir = filepath.Dir(dir) {
		f, err := w.root.Open(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != "." {
			continue
		}
		if err != nil {
			return err
		}
		defer f.Close()
		return mayWriteIn(f)
	}
}
