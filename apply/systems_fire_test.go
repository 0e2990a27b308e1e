//go:build fire && linux

package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A watched replacement is one whose steps are noted.
type watched struct {
	calls  []string
	leased map[string]bool                  // whether we held a lease at the call
	before map[string]func(count int)       // called before a step, with how often it came before
	fail   map[string]func(count int) error // as well
}

// watch returns a workspace of dir whose steps w notes.
func (w *watched) watch(t *testing.T, dir string) *Workspace {
	t.Helper()
	ws, err := Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	w.calls, w.leased = nil, map[string]bool{}
	ws.fault = func(call string) error {
		count := w.count(call)
		w.calls = append(w.calls, call)
		w.leased[call] = holdsAnyLease(t)
		if do := w.before[call]; do != nil {
			do(count)
		}
		if fail := w.fail[call]; fail != nil {
			return fail(count)
		}
		return nil
	}
	return ws
}

func (w *watched) count(call string) (n int) {
	for _, c := range w.calls {
		if c == call {
			n++
		}
	}
	return n
}

// holdsAnyLease asks the kernel whether this process has a read lease.
func holdsAnyLease(t *testing.T) bool {
	t.Helper()
	locks, err := os.ReadFile("/proc/locks")
	require.NoError(t, err)
	for line := range strings.Lines(string(locks)) {
		field := strings.Fields(line)
		if slices.Contains(field, "LEASE") && slices.Contains(field, "READ") && slices.Contains(field, fmt.Sprint(os.Getpid())) {
			return true
		}
	}
	return false
}

// overwrite is a request of a whole file.
func overwrite(text string) string {
	return `[{"op":"write","blind":true,"content":` + quote(text) + `}]`
}

// fileSystems makes a directory on each file system on which nothing degrades,
// with a file f.txt of the bytes src and attributes of its own.
func fileSystems(t *testing.T, src string) map[string]string {
	t.Helper()
	make := func(dir string) string {
		path := filepath.Join(dir, "f.txt")
		writeFile(t, path, src)
		require.NoError(t, os.Chown(path, 1234, 4321))
		require.NoError(t, os.Chmod(path, 0o640|os.ModeSetuid))
		require.NoError(t, unix.Setxattr(path, "trusted.hlkit", []byte("kept"), 0))
		return dir
	}
	below := func(dir, name string) string {
		dir = filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(dir, 0o755))
		return dir
	}
	ext4, tmpfs := newDisk(t, "", "").dir, mountTmpfs(t, "size=4m")
	upper := mountOverlay(t, below(tmpfs, "lower1"), below(tmpfs, "upper1"))
	return map[string]string{
		"ext4":                                 make(below(ext4, "plain")),
		"tmpfs":                                make(below(tmpfs, "plain")),
		"overlayfs, a file of the upper layer": make(upper),
		"overlayfs, a file of the lower layer": mountOverlay(t, make(below(tmpfs, "lower2")), below(tmpfs, "upper2")),
		"overlayfs, both layers on ext4":       mountOverlay(t, make(below(ext4, "lower3")), below(ext4, "upper3")),
		"overlayfs, layers on two systems":     mountOverlay(t, make(below(tmpfs, "lower4")), below(ext4, "upper4")),
	}
}

// requireAttributes demands what fileSystems gave the file.
func requireAttributes(t *testing.T, path string) {
	t.Helper()
	var st unix.Stat_t
	require.NoError(t, unix.Stat(path, &st))
	require.Equal(t, []uint32{1234, 4321, 0o4640, 1}, []uint32{st.Uid, st.Gid, st.Mode & 0o7777, uint32(st.Nlink)})
	value := make([]byte, 100)
	n, err := unix.Getxattr(path, "trusted.hlkit", value)
	require.NoError(t, err)
	require.Equal(t, "kept", string(value[:n]))
}

func TestOnExt4TmpfsAndOverlayfsNothingDegrades(t *testing.T) {
	requireRoot(t)
	for name, dir := range fileSystems(t, "old\n") {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, "f.txt")
			for n := range 3 { // after the first, a file of a lower layer is none any more
				var w watched
				text := fmt.Sprintf("new %d\n", n)
				a := askIn(w.watch(t, dir), "f.txt", overwrite(text), Options{})
				require.Equal(t, Applied, a.Status, textOf(a))
				require.True(t, *a.Durable)
				require.Empty(t, a.Files[0].Warnings)
				require.Equal(t, text, readFile(t, path))
				requireAttributes(t, path)
				require.Equal(t, 1, w.count("exchange"))
				require.NotContains(t, w.calls, "rename", "the way without an exchange")
				require.True(t, w.leased["exchange"], "the kernel knows of a lease at the exchange")
				require.True(t, w.leased["remove"], "and still when the old file is removed")
				require.Equal(t, []string{"syncdir", "remove"}, w.calls[len(w.calls)-2:])
				require.Equal(t, []string{"f.txt"}, readDir(t, dir))
			}
			var w watched
			a := askIn(w.watch(t, dir), "", `{"path":"g.txt","edits":[{"op":"write","content":"new\n"}]}`, Options{})
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, 1, w.count("link"), "made by a rename that replaces nothing")
			require.NoError(t, os.Remove(filepath.Join(dir, "g.txt")))
		})
	}
}

