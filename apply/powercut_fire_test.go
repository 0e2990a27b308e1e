//go:build fire && linux

package apply

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAfterAPowerCutTheFileIsTheNewOneOrBeforeTheAnswerTheOld cuts the power
// after an answer, and while hl edits. Without one of the two fsyncs it is seen
// that the cuts are real: the new file is empty, or is not there.
func TestAfterAPowerCutTheFileIsTheNewOneOrBeforeTheAnswerTheOld(t *testing.T) {
	hl := filepath.Join(t.TempDir(), "hl")
	command(t, "go", "build", "-tags", "mutant", "-o", hl, "../cmd/hl")
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	for _, opts := range []string{"data=ordered", "data=ordered,noauto_da_alloc"} {
		t.Run(opts, func(t *testing.T) {
			d := newDisk(t, "", opts)
			text := func(n int) string { return strings.Repeat(fmt.Sprintf("version %d\n", n), 2000) }
			// edit writes version n of a file, without one of the guarantees.
			edit := func(file string, n int, mutant string) *exec.Cmd {
				cmd := exec.Command(hl, "edit", "--json", "--concise", "--root", d.dir)
				cmd.Env = append(os.Environ(), "HL_APPLY_MUTANT="+mutant)
				cmd.Stdin = strings.NewReader(`{"path":"` + file + `","edits":[{"op":"write","blind":true,"content":` + quote(text(n)) + `}]}`)
				return cmd
			}
			state := func(file string, n int) string {
				got, err := os.ReadFile(filepath.Join(d.dir, file))
				switch {
				case errors.Is(err, fs.ErrNotExist):
					return "missing"
				case err != nil:
					return err.Error()
				case string(got) == text(n):
					return "new"
				case string(got) == text(n-1):
					return "old"
				case strings.Trim(string(got), "\x00") == "":
					return "empty"
				}
				return "torn"
			}
			// count replaces a file in each round, and counts what it is after the cut.
			count := func(rounds int, mutant string, cut func(cmd *exec.Cmd)) map[string]int {
				seen := map[string]int{}
				for n := 1; n <= rounds; n++ {
					writeFile(t, filepath.Join(d.dir, "f.txt"), text(n-1))
					d.sync(t)
					cut(edit("f.txt", n, mutant))
					d.restart(t)
					seen[state("f.txt", n)]++
				}
				return seen
			}
			// countMade makes a file and its directories in each round.
			countMade := func(rounds int, mutant string, cut func(cmd *exec.Cmd)) map[string]int {
				seen := map[string]int{}
				for n := 1; n <= rounds; n++ {
					require.NoError(t, os.RemoveAll(filepath.Join(d.dir, "a")))
					d.sync(t)
					cut(edit("a/b/f.txt", n, mutant))
					d.restart(t)
					seen[state("a/b/f.txt", n)]++
				}
				return seen
			}
			after := func(cmd *exec.Cmd) {
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
				require.Contains(t, string(out), `"durable":true`)
				d.cut(t)
			}
			start := time.Now()
			require.NoError(t, edit("f.txt", 0, "").Run())
			long := time.Since(start)
			durable := false
			during := func(cmd *exec.Cmd) {
				var out bytes.Buffer
				cmd.Stdout = &out
				require.NoError(t, cmd.Start())
				time.Sleep(rand.N(long))
				d.cut(t)
				cmd.Wait() // it may have met the cut
				durable = strings.Contains(out.String(), `"durable":true`)
			}

			require.Equal(t, map[string]int{"new": 10}, count(10, "", after), "after the answer")
			require.Equal(t, map[string]int{"new": 5}, countMade(5, "", after), "after the answer")

			seen, made, answers := map[string]int{}, map[string]int{}, 0
			for range 20 {
				for state := range count(1, "", during) {
					seen[state]++
					if durable {
						answers++
						require.Equal(t, "new", state, "the answer came before the cut")
					}
				}
				for state := range countMade(1, "", during) {
					made[state]++
					if durable {
						require.Equal(t, "new", state, "the answer came before the cut")
					}
				}
			}
			require.Equal(t, 20, seen["old"]+seen["new"], "%v", seen)
			require.Equal(t, 20, made["missing"]+made["new"], "%v", made)
			t.Logf("at any time: replaced %v, made %v, %d answers before the cut", seen, made, answers)

			seen, made = count(5, "sync", after), countMade(5, "sync", after)
			require.Equal(t, 10, seen["empty"]+seen["torn"]+made["empty"]+made["torn"], "the control, the file not synced: %v %v", seen, made)
			t.Logf("without the file's fsync: replaced %v, made %v", seen, made)
			seen, made = count(5, "syncdir", after), countMade(5, "syncdir", after)
			require.Equal(t, 10, seen["old"]+made["missing"], "the control, the directory not synced: %v %v", seen, made)
			t.Logf("without the directory's fsync: replaced %v, made %v", seen, made)
		})
	}
}
