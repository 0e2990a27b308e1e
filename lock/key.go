package lock

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A key is what the lock files of a path are named by.
type key [sha256.Size]byte

func (k key) String() string { return hex.EncodeToString(k[:]) }

// A target is a path to lock.
type target struct {
	path string
	key  key
}

// targetsOf returns paths in the order of their keys, those of one key once.
func targetsOf(paths []string) ([]target, error) {
	targets := make([]target, len(paths))
	for i, path := range paths {
		k, err := keyOf(path)
		if err != nil {
			return nil, err
		}
		targets[i] = target{path, k}
	}
	slices.SortStableFunc(targets, func(a, b target) int { return bytes.Compare(a.key[:], b.key[:]) })
	return slices.CompactFunc(targets, func(a, b target) bool { return a.key == b.key }), nil
}

// keyOf returns the key of path: the same for every way that leads to the
// directory it is in.
func keyOf(path string) (key, error) {
	if path == "" {
		return key{}, errors.New("lock: the path is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return key{}, err
	}
	dir, err := canonical(filepath.Dir(abs))
	if err != nil {
		return key{}, err
	}
	name := filepath.Join(dir, filepath.Base(abs))
	// Where a.go and A.GO are usually one file they share a lock. Where they are
	// not, they wait for each other in vain, which is harmless.
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		name = strings.ToLower(name)
	}
	return sha256.Sum256([]byte(name)), nil
}

// canonical returns dir without symbolic links. What of it does not exist is
// taken as it is: a file may be locked before its directory is made.
func canonical(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return "", err
	}
	parent, err = canonical(parent)
	return filepath.Join(parent, filepath.Base(dir)), err
}
