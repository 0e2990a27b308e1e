//go:build unix

package apply

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const thousand = 1000

// thousandFiles makes a thousand files of 10 kB, in one directory or each in one of
// its own, and returns their names.
func thousandFiles(t testing.TB, dir string, apart bool) []string {
	text := strings.Repeat("0123456789012345678901234567890123456789012345678\n", 200)
	var names []string
	for i := range thousand {
		name := fmt.Sprintf("f%d", i)
		if apart {
			name = fmt.Sprintf("d%d/f", i)
		}
		writeFile(t, filepath.Join(dir, name), text)
		names = append(names, name)
	}
	return names
}

// editsOf returns a request that replaces a line of each of files that are alike.
func editsOf(t testing.TB, dir string, names []string, line int) string {
	s := lookAll(t, dir, names[0])
	var files []string
	for _, name := range names {
		files = append(files, fmt.Sprintf(`{"path":%q,"edits":{"op":"replace","anchor":%q,"content":"x"}}`, name, s.at(line)))
	}
	return `{"files":[` + strings.Join(files, ",") + `]}`
}

// TestAThousandFilesNeedNoMoreThan1024Descriptors runs itself in a process that is
// not given more.
func TestAThousandFilesNeedNoMoreThan1024Descriptors(t *testing.T) {
	if testing.Short() {
		t.Skip("five thousand files take their time")
	}
	const child = "HL_TEST_1024_DESCRIPTORS"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: "+t.Name())
		return
	}
	limit := syscall.Rlimit{Cur: 1024, Max: 1024}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	for _, apart := range []bool{false, true} {
		dir := t.TempDir()
		names := thousandFiles(t, dir, apart)
		request := editsOf(t, dir, names, 100)
		if apart {
			dry := ask(t, dir, "", request, Options{DryRun: true, Diff: true})
			require.Equal(t, Applied, dry.Status, textOf(dry))
		}
		a := ask(t, dir, "", request, quick)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Len(t, a.Files, thousand)
		for _, name := range names {
			require.Contains(t, readFile(t, filepath.Join(dir, name)), "\nx\n")
		}
		// Made, moved into, renamed and removed, a quarter each: with the new names of
		// those renamed a thousand files, too.
		var files []string
		base := lookAll(t, dir, names[0]).base
		at := lookAll(t, dir, names[0]).at(100)
		for i, name := range names[:800] {
			switch i % 4 {
			case 0:
				files = append(files, fmt.Sprintf(`{"path":"made/%d/f","edits":{"op":"create","content":"x\n"}}`, i))
			case 1:
				files = append(files, fmt.Sprintf(`{"path":%q,"edits":{"op":"move","anchor":%q,"to":"EOF","to_path":"made/%d/f"}}`, name, at, i-1))
			case 2:
				files = append(files, fmt.Sprintf(`{"path":%q,"edits":{"op":"rename","to_path":"named/%d/f"}}`, name, i))
			case 3:
				files = append(files, fmt.Sprintf(`{"path":%q,"base":%q,"edits":{"op":"remove"}}`, name, base))
			}
		}
		a = ask(t, dir, "", `{"files":[`+strings.Join(files, ",")+`]}`, quick)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Equal(t, "x\nx\n", readFile(t, filepath.Join(dir, "made/0/f")))
		require.NotContains(t, readFile(t, filepath.Join(dir, names[1])), "\nx\n")
		require.FileExists(t, filepath.Join(dir, "named/798/f"))
		require.NoFileExists(t, filepath.Join(dir, names[799]))
	}
	var files []string
	for i := range 1100 {
		files = append(files, fmt.Sprintf(`{"path":"f%d","edits":{"op":"create","content":""}}`, i))
	}
	dir := t.TempDir()
	a := ask(t, dir, "", `{"files":[`+strings.Join(files, ",")+`]}`, quick)
	require.Equal(t, []Code{IOError}, codes(a))
	require.Contains(t, textOf(a), "the request is for 1100 files")
	require.Contains(t, textOf(a), "split it, or allow more (ulimit -n)")
	require.Empty(t, readDir(t, dir))
}

// BenchmarkThousandFiles changes a line of each of a thousand files of 10 kB, in
// one request. bench/compare.sh has the same beside cp and hl edit file by file.
func BenchmarkThousandFiles(b *testing.B) {
	for _, apart := range []bool{false, true} {
		for _, noSync := range []bool{true, false} {
			b.Run(fmt.Sprintf("apart=%v/fsync=%v", apart, !noSync), func(b *testing.B) {
				dir := b.TempDir()
				names := thousandFiles(b, dir, apart)
				b.SetBytes(thousand * 10_000)
				for b.Loop() {
					b.StopTimer()
					for _, name := range names {
						require.NoError(b, os.Remove(filepath.Join(dir, name)))
					}
					thousandFiles(b, dir, apart)
					request := editsOf(b, dir, names, 100)
					b.StartTimer()
					a := ask(b, dir, "", request, Options{NoSync: noSync})
					require.Equal(b, Applied, a.Status)
				}
			})
		}
	}
}
