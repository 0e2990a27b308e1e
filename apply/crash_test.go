//go:build unix

package apply

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A crash is played by letting no call to the system work any more; the kill sweep
// of cmd/hl has real ones.

// fiveNames are the files of fiveRequest; each in turn is the one on which the next
// command comes.
var fiveNames = []string{"a.txt", "b.txt", "sub/c.txt", "d.txt", "sub/e.txt", "new/dir/f.txt"}

// comeBy is the next command: an edit of the n-th file that changes nothing,
// a dry run, or a read.
func comeBy(ws *Workspace, n int) {
	name := fiveNames[n%len(fiveNames)]
	switch n / len(fiveNames) % 3 {
	case 0:
		askIn(ws, "", `{"path":"`+name+`","edits":[{"op":"search_replace","search":"a","replace":"a","expect":1}]}`, quick)
	case 1:
		askIn(ws, "", `{"path":"`+name+`","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`, Options{DryRun: true})
	case 2:
		if v, err := ws.Read(context.Background(), name, ReadOptions{}); err == nil {
			v.Close()
		}
	}
}

// requireAllOrNone lets the next command come, the n-th, and demands the tree
// before or after fiveRequest, with nothing else in any directory but a journal
// that was being written, which is swept later. Before the first change and after
// the last, not every file has its marker; so what lies beside the others is
// cleaned by the next edit.
func requireAllOrNone(t *testing.T, ws *Workspace, dir string, n int, context ...any) {
	t.Helper()
	comeBy(ws, n)
	got := contents(t, dir)
	clean(got)
	_, new := got["sub/e.txt"]
	want := five
	if new {
		want = fiveAfter
	}
	require.Equal(t, want, got, context...)
	comeBy(ws, n%len(fiveNames))
	got = contents(t, dir)
	for name := range got {
		if isTemp(filepath.Base(name)) {
			delete(got, name)
		}
	}
	require.Equal(t, want, got, context...)
}

// withoutExchange is what a file system says that can neither exchange files nor
// rename only to a free name.
func withoutExchange(_ int, call string) error {
	if call == "exchange" || call == "noreplace" {
		return errors.ErrUnsupported
	}
	return nil
}

func TestWhateverCallFailsAllFilesAreOldOrAllAreNew(t *testing.T) {
	for name, also := range map[string]func(int, string) error{"with an exchange": nil, "without an exchange": withoutExchange} {
		t.Run(name, func(t *testing.T) {
			old, new, partial := 0, 0, 0
			errs := []error{syscall.EIO}
			if also == nil {
				errs = []error{syscall.EIO, syscall.EACCES, errShort}
			}
			overFaults(t, errs, func(t *testing.T, f *faulty) {
				dir := tempTree(t, five)
				request := fiveRequest(t, dir)
				ws, err := Open(dir)
				require.NoError(t, err)
				defer ws.Close()
				f.also = also
				ws.fault = func(call string) error {
					if call == "look" {
						return nil // else it is not known what is there
					}
					return f.step(call)
				}
				a := askIn(ws, "", request, Options{NoSync: f.on || f.err != syscall.EIO})
				got := contents(t, dir)
				left := slices.ContainsFunc(f.failed, func(call string) bool {
					return call == "remove" || call == "rmdir" || call == "done"
				})
				if left {
					clean(got)
				}
				switch a.Status {
				case Applied:
					new++
					if f.on || strings.Contains(textOf(a), "warning stray: ") {
						clean(got)
					}
					require.Equal(t, fiveAfter, got, textOf(a))
				case Refused, NotApplied:
					old++
					requireNoSuccess(t, textOf(a))
					require.Equal(t, five, got, "%s %v", textOf(a), f.failed)
				case Partial:
					partial++
					require.True(t, f.on, "%s", textOf(a))
					for _, file := range a.Files {
						_, there := got[file.Path]
						require.Equal(t, file.Change != "removed" && (file.Change != "unchanged" || five[file.Path] != ""), there, "%s: %s", file.Path, textOf(a))
						if file.Change == "unchanged" {
							require.Equal(t, five[file.Path], got[file.Path])
						} else {
							require.Contains(t, []string{"", "created", "removed"}, file.Change, "nobody else is there")
							require.Equal(t, fiveAfter[file.Path], got[file.Path])
						}
					}
				}
				// It was like a crash. The next command puts all of them right.
				if f.on {
					ws.fault = nil
					if also != nil {
						ws.fault = func(call string) error { return also(0, call) }
					}
					requireAllOrNone(t, ws, dir, f.k, "%d %v", f.k, f.calls)
				}
			})
			require.Greater(t, old, 100)
			require.Greater(t, new, 20)
			require.Greater(t, partial, 5)
			t.Logf("%d times all old, %d times all new, %d times partial before the next command", old, new, partial)
		})
	}
}

