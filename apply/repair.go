package apply

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/lock"
)

// A pending is a journal that a marker names: of a request that was cut off, or
// of one under way whose process has its locks elsewhere.
type pending struct {
	path string // of the journal, absolute
	rel  string // the file with the marker, from the workspace; "" if the journal was found by itself
}

// pending returns the journal that the marker beside t names, or nil. It costs one
// look at a name.
func (w *Workspace) pending(t *target) *pending {
	if err := w.resume(t); err != nil || t.dir == nil {
		return nil
	}
	defer t.pause()
	journal, err := readMarker(t.dir, markerName(t.base))
	if err != nil || journal == "" {
		return nil
	}
	return &pending{filepath.Join(w.dir, filepath.Dir(t.rel), filepath.FromSlash(journal)), t.rel}
}

// repair undoes or completes the request whose journal p is: all of its files are
// old afterwards, or all new. It is called without locks.
//
// A file is changed only if a marker beside it names this journal, and its bytes
// are one of the two that the journal says: so a journal that somebody made can do
// nothing where he could not have done it himself. If a file is neither, all are
// left as they are.
func (w *Workspace) repair(ctx context.Context, p *pending, timeout time.Duration) error {
	rec, err := readRecord(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return w.unmark(ctx, p, timeout)
	}
	if err == nil && !isUp(rec.Root) {
		err = errors.New("its root is no directory above it")
	}
	if err != nil {
		return cutOff(p, err)
	}
	whole, err := Open(filepath.Join(filepath.Dir(p.path), filepath.FromSlash(rec.Root)))
	if err != nil {
		return cutOff(p, err)
	}
	defer whole.Close()
	whole.fault = w.fault
	var paths []string
	for _, s := range rec.Steps {
		if !filepath.IsLocal(filepath.FromSlash(s.Path)) || !isPart(s.Temp) {
			return cutOff(p, errors.New("it names what no request of ours does"))
		}
		paths = append(paths, filepath.Join(whole.dir, filepath.FromSlash(s.Path)))
	}
	unlock, err := w.locked(ctx, lock.LockAll, paths, timeout)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := os.OpenFile(p.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // somebody else was faster
	}
	if err != nil {
		return cutOff(p, err)
	}
	defer f.Close()
	if flock(f) != nil {
		return refuse(Locked, "a request for several files, this one among them, is under way; send the request again")
	}
	// It may have been written anew before we had the locks.
	if rec, err = readRecord(p.path); err != nil {
		return cutOff(p, err)
	}
	rp := &repairing{w: whole, journal: p.path, rec: rec}
	defer rp.close()
	if err := rp.run(); err != nil {
		return cutOff(p, err)
	}
	return nil
}

func cutOff(p *pending, err error) error {
	return refuse(IOError, "a request for several files was cut off, and its files could not be put right: %v; look at them, then remove the journal %s", err, quotePath(p.path))
}

// readRecord reads a journal.
func readRecord(path string) (*record, error) {
	name := filepath.Base(path)
	if !strings.HasPrefix(name, tempPrefix) || !strings.HasSuffix(name, ".journal") {
		return nil, errors.New("a marker names " + quotePath(path) + ", which is no journal")
	}
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, _, err := openRegular(dir, name)
	if code, _ := CodeOf(err); code == FileNotFound {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxRequest))
	if err != nil {
		return nil, err
	}
	rec := &record{}
	return rec, json.Unmarshal(b, rec)
}

// isUp reports whether root leads to a directory or one above it.
func isUp(root string) bool {
	return root == "." || root != "" && !slices.ContainsFunc(strings.Split(root, "/"), func(s string) bool { return s != ".." })
}

// unmark removes the marker of a journal that is gone: it goes last, so all was
// done.
func (w *Workspace) unmark(ctx context.Context, p *pending, timeout time.Duration) error {
	unlock, err := w.locked(ctx, lock.LockAll, []string{filepath.Join(w.dir, p.rel)}, timeout)
	if err != nil {
		return err
	}
	defer unlock()
	t, err := w.locate(p.rel)
	if err != nil {
		return err
	}
	defer t.close()
	if now := w.pending(t); now == nil || now.path != p.path {
		return nil
	}
	if _, err := os.Lstat(p.path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := t.dir.Remove(markerName(t.base)); err != nil {
		return cutOff(p, err)
	}
	return nil
}
