package apply

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// markerName returns the name of the marker of the file base: short, and the same
// for everybody.
func markerName(base string) string {
	var sum [8]byte
	h := xxhash.Sum64String(base)
	for i := range sum {
		sum[i] = byte(h >> (56 - 8*i))
	}
	return tempPrefix + hex.EncodeToString(sum[:]) + ".pending"
}

// markerOf returns the path of the marker of a path.
func markerOf(rel string) string {
	return filepath.Join(filepath.Dir(rel), markerName(filepath.Base(rel)))
}

// putMarker makes a marker that names a journal: a symbolic link, which is there
// whole or not at all, or a file where there are no links.
func putMarker(dir *os.Root, name, journal string) error {
	err := dir.Symlink(journal, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(journal)
	return errors.Join(err, f.Sync(), f.Close())
}

// A pending is a journal that a marker names: of a request that was cut off, or
// of one under way whose process has its locks elsewhere.
type pending struct {
	path string      // of the journal, absolute
	rel  string      // the file with the marker, from the workspace; "" if the journal was found by itself
	info fs.FileInfo // of the marker
	odd  error       // why it is no marker of ours
}

// pending returns the journal that the marker beside t names, or nil. It costs one
// look at a name.
func (w *Workspace) pending(t *target) *pending {
	if err := w.resume(t); err != nil || t.dir == nil {
		return nil
	}
	defer t.pause()
	return w.pendingAt(t.dir, t.rel)
}

// pendingAt is pending for a path of the workspace in the directory dir.
func (w *Workspace) pendingAt(dir *os.Root, rel string) *pending {
	name := markerName(filepath.Base(rel))
	info, err := dir.Lstat(name)
	if err != nil || !trusted(dir, info, filepath.Base(rel)) {
		return nil
	}
	p := &pending{rel: rel, info: info}
	to, err := readMarker(dir, name, info)
	if err == nil && !isJournal(filepath.Base(to)) {
		err = errors.New("names no journal")
	}
	p.odd = err
	p.path = filepath.Join(w.dir, filepath.Dir(rel), filepath.FromSlash(to))
	return p
}

// readMarker returns the journal that a marker names.
func readMarker(dir *os.Root, name string, info fs.FileInfo) (journal string, err error) {
	if info.Mode()&fs.ModeSymlink != 0 {
		return dir.Readlink(name)
	}
	f, _, err := openRegular(dir, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostPath))
	return string(b), err
}

// trusted reports whether he who made a marker could change the file base himself.
// Where a directory is sticky, that is not everybody who may write there.
func trusted(dir *os.Root, marker fs.FileInfo, base string) bool {
	in, err := dir.Stat(".")
	if err != nil {
		return false
	}
	if in.Mode()&fs.ModeSticky == 0 || removed("sticky") || isMine(marker) || sameUser(marker, in) {
		return true
	}
	info, err := dir.Lstat(base)
	return errors.Is(err, fs.ErrNotExist) || err == nil && sameUser(marker, info)
}
