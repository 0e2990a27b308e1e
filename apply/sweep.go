package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/lock"
)

// strayAge is how old a stray is before it is removed: no run takes as long.
const strayAge = time.Hour

// sweep removes from t's directory what runs that were killed left there. It looks
// into a directory at most once an hour; what it cannot remove it leaves.
func (w *Workspace) sweep(t *target) {
	if t.dir == nil {
		return
	}
	stamp, err := w.stamp(t)
	if err != nil {
		return
	}
	now := time.Now()
	if info, err := os.Lstat(stamp); err == nil && now.Sub(info.ModTime()) < strayAge && !info.ModTime().After(now) {
		return
	}
	if f, err := os.OpenFile(stamp, os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		f.Close()
		os.Chtimes(stamp, now, now)
	}
	sweepDir(t.dir, now)
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

func sweepDir(dir *os.Root, now time.Time) {
	f, err := dir.Open(".")
	if err != nil {
		return
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1000)
		for _, name := range names {
			if isStray(dir, name, now) {
				dir.Remove(name)
			}
		}
		if err != nil {
			return
		}
	}
}

// isStray reports whether name is a file that a run left, old enough, and not
// somebody's text: it is one that we wrote, or one that we replaced and nobody
// changed.
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
		return false
	}
	digest := xxhash.New()
	_, err = io.Copy(digest, f)
	tag := hashline.Tag(digest.Sum64())
	return err == nil && (tag == old || tag == new)
}
