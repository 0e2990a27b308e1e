package apply

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hlkit/hlkit/lock"
	"github.com/stretchr/testify/require"
)

func TestAFileThatSomebodyHoldsIsLocked(t *testing.T) {
	dir, file := tempFile(t, "a\n")
	unlock, err := lock.Lock(context.Background(), filepath.Join(dir, file))
	require.NoError(t, err)
	opt := quick
	opt.LockTimeout = 20 * time.Millisecond
	a := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`, opt)
	require.Equal(t, NotApplied, a.Status)
	require.Equal(t, []Code{Locked}, codes(a))
	require.Contains(t, textOf(a), "holds the file for longer than 20ms")
	require.Contains(t, textOf(a), "\nnext: send the request again, all of it\n")
	require.Equal(t, "a\n", readFile(t, filepath.Join(dir, file)))
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	_, err = ws.Read(context.Background(), file, ReadOptions{LockTimeout: 20 * time.Millisecond})
	code, _ := CodeOf(err)
	require.Equal(t, Locked, code)
	unlock()
	opt.LockTimeout = 0
	require.Equal(t, Applied, ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`, opt).Status)
}

// Without the lock, edits that name no line undo each other between the check and
// the rename.
func TestEditsAtOneTimeAreAllMade(t *testing.T) {
	const writers, edits = 8, 40
	dir, file := tempFile(t, "first\n")
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for i := range edits {
				request := fmt.Sprintf(`{"path":"f.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"%d.%d"}]}`, w, i)
				if a := ask(t, dir, "", request, quick); a.Status != Applied {
					t.Errorf("%s", textOf(a))
				}
			}
		})
	}
	wait.Wait()
	text := readFile(t, filepath.Join(dir, file))
	require.Equal(t, writers*edits+1, strings.Count(text, "\n"))
	for w := range writers {
		for i := range edits {
			require.Contains(t, text, fmt.Sprintf("\n%d.%d\n", w, i))
		}
	}
	require.Equal(t, []string{"f.txt"}, readDir(t, dir))
}

func TestAViewDoesNotKeepTheLock(t *testing.T) {
	path, _ := largeFile(t, t.TempDir())
	ws, err := OpenFile(path)
	require.NoError(t, err)
	defer ws.Close()
	v, err := ws.Read(context.Background(), path, ReadOptions{})
	require.NoError(t, err)
	defer v.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	unlock, err := lock.Lock(ctx, path)
	require.NoError(t, err)
	unlock()
}

// A calledOff is a context that is cancelled where nobody waits for it any more.
type calledOff struct{ context.Context }

func (calledOff) Err() error { return context.Canceled }

func TestAReadThatIsCalledOffWhenItHasItsLockGivesTheLockBack(t *testing.T) {
	dir, file := tempFile(t, "a\n")
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	v, err := ws.Read(calledOff{context.Background()}, file, ReadOptions{})
	if err == nil {
		v.Close()
	}
	a := ask(t, dir, file, `[{"op":"insert_after","anchor":"EOF","content":"x"}]`, Options{LockTimeout: 20 * time.Millisecond})
	require.Equal(t, Applied, a.Status, textOf(a))
}

func TestARequestCalledOffWhileItWaitsSaysSo(t *testing.T) {
	dir, file := tempFile(t, "a\n")
	unlock, err := lock.Lock(context.Background(), filepath.Join(dir, file))
	require.NoError(t, err)
	defer unlock()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	req := Decode([]byte(`{"path":"f.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`), "")
	a := ws.Edit(ctx, req, quick)
	require.Equal(t, NotApplied, a.Status)
	require.Equal(t, []Code{Locked}, codes(a))
	require.Contains(t, textOf(a), "the request was called off before it had the file's lock; send it again")
}
