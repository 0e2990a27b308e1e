//go:build fire && linux

package apply

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Foreign programs know nothing of our lock. Each adds lines "foreign N." at the
// end of a file, one at a time, and has its own way to write the file.

var foreigners = map[string]func(file, line string) error{
	// as editors do that write a new file and rename it
	"rename": func(file, line string) error {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file+".foreign", append(src, line...), 0o666); err != nil {
			return err
		}
		return os.Rename(file+".foreign", file)
	},
	// as programs do that open a file for reading and writing
	"write over": func(file, line string) error {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		src, err := io.ReadAll(f)
		if err == nil {
			_, err = f.WriteAt(append(src, line...), 0)
		}
		f.Close()
		return err
	},
	// as os.WriteFile does, and editors that save
	"truncate": func(file, line string) error {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, append(src, line...), 0o666)
	},
	// as a shell does for >>
	"append": func(file, line string) error {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString(line)
		f.Close()
		return err
	},
}

func foreign(n int) string { return fmt.Sprintf("foreign %d.\n", n) }

func init() {
	roles["write foreignly"] = func(args []string) any { // HOW FILE TIMES PAUSE: times at least
		pause, err := time.ParseDuration(args[3])
		check(err)
		ended, n := untilInputEnds(), 0
		for least := atoi(args[2])[0]; n < least || !ended(); n++ {
			check(foreigners[args[0]](args[1], foreign(n)))
			time.Sleep(rand.N(pause))
		}
		return n
	}
}

// A fight is what came of a foreign writer and us at one file.
type fight struct {
	times        int // the foreigner wrote
	lost, unkept int // lines of the foreigner that are not in the file, and not in a kept file either
	kept         int // files

	inserts, refused []string // our lines that the answers call applied, and the others
	counter, counted int      // where the answers say that our counter is, and how often we moved it
	back             int      // by how much others moved it back
	file             string   // at the end
}

// keptFile is what a version is kept as that is not ours and has no place.
var keptFile = regexp.MustCompile(`f\.txt\.hl-kept-[0-9a-f]+`)

// fightWith edits a file while a foreigner writes to it: lines are put at the top
// without an anchor, and a counter goes up by its anchor. It goes on for the times
// that the foreigner writes at least, and until enough of our edits were applied,
// which takes longer on a busy machine.
func fightWith(t *testing.T, dir, how string, times int, pause time.Duration) fight {
	const file = "f.txt"
	path := filepath.Join(dir, file)
	writeFile(t, path, counters(1, 40))
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	// Somebody is to come between our last look at the file and the exchange more
	// often than by chance.
	ws.fault = func(step string) error {
		if step == "mark" && rand.N(4) == 0 {
			time.Sleep(200 * time.Microsecond)
		}
		return nil
	}

	var f fight
	codes := map[Code]int{}
	named := map[string]bool{} // kept files
	edit := func(edit Edit) bool {
		a := ws.Edit(context.Background(), &Request{Files: []FileRequest{{Path: file, Edits: []Edit{edit}}}}, quick)
		text := textOf(a)
		for _, name := range keptFile.FindAllString(text, -1) {
			named[name] = true
		}
		if a.Status == Applied {
			return true
		}
		require.Equal(t, NotApplied, a.Status, text)
		codes[a.Failures[0].Code]++
		return false
	}
	foreigner := spawn(t, "write foreignly", how, path, fmt.Sprint(times), pause.String())
	ended := make(chan int)
	go func() { // the test waits for ended, so it is still there
		ended <- result[int](t, foreigner)
	}()
	late := time.Now().Add(2 * time.Minute)
	for n := 0; f.times == 0; n++ {
		if len(f.inserts) > 50 && f.counted > 10 || time.Now().After(late) {
			foreigner.in.Close()
		}
		line := fmt.Sprintf("ours %d.\n", n)
		if edit(Edit{Op: "insert_before", Anchor: "0:", Content: Text(line)}) {
			f.inserts = append(f.inserts, line)
		} else {
			f.refused = append(f.refused, line)
		}
		if n%4 == 0 {
			s := lookAll(t, dir, file)
			for i := range s.texts {
				var at int
				if _, err := fmt.Sscanf(s.texts[i], "counter 0 is at %d.", &at); err != nil {
					continue
				}
				f.back += max(0, f.counter-at)
				f.counter = at
				if edit(Edit{Op: "replace", Anchor: s.anchors[i], Content: Text(counter(0, at+1))}) {
					f.counter++
					f.counted++
				}
			}
		}
		select {
		case f.times = <-ended:
		default:
		}
	}

	f.file = readFile(t, path)
	all := f.file
	for _, name := range readDir(t, dir) {
		if name == file {
			continue
		}
		require.Regexp(t, keptFile, name)
		require.True(t, named[name], "no answer names %s", name)
		all += readFile(t, filepath.Join(dir, name))
		f.kept++
	}
	for n := range f.times {
		if !strings.Contains(f.file, foreign(n)) {
			f.lost++
		}
		if !strings.Contains(all, foreign(n)) {
			f.unkept++
		}
	}
	t.Logf("%s: %d of %d foreign lines are missing from the file, %d also from %d kept files; our edits: %d+%d applied, refused %v",
		how, f.lost, f.times, f.unkept, f.kept, len(f.inserts), f.counted, codes)
	require.Greater(t, len(f.inserts), 50)
	require.Greater(t, f.counted, 10)
	return f
}

func TestUnderFireAForeignWriterThatRenamesLosesNextToNothing(t *testing.T) {
	f := fightWith(t, inMemory(t), "rename", 3000, 5*time.Millisecond)
	// It can read or replace a version of ours that is about to be taken back.
	require.LessOrEqual(t, f.lost, f.times/50)

	if isMutant() {
		return
	}
	out := runMutant(t, "exchange", "^"+t.Name()+"$")
	lost := regexp.MustCompile(`(\d+) of \d+ foreign lines are missing`).FindSubmatch(out)
	require.NotNil(t, lost, "%s", out)
	t.Logf("without the exchange: %s", lost[0])
	require.GreaterOrEqual(t, atoi(string(lost[1]))[0], 10*max(f.lost, 1))
}

func TestUnderFireAForeignWriterInPlaceLosesNoLine(t *testing.T) {
	for _, how := range []string{"write over", "append", "truncate"} {
		t.Run(how, func(t *testing.T) {
			f := fightWith(t, t.TempDir(), how, 3000, time.Millisecond)
			// The scheduler can stop a program inside open(2), after it has found the
			// file and before the kernel counts it as a writer, for as long as we need
			// to replace and remove the file: 4 lines of 430,000 on a busy machine.
			require.LessOrEqual(t, f.unkept, 1)
			if how == "truncate" {
				return // it can have read the file before our edit, and give that up
			}
			for _, line := range f.inserts {
				require.Equal(t, 1, strings.Count("\n"+f.file, "\n"+line), "applied: %s", line)
			}
			for _, line := range f.refused {
				require.NotContains(t, "\n"+f.file, "\n"+line, "refused")
			}
			require.Contains(t, f.file, counter(0, f.counter))
			require.Zero(t, f.back)
		})
	}
}

func TestUnderFireWithoutTheLeaseAForeignWriterInPlaceLosesLines(t *testing.T) {
	if isMutant() {
		return
	}
	out := runMutant(t, "lease", "^TestUnderFireAForeignWriterInPlaceLosesNoLine$/^write_over$")
	require.Contains(t, string(out), "--- FAIL")
}
