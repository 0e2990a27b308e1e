//go:build fire

package realedits

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// fetch returns the directories of modules in the module cache, by
// MODULE@VERSION. What is not there yet is downloaded.
func fetch(t *testing.T, steps []step) map[string]string {
	var names []string
	dirs := map[string]string{}
	for _, s := range steps {
		for _, v := range []string{s.from, s.to} {
			if name := s.module + "@" + v; dirs[name] == "" {
				dirs[name] = "wanted"
				names = append(names, name)
			}
		}
	}
	// A module of its own: the versions here are none that ours depends on.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module pairs\n\ngo 1.26.0\n"), 0o644))
	cmd := exec.Command("go", append([]string{"mod", "download", "-json"}, names...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.Bytes())
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var m struct{ Path, Version, Dir, Error string }
		require.NoError(t, dec.Decode(&m))
		require.Empty(t, m.Error, m.Path)
		dirs[m.Path+"@"+m.Version] = m.Dir
	}
	for name, dir := range dirs {
		require.True(t, filepath.IsAbs(dir), "%s was not downloaded", name)
	}
	return dirs
}

// A pair is a file in two versions.
type pair struct {
	name     string // MODULE@FROM..TO/PATH
	path     string // in the module
	old, new []byte
}

// pairsOf returns the files that are in both directories and differ.
func pairsOf(s step, from, to string) ([]pair, error) {
	var pairs []pair
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		new, err := os.ReadFile(filepath.Join(to, rel))
		if err != nil || bytes.Equal(old, new) {
			return nil // gone, or the same
		}
		rel = filepath.ToSlash(rel)
		name := fmt.Sprintf("%s@%s..%s/%s", s.module, s.from, s.to, rel)
		pairs = append(pairs, pair{name, rel, old, new})
		return nil
	})
	return pairs, err
}
