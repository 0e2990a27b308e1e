package lock

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// roles are what the test program does instead of testing when another one of it
// started it: the first argument names the role, the others are for it.
var roles = map[string]func(args []string){
	"hold": func(args []string) { // DIR PATH read|write
		defer mustLock(&Dir{Path: args[0]}, args[1], args[2] == "write")()
		fmt.Println("held")
		untilInputEnds()
	},
	"default": func(args []string) { // PATH
		unlock, err := Lock(context.Background(), args[0])
		check(err)
		defer unlock()
		fmt.Println("held")
		untilInputEnds()
	},
	"idle": func([]string) {
		fmt.Println("idle")
		untilInputEnds()
	},
	"loop": func(args []string) { // DIR PATH read|write
		d := &Dir{Path: args[0]}
		mustLock(d, args[1], args[2] == "write")()
		fmt.Println("looping")
		for {
			mustLock(d, args[1], args[2] == "write")()
		}
	},
}

func untilInputEnds() { io.Copy(io.Discard, os.Stdin) }

const roleVariable = "HL_LOCK_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Unsetenv(roleVariable)
		roles[role](os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func mustLock(d *Dir, path string, write bool) func() {
	unlock, err := d.lock(context.Background(), []string{path}, write)
	check(err)
	return unlock
}

// A process is another one of the test program in a role.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start starts a process. It ends when the test does, or finish is called.
func start(t testing.TB, role string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = new(bytes.Buffer)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return &process{cmd, in, bufio.NewReader(out)}
}

// line returns the next line that the process prints.
func (p *process) line(t testing.TB) string {
	t.Helper()
	s, err := p.out.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(s)
}

// finish tells the process to end, and waits until it has.
func (p *process) finish(t testing.TB) {
	t.Helper()
	p.in.Close()
	_, err := io.Copy(io.Discard, p.out)
	require.NoError(t, err)
	require.NoError(t, p.Wait(), "%s", p.Stderr)
}

// quiet is how long something must not happen to count as blocked, and soon is
// how long it may take at most when it is not.
const (
	quiet = 50 * time.Millisecond
	soon  = 10 * time.Second
)

// mustBlock calls f, which must not return yet. The function that it returns
// waits until f does.
func mustBlock(t testing.TB, what string, f func()) (wait func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		require.FailNow(t, what+" did not block")
	case <-time.After(quiet):
	}
	return func() {
		t.Helper()
		select {
		case <-done:
		case <-time.After(soon):
			require.FailNow(t, what+" is still blocked")
		}
	}
}

// twoProcesses returns two Dirs of one directory. They know nothing of each
// other, like those of two processes, and a path to lock in them.
func twoProcesses(t testing.TB) (a, b *Dir, path string) {
	dir := filepath.Join(t.TempDir(), "locks")
	return &Dir{Path: dir}, &Dir{Path: dir}, filepath.Join(t.TempDir(), "a.txt")
}

// take locks path; the test fails if it cannot.
func take(t testing.TB, d *Dir, path string, write bool) (unlock func()) {
	unlock, err := d.lock(context.Background(), []string{path}, write)
	if err != nil {
		t.Error(err) // not FailNow: it may be called by any goroutine
		return func() {}
	}
	return unlock
}