// crashed returns a tree in which a request was cut off at the k-th call, or ok
// false if it has no so many.
func crashed(t *testing.T, k int, also func(int, string) error) (dir string, ok bool) {
	dir = tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	f := &faulty{k: k, on: true, err: syscall.EIO, also: also}
	ws.fault = f.step
	askIn(ws, "", request, quick)
	return dir, len(f.failed) > 0
}

// TestWhateverCallOfARepairFailsTheNextPutsAllRight lets a request be cut off, the
// repair fail or be cut off, too, and then the next command come.
func TestWhateverCallOfARepairFailsTheNextPutsAllRight(t *testing.T) {
	for name, also := range map[string]func(int, string) error{"with an exchange": nil, "without an exchange": withoutExchange} {
		t.Run(name, func(t *testing.T) {
			repairs, calls := 0, 0
			step := 11
			if testing.Short() {
				step = 29
			}
			for k := 0; ; k += step {
				more := true
				for j := 0; more; j++ {
					for _, on := range []bool{false, true} {
						dir, ok := crashed(t, k, also)
						if !ok {
							require.Greater(t, k, 60)
							require.Greater(t, repairs, 1)
							t.Logf("%d requests cut off whose repair was, too, at %d calls", repairs, calls)
							return
						}
						ws, err := Open(dir)
						require.NoError(t, err)
						f := &faulty{k: j, err: syscall.EIO, on: on, also: also}
						ws.fault = func(call string) error {
							if call != "repair" && call != "syncdir" && call != "exchange" && call != "noreplace" {
								return nil
							}
							return f.step(call)
						}
						comeBy(ws, k+j)
						more = len(f.failed) > 0
						f.k, f.on = -1, false
						f.calls = nil
						if more {
							calls++
						}
						if j == 0 && more && on {
							repairs++
						}
						requireAllOrNone(t, ws, dir, k+j+1, "request cut off at %d, repair at %d", k, j)
						ws.Close()
					}
				}
			}
		})
	}
}

// Somebody who has his locks elsewhere comes by at every call of a request.
func TestARequestUnderWayIsNotRepaired(t *testing.T) {
	if dir := os.Getenv("HL_TEST_COME_BY"); dir != "" {
		comeByElsewhere(t, dir)
		return
	}
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	other := filepath.Join(t.TempDir(), "other")
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	markers := 0
	ws.fault = func(call string) error {
		before := contents(t, dir)
		cmd := exec.Command(os.Args[0], "-test.run=^TestARequestUnderWayIsNotRepaired$", "-test.v")
		cmd.Env = append(os.Environ(), "HL_TEST_COME_BY="+dir, "HL_LOCK_DIR="+other)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "at %s: %s", call, out)
		require.Contains(t, string(out), "--- PASS")
		require.Equal(t, before, contents(t, dir), call)
		if call == "marker" {
			markers++
		}
		return nil
	}
	a := askIn(ws, "", request, quick)
	require.Equal(t, Applied, a.Status, textOf(a))
	require.Equal(t, fiveAfter, contents(t, dir))
	require.Equal(t, 8, markers, "of six names and two directories")
}

func comeByElsewhere(t *testing.T, dir string) {
	for _, name := range fiveNames {
		_, unmarked := os.Lstat(filepath.Join(dir, markerOf(name)))
		insert := `{"path":"` + name + `","edits":[{"op":"insert_after","anchor":"EOF","content":"theirs"}]}`
		for _, opt := range []Options{{DryRun: true}, quick} {
			if unmarked == nil {
				a := ask(t, dir, "", insert, opt)
				require.Equal(t, []Code{Locked}, codes(a), textOf(a))
				require.Contains(t, textOf(a), "is under way; send the request again")
			}
		}
		ws, err := Open(dir)
		require.NoError(t, err)
		_, _, readErr := readText(ws, name, ReadOptions{LockTimeout: time.Millisecond})
		if code, _ := CodeOf(readErr); unmarked == nil {
			require.Equal(t, Locked, code, "a read waits for it")
		}
		ws.Close()
	}
}

