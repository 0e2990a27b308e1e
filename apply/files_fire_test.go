//go:build fire && linux

package apply

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOnAFullDiskAllFilesStay lets five files grow with more and more room left: at
// first not even the journal can be written, in the end all can.
func TestOnAFullDiskAllFilesStay(t *testing.T) {
	const page, pages = 4 << 10, 4 // of each new file
	failedAt := map[string]int{}
	for free := range 32 {
		dir := mountTmpfs(t, "size=1m")
		before, after := map[string]string{}, map[string]string{}
		var files []string
		for i := range 5 {
			name := fmt.Sprintf("%d.txt", i+1)
			before[name], after[name] = "old\n", strings.Repeat("n", pages*page-1)+"\n"
			writeFile(t, filepath.Join(dir, name), before[name])
			files = append(files, fmt.Sprintf(`{"path":%q,"edits":[{"op":"write","blind":true,"content":%s}]}`, name, quote(after[name])))
		}
		fillUp(t, dir, free*page)
		a := ask(t, dir, "", `{"files":[`+strings.Join(files, ",")+`]}`, Options{})
		got := contents(t, dir)
		delete(got, "filler")
		if a.Status == Applied {
			failedAt["none"]++
			require.Equal(t, after, got)
			continue
		}
		require.Equal(t, []Code{IOError}, codes(a), textOf(a))
		require.Contains(t, textOf(a), "no space left on device")
		require.Equal(t, before, got)
		failedAt[a.Failures[0].File]++
	}
	for _, at := range []string{"none", "1.txt", "2.txt", "3.txt", "4.txt", "5.txt"} {
		require.Positive(t, failedAt[at], "%s: %v", at, failedAt)
	}
	t.Logf("failed at %v", failedAt)
}

// TestAfterAPowerCutAllFilesAreNewOrBeforeTheAnswerAllAreOld cuts the power after
// an answer, and while hl carries out a request for five files. Then the next
// command on one of them comes. Without the files' fsync it is seen that the cuts
// are real.
func TestAfterAPowerCutAllFilesAreNewOrBeforeTheAnswerAllAreOld(t *testing.T) {
	hl := filepath.Join(t.TempDir(), "hl")
	command(t, "go", "build", "-tags", "mutant", "-o", hl, "../cmd/hl")
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	for _, opts := range []string{"data=ordered", "data=ordered,noauto_da_alloc"} {
		t.Run(opts, func(t *testing.T) {
			d := newDisk(t, "", opts)
			request := ""
			// round makes the tree, lets cut carry out the request and cut the power, and
			// returns what the tree is when the n-th file has been edited.
			round := func(n int, mutant string, cut func(cmd *exec.Cmd)) string {
				dir := filepath.Join(d.dir, "d")
				require.NoError(t, os.RemoveAll(dir))
				for name, text := range five {
					writeFile(t, filepath.Join(dir, name), text)
				}
				d.sync(t)
				if request == "" {
					request = fiveRequest(t, dir)
				}
				cmd := exec.Command(hl, "edit", "--json", "--concise", "--root", dir)
				cmd.Env = append(os.Environ(), "HL_APPLY_MUTANT="+mutant)
				cmd.Stdin = strings.NewReader(request)
				cut(cmd)
				d.restart(t)
				next := exec.Command(hl, "edit", "--root", dir)
				next.Stdin = strings.NewReader(`{"path":"` + fiveNames[n%len(fiveNames)] + `","edits":[{"op":"search_replace","search":"a","replace":"a","expect":1}]}`)
				out, _ := next.CombinedOutput()
				got := contents(t, dir)
				for name := range got {
					if isTemp(filepath.Base(name)) {
						delete(got, name)
					}
				}
				switch {
				case maps.Equal(got, five):
					return "old"
				case maps.Equal(got, fiveAfter):
					return "new"
				}
				return fmt.Sprintf("%s\n%v", out, got)
			}
			after := func(cmd *exec.Cmd) {
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
				require.Contains(t, string(out), `"durable":true`)
				d.cut(t)
			}
			start := time.Now()
			for n := range 6 {
				require.Equal(t, "new", round(n, "", after), "after the answer")
			}
			long := time.Since(start) / 6
			seen, answers := map[string]int{}, 0
			for n := range 40 {
				durable := false
				state := round(n, "", func(cmd *exec.Cmd) {
					var out bytes.Buffer
					cmd.Stdout = &out
					require.NoError(t, cmd.Start())
					time.Sleep(rand.N(long))
					d.cut(t)
					cmd.Wait() // it may have met the cut
					durable = strings.Contains(out.String(), `"durable":true`)
				})
				require.Contains(t, []string{"old", "new"}, state)
				seen[state]++
				if durable {
					answers++
					require.Equal(t, "new", state, "the answer came before the cut")
				}
			}
			t.Logf("at any time: %v, %d answers before the cut", seen, answers)
			for n := range 3 {
				require.NotContains(t, []string{"old", "new"}, round(n, "sync", after), "the control, files not synced")
			}
		})
	}
}
