//go:build unix

package apply

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/hlkit/hlkit/lock"
	"github.com/stretchr/testify/require"
)

// A repair that only could not be made now asks for nothing but another try: whoever
// removed the journal then would keep half of a request.
func TestARepairThatCouldNotBeMadeNowAsksForTheRequestAgain(t *testing.T) {
	edit := `{"path":"a.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"more"}]}`
	for name, meddle := range map[string]func(ws *Workspace) context.Context{
		"too many files are open": func(ws *Workspace) context.Context {
			ws.fault = func(step string) error {
				if step == "repair" {
					return syscall.EMFILE
				}
				return nil
			}
			return context.Background()
		},
		"it was interrupted": func(ws *Workspace) context.Context {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, dir := range halfDone(t)[:3] {
				ws, err := Open(dir)
				require.NoError(t, err)
				ctx := meddle(ws)
				a := ws.Edit(ctx, Decode([]byte(edit), ""), quick)
				ws.Close()
				require.NotEqual(t, Applied, a.Status)
				require.Contains(t, textOf(a), "again")
				require.NotContains(t, textOf(a), "remove")
				names, err := filepath.Glob(filepath.Join(dir, ".hl-*.journal"))
				require.NoError(t, err)
				require.Len(t, names, 1)
				require.Equal(t, Applied, ask(t, dir, "", edit, quick).Status)
			}
		})
	}
}

// A process that is being killed may hold its journal for a moment longer than the
// locks of its files. One that lives has both.
func TestAJournalThatIsHeldForAMomentIsWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	writeFile(t, path, "{}")
	open := func() *os.File {
		f, err := os.Open(path)
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	held, waits := open(), open()
	require.NoError(t, flock(held))
	require.False(t, flocked(waits), "it stays so")
	held.Close()
	got := false
	for n := 0; n < 20 && !got; n++ { // on a busy machine a moment may last
		held, waits := open(), open()
		require.NoError(t, flock(held))
		time.AfterFunc(2*time.Millisecond, func() { held.Close() })
		got = flocked(waits)
		waits.Close()
		held.Close()
	}
	require.True(t, got)
}

// The time of the caller may be over before that of the lock.
func TestWhoHasNoMoreTimeIsNotToldToWaitLonger(t *testing.T) {
	dir, file := tempFile(t, "a\n")
	unlock, err := lock.Lock(context.Background(), filepath.Join(dir, file))
	require.NoError(t, err)
	defer unlock()
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	for _, limit := range []time.Duration{20 * time.Millisecond, -time.Second} {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		a := ws.Edit(ctx, Decode([]byte(`{"path":"f.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`), ""), quick)
		require.Equal(t, []Code{Locked}, codes(a), textOf(a))
		require.NotContains(t, textOf(a), "--lock-timeout")
		require.NotContains(t, textOf(a), "10s")
	}
}

// A journal holds so many names, and one that would hold more is not begun.
func TestARequestForTooManyNamesMakesNothing(t *testing.T) {
	dir, _ := tempFile(t, "a\n")
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	step := &replacement{w: ws, t: &target{rel: "n.txt"}, snap: &snapshot{}}
	tx := &transaction{w: ws, opt: &Options{}, steps: slices.Repeat([]*replacement{step}, mostSteps+1)}
	code, _ := CodeOf((&journal{tx: tx}).begin())
	require.Equal(t, TooLarge, code)
	step.made = slices.Repeat([]string{"d"}, mostSteps+1)
	tx.steps = tx.steps[:1]
	code, _ = CodeOf((&journal{tx: tx, dir: "."}).write(true))
	require.Equal(t, TooLarge, code)
	require.Equal(t, []string{"f.txt"}, readDir(t, dir))
}