// Each foreign program writes at the worst moment: between the last look at the
// file and the exchange.
func TestOnExt4TmpfsAndOverlayfsAForeignWriteIsNoticed(t *testing.T) {
	requireRoot(t)
	for name, write := range map[string]func(t *testing.T, path string){
		"by a rename": func(t *testing.T, path string) {
			writeFile(t, path+".new", "theirs\n")
			require.NoError(t, os.Rename(path+".new", path))
		},
		// Who does not ask not to wait now waits until we gave the lease back.
		"by opening it": func(t *testing.T, path string) {
			_, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			require.ErrorIs(t, err, syscall.EWOULDBLOCK)
		},
	} {
		for system, dir := range fileSystems(t, "old\n") {
			t.Run(name+"/"+system, func(t *testing.T) {
				path := filepath.Join(dir, "f.txt")
				want := ""
				w := watched{before: map[string]func(int){"exchange": func(count int) {
					if count == 0 {
						write(t, path)
						want = readFile(t, path)
					}
				}}}
				a := askIn(w.watch(t, dir), "f.txt", overwrite("mine\n"), Options{})
				require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
				require.Equal(t, 1, a.Status.Exit())
				require.Equal(t, 2, w.count("exchange"), "and back")
				require.Equal(t, want, readFile(t, path))
				require.Equal(t, []string{"f.txt"}, readDir(t, dir))
			})
		}
	}
}

func TestAFileThatIsOpenForWritingIsNotReplaced(t *testing.T) {
	requireRoot(t)
	for system, dir := range fileSystems(t, "old\n") {
		for name, flags := range map[string]int{"to write": os.O_WRONLY, "to append": os.O_WRONLY | os.O_APPEND, "to read and write": os.O_RDWR} {
			for _, when := range []string{"before", "access", "create", "close", "lease"} {
				t.Run(system+"/"+name+"/"+when, func(t *testing.T) {
					path := filepath.Join(dir, "f.txt")
					writeFile(t, path, "old\n")
					var writer *os.File
					begin := func(int) {
						if writer == nil {
							var err error
							writer, err = os.OpenFile(path, flags, 0)
							require.NoError(t, err)
						}
					}
					w := watched{before: map[string]func(int){when: begin}}
					ws := w.watch(t, dir)
					if when == "before" {
						begin(0)
					}
					a := askIn(ws, "f.txt", overwrite("mine\n"), Options{})
					require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
					require.Equal(t, 1, a.Status.Exit())
					_, err := writer.WriteString("them\n")
					require.NoError(t, err)
					require.NoError(t, writer.Close())
					require.Contains(t, readFile(t, path), "them\n", "what he writes then is in the file")
					require.Equal(t, []string{"f.txt"}, readDir(t, dir))
				})
			}
		}
	}
}

// A file is open for writing as long as it is mapped, though its descriptor is
// closed.
func TestAFileThatIsMappedForWritingIsNotReplaced(t *testing.T) {
	requireRoot(t)
	d := newDisk(t, "", "")
	path := filepath.Join(d.dir, "f.txt")
	writeFile(t, path, "old\n")
	theirs := mapped(t, path)
	a := ask(t, d.dir, "f.txt", overwrite("mine\n"), Options{})
	require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
	copy(theirs, "them")
	require.Equal(t, "them", readFile(t, path))
}

// mapped returns the bytes of a file, writable, until the end of the test.
func mapped(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	b, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	t.Cleanup(func() { unix.Munmap(b) })
	return b
}

func TestAFileThatIsOnlyReadOrRunIsReplaced(t *testing.T) {
	dir, file := tempFile(t, "#!/bin/sh\nread line\n")
	path := filepath.Join(dir, file)
	require.NoError(t, os.Chmod(path, 0o755))
	reader, err := os.Open(path)
	require.NoError(t, err)
	defer reader.Close()
	for n := range 3 {
		var w watched
		a := askIn(w.watch(t, dir), file, overwrite(fmt.Sprintf("%d\n", n)), Options{})
		require.Equal(t, Applied, a.Status, textOf(a))
		require.True(t, w.leased["remove"])
	}
	b := make([]byte, 100)
	n, err := reader.Read(b)
	require.NoError(t, err)
	require.Equal(t, "#!/bin/sh\nread line\n", string(b[:n]), "he reads what he opened")
}

// A lease is for a file's owner, and for who has CAP_LEASE. Root in a container
// may lack it: then the old file is hashed once more.
func TestWhoMayTakeNoLeaseHashesTheOldFileAgain(t *testing.T) {
	if dir, again := isAgain(); again {
		for n := range 2 {
			var w watched
			a := askIn(w.watch(t, dir), "f.txt", overwrite(fmt.Sprintf("new %d\n", n)), Options{})
			require.Equal(t, Applied, a.Status, textOf(a))
			require.True(t, *a.Durable)
			require.False(t, w.leased["exchange"])
			require.Equal(t, 2, w.count("rehash"), "before the exchange, and after")
			require.Equal(t, []string{"f.txt"}, readDir(t, dir))
		}
		path := filepath.Join(dir, "f.txt")
		w := watched{before: map[string]func(int){"exchange": func(count int) {
			if count == 0 {
				writeFile(t, path, "theirs\n")
			}
		}}}
		a := askIn(w.watch(t, dir), "f.txt", overwrite("mine\n"), Options{})
		require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
		require.Equal(t, "theirs\n", readFile(t, path))
		return
	}
	for name, dir := range fileSystems(t, "old\n") {
		person{uid: 0, lacks: []uintptr{unix.CAP_LEASE}}.again(t, dir)
		require.Equal(t, "theirs\n", readFile(t, filepath.Join(dir, "f.txt")), name)
		requireAttributes(t, filepath.Join(dir, "f.txt"))
	}
}
