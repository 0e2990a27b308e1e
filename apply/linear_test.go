package apply

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// requireWithin runs do, and fails unless it takes less than ten times of what it
// takes on an idle machine. Work that grows with a product takes minutes.
func requireWithin(t *testing.T, idle time.Duration, do func()) {
	t.Helper()
	if raceEnabled {
		t.Skip("measured without the race detector")
	}
	begin := time.Now()
	do()
	took := time.Since(begin)
	t.Log(took)
	require.Less(t, took, 10*idle)
}

// umlauts returns n lines of UTF-8 that are not ASCII.
func umlauts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Zeile %d: Größe, Maß und Übermut\n", i)
	}
	return b.String()
}

func TestAHundredThousandLinesBeyondASCIIAreMovedInLinearTime(t *testing.T) {
	const n = 100_000
	src := umlauts(n)
	dir := tempTree(t, map[string]string{"from": src, "to": "Anfang: ä\n" + src})
	base := lookAll(t, dir, "from").base
	s := lookAll(t, dir, "from")
	one := fmt.Sprintf(`{"op":"move","anchor":%q,"end_anchor":%q,"to":"EOF","to_path":"to"}`, s.at(1), s.at(n-1000))
	edits := []string{one}
	for i := n - 1000 + 1; i <= n; i++ {
		edits = append(edits, fmt.Sprintf(`{"op":"copy","anchor":%q,"to":"0:","to_path":"to"}`, s.at(i)))
	}
	request := `{"path":"from","base":"` + base + `","edits":[` + strings.Join(edits, ",") + `]}`
	requireWithin(t, 200*time.Millisecond, func() {
		a := ask(t, dir, "", request, quick)
		require.Equal(t, Applied, a.Status, textOf(a))
	})
	require.Equal(t, 2*n+1, strings.Count(readFile(t, filepath.Join(dir, "to")), "\n"))
	require.Equal(t, 1000, strings.Count(readFile(t, filepath.Join(dir, "from")), "\n"))
}

func TestTensOfThousandsOfEntriesTakeLinearTime(t *testing.T) {
	const n = 40_000
	dir := tempTree(t, map[string]string{"f": "f\n"})
	entries := make([]string, n)
	for name, test := range map[string]struct {
		entry  func(i int) string
		opt    Options
		status Status
		idle   time.Duration
	}{
		"of one file": {func(i int) string {
			return `{"path":"f","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`
		}, Options{DryRun: true}, Applied, 1200 * time.Millisecond},
		"that all make one file": {func(i int) string {
			return `{"path":"new","edits":[{"op":"create","content":"x"}]}`
		}, quick, Refused, 1200 * time.Millisecond},
		"below a file": {func(i int) string {
			return fmt.Sprintf(`{"path":"f/%d","edits":[{"op":"create","content":"x"}]}`, i)
		}, quick, Refused, 1200 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range entries {
				entries[i] = test.entry(i)
			}
			requireWithin(t, test.idle, func() {
				a := ask(t, dir, "", `{"files":[`+strings.Join(entries, ",")+`]}`, test.opt)
				require.Equal(t, test.status, a.Status)
				textOf(a)
				quote(a)
			})
		})
	}
}

// It is said what is near for the first of them; a look around takes its time.
func TestAThousandFilesThatAreNotThereAreToldAtOnce(t *testing.T) {
	dir := t.TempDir()
	entries := make([]string, 1000)
	for i := range entries {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("file%d.txt", i)), "x\n")
		entries[i] = fmt.Sprintf(`{"path":"fiel%d.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"x"}]}`, i)
	}
	requireWithin(t, 300*time.Millisecond, func() {
		a := ask(t, dir, "", `{"files":[`+strings.Join(entries, ",")+`]}`, quick)
		require.Len(t, a.Failures, 1000)
		require.Contains(t, a.Failures[0].Message, "file0.txt")
		require.Equal(t, "the file does not exist; look for its path first", a.Failures[999].Message)
	})
}
