//go:build unix

package apply

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// readText returns what a read shows of a file.
func readText(ws *Workspace, name string, opt ReadOptions) (text string, warnings []Warning, err error) {
	v, err := ws.Read(context.Background(), name, opt)
	if err != nil {
		return "", nil, err
	}
	defer v.Close()
	var b strings.Builder
	err = v.Lines(func(lines []hashline.Line) error {
		for _, l := range lines {
			b.Write(l.Text)
			b.WriteByte('\n')
		}
		return nil
	})
	return b.String(), v.Warnings, err
}

// Readers see the tree before the request or the one after it, whichever file they
// read first, though nothing else comes by. What they leave, when no file has a
// marker, is not theirs to clean: no file shows it, and the next edit does.
func TestAReaderNeverSeesHalfOfARequestThatWasCutOff(t *testing.T) {
	old, new, left := 0, 0, 0
	for k := 0; ; k++ {
		dir, ok := crashed(t, k, nil)
		if !ok {
			break
		}
		ws, err := Open(dir)
		require.NoError(t, err)
		got := map[string]string{"other.txt": five["other.txt"]}
		for n := range fiveNames {
			name := fiveNames[(n+k)%len(fiveNames)]
			text, warnings, err := readText(ws, name, ReadOptions{})
			require.Empty(t, warnings)
			if code, _ := CodeOf(err); code == FileNotFound {
				continue
			}
			require.NoError(t, err)
			got[name] = text
		}
		want := five
		if _, done := got["sub/e.txt"]; done {
			want = fiveAfter
			new++
		} else {
			old++
		}
		require.Equal(t, want, got, "cut off at call %d", k)
		there := contents(t, dir)
		clean(there)
		require.Equal(t, want, there)
		if len(there) != len(contents(t, dir)) {
			left++
		}
		a := askIn(ws, "", `{"path":"b.txt","edits":[{"op":"search_replace","search":"a","replace":"a","expect":1}]}`, Options{DryRun: true})
		require.NotEqual(t, IOError, append(codes(a), "")[0])
		requireAllOrNone(t, ws, dir, k, "cut off at call %d", k)
		ws.Close()
	}
	require.Greater(t, old, 30)
	require.Greater(t, new, 5)
	require.Greater(t, left, 1, "else this says nothing of leftovers")
}

// Where it cannot be put right, a reader must see the file, or nobody could put it
// right; but he is told.
func TestAReaderIsToldThatHeMaySeeHalfOfARequest(t *testing.T) {
	for _, dir := range halfDone(t) {
		meddled(t, filepath.Join(dir, "b.txt"), "theirs\n")
		ws, err := Open(dir)
		require.NoError(t, err)
		for _, name := range fiveNames {
			there := fileExists(filepath.Join(dir, name))
			text, warnings, err := readText(ws, name, ReadOptions{})
			if !there {
				code, _ := CodeOf(err)
				require.Equal(t, IOError, code, "it may be there in the other half")
				require.ErrorContains(t, err, "a request for several files was cut off")
				continue
			}
			require.NoError(t, err)
			require.Equal(t, readFile(t, filepath.Join(dir, name)), text)
			require.Len(t, warnings, 1)
			require.Equal(t, "cut_off", warnings[0].Code)
			require.Contains(t, warnings[0].Message, "b.txt: it has changed since; look at them, then remove its journal ")
		}
		_, warnings, err := readText(ws, "other.txt", ReadOptions{})
		require.NoError(t, err)
		require.Empty(t, warnings, "no file of the request")
		ws.Close()
	}
}

// Somebody who has his locks elsewhere, as in a container, reads while a request is
// under way. He waits for it, as others do who wait for its locks.
func TestAReaderWaitsForARequestUnderWayElsewhere(t *testing.T) {
	if dir := os.Getenv("HL_TEST_READ_ELSEWHERE"); dir != "" {
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		_, _, err = readText(ws, "a.txt", ReadOptions{LockTimeout: time.Millisecond})
		code, _ := CodeOf(err)
		fmt.Printf("AT ONCE %s\n", code)
		text, warnings, err := readText(ws, "a.txt", ReadOptions{})
		require.NoError(t, err)
		fmt.Printf("THEN %q %v\n", text, warnings)
		return
	}
	dir := tempTree(t, five)
	request := fiveRequest(t, dir)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "HL_TEST_READ_ELSEWHERE="+dir, "HL_LOCK_DIR="+filepath.Join(t.TempDir(), "other"))
	log := filepath.Join(t.TempDir(), "log")
	out, err := os.Create(log)
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = out, out
	begun := false
	ws.fault = func(call string) error {
		if call == "take" && !begun { // a.txt is new, sub/c.txt is old
			begun = true
			require.NoError(t, cmd.Start())
			require.Eventually(t, func() bool { return strings.Contains(readFile(t, log), "AT ONCE") }, time.Minute, time.Millisecond)
			time.Sleep(50 * time.Millisecond)
			require.NotContains(t, readFile(t, log), "THEN")
		}
		return nil
	}
	a := askIn(ws, "", request, quick)
	require.Equal(t, Applied, a.Status, textOf(a))
	require.True(t, begun)
	err = cmd.Wait()
	require.NoError(t, err, readFile(t, log))
	require.Contains(t, readFile(t, log), "AT ONCE locked\n")
	require.Contains(t, readFile(t, log), fmt.Sprintf("THEN %q []\n", fiveAfter["a.txt"]))
}
