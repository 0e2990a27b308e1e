//go:build unix

package lock

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDefaultDirectoryDependsOnOneVariableOnly(t *testing.T) {
	env := map[string]string{"TMPDIR": "/elsewhere", "XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/x"}
	dir, err := DefaultPath(func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("/tmp/hl-%d", os.Geteuid()), dir)
	env["HL_LOCK_DIR"] = "/w/locks/"
	dir, err = DefaultPath(func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Equal(t, "/w/locks", dir)
	env["HL_LOCK_DIR"] = "locks"
	_, err = DefaultPath(func(name string) string { return env[name] })
	require.ErrorContains(t, err, "absolute")
}

func TestTheDirectoryIsMadeForTheUserAlone(t *testing.T) {
	d := &Dir{Path: filepath.Join(t.TempDir(), "in", "locks")}
	take(t, d, "a.txt", true)()
	info, err := os.Stat(d.Path)
	require.NoError(t, err)
	require.Equal(t, os.ModeDir|0o700, info.Mode())
	ignore, err := os.ReadFile(filepath.Join(d.Path, ".gitignore"))
	require.NoError(t, err)
	require.Equal(t, "*\n", string(ignore))
}

func TestADirectoryThatOthersMayUseIsRefused(t *testing.T) {
	tests := map[string]struct {
		dir  func(t *testing.T, path string) string
		want string
	}{
		"open to others": {func(t *testing.T, path string) string {
			require.NoError(t, os.Mkdir(path, 0o700))
			require.NoError(t, os.Chmod(path, 0o711))
			return path
		}, "its mode is 0711"},
		"of somebody else": {func(t *testing.T, path string) string {
			if os.Geteuid() != 0 {
				return "/" // which is root's
			}
			require.NoError(t, os.Mkdir(path, 0o700))
			require.NoError(t, os.Chown(path, 12345, -1))
			return path
		}, "it belongs to user "},
		"a symbolic link": {func(t *testing.T, path string) string {
			require.NoError(t, os.Mkdir(path+".real", 0o700))
			require.NoError(t, os.Symlink(path+".real", path))
			return path
		}, "it is no directory"},
		"a symbolic link with a slash": {func(t *testing.T, path string) string {
			require.NoError(t, os.Mkdir(path+".real", 0o700))
			require.NoError(t, os.Symlink(path+".real", path))
			return path + "/"
		}, "it is no directory"},
		"a dangling link": {func(t *testing.T, path string) string {
			require.NoError(t, os.Symlink(path+".real", path))
			return path
		}, "it is no directory"},
		"a file": {func(t *testing.T, path string) string {
			require.NoError(t, os.WriteFile(path, nil, 0o700))
			return path
		}, "it is no directory"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := &Dir{Path: test.dir(t, filepath.Join(t.TempDir(), "locks"))}
			_, err := d.Lock(t.Context(), "a.txt")
			require.ErrorContains(t, err, "not safe: "+test.want)
			require.ErrorContains(t, err, "HL_LOCK_DIR")
			require.ErrorContains(t, err, filepath.Clean(d.Path))
			require.Empty(t, d.queues.queues)
		})
	}
	_, err := new(Dir).Lock(t.Context(), "a.txt")
	require.Error(t, err, "no path")
}
