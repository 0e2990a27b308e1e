//go:build fire && linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// mib is what the kernel counts peak memory in, times 1,024.
const mib = 1 << 10

func TestTheEndOfAGigabyteIsReadInUnder24MiB(t *testing.T) {
	hl := buildHL(t)
	path, lines := bigFile(t, 1<<30)
	window := fmt.Sprintf("%d-", lines-49)
	out, peak := peakOf(t, exec.Command(hl, "read", "--lines", window, path))
	require.Equal(t, 51, bytes.Count(out, []byte("\n")), "a header and 50 lines")
	require.Less(t, peak, 24*mib, "KiB")
	t.Logf("the last 50 lines of 1 GiB: %d KiB", peak)
}

func TestAllOf100MBIsReadInUnder24MiB(t *testing.T) {
	hl := buildHL(t)
	path, lines := bigFile(t, 100<<20)
	cmd := exec.Command("sh", "-c", `exec "$0" read --lines all "$1" | wc -l`, hl, path)
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(lines+1), strings.TrimSpace(string(out)))
	devnull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer devnull.Close()
	cmd = exec.Command(hl, "read", "--lines", "all", path)
	cmd.Stdout = devnull
	require.NoError(t, cmd.Run())
	peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	require.Less(t, int(peak), 24*mib, "KiB")
	t.Logf("all of 100 MiB: %d KiB", peak)
}

func TestAnEditOf100MBTakesUnderOneAndAHalfTimesTheFile(t *testing.T) {
	hl := buildHL(t)
	path, lines := bigFile(t, 100<<20)
	for _, line := range []int{1, lines / 2, lines} {
		view, err := exec.Command(hl, "read", "--lines", fmt.Sprint(line), path).Output()
		require.NoError(t, err)
		anchor, _, ok := strings.Cut(strings.Split(string(view), "\n")[1], "→")
		require.True(t, ok)
		cmd := exec.Command(hl, "edit", path)
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`[{"op": "replace", "anchor": %q, "content": "x"}]`, anchor))
		out, peak := peakOf(t, cmd)
		require.True(t, bytes.HasPrefix(out, []byte("applied ")), "%s", out)
		require.Less(t, peak, 150*mib, "KiB")
		t.Logf("an edit of line %d of 100 MiB: %d KiB", line, peak)
	}
}

func buildHL(t *testing.T) string {
	t.Helper()
	hl := filepath.Join(t.TempDir(), "hl")
	cmd := exec.Command("go", "build", "-o", hl, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return hl
}

// bigFile writes a file of at least size bytes and returns how many lines it has.
func bigFile(t *testing.T, size int) (path string, lines int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "big.txt")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for n := 0; n < size; lines++ {
		written, err := fmt.Fprintf(w, "\tif err := call%d(a, b); err != nil {\n", lines)
		require.NoError(t, err)
		n += written
	}
	require.NoError(t, w.Flush())
	return path, lines
}

// peakOf runs cmd, and returns what it printed and its peak memory in KiB.
func peakOf(t *testing.T, cmd *exec.Cmd) ([]byte, int) {
	t.Helper()
	out, err := cmd.Output()
	require.NoError(t, err)
	return out, int(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}
