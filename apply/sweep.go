package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/lock"
)

// strayAge is how old a stray is before it is removed: no run takes as long.
const strayAge = time.Hour

// sweep removes from the directories of the files what runs that were killed left
// there. It looks into a directory at most once an hour; what it cannot remove it
// leaves. It reports whether there were requests for several files among them, which
// may have been undone: then files are no more what they were found to be.
func (j *job) sweep(ctx context.Context) (cutOff bool) {
	seen := map[string]bool{}
	for _, f := range j.files {
		dir := filepath.Dir(f.t.rel)
		if seen[dir] || j.w.resume(f.t) != nil {
			continue
		}
		seen[dir] = true
		cutOff = j.w.sweep(ctx, f.t) || cutOff
		f.t.pause()
	}
	return cutOff
}

func (w *Workspace) sweep(ctx context.Context, t *target) (cutOff bool) {
	stamp, err := w.stamp(t)
	if err != nil {
		return false
	}
	now := time.Now()
	if info, err := os.Lstat(stamp); err == nil && now.Sub(info.ModTime()) < strayAge && !info.ModTime().After(now) {
		return false
	}
	// A request for several files leaves its journal's name here.
	if journal, err := os.ReadFile(stamp); err == nil && isJournal(filepath.Base(string(journal))) {
		cutOff = w.sweepJournal(ctx, string(journal))
		if _, err := findJournal(string(journal)); !errors.Is(err, fs.ErrNotExist) {
			return cutOff // the next is to look for it again
		}
	}
	if t.dir == nil {
		os.Remove(stamp)
		return cutOff
	}
	os.WriteFile(stamp, nil, 0o600) // made or emptied, and of now
	names, journals := beside(t.dir)
	for _, name := range journals {
		w.sweepBeside(ctx, t, name)
	}
	if journals != nil {
		if names, journals = beside(t.dir); journals != nil {
			return true // what lies here may be what a journal names
		}
		cutOff = true
	}
	for _, name := range names {
		if isStray(t.dir, name, now) {
			t.dir.Remove(name)
		}
	}
	return cutOff
}

// sweepBeside sweeps a journal, or that which a marker names.
func (w *Workspace) sweepBeside(ctx context.Context, t *target, name string) {
	dir := filepath.Join(w.dir, filepath.Dir(t.rel))
	if base, ok := strings.CutSuffix(name, doneEnd); ok {
		name = base + journalEnd
	}
	if isJournal(name) {
		w.sweepJournal(ctx, filepath.Join(dir, name))
		return
	}
	info, err := t.dir.Lstat(name)
	if err != nil {
		return
	}
	to, err := readMarker(t.dir, name, info)
	if err != nil || !isJournal(filepath.Base(to)) {
		return
	}
	journal := filepath.Join(dir, filepath.FromSlash(to))
	if !w.sweepJournal(ctx, journal) && isThePlace(journal) && time.Since(info.ModTime()) > strayAge {
		t.dir.Remove(name) // the journal goes last, so all was done
	}
}

// sweepJournal repairs what a journal tells of, unless it is under way. What that
// leaves undone stays for those who use the files. It reports whether there is such
// a journal.
func (w *Workspace) sweepJournal(ctx context.Context, journal string) bool {
	oj, err := findJournal(journal)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	err = flock(oj.file)
	oj.close()
	if err == nil {
		w.repair(ctx, &pending{path: journal}, time.Second)
	}
	return true
}

// beside returns the names of ours in dir: those of journals, or of markers if
// there are any, apart.
func beside(dir *os.Root) (names, journals []string) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	for {
		some, err := f.Readdirnames(1000)
		for _, name := range some {
			switch {
			case !strings.HasPrefix(name, tempPrefix):
			case strings.HasSuffix(name, journalEnd), strings.HasSuffix(name, doneEnd), strings.HasSuffix(name, ".pending"):
				journals = append(journals, name)
			default:
				names = append(names, name)
			}
		}
		if err != nil {
			return names, journals
		}
	}
}

// stamp returns the path of the file whose time is that of the last sweep of t's
// directory.
func (w *Workspace) stamp(t *target) (string, error) {
	locks, err := lock.Default()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(filepath.Join(w.dir, filepath.Dir(t.rel))))
	return filepath.Join(locks.Path, hex.EncodeToString(sum[:16])+".swept"), nil
}

// isStray reports whether name is a file that a run left, old enough, and not
// somebody's text: it is one that we wrote, or one that we replaced and nobody
// changed. A part whose journal is gone may be the only copy of an old file, when
// somebody removed the journal or a file could not be changed back: it stays.
func isStray(dir *os.Root, name string, now time.Time) bool {
	if isTemp(name) {
		info, err := dir.Lstat(name)
		return err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > strayAge
	}
	at, old, new, ok := parseSwap(name)
	if !ok || now.Sub(at) <= strayAge {
		return false
	}
	f, _, err := openRegular(dir, name)
	if err != nil {
		return false
	}
	defer f.Close()
	if errors.Is(takeLease(f), errBusy) {
		return false // the next sweep takes it
	}
	digest := xxhash.New()
	_, err = io.Copy(digest, f)
	tag := hashline.Tag(digest.Sum64())
	return err == nil && (tag == old || tag == new)
}
