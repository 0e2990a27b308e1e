package apply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/lock"
)

// An openJournal is a journal that was found.
type openJournal struct {
	path string // of it as the markers name it, without symbolic links
	dir  *os.Root
	name string // its own: that of path, or that of one that is done
	file *os.File
	info fs.FileInfo
	rec  record
}

func (oj *openJournal) close() {
	oj.file.Close()
	oj.dir.Close()
}

// done reports whether all of its files are old or all new, and only what lies
// beside them is left to be removed.
func (oj *openJournal) done() bool { return oj.name != filepath.Base(oj.path) || !oj.rec.Ready }

// mostSteps is how many names a request for several files may change.
const mostSteps = 100_000

// findJournal opens and reads a journal. The error is [io/fs.ErrNotExist] if there
// is none.
func findJournal(path string) (*openJournal, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	oj := &openJournal{path: filepath.Join(dir, filepath.Base(path))}
	if oj.dir, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	// In this order: it gets the second name when it is done.
	for _, oj.name = range []string{filepath.Base(path), doneName(filepath.Base(path))} {
		oj.file, oj.info, err = openRegular(oj.dir, oj.name)
		if code, _ := CodeOf(err); code != FileNotFound {
			break
		}
		err = fs.ErrNotExist
	}
	if err != nil {
		oj.dir.Close()
		return nil, err
	}
	if err := oj.read(); err != nil {
		oj.close()
		return nil, err
	}
	return oj, nil
}

// read reads what the journal holds, and fails if we did not write it.
func (oj *openJournal) read() error {
	b, err := io.ReadAll(io.LimitReader(oj.file, MaxRequest))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &oj.rec); err != nil {
		return fmt.Errorf("it cannot be understood: %w", err)
	}
	ok := isUp(oj.rec.Root) && len(oj.rec.Steps) <= mostSteps && len(oj.rec.Made) <= mostSteps
	seen := map[string]bool{}
	for _, s := range oj.rec.Steps {
		ok = ok && isLocal(s.Path) && isPart(s.Temp) && !seen[s.Path]
		seen[s.Path] = true
	}
	for _, dir := range oj.rec.Made {
		ok = ok && isLocal(dir)
	}
	if !ok {
		return errors.New("it says what none of ours does")
	}
	return nil
}

// isHere reports whether the journal still has the name under which it was opened.
func (oj *openJournal) isHere() bool {
	info, err := oj.dir.Lstat(oj.name)
	return err == nil && os.SameFile(info, oj.info)
}

// isUp reports whether root leads to a directory or one above it.
func isUp(root string) bool {
	return root == "." || root != "" && !slices.ContainsFunc(strings.Split(root, "/"), func(s string) bool { return s != ".." })
}

// isLocal reports whether path, as in a journal, is one of a file in the workspace.
func isLocal(path string) bool {
	return checkName(path) == nil && filepath.IsLocal(filepath.FromSlash(path)) && filepath.Clean(filepath.FromSlash(path)) != "."
}

// repair undoes or completes the request whose journal p is: all of its files are
// old afterwards, or all new. It is called without locks.
//
// A name is changed only if a marker beside it names this journal, a marker and
// the journal are of one user, and the file's bytes are one of the two that the
// journal says: so a journal that somebody made can do nothing where he could not
// have done it himself. If a file is neither, all are left as they are.
func (w *Workspace) repair(ctx context.Context, p *pending, timeout time.Duration) error {
	if p.odd != nil {
		return refuse(IOError, "beside it lies %s, as if a request for several files had been cut off, but that %v; remove it", quotePath(markerOf(p.rel)), p.odd)
	}
	oj, err := findJournal(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return w.unmark(ctx, p, timeout)
	}
	if err != nil {
		return cutOff(p, err)
	}
	defer oj.close()
	whole, err := Open(filepath.Join(filepath.Dir(oj.path), filepath.FromSlash(oj.rec.Root)))
	if err != nil {
		return cutOff(p, err)
	}
	defer whole.Close()
	whole.fault = w.fault
	rp := &repairing{w: whole, oj: oj, patience: newPatience()}
	defer rp.close()
	if err := rp.find(ctx); err != nil {
		return cutOff(p, err)
	}
	unlock, err := w.locked(ctx, lock.LockAll, rp.paths(), timeout)
	if err != nil {
		return err
	}
	defer unlock()
	if !flocked(oj.file) && !removed("underway") {
		return refuse(Locked, "a request for several files, this one among them, is under way; send the request again")
	}
	if !oj.isHere() {
		return nil // it went on meanwhile, or somebody else was faster
	}
	if err := rp.run(); err != nil {
		return cutOff(p, err)
	}
	return nil
}

