//go:build fire && linux

package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestOnAFullDiskTheOldFileStays grows a file with more and more room left.
func TestOnAFullDiskTheOldFileStays(t *testing.T) {
	const page = 4 << 10
	for _, size := range []int{3, page - 1, page, page + 1, 10 * page, 100*page + 7} {
		for _, grow := range []int{0, 1, page, 20 * page} {
			old, new := strings.Repeat("o", size-1)+"\n", strings.Repeat("n", size+grow-1)+"\n"
			needed := (len(new) + page - 1) / page
			t.Run(fmt.Sprintf("%d to %d bytes", len(old), len(new)), func(t *testing.T) {
				dir := mountTmpfs(t, "size=1m")
				path := filepath.Join(dir, "f.txt")
				for _, free := range []int{0, 1, needed / 2, needed - 1, needed, needed + 1} {
					if free < 0 {
						continue
					}
					writeFile(t, path, old)
					fillUp(t, dir, free*page)
					a := ask(t, dir, "f.txt", overwrite(new), Options{})
					require.NoError(t, os.Remove(filepath.Join(dir, "filler")))
					require.Equal(t, []string{"f.txt"}, readDir(t, dir), textOf(a))
					requireHonest(t, a, readFile(t, path), old, new)
					// A refusal for want of a page, and none without.
					require.Equal(t, free >= needed, a.Status == Applied, "%d of %d pages: %s", free, needed, textOf(a))
					if a.Status != Applied {
						require.Equal(t, []Code{IOError}, codes(a))
						require.Contains(t, textOf(a), "no space left on device")
						require.Equal(t, 2, a.Status.Exit())
					}
				}
			})
		}
	}
}

// fillUp leaves so many bytes free.
func fillUp(t *testing.T, dir string, free int) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	require.NoError(t, err)
	defer f.Close()
	var n int64
	for piece := make([]byte, 4<<10); err == nil; {
		var written int
		written, err = f.Write(piece)
		n += int64(written)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, f.Truncate(n-int64(free)))
}

func TestOnAFullDiskNothingIsMade(t *testing.T) {
	for name, opts := range map[string]string{"no blocks": "size=64k", "no inodes": "size=1m,nr_inodes=3"} {
		t.Run(name, func(t *testing.T) {
			dir := mountTmpfs(t, opts)
			writeFile(t, filepath.Join(dir, "f.txt"), "old\n")
			if name == "no blocks" {
				fillUp(t, dir, 0)
			} else {
				writeFile(t, filepath.Join(dir, "filler"), "x")
			}
			before := tree(t, dir)
			for _, path := range []string{"f.txt", "g.txt", "a/b/g.txt"} {
				a := ask(t, dir, "", `{"path":"`+path+`","edits":[{"op":"write","blind":true,"content":"new\n"}]}`, Options{})
				require.Equal(t, []Code{IOError}, codes(a), textOf(a))
				requireNoSuccess(t, textOf(a))
			}
			after := tree(t, dir)
			delete(before, dir) // its time changes
			delete(after, dir)
			require.Equal(t, before, after)
		})
	}
}

func TestOnAFullExt4TheOldFileStays(t *testing.T) {
	d := newDisk(t, "-m 0", "")
	path := filepath.Join(d.dir, "f.txt")
	old := strings.Repeat("old\n", 5000)
	applied := 0
	for n := range 12 {
		writeFile(t, path, old)
		fillUp(t, d.dir, n*8<<10)
		d.sync(t)
		new := strings.Repeat("new\n", 10000)
		a := ask(t, d.dir, "f.txt", overwrite(new), Options{})
		requireHonest(t, a, readFile(t, path), old, new)
		require.Equal(t, []string{"f.txt", "filler", "lost+found"}, readDir(t, d.dir), textOf(a))
		if a.Status == Applied {
			applied++
		} else {
			require.Equal(t, []Code{IOError}, codes(a), textOf(a))
		}
	}
	require.Greater(t, applied, 0)
	require.Less(t, applied, 12)
}