// A journal that is written anew has another lock. He who opened the first must not
// take that for the lock of one that was cut off.
func TestTheLockOfAJournalThatWasWrittenAnewIsNotTheJournals(t *testing.T) {
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	var first *openJournal
	ws.fault = func(call string) error {
		names, err := filepath.Glob(filepath.Join(dir, ".hl-*.journal"))
		require.NoError(t, err)
		if len(names) == 1 && first == nil {
			first, err = findJournal(names[0])
			require.NoError(t, err)
			require.Error(t, flock(first.file))
		}
		if call == "exchange" {
			require.NoError(t, flock(first.file))
			require.False(t, first.isHere())
		}
		return nil
	}
	require.Equal(t, Applied, askIn(ws, "", request, quick).Status)
	first.close()
}

// foreign is what another program does to path: it writes another file in its
// place.
func meddled(t *testing.T, path, text string) {
	t.Helper()
	writeFile(t, path+".theirs", text)
	require.NoError(t, os.Rename(path+".theirs", path))
}

// Somebody changes the second file when all is prepared.
func TestAForeignChangeBetweenPrepareAndCommitSurvivesAndAllIsOld(t *testing.T) {
	for _, also := range []func(int, string) error{nil, withoutExchange} {
		for name, call := range map[string]string{"b.txt": "exchange", "d.txt": "take", "sub/e.txt": "link", "new/dir/f.txt": "link"} {
			dir := tempTree(t, five)
			request := fiveRequest(t, dir)
			ws, err := Open(dir)
			require.NoError(t, err)
			defer ws.Close()
			done := false
			ws.fault = func(step string) error {
				if step == "done" || step == "access" || step == "create" {
					return nil
				}
				if armed, _ := filepath.Glob(filepath.Join(dir, "new", "dir", ".hl-*.pending")); !done && step == call && len(armed) > 0 {
					done = true
					meddled(t, filepath.Join(dir, name), "theirs\n")
				}
				if also != nil {
					return also(0, step)
				}
				return nil
			}
			a := askIn(ws, "", request, quick)
			require.True(t, done)
			want := make(map[string]string)
			for name, text := range five {
				want[name] = text
			}
			want[name] = "theirs\n"
			if name == "new/dir/f.txt" || name == "sub/e.txt" || name == "b.txt" || name == "d.txt" {
				require.Equal(t, NotApplied, a.Status, "%s: %s", name, textOf(a))
				require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
				require.Equal(t, want, contents(t, dir), name)
				requireNoSuccess(t, textOf(a))
			}
		}
	}
}

// A later file fails, and meanwhile somebody has changed the second, which is
// committed already: it cannot be changed back.
func TestAForeignChangeBetweenCommitAndRollBackIsKeptAndTheAnswerSaysWhatEachFileIs(t *testing.T) {
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	ws.fault = func(step string) error {
		if step == "take" { // the first two are exchanged
			meddled(t, filepath.Join(dir, "b.txt"), "theirs\n")
			return syscall.EIO
		}
		return nil
	}
	a := askIn(ws, "", request, quick)
	require.Equal(t, Partial, a.Status, textOf(a))
	require.Equal(t, 3, a.Status.Exit())
	require.Len(t, a.Failures, 2)
	require.Equal(t, IOError, a.Failures[1].Code)
	require.Equal(t, "sub/c.txt", a.Failures[1].File)
	f := a.Failures[0]
	require.Equal(t, FileChanged, f.Code)
	require.Equal(t, "b.txt", f.File)
	require.Equal(t, "alpha\nbeta\n", readFile(t, f.Kept))
	require.Regexp(t, `^b\.txt\.hl-kept-`, filepath.Base(f.Kept))
	text := textOf(a)
	require.True(t, strings.HasPrefix(text, "partial: "), text)
	require.Contains(t, text, filepath.Base(f.Kept))
	require.Contains(t, text, "b.txt file_changed: it could not be changed back: another program changed it meanwhile")
	require.Contains(t, text, "\na.txt is as it was\nb.txt is as another program made it\nsub/c.txt is as it was\n")
	require.Contains(t, text, "\nnext: look at the files that are not as they were")
	for line := range strings.Lines(text) {
		require.NotRegexp(t, "^(applied|unchanged)", line)
	}
	require.Contains(t, quote(a), `"files":[{"path":"a.txt","change":"unchanged","added":0,"removed":0},{"path":"b.txt","change":"foreign",`)
	require.Contains(t, quote(a), `"kept":`)
	got := contents(t, dir)
	delete(got, filepath.Base(f.Kept))
	want := map[string]string{}
	for name, text := range five {
		want[name] = text
	}
	want["b.txt"] = "theirs\n"
	require.Equal(t, want, got)
}

