package apply

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Each of these tests is about one moment of the replacement, and one guarantee
// that is for it alone. atStep calls do before the first call of that name.
func atStep(ws *Workspace, call string, do func() error) (calls *[]string) {
	calls = new([]string)
	ws.fault = func(step string) error {
		first := !slices.Contains(*calls, step)
		*calls = append(*calls, step)
		if step == call && first {
			return do()
		}
		return nil
	}
	return calls
}

// requireOrder demands that the calls in want are made in that order, none later
// again; the same may follow itself.
func requireOrder(t *testing.T, calls []string, want ...string) {
	t.Helper()
	var got []string
	for _, call := range calls {
		if slices.Contains(want, call) {
			got = append(got, call)
		}
	}
	require.Equal(t, want, slices.Compact(got), "%q", calls)
}

func TestTheFileIsOnDiskBeforeItsNameAndTheNameBeforeTheAnswer(t *testing.T) {
	for path, want := range map[string][]string{
		"f.txt":     {"create", "write", "chmod", "sync", "close", "exchange", "syncdir", "remove"},
		"g.txt":     {"create", "write", "sync", "close", "link", "syncdir"},
		"a/b/g.txt": {"create", "write", "sync", "close", "link", "syncdir"},
	} {
		dir, _ := tempFile(t, "old\n")
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		calls := atStep(ws, "", nil)
		a := askIn(ws, path, `[{"op":"write","content":"new\n","blind":true}]`, Options{})
		require.Equal(t, Applied, a.Status)
		require.True(t, *a.Durable)
		requireOrder(t, *calls, want...)
	}
}

// A write to memory that a program has mapped leaves no trace in the times of the
// file. Where there is no lease only the hash tells, and it tells before anything
// is exchanged.
func TestAChangeThatNoClockShowsIsSeenBeforeTheExchange(t *testing.T) {
	unseen := func() bool {
		dir, file := tempFile(t, "old\n")
		path := filepath.Join(dir, file)
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		theirs, err := unix.Mmap(int(f.Fd()), 0, 4, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		require.NoError(t, err)
		defer unix.Munmap(theirs)
		require.NoError(t, f.Close())
		copy(theirs, "OLD") // from now on the page is dirty
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		before, err := os.Stat(path)
		require.NoError(t, err)
		calls := atStep(ws, "lease", func() error {
			copy(theirs, "own")
			return syscall.ENOTSUP
		})
		a := askIn(ws, file, `[{"op":"write","content":"mine\n","blind":true}]`, quick)
		require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
		require.NotContains(t, *calls, "exchange")
		require.Equal(t, "own\n", readFile(t, path))
		after, err := os.Stat(path)
		require.NoError(t, err)
		return sameAttributes(before, after)
	}
	for range 10 {
		if unseen() {
			return
		}
		// The system wrote the page to the disk meanwhile.
	}
	require.Fail(t, "the times show every change, so that this test shows nothing")
}

// He who had the file open writes when it has been hashed for the last time.
func TestAWriteAfterTheLastHashIsNotLost(t *testing.T) {
	for _, when := range []string{"exchange", "remove"} {
		dir, file := tempFile(t, "old\n")
		path := filepath.Join(dir, file)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		write := func() error {
			_, err := f.WriteString("theirs\n")
			return err
		}
		calls := atStep(ws, when, write)
		a := askIn(ws, file, `[{"op":"write","content":"mine\n","blind":true}]`, quick)
		require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
		if !slices.Contains(*calls, when) {
			require.NoError(t, write()) // the edit did not come so far
		}
		require.NoError(t, f.Close())
		require.Equal(t, "old\ntheirs\n", readFile(t, path))
		require.Equal(t, []string{file}, readDir(t, dir))
	}
}

// Somebody replaces the file when it has been looked at.
func TestWhatComesBetweenTheLookAndTheExchangeIsPutBack(t *testing.T) {
	dir, file := tempFile(t, "old\n")
	path := filepath.Join(dir, file)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	calls := atStep(ws, "exchange", func() error {
		writeFile(t, path+".new", "theirs\n")
		return os.Rename(path+".new", path)
	})
	a := askIn(ws, file, `[{"op":"write","content":"mine\n","blind":true}]`, quick)
	require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
	require.Equal(t, "theirs\n", readFile(t, path))
	require.Equal(t, []string{file}, readDir(t, dir))
	require.NotContains(t, *calls, "rename")
}