// flocked takes the lock of a journal, whose files' locks are held. Of a process that is
// just being killed the system may give back those before this one, so it is tried for
// a moment.
func flocked(journal *os.File) bool {
	for deadline := time.Now().Add(20 * time.Millisecond); ; time.Sleep(time.Millisecond) {
		if flock(journal) == nil {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

func cutOff(p *pending, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return refuse(IOError, "a request for several files was cut off, and the time was over before its files were put right; send the request again")
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM) {
		return refuse(IOError, "a request for several files was cut off, and its files could not be put right now: %v; send the request again", err)
	}
	return refuse(IOError, "a request for several files was cut off, and its files could not be put right: %v; look at them, then remove its journal %s", err, quotePath(p.path))
}

// unmark removes the marker of a journal that is gone: it goes last, so all was
// done. But it may only seem to be gone, where a container sees a part of the
// files.
func (w *Workspace) unmark(ctx context.Context, p *pending, timeout time.Duration) error {
	if p.rel == "" {
		return nil
	}
	if filepath.Dir(p.path) != filepath.Join(w.dir, filepath.Dir(p.rel)) && !isThePlace(p.path) {
		return refuse(IOError, "a request for several files was cut off, and the directory %s of its journal is not to be seen from here; use hl on this file where it is, or look at the file, then remove %s", quotePath(filepath.Dir(p.path)), quotePath(markerOf(p.rel)))
	}
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
	if oj, err := findJournal(p.path); err == nil {
		oj.close()
		return nil
	}
	if err := t.dir.Remove(markerName(t.base)); err != nil {
		return ioError("removing "+quotePath(markerOf(p.rel)), err)
	}
	return nil
}

// A journal's name holds the number of its directory, so that a place where it is
// missing can be told from another.

// journalName returns a name for a journal in the directory dir of w.
func (w *Workspace) journalName(dir string) (string, error) {
	info, err := w.root.Stat(dir)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s%s-%x%s", tempPrefix, unique(), inode(info), journalEnd), nil
}

const (
	journalEnd = ".journal"
	doneEnd    = ".done"
)

// doneName returns the name of the journal name once it is done.
func doneName(name string) string { return strings.TrimSuffix(name, journalEnd) + doneEnd }

// parseJournal returns the number that a journalName holds.
func parseJournal(name string) (dir uint64, ok bool) {
	rest, ok1 := strings.CutPrefix(name, tempPrefix)
	rest, ok2 := strings.CutSuffix(rest, journalEnd)
	id, number, ok3 := strings.Cut(rest, "-")
	dir, err := strconv.ParseUint(number, 16, 64)
	return dir, ok1 && ok2 && ok3 && len(id) == 16 && err == nil && filepath.Base(name) == name
}

func isJournal(name string) bool {
	_, ok := parseJournal(name)
	return ok
}

// isThePlace reports whether the directory of path is the one in which the journal
// of that path was made.
func isThePlace(path string) bool {
	number, _ := parseJournal(filepath.Base(path))
	info, err := os.Stat(filepath.Dir(path))
	return err == nil && inode(info) == number
}