// Each of these files cannot be replaced. Both a dry run and the real one say so,
// and leave all as it is.
func TestWhatTheSystemForbidsIsRefusedAndLeavesNothing(t *testing.T) {
	const immutable, appendOnly = 0x10, 0x20 // FS_IMMUTABLE_FL, FS_APPEND_FL
	for name, test := range map[string]struct {
		setUp func(t *testing.T, d *disk, dir, path string)
		code  Code
		says  string
	}{
		"an immutable file": {func(t *testing.T, d *disk, dir, path string) { setFlag(t, path, immutable) }, ReadOnly, "the file is immutable"},
		"a file that can only be appended to": {func(t *testing.T, d *disk, dir, path string) {
			setFlag(t, path, appendOnly)
		}, ReadOnly, "the file can only be appended to"},
		"an immutable directory": {func(t *testing.T, d *disk, dir, path string) { setFlag(t, dir, immutable) }, ReadOnly, "its directory is immutable"},
		"a directory that can only be appended to": {func(t *testing.T, d *disk, dir, path string) {
			setFlag(t, dir, appendOnly)
		}, ReadOnly, "its directory can only be appended to"},
		"a read-only mount": {func(t *testing.T, d *disk, dir, path string) {
			require.NoError(t, unix.Mount("", d.dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		}, ReadOnly, "read-only file system"},
		"a file that is mounted": {func(t *testing.T, d *disk, dir, path string) {
			other := filepath.Join(d.dir, "other.txt")
			writeFile(t, other, "old\n")
			require.NoError(t, unix.Mount(other, path, "", unix.MS_BIND, ""))
			t.Cleanup(func() { require.NoError(t, unix.Unmount(path, 0)) })
		}, IOError, "mounted here from another place"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDisk(t, "", "")
			dir := filepath.Join(d.dir, "d")
			path := filepath.Join(dir, "f.txt")
			writeFile(t, path, "old\n")
			test.setUp(t, d, dir, path)
			for _, dry := range []bool{true, false} {
				before := tree(t, dir)
				a := ask(t, dir, "f.txt", overwrite("new\n"), Options{DryRun: dry})
				require.Equal(t, before, tree(t, dir), textOf(a))
				require.Equal(t, []Code{test.code}, codes(a), textOf(a))
				require.Contains(t, textOf(a), test.says)
				require.Equal(t, 2, a.Status.Exit())
				requireNoSuccess(t, textOf(a))
			}
		})
	}
}

// setFlag gives a file or directory a flag of chattr until the end of the test.
func setFlag(t *testing.T, path string, flag int) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|flag))
	t.Cleanup(func() { require.NoError(t, unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags)) })
}

// Containers mount single files. Whether the file is one of these is looked at
// first; here it becomes one in the last moment.
func TestAFileThatIsMountedDuringTheEditIsNotReplaced(t *testing.T) {
	d := newDisk(t, "", "")
	path, other := filepath.Join(d.dir, "f.txt"), filepath.Join(d.dir, "other.txt")
	writeFile(t, path, "old\n")
	writeFile(t, other, "old\n")
	w := watched{before: map[string]func(int){"exchange": func(int) {
		require.NoError(t, unix.Mount(other, path, "", unix.MS_BIND, ""))
	}}}
	a := askIn(w.watch(t, d.dir), "f.txt", overwrite("new\n"), Options{})
	require.NoError(t, unix.Unmount(path, 0))
	require.Equal(t, []Code{IOError}, codes(a), textOf(a))
	require.Contains(t, textOf(a), "device or resource busy")
	require.NotContains(t, w.calls, "rename")
	require.Equal(t, []string{"f.txt", "lost+found", "other.txt"}, readDir(t, d.dir))
	require.Equal(t, "old\nold\n", readFile(t, path)+readFile(t, other))
}

// EXDEV cannot come of two file systems: the new file is made in the directory of
// the old, and both names are given from one open directory. ext4 has it for a file
// of another project than its directory's, too, where a kernel has quotas. Whatever
// it comes of, no copy is made in place of an exchange.
func TestIfTheSystemSaysAnotherDeviceNothingIsCopied(t *testing.T) {
	for call, file := range map[string]string{"exchange": "f.txt", "link": "g.txt"} {
		dir, _ := tempFile(t, "old\n")
		w := watched{fail: map[string]func(int) error{call: func(int) error {
			return &os.LinkError{Op: "rename", Err: syscall.EXDEV}
		}}}
		a := askIn(w.watch(t, dir), file, overwrite("new\n"), Options{})
		require.Equal(t, []Code{IOError}, codes(a), textOf(a))
		require.Contains(t, textOf(a), "invalid cross-device link")
		require.NotContains(t, w.calls, "rename")
		require.Equal(t, "old\n", readFile(t, filepath.Join(dir, "f.txt")))
		require.Equal(t, []string{"f.txt"}, readDir(t, dir))
	}
}

func TestInADirectoryThatHeMayNotWriteAnOrdinaryUserWritesNothing(t *testing.T) {
	if dir, again := isAgain(); again {
		for _, dry := range []bool{true, false} {
			for path, code := range map[string]Code{"f.txt": ReadOnly, "g.txt": ReadOnly, "a/g.txt": ReadOnly} {
				a := ask(t, dir, "", `{"path":"`+path+`","edits":[{"op":"write","blind":true,"content":"new\n"}]}`, Options{DryRun: dry})
				require.Equal(t, []Code{code}, codes(a), textOf(a))
			}
		}
		return
	}
	requireRoot(t)
	dir := openDir(t)
	path := filepath.Join(dir, "f.txt")
	writeFile(t, path, "old\n")
	for _, owner := range []int{nobody, 0} { // his own, without the right to write; another's
		require.NoError(t, os.Chown(dir, owner, owner))
		require.NoError(t, os.Chown(path, nobody, nobody))
		require.NoError(t, os.Chmod(dir, 0o555))
		before := tree(t, dir)
		person{uid: nobody}.again(t, dir)
		require.Equal(t, before, tree(t, dir))
	}
}
