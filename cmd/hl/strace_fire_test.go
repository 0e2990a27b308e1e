//go:build fire && linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oneThread is compiled into the hl that is traced. strace counts the calls of
// each thread by themselves, and Go would spread them over several.
const oneThread = `package main

import "runtime"

func init() { runtime.LockOSThread() }
`

// buildTraceable builds hl with all its work in the first thread.
func buildTraceable(t *testing.T) string {
	t.Helper()
	_, err := exec.LookPath("strace")
	require.NoError(t, err, "install strace")
	dir := t.TempDir()
	file, err := filepath.Abs("one_thread.go")
	require.NoError(t, err)
	source, overlay := filepath.Join(dir, "one_thread.go"), filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(source, []byte(oneThread), 0o666))
	require.NoError(t, os.WriteFile(overlay, []byte(fmt.Sprintf(`{"Replace":{%q:%q}}`, file, source)), 0o666))
	hl := filepath.Join(dir, "hl")
	cmd := exec.Command("go", "build", "-overlay", overlay, "-o", hl, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return hl
}

// A sysCall is one call to the system: the nth of its name.
type sysCall struct {
	name, line string
	nth        int
}

// A traced run of hl.
type traced struct {
	calls  []sysCall // of the first thread
	log    string
	state  *os.ProcessState
	stdout string
	stderr string
}

// killed reports whether hl was.
func (r *traced) killed() bool { return strings.Contains(r.log, "+++ killed by SIGKILL +++") }

// trace runs hl edit on s in dir under strace with further options.
func (s stage) trace(t *testing.T, hl, dir string, options ...string) *traced {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	args := slices.Concat([]string{"-f", "-y", "-o", log}, options, []string{hl, "edit", "--root", dir})
	cmd := exec.Command("strace", args...)
	cmd.Stdin = strings.NewReader(s.request)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the state tells
	text, err := os.ReadFile(log)
	require.NoError(t, err, "%s", errs.String())
	return parseTrace(string(text), cmd.ProcessState, out.String(), errs.String())
}

// parseTrace returns what strace says of a run.
func parseTrace(log string, state *os.ProcessState, stdout, stderr string) *traced {
	r := &traced{log: log, state: state, stdout: stdout, stderr: stderr}
	// The first thread is the last to end.
	last := r.log[strings.LastIndex(strings.TrimSpace(r.log), "\n")+1:]
	first, _, _ := strings.Cut(last, " ")
	count := map[string]int{}
	for line := range strings.Lines(r.log) {
		thread, call, _ := strings.Cut(line, " ")
		name, _, ok := strings.Cut(strings.TrimLeft(call, " "), "(")
		if !ok || thread != first || strings.ContainsAny(name, " <+-") {
			continue // another thread's, or the rest of a call, or a signal
		}
		count[name]++
		r.calls = append(r.calls, sysCall{name, strings.TrimSpace(call), count[name]})
	}
	return r
}

// afterTheLock returns the calls that follow the taking of the file's lock, but
// for those of the Go runtime, which touch no file and differ from run to run.
func (r *traced) afterTheLock(t *testing.T) []sysCall {
	t.Helper()
	lock := slices.IndexFunc(r.calls, func(c sysCall) bool {
		return c.name == "flock" && strings.Contains(c.line, ".room>, LOCK_EX")
	})
	require.NotEqual(t, -1, lock, "no lock is taken:\n%s", r.log)
	return slices.DeleteFunc(r.calls[lock+1:], func(c sysCall) bool {
		switch c.name {
		case "futex", "nanosleep", "mmap", "munmap", "madvise", "clone", "clone3", "sched_yield", "tgkill", "getpid", "gettid", "restart_syscall", "epoll_pwait":
			return true
		}
		return strings.HasPrefix(c.name, "rt_sig")
	})
}

// A stage is a request for a file, and what the file is before and after it.
type stage struct {
	path     string
	old, new string // old is "" if there is no file
	request  string
}

// stages returns a file of some hundred kilobytes to be replaced, one to be made,
// and one to be made with its directories.
func stages() map[string]stage {
	var text strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&text, "line %d of the file\n", i+1)
	}
	write := `{"path":%q,"edits":[{"op":"write","content":"new\n"}]}`
	return map[string]stage{
		"a file is replaced":                  {"f.txt", text.String(), "first\n" + text.String(), `{"path":"f.txt","edits":[{"op":"insert_before","anchor":"0:","content":"first"}]}`},
		"a file is made":                      {"f.txt", "", "new\n", fmt.Sprintf(write, "f.txt")},
		"a file is made with its directories": {"a/b/f.txt", "", "new\n", fmt.Sprintf(write, "a/b/f.txt")},
	}
}

// set makes a directory with the file as it is before the request.
func (s stage) set(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if s.old != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, s.path), []byte(s.old), 0o666))
	}
	return dir
}

// look returns the text of the file, "" if there is none.
func (s stage) look(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, s.path))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
		require.NotEmpty(t, text)
	}
	return string(text)
}

// filesIn returns the files below dir, and the directories that are empty.
func filesIn(t *testing.T, dir string) (files, empty []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if !entry.IsDir() {
			files = append(files, entry.Name())
			continue
		}
		f, e := filesIn(t, filepath.Join(dir, entry.Name()))
		if len(f)+len(e) == 0 {
			e = []string{"."}
		}
		for _, name := range f {
			files = append(files, filepath.Join(entry.Name(), name))
		}
		for _, name := range e {
			empty = append(empty, filepath.Join(entry.Name(), name))
		}
	}
	return files, empty
}