// The same where a later file is made under the name that was removed.
func TestAForeignFileUnderARemovedNameStaysAndTheOldIsKept(t *testing.T) {
	dir := tempTree(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	base := lookAll(t, dir, "a.txt").base
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	ws.fault = func(step string) error {
		if step == "exchange" {
			meddled(t, filepath.Join(dir, "a.txt"), "theirs\n")
			return syscall.EIO
		}
		return nil
	}
	a := askIn(ws, "", `{"files":[{"path":"a.txt","base":"`+base+`","edits":[{"op":"remove"}]},{"path":"b.txt","edits":[{"op":"write","blind":true,"content":"B\n"}]}]}`, quick)
	require.Equal(t, Partial, a.Status, textOf(a))
	require.Contains(t, textOf(a), "\na.txt is as another program made it\nb.txt is as it was\n")
	require.Equal(t, "theirs\n", readFile(t, filepath.Join(dir, "a.txt")))
	require.Equal(t, "b\n", readFile(t, filepath.Join(dir, "b.txt")))
	require.Equal(t, "a\n", readFile(t, a.Failures[0].Kept))
	require.Len(t, readDir(t, dir), 3)
}

// A program that has had the old file open since before it was displaced writes to
// it when all is committed.
func TestWhatIsWrittenToADisplacedFileIsKept(t *testing.T) {
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	done := false
	ws.fault = func(step string) error {
		if step == "syncdir" && !done {
			if parts, _ := filepath.Glob(filepath.Join(dir, ".hl-*.part")); len(parts) == 3 && !fileExists(filepath.Join(dir, "d.txt")) {
				done = true
				for _, part := range parts {
					if text := readFile(t, part); text == five["b.txt"] {
						f, err := os.OpenFile(part, os.O_WRONLY|os.O_APPEND, 0)
						require.NoError(t, err)
						_, err = f.WriteString("theirs\n")
						require.NoError(t, err)
						require.NoError(t, f.Close())
					}
				}
			}
		}
		return nil
	}
	a := askIn(ws, "", request, Options{})
	require.True(t, done)
	require.Equal(t, Applied, a.Status, textOf(a))
	require.Contains(t, textOf(a), "warning kept: another program wrote to the old file; what it wrote is kept in ")
	got := contents(t, dir)
	kept, err := filepath.Glob(filepath.Join(dir, "b.txt.hl-kept-*"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.Equal(t, "alpha\nbeta\ntheirs\n", readFile(t, kept[0]))
	delete(got, filepath.Base(kept[0]))
	require.Equal(t, fiveAfter, got)
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Where there are neither exchanges nor links, nothing could be undone.
func TestWhereFilesCanBeNeitherExchangedNorLinkedNothingIsWritten(t *testing.T) {
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	ws.fault = func(step string) error {
		if step == "link" {
			return errors.ErrUnsupported
		}
		return withoutExchange(0, step)
	}
	a := askIn(ws, "", request, quick)
	require.Equal(t, Refused, a.Status)
	require.Equal(t, []Code{IOError}, codes(a), textOf(a))
	require.Equal(t, five, contents(t, dir))
}

func TestARefusedRequestLeavesNoTraceInAnyDirectory(t *testing.T) {
	for name, more := range map[string]string{
		"a stale anchor":                   `{"path": "d.txt", "edits": [{"op": "delete", "anchor": "2:zz:zzzz"}]}`,
		"a base that is old":               `{"path": "other.txt", "base": "0000000000000000", "edits": [{"op": "remove"}]}`,
		"a file that is there":             `{"path": "other.txt", "edits": [{"op": "create", "content": "x\n"}]}`,
		"a file that is not there":         `{"path": "sub/none.txt", "edits": [{"op": "insert_after", "anchor": "EOF", "content": "x"}]}`,
		"a directory that is a file":       `{"path": "other.txt/x.txt", "edits": [{"op": "create", "content": "x\n"}]}`,
		"a path that leads out":            `{"path": "../x.txt", "edits": [{"op": "create", "content": "x\n"}]}`,
		"a file that is its own directory": `{"path": "new/dir", "edits": [{"op": "create", "content": "x\n"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := tempTree(t, five)
			request := strings.TrimSuffix(fiveRequest(t, dir), "]}") + "," + more + "]}"
			ask(t, dir, "other.txt", `[{"op":"insert_after","anchor":"EOF","content":"x"}]`, Options{DryRun: true})
			before := tree(t, dir)
			a := ask(t, dir, "", request, quick)
			require.Contains(t, []Status{NotApplied, Refused}, a.Status, textOf(a))
			requireNoSuccess(t, textOf(a))
			if name == "a file that is its own directory" { // found when it is made
				require.Equal(t, five, contents(t, dir))
				return
			}
			require.Equal(t, before, tree(t, dir))
		})
	}
}
