package lock

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAWaitingWriterKeepsNewReadersOut(t *testing.T) {
	a, b, path := twoProcesses(t)
	c := &Dir{Path: a.Path}
	reader := take(t, a, path, false)
	var writer func()
	waitWriter := mustBlock(t, "a writer beside a reader", func() { writer = take(t, b, path, true) })
	untilTaken(t, a.gate(mustKey(t, path)))
	waitReader := mustBlock(t, "a reader behind a waiting writer", func() { take(t, c, path, false)() })
	reader()
	waitWriter()
	wait := mustBlock(t, "a reader beside a writer", waitReader)
	writer()
	wait()
}

func TestReadersGoOnWhenTheWaitingWriterGivesUp(t *testing.T) {
	a, b, path := twoProcesses(t)
	c := &Dir{Path: a.Path}
	defer take(t, a, path, false)() // as a stopped process would keep it
	ctx, cancel := context.WithCancel(t.Context())
	waitWriter := mustBlock(t, "a writer beside a reader", func() {
		_, err := b.Lock(ctx, path)
		assert.ErrorIs(t, err, context.Canceled)
	})
	untilTaken(t, a.gate(mustKey(t, path)))
	waitReader := mustBlock(t, "a reader behind a waiting writer", func() { take(t, c, path, false)() })
	cancel()
	waitWriter()
	waitReader()
}

func TestReadersPassTheGateOneByOne(t *testing.T) {
	d, _, path := twoProcesses(t)
	take(t, d, path, false)()
	// Another reader, stopped where it has the gate as a reader would share it.
	f, err := os.OpenFile(d.gate(mustKey(t, path)), os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	ok, err := tryLock(f, false)
	require.NoError(t, err)
	require.True(t, ok)
	wait := mustBlock(t, "a reader at a taken gate", func() { take(t, d, path, false)() })
	unlockFile(f)
	wait()
}

func TestReadersOfOneProcessDoNotShareARoom(t *testing.T) {
	a, b, path := twoProcesses(t)
	first := take(t, a, path, false)
	waitWriter := mustBlock(t, "another process's writer", func() { take(t, b, path, true)() })
	untilTaken(t, a.gate(mustKey(t, path)))
	waitReader := mustBlock(t, "a second reader of the process", func() { take(t, a, path, false)() })
	first()
	waitWriter()
	waitReader()
}

func TestAReaderThatLeavesLetsNoWriterInBesideAnother(t *testing.T) {
	a, b, path := twoProcesses(t)
	c := &Dir{Path: a.Path}
	first, second := take(t, a, path, false), take(t, b, path, false)
	first()
	wait := mustBlock(t, "a writer beside a reader", func() { take(t, c, path, true)() })
	second()
	wait()
}

func TestLockFilesStay(t *testing.T) {
	d, _, path := twoProcesses(t)
	take(t, d, path, true)()
	before, err := os.Stat(d.room(mustKey(t, path)))
	require.NoError(t, err)
	take(t, d, path, false)()
	after, err := os.Stat(d.room(mustKey(t, path)))
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after))
	files, err := filepath.Glob(d.Path + "/" + mustKey(t, path).String() + "*")
	require.NoError(t, err)
	require.Len(t, files, 2)
}

func TestALockFileThatSomebodyReplacedIsNoticed(t *testing.T) {
	for name, test := range map[string]struct {
		file     func(*Dir, key) string
		oldWrite bool // keeps the new writer waiting at that file
	}{
		"gate": {(*Dir).gate, true},
		"room": {(*Dir).room, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b, path := twoProcesses(t)
			file := test.file(a, mustKey(t, path))
			old := take(t, a, path, test.oldWrite)
			var writer func()
			wait := mustBlock(t, "a writer", func() { writer = take(t, b, path, true) })
			require.NoError(t, os.Rename(file, file+".old"))
			require.NoError(t, os.WriteFile(file, nil, 0o600))
			old()
			wait()
			require.False(t, isFree(t, file), "the writer has the file that was replaced")
			writer()
			require.True(t, isFree(t, file))
		})
	}
}

// untilTaken waits until somebody has the lock file.
func untilTaken(t *testing.T, file string) {
	require.Eventually(t, func() bool { return !isFree(t, file) }, soon, time.Millisecond)
}

// isFree says whether nobody has the lock file.
func isFree(t *testing.T, file string) bool {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	ok, err := tryLock(f, true)
	require.NoError(t, err)
	return ok
}

func TestADirectoryThatSomebodyRemovedIsMadeAgain(t *testing.T) {
	d, _, path := twoProcesses(t)
	take(t, d, path, true)()
	require.NoError(t, os.RemoveAll(d.Path))
	take(t, d, path, true)()
	require.FileExists(t, d.room(mustKey(t, path)))
}

func TestPausesDoNotOutlastTheDeadline(t *testing.T) {
	a, b, path := twoProcesses(t)
	defer take(t, a, path, true)()
	b.Timeout = 100 * time.Millisecond
	began := time.Now()
	_, err := b.RLock(t.Context(), path)
	require.Error(t, err)
	require.Less(t, time.Since(began), time.Second)
}
