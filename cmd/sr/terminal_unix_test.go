//go:build !windows

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// A display is what a terminal shows of the sequences that a preview uses: lines,
// the cursor moved up, and all below it erased.
type display struct {
	rows  []string
	at    int // the row of the cursor
	worst int // columns of the longest row that was ever drawn
}

var sequence = regexp.MustCompile(`^(\x1b\[(\d+)A|\x1b\[J|\r\n|[^\x1b\r\n]+)`)

func (d *display) show(t *testing.T, drawn string) {
	for drawn != "" {
		m := sequence.FindStringSubmatch(drawn)
		require.NotNil(t, m, "neither text nor a known sequence: %q", drawn)
		switch {
		case m[2] != "":
			up, _ := strconv.Atoi(m[2])
			d.at -= up
			require.GreaterOrEqual(t, d.at, 0, "the cursor leaves what was drawn")
		case m[1] == "\x1b[J":
			d.rows = d.rows[:d.at]
		case m[1] == "\r\n":
			if d.at == len(d.rows) {
				d.rows = append(d.rows, "")
			}
			d.at++
		default:
			require.Equal(t, len(d.rows), d.at, "text over text: %q", m[1])
			d.rows = append(d.rows, m[1])
			d.worst = max(d.worst, len([]rune(m[1]))+strings.Count(m[1], "宽"))
		}
		drawn = drawn[len(m[1]):]
	}
}

// On a real terminal, narrow and low, each picture takes the place of the last and
// leaves what stood above it, whatever the reply holds.
func TestOnATerminalEachPictureTakesThePlaceOfTheLast(t *testing.T) {
	const columns, rows = 40, 8
	dir := t.TempDir()
	var src, reply strings.Builder
	for i := range 12 {
		fmt.Fprintf(&src, "line %d\n", i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f.txt"), []byte(src.String()), 0o666))
	for i := range 12 {
		fmt.Fprintf(&reply, "f.txt\n------- SEARCH\nline %d\n=======\nnew %d\n+++++++ REPLACE\n", i, i)
	}
	long := strings.Repeat("宽", 40) + ".txt"
	fmt.Fprintf(&reply, "%s\n------- SEARCH\nabsent \x1b[31m\n=======\nnew\n+++++++ REPLACE\n", long)

	// The test binary is sr by that name.
	cmd := exec.Command(os.Args[0], "apply", "--stream", "--throttle", "1ms", "--concise", "--root", dir)
	cmd.Args[0] = "sr"
	cmd.Env = append(os.Environ(), "HL_FSYNC=off", "HL_LOCK_DIR="+filepath.Join(t.TempDir(), "locks"), "TERM=xterm")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	terminal, tty, err := pty.Open()
	require.NoError(t, err)
	defer terminal.Close()
	require.NoError(t, pty.Setsize(terminal, &pty.Winsize{Cols: columns, Rows: rows}))
	cmd.Stderr = tty
	require.NoError(t, cmd.Start())
	tty.Close()
	drawn := make(chan string)
	go func() { // ends with an error when no one has the terminal open
		all, _ := io.ReadAll(terminal)
		drawn <- string(all)
	}()
	for line := range strings.Lines(reply.String()) {
		_, err := io.WriteString(in, line)
		require.NoError(t, err)
		time.Sleep(2 * time.Millisecond)
	}
	require.NoError(t, in.Close())
	require.Error(t, cmd.Wait(), "the last block is refused")
	all := <-drawn
	require.Greater(t, strings.Count(all, "\x1b[J"), 12, "it was drawn over")

	picture, _, found := strings.Cut(all, "not applied")
	require.True(t, found, all)
	d := &display{}
	d.show(t, picture)
	require.LessOrEqual(t, d.worst, columns, "a longer row would take two")
	require.Len(t, d.rows, rows-1, "no higher than the terminal: %q", d.rows)
	require.Equal(t, "… 7 blocks above", d.rows[0])
	require.Equal(t, "block 12 f.txt: line 12, exact", d.rows[5])
	require.Equal(t, "block 13 "+strings.Repeat("宽", 15)+"…", d.rows[6])
}
