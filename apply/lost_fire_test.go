//go:build fire && linux

package apply

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// A file of counters has a line "counter I is at N." for each owner, some lines
// apart from the next, and nothing else that changes.

func counter(owner, at int) string { return fmt.Sprintf("counter %d is at %d.", owner, at) }

// counters returns the file with all counters at 0.
func counters(owners, apart int) string {
	var b strings.Builder
	for i := range owners * apart {
		if i%apart == 0 {
			fmt.Fprintln(&b, counter(i/apart, 0))
		} else {
			fmt.Fprintf(&b, "line %d belongs to nobody\n", i)
		}
	}
	return b.String()
}

// readCounters returns where the counters are. It is an error if src is not such
// a file, whole.
func readCounters(src string, owners, apart int) ([]int, error) {
	lines := strings.Split(src, "\n")
	if len(lines) != owners*apart+1 || lines[owners*apart] != "" {
		return nil, fmt.Errorf("the file has %d line ends and not %d", len(lines)-1, owners*apart)
	}
	at := make([]int, owners)
	for i, line := range lines[:owners*apart] {
		if i%apart == 0 {
			if _, err := fmt.Sscanf(line, "counter "+strconv.Itoa(i/apart)+" is at %d.", &at[i/apart]); err != nil {
				return nil, fmt.Errorf("line %d is %q: %w", i+1, line, err)
			}
		} else if line != fmt.Sprintf("line %d belongs to nobody", i) {
			return nil, fmt.Errorf("line %d is %q", i+1, line)
		}
	}
	return at, nil
}

// owned is what the owner of a counter did.
type owned struct {
	Acknowledged int
	Refused      map[Code]int
}

// observed is what a reader saw.
type observed struct {
	Reads, Versions int
}

func init() {
	// An owner adds one to its counter until that was acknowledged often enough.
	// Before each edit the counter must be where its last answer said.
	roles["own a counter"] = func(args []string) any { // DIR OWNER APART TIMES
		ws, err := Open(args[0])
		check(err)
		n := atoi(args[1:]...)
		owner, line, times := n[0], n[0]*n[1]+1, n[2]
		done := owned{Refused: map[Code]int{}}
		for done.Acknowledged < times {
			anchor, text := lineOn(ws, "f.txt", line)
			if text != counter(owner, done.Acknowledged) {
				check(fmt.Errorf("the line reads %q after %d edits that were acknowledged", text, done.Acknowledged))
			}
			edit := Edit{Op: "replace", Anchor: anchor, Content: Text(counter(owner, done.Acknowledged+1))}
			a := ws.Edit(context.Background(), &Request{Files: []FileRequest{{Path: "f.txt", Edits: []Edit{edit}}}}, quick)
			switch a.Status {
			case Applied:
				done.Acknowledged++
			case NotApplied:
				done.Refused[a.Failures[0].Code]++
			default:
				check(fmt.Errorf("%s", textOf(a)))
			}
		}
		return done
	}
	// A reader demands that each version is whole, and none is older than the one
	// before.
	roles["watch counters"] = func(args []string) any { // DIR OWNERS APART
		n := atoi(args[1:]...)
		var seen observed
		last, before := "", make([]int, n[0])
		for ended := untilInputEnds(); !ended(); seen.Reads++ {
			src, err := os.ReadFile(filepath.Join(args[0], "f.txt"))
			check(err)
			if string(src) == last {
				time.Sleep(100 * time.Microsecond) // there are other processes
				continue
			}
			at, err := readCounters(string(src), n[0], n[1])
			check(err)
			for i := range at {
				if at[i] < before[i] {
					check(fmt.Errorf("counter %d went from %d back to %d", i, before[i], at[i]))
				}
			}
			last, before = string(src), at
			seen.Versions++
		}
		return seen
	}
}

func atoi(args ...string) []int {
	var n []int
	for _, arg := range args {
		i, err := strconv.Atoi(arg)
		check(err)
		n = append(n, i)
	}
	return n
}

// lineOn reads a line of a file.
func lineOn(ws *Workspace, file string, line int) (anchor, text string) {
	v, err := ws.Read(context.Background(), file, ReadOptions{Windows: []hashline.Window{{First: line, Last: line}}})
	check(err)
	defer v.Close()
	check(v.Lines(func(lines []hashline.Line) error {
		anchor, text = hashline.Format{}.Print(lines[0].Anchor), string(lines[0].Text)
		return nil
	}))
	return anchor, text
}

func TestUnderFireNoUpdateOfManyProcessesIsLost(t *testing.T) {
	for name, test := range map[string]struct {
		apart, times int
		collide      bool
	}{
		"64 lines apart": {64, 500, false},
		"in one chunk":   {1, 30, true},
	} {
		t.Run(name, func(t *testing.T) {
			const processes = 16
			dir, file := tempFile(t, counters(processes, test.apart))
			reader := spawn(t, "watch counters", dir, fmt.Sprint(processes), fmt.Sprint(test.apart))
			began := time.Now()
			var all []*process
			for i := range processes {
				all = append(all, spawn(t, "own a counter", dir, fmt.Sprint(i), fmt.Sprint(test.apart), fmt.Sprint(test.times)))
			}
			refused := map[Code]int{}
			for _, p := range all {
				done := result[owned](t, p)
				require.Equal(t, test.times, done.Acknowledged)
				for code, n := range done.Refused {
					refused[code] += n
				}
			}
			took := time.Since(began)
			seen := finish[observed](t, reader)

			at, err := readCounters(readFile(t, filepath.Join(dir, file)), processes, test.apart)
			require.NoError(t, err)
			for i := range at {
				require.Equal(t, test.times, at[i], "counter %d", i)
			}
			require.Equal(t, []string{file}, readDir(t, dir))
			require.Equal(t, test.collide, refused[AnchorStale] > 0, "%v", refused)
			require.Greater(t, seen.Versions, 50)
			t.Logf("%d edits acknowledged in %v, refused: %v; %d reads saw %d versions",
				processes*test.times, took.Round(time.Millisecond), refused, seen.Reads, seen.Versions)
		})
	}
}
