package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

func TestStraysOfAnHourAreSweptAndNobodysTextIs(t *testing.T) {
	old, new := hashline.TagOf([]byte("old\n")), hashline.TagOf([]byte("new\n"))
	hours := func(n int) time.Time { return time.Now().Add(time.Duration(-n)*time.Hour - time.Minute) }
	temp := func(n int) string { return fmt.Sprintf(".hl-%016x.tmp", n) }
	partOf := func(at time.Time) string { return fmt.Sprintf(".hl-%016x-%08x.part", 1, at.Unix()) }
	for name, test := range map[string]struct {
		stray, content string
		time           time.Time // of the last write
		stays          bool
	}{
		"a file that was being written":      {temp(1), "ne", hours(1), false},
		"one that may still be":              {temp(1), "ne", time.Now(), true},
		"a new file":                         {swapName(temp(1), hours(1), old, new), "new\n", time.Now(), false},
		"an old file":                        {swapName(temp(1), hours(1), old, new), "old\n", hours(1000), false},
		"an old file of now":                 {swapName(temp(1), time.Now(), old, new), "old\n", hours(1000), true},
		"an old file that somebody wrote to": {swapName(temp(1), hours(1), old, new), "old\nmore\n", hours(1), true},
		"what a journal named":               {partOf(hours(1000)), "the only copy\n", hours(1000), true},
		"the same, not to be exchanged":      {backupName(partOf(hours(1000))), "the only copy\n", hours(1000), true},
		"what was kept":                      {"f.txt.hl-kept-01234567", "theirs\n", hours(1000), true},
		"a name a little like ours":          {".hl-notes.tmp", "mine\n", hours(1000), true},
		"another":                            {".hl-0123456789abcdef.swap", "mine\n", hours(1000), true},
		"a third":                            {"x.hl-0123456789abcdef.tmp", "mine\n", hours(1000), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file := tempFile(t, "text\n")
			path := filepath.Join(dir, test.stray)
			writeFile(t, path, test.content)
			require.NoError(t, os.Chtimes(path, test.time, test.time))
			require.Equal(t, Applied, ask(t, dir, file, `[{"op":"write","content":"x\n","blind":true}]`, quick).Status)
			want := []string{file}
			if test.stays {
				want = append(want, test.stray)
			}
			require.ElementsMatch(t, want, readDir(t, dir))
		})
	}
}

func TestADirectoryIsSweptOnceAnHour(t *testing.T) {
	dir, file := tempFile(t, "text\n")
	edit := func(n int) {
		require.Equal(t, Applied, ask(t, dir, file, fmt.Sprintf(`[{"op":"write","content":"%d\n","blind":true}]`, n), quick).Status)
	}
	edit(1)
	stray := filepath.Join(dir, ".hl-0123456789abcdef.tmp")
	writeFile(t, stray, "x")
	past := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(stray, past, past))
	edit(2)
	require.FileExists(t, stray)
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	target, err := ws.locate(file)
	require.NoError(t, err)
	defer target.close()
	stamp, err := ws.stamp(target)
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(stamp, past, past))
	edit(3)
	require.NoFileExists(t, stray)
}

func TestADryRunSweepsNothing(t *testing.T) {
	dir, file := tempFile(t, "text\n")
	stray := filepath.Join(dir, ".hl-0123456789abcdef.tmp")
	writeFile(t, stray, "x")
	past := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(stray, past, past))
	require.Equal(t, Applied, ask(t, dir, file, `[{"op":"write","content":"x\n","blind":true}]`, Options{DryRun: true}).Status)
	require.FileExists(t, stray)
}

func TestAKeptNameFitsBesideAnyName(t *testing.T) {
	require.Regexp(t, `^f\.txt\.hl-kept-[0-9a-f]{8}$`, keptName("f.txt"))
	long := ""
	for len(long) < longestName-2 {
		long += "é"
	}
	kept := keptName(long)
	require.LessOrEqual(t, len(kept), longestName)
	require.Greater(t, len(kept), longestName-3)
	require.NotContains(t, kept, "\xc3.")
}
