//go:build unix

package apply

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// callsOf carries out fiveRequest, with a fault, and returns the calls in order.
func callsOf(t *testing.T, opt Options, fault func(dir, call string) error) (dir string, a *Answer, calls []string) {
	t.Helper()
	dir = tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	ws.fault = func(call string) error {
		calls = append(calls, call)
		return fault(dir, call)
	}
	return dir, askIn(ws, "", request, opt), calls
}

func never(string, string) error { return nil }

// firstOf and lastOf return where in calls one of names is.
func firstOf(calls []string, names ...string) int {
	return slices.IndexFunc(calls, func(call string) bool { return slices.Contains(names, call) })
}

func lastOf(calls []string, names ...string) int {
	last := -1
	for i, call := range calls {
		if slices.Contains(names, call) {
			last = i
		}
	}
	return last
}

func count(calls []string, name string) (n int) {
	for _, call := range calls {
		if call == name {
			n++
		}
	}
	return n
}

// swaps are the calls that change what is under a name of the request.
var swaps = []string{"exchange", "take", "link", "back"}

// Of five files in four directories, which the request makes in part.
const fiveDirs = 4

func TestTheJournalAndAllThatItNamesIsOnDiskBeforeTheFirstChange(t *testing.T) {
	_, a, calls := callsOf(t, Options{}, never)
	require.Equal(t, Applied, a.Status, textOf(a))
	first := firstOf(calls, swaps...)
	require.Positive(t, first)
	before := calls[:first]
	// It is written twice, each time whole and under another name first.
	require.Equal(t, 2, count(before, "rename"), "%v", before)
	require.Equal(t, 6, count(before, "sync"), "four new files, and the journal twice: %v", before)
	require.Greater(t, lastOf(before, "sync"), lastOf(before, "close"), "the journal's bytes come last: %v", before)
	require.Greater(t, lastOf(before, "rename"), lastOf(before, "sync"))
	require.Equal(t, fiveDirs+1, count(before[lastOf(before, "rename"):], "syncdir"), "of all names, and of the journal: %v", before)
	require.Zero(t, count(before[:lastOf(before, "rename")], "syncdir"))
	require.Less(t, lastOf(calls, "marker"), first, "a marker lies beside each name before any changes")
	require.Equal(t, 8, count(before, "marker"))
}

func TestAllNamesAreOnDiskBeforeTheJournalSaysThatItIsDone(t *testing.T) {
	_, a, calls := callsOf(t, Options{}, never)
	require.Equal(t, Applied, a.Status, textOf(a))
	last, done := lastOf(calls, swaps...), firstOf(calls, "done")
	require.Equal(t, fiveDirs, count(calls[last:done], "syncdir"), "%v", calls)
	require.Less(t, lastOf(calls[:done], "syncdir"), firstOf(calls, "remove"), "the old files go when the new are on disk")

	// The same of a request that is undone.
	links := 0
	dir, a, calls := callsOf(t, Options{}, func(_, call string) error {
		if call == "link" {
			if links++; links == 2 { // all others are changed
				return syscall.EIO
			}
		}
		return nil
	})
	require.Equal(t, Refused, a.Status, textOf(a))
	require.Equal(t, five, contents(t, dir))
	last, done = lastOf(calls, "back"), firstOf(calls, "done")
	require.Equal(t, 5, count(calls, "back"), "%v", calls)
	require.Equal(t, fiveDirs, count(calls[last:done], "syncdir"), "%v", calls)
	require.Less(t, done, firstOf(calls, "rmdir"))
}

func TestARepairIsOnDiskBeforeTheJournalSaysThatItIsDone(t *testing.T) {
	_, _, calls := callsOf(t, quick, never)
	dir, ok := crashed(t, lastOf(calls, "link"), nil)
	require.True(t, ok)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	calls = nil
	ws.fault = func(call string) error {
		calls = append(calls, call)
		return nil
	}
	comeBy(ws, 0)
	back := lastOf(calls, "exchange", "noreplace")
	require.Positive(t, back, "%v", calls)
	rest := calls[back+1:]
	require.Equal(t, []string{"syncdir", "syncdir", "syncdir", "repair"}, rest[:4], "the directories, and then the journal's other name: %v", calls)
	require.Equal(t, five, contents(t, dir))
}

// What the next command finds after a crash is told by the journal and the markers;
// without one of them it would find half of the request.
func TestAfterACrashAtAnyCallTheNextCommandFindsAllOrNothing(t *testing.T) {
	for k := 0; ; k++ {
		dir, ok := crashed(t, k, nil)
		if !ok {
			require.Greater(t, k, 60)
			return
		}
		ws, err := Open(dir)
		require.NoError(t, err)
		requireAllOrNone(t, ws, dir, k, "cut off at call %d", k)
		ws.Close()
	}
}

// Another program writes to a file between the look of the roll-back and its
// exchange: what it wrote is kept, and the answer names it.
func TestWhatComesBetweenTheLookAndTheRollBackIsKeptAndNamed(t *testing.T) {
	for name, test := range map[string]struct {
		file string
		nth  int // of the roll-backs
	}{
		"of a file that was changed": {"b.txt", 4},
		"of a file that was made":    {"new/dir/f.txt", 1},
	} {
		t.Run(name, func(t *testing.T) {
			backs, links := 0, 0
			dir, a, _ := callsOf(t, Options{}, func(dir, call string) error {
				switch call {
				case "link":
					if links++; links == 2 {
						return syscall.EIO
					}
				case "back":
					if backs++; backs == test.nth {
						meddled(t, filepath.Join(dir, test.file), "theirs\n")
					}
				}
				return nil
			})
			got := contents(t, dir)
			theirs := ""
			for name, text := range got {
				if text == "theirs\n" {
					theirs = name
				}
			}
			require.NotEmpty(t, theirs, "what another program wrote is lost: %s", textOf(a))
			require.Contains(t, textOf(a), theirs, "and the answer names it")
			if theirs != test.file {
				require.Equal(t, Refused, a.Status, textOf(a))
				require.Regexp(t, `^`+test.file+`\.hl-kept-`, theirs)
				delete(got, theirs)
				require.Equal(t, five, got)
				require.True(t, slices.ContainsFunc(a.Failures, func(f Failure) bool {
					return f.File == test.file && f.Code == FileChanged && f.Kept == filepath.Join(dir, theirs)
				}), textOf(a))
			} else {
				require.Equal(t, Partial, a.Status, textOf(a))
			}
		})
	}
}
