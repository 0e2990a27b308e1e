package apply

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What is open for writing may be so for a moment only: of the file that it has
// just written a program's child has a descriptor from its fork to its exec.
const overwriteNew = `[{"op":"write","content":"new\n","blind":true}]`

// atExchange calls do before the nth exchange, which fails with its error.
func atExchange(ws *Workspace, nth int, do func() error) {
	exchanges := 0
	ws.fault = func(step string) error {
		if step == "exchange" {
			exchanges++
		}
		if step != "exchange" || exchanges != nth {
			return nil
		}
		return do()
	}
}

func TestAFileThatIsOpenForWritingForAMomentIsWaitedFor(t *testing.T) {
	const moment = 30 * time.Millisecond
	later := func(t *testing.T, path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			time.AfterFunc(moment, func() { f.Close() })
		}
		return err
	}
	t.Run("the file", func(t *testing.T) {
		dir, file := tempFile(t, "old\n")
		require.NoError(t, later(t, filepath.Join(dir, file)))
		a := ask(t, dir, file, overwriteNew, quick)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Equal(t, []string{file}, readDir(t, dir))
	})
	t.Run("of five files, the one that is changed back", func(t *testing.T) {
		dir := tempTree(t, five)
		request := fiveRequest(t, dir)
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		atExchange(ws, 2, func() error {
			require.NoError(t, later(t, filepath.Join(dir, "a.txt")))
			writeFile(t, filepath.Join(dir, "theirs"), "theirs\n")
			require.NoError(t, os.Rename(filepath.Join(dir, "theirs"), filepath.Join(dir, "b.txt")))
			return nil
		})
		a := askIn(ws, "", request, quick)
		require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
		want := maps.Clone(five)
		want["b.txt"] = "theirs\n"
		require.Equal(t, want, contents(t, dir), "and nothing is kept")
	})
	t.Run("of five files, one that is changed back, when another used up the time before", func(t *testing.T) {
		dir := tempTree(t, five)
		request := fiveRequest(t, dir)
		f, err := os.OpenFile(filepath.Join(dir, "b.txt"), os.O_WRONLY, 0)
		require.NoError(t, err)
		defer f.Close()
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		leases := 0
		ws.fault = func(step string) error {
			if step == "lease" {
				if leases++; leases == 3 { // of a.txt, which is to go back since b.txt stays open
					require.NoError(t, later(t, filepath.Join(dir, "a.txt")))
				}
			}
			return nil
		}
		a := askIn(ws, "", request, quick)
		require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
		require.Equal(t, five, contents(t, dir), "and nothing is kept")
	})
	t.Run("of five files, the old text of one", func(t *testing.T) {
		dir := tempTree(t, five)
		request := fiveRequest(t, dir)
		f, err := os.Open(filepath.Join(dir, "a.txt"))
		require.NoError(t, err)
		defer f.Close()
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		_ = atStep(ws, "syncdir", func() error {
			return later(t, fmt.Sprintf("/proc/self/fd/%d", f.Fd())) // it has another name now
		})
		a := askIn(ws, "", request, Options{})
		require.Equal(t, Applied, a.Status, textOf(a))
		for _, f := range a.Files {
			require.Empty(t, f.Warnings, "and nothing is kept")
		}
	})
}

func TestAFileThatStaysOpenForWritingIsNotWaitedForLong(t *testing.T) {
	dir, file := tempFile(t, "old\n")
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	begin := time.Now()
	a := ask(t, dir, file, overwriteNew, quick)
	require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
	require.Less(t, time.Since(begin), 10*openPatience)
}

// Nor are several, one by one, when they are changed back.
func TestSeveralFilesThatStayOpenAreNotWaitedForOneByOne(t *testing.T) {
	dir := t.TempDir()
	var entries []string
	for n := range 6 {
		name := fmt.Sprintf("%d.txt", n)
		writeFile(t, filepath.Join(dir, name), "old\n")
		entries = append(entries, `{"path":"`+name+`","edits":`+overwriteNew+`}`)
	}
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	atExchange(ws, 6, func() error {
		for n := range 5 { // the new ones
			f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%d.txt", n)), os.O_WRONLY, 0)
			require.NoError(t, err)
			t.Cleanup(func() { f.Close() })
		}
		return syscall.EIO
	})
	begin := time.Now()
	a := askIn(ws, "", `{"files":[`+strings.Join(entries, ",")+`]}`, quick)
	took := time.Since(begin)
	require.NotEqual(t, Applied, a.Status, textOf(a))
	require.GreaterOrEqual(t, took, openPatience)
	require.Less(t, took, 3*openPatience, textOf(a))
}

// Others in this process write files and start programs while we edit.
func TestProgramsThatStartMeanwhileRefuseNoEdit(t *testing.T) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(stop)
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					exec.Command("true").Run()
				}
			}
		})
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f.txt")
	for range 400 {
		writeFile(t, path, "old\n")
		a := ask(t, dir, "f.txt", overwriteNew, quick)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Equal(t, []string{"f.txt"}, readDir(t, dir))
	}
}
