//go:build fire && linux

package apply

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// roles are what the test program does instead of testing when another one of it
// started it: the first argument names the role, the others are for it. What a
// role returns is printed as JSON.
var roles = map[string]func(args []string) any{}

const roleVariable = "HL_APPLY_TEST_ROLE"

func init() {
	role = func() {
		name := os.Getenv(roleVariable)
		if name == "" {
			return
		}
		os.Unsetenv(roleVariable)
		fmt.Println("ready")
		b, err := json.Marshal(roles[name](os.Args[1:]))
		check(err)
		os.Stdout.Write(b)
		os.Exit(0)
	}
}

// check ends a process in a role.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// untilInputEnds returns a function that reports whether the process was told to
// end.
func untilInputEnds() (ended func() bool) {
	end := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(end)
	}()
	return func() bool {
		select {
		case <-end:
			return true
		default:
			return false
		}
	}
}

// A process is another one of the test program in a role.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

// spawn starts a process and waits until it is in its role.
func spawn(t testing.TB, role string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	return spawnAs(t, exe, os.Geteuid(), role, args...)
}

// spawnAs starts the program exe as the user uid.
func spawnAs(t testing.TB, exe string, uid int, role string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	if uid != os.Geteuid() {
		cmd.Dir = "/"
		cmd.Env = append(cmd.Env, "HL_LOCK_DIR=") // he has his own
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
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
	ready := make([]byte, len("ready\n"))
	_, err = io.ReadFull(out, ready)
	require.NoError(t, err, "%s", cmd.Stderr)
	return &process{cmd, in, out}
}

// result waits until the process ends by itself and returns what its role did.
func result[R any](t testing.TB, p *process) (r R) {
	t.Helper()
	b, err := io.ReadAll(p.out)
	require.NoError(t, err)
	require.NoError(t, p.Wait(), "%s", p.Stderr)
	require.NoError(t, json.Unmarshal(b, &r), "%s", b)
	return r
}

// finish tells the process to end and returns what its role did.
func finish[R any](t testing.TB, p *process) R {
	t.Helper()
	p.in.Close()
	return result[R](t, p)
}

// inMemory makes a directory on a file system without a disk, whose journal others
// can keep busy for longer than a program is between two steps.
func inMemory(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "fire-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// isMutant reports whether this program lacks a guarantee.
func isMutant() bool { return os.Getenv("HL_APPLY_MUTANT") != "" }

// runMutant builds the test program without a guarantee, and returns what tests
// say then.
func runMutant(t *testing.T, guarantee, tests string) []byte {
	exe := filepath.Join(t.TempDir(), "apply.test")
	command(t, "go", "test", "-c", "-tags", "fire mutant", "-o", exe, ".")
	cmd := exec.Command(exe, "-test.run", tests, "-test.v")
	cmd.Env = append(os.Environ(), "HL_APPLY_MUTANT="+guarantee)
	out, _ := cmd.CombinedOutput()
	return out
}
