//go:build unix

package apply

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAllGoesWellWithoutAFault(t *testing.T) {
	dir, _ := tempFile(t, "old\n")
	for _, request := range []string{
		`{"path":"f.txt","edits":[{"op":"write","content":"new\n","blind":true}]}`,
		`{"path":"a/b/f.txt","edits":[{"op":"write","content":"new\n"}]}`,
	} {
		a := ask(t, dir, "", request, Options{})
		require.Equal(t, Applied, a.Status)
		require.True(t, *a.Durable)
		require.NotContains(t, textOf(a), "durable")
	}
	require.Equal(t, []string{"a", "f.txt"}, readDir(t, dir))
	require.Equal(t, []string{"f.txt"}, readDir(t, filepath.Join(dir, "a", "b")))
}

func TestAFileThatChangesBeforeTheCommitIsNotReplaced(t *testing.T) {
	edit := `[{"op":"replace","anchor":"«1»","content":"mine"}]`
	for name, meddle := range map[string]func(t *testing.T, path string){
		"it is rewritten in place": func(t *testing.T, path string) { writeFile(t, path, "theirs\n") },
		"it is rewritten with as many bytes": func(t *testing.T, path string) {
			writeFile(t, path, "OLD\n")
		},
		"it grows": func(t *testing.T, path string) { writeFile(t, path, "old\nmore\n") },
		"it is replaced": func(t *testing.T, path string) {
			writeFile(t, path+".new", "theirs\n")
			require.NoError(t, os.Rename(path+".new", path))
		},
		"it is replaced with as many bytes": func(t *testing.T, path string) {
			writeFile(t, path+".new", "OLD\n")
			require.NoError(t, os.Rename(path+".new", path))
		},
		"it is removed": func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
		"it becomes a directory": func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o777))
		},
		"it becomes a symbolic link": func(t *testing.T, path string) {
			require.NoError(t, os.Rename(path, path+".moved"))
			require.NoError(t, os.Symlink(filepath.Base(path)+".moved", path))
		},
		"its mode changes":      func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o600)) },
		"it gets a second name": func(t *testing.T, path string) { require.NoError(t, os.Link(path, path+".2")) },
		"it becomes a pipe": func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, syscall.Mkfifo(path, 0o666))
		},
	} {
		for _, when := range []string{"access", "create", "close", "lease"} {
			t.Run(name+"/"+when, func(t *testing.T) {
				dir, file := tempFile(t, "old\n")
				edits := editsIn(t, dir, file, edit)
				ws, err := Open(dir)
				require.NoError(t, err)
				defer ws.Close()
				var theirs map[string]string
				ws.fault = func(step string) error {
					if step == when && theirs == nil {
						meddle(t, filepath.Join(dir, file))
						theirs = tree(t, dir)
					}
					return nil
				}
				a := askIn(ws, file, edits, quick)
				require.Equal(t, []Code{FileChanged}, codes(a), textOf(a))
				require.Equal(t, NotApplied, a.Status)
				after := tree(t, dir)
				for path := range theirs {
					if path != dir && !strings.HasSuffix(path, ".tmp") {
						require.Equal(t, theirs[path], after[path])
					}
				}
				for path := range after {
					require.Contains(t, theirs, path)
					require.NotContains(t, path, ".tmp")
				}
			})
		}
	}
}

func TestAFileThatIsMadeMeanwhileIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	ws.fault = func(step string) error {
		if step == "link" {
			writeFile(t, filepath.Join(dir, "a", "f.txt"), "theirs")
		}
		return nil
	}
	a := askIn(ws, "", `{"path":"a/f.txt","edits":[{"op":"write","content":"mine"}]}`, quick)
	require.Equal(t, []Code{FileChanged}, codes(a))
	require.Equal(t, "theirs", readFile(t, filepath.Join(dir, "a", "f.txt")))
	require.Equal(t, []string{"f.txt"}, readDir(t, filepath.Join(dir, "a")))
}

func TestAnInterruptBeforeTheCommitWritesNothing(t *testing.T) {
	dir, file := tempFile(t, "old\n")
	before := readFile(t, filepath.Join(dir, file))
	ctx, cancel := context.WithCancel(context.Background())
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	ws.fault = func(step string) error {
		if step == "close" {
			cancel()
		}
		return nil
	}
	req := Decode([]byte(`[{"op":"write","content":"x","blind":true}]`), file)
	a := ws.Edit(ctx, req, quick)
	require.Equal(t, Refused, a.Status)
	require.Equal(t, before, readFile(t, filepath.Join(dir, file)))
	require.Equal(t, []string{file}, readDir(t, dir))
}

func TestADryRunMeetsTheRefusalOfTheRealRun(t *testing.T) {
	dir, file := tempFile(t, "old\n")
	for _, dry := range []bool{false, true} {
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		ws.fault = func(step string) error {
			if step == "access" {
				return syscall.EACCES
			}
			return nil
		}
		a := askIn(ws, file, `[{"op":"write","content":"x","blind":true}]`, Options{DryRun: dry})
		require.Equal(t, []Code{ReadOnly}, codes(a), textOf(a))
		require.Equal(t, dry, a.DryRun)
	}
}

func TestModeIsKept(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o755, 0o666, 0o200 | 0o400, 0o777, 0o755 | fs.ModeSetuid, 0o755 | fs.ModeSetgid, 0o644 | fs.ModeSticky} {
		t.Run(mode.String(), func(t *testing.T) {
			dir, file := tempFile(t, "old\n")
			path := filepath.Join(dir, file)
			require.NoError(t, os.Chmod(path, mode))
			a := ask(t, dir, file, `[{"op":"write","content":"new\n","blind":true}]`, quick)
			require.Equal(t, Applied, a.Status)
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, mode, info.Mode())
		})
	}
	dir := t.TempDir()
	require.Equal(t, Applied, ask(t, dir, "", `{"path":"a/f","edits":[{"op":"write","content":"x"}]}`, quick).Status)
	info, err := os.Stat(filepath.Join(dir, "a", "f"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode(), "a new file follows the umask")
}

func TestOwnerIsKept(t *testing.T) {
	dir, file := tempFile(t, "old\n")
	path := filepath.Join(dir, file)
	if err := os.Chown(path, 1234, 4321); err != nil {
		t.Skip("only root can give files away")
	}
	require.NoError(t, os.Chmod(path, 0o755|fs.ModeSetuid))
	require.Equal(t, Applied, ask(t, dir, file, `[{"op":"write","content":"new\n","blind":true}]`, quick).Status)
	info, err := os.Stat(path)
	require.NoError(t, err)
	st := info.Sys().(*syscall.Stat_t)
	require.Equal(t, []uint32{1234, 4321}, []uint32{st.Uid, st.Gid})
	require.Equal(t, 0o755|fs.ModeSetuid, info.Mode())
}

func TestSymbolicLinksAreFollowedInsideTheRootAndKept(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "root")
	writeFile(t, filepath.Join(base, "outside.txt"), "secret\n")
	for name, test := range map[string]struct {
		links map[string]string // from, to
		path  string
		code  Code
	}{
		"relative":                    {map[string]string{"l": "sub/f.txt"}, "l", ""},
		"absolute inside":             {map[string]string{"l": filepath.Join(dir, "sub", "f.txt")}, "l", ""},
		"upwards inside":              {map[string]string{"sub/l": "../sub/f.txt"}, "sub/l", ""},
		"a chain":                     {map[string]string{"l": "m", "m": "sub/n", "sub/n": "f.txt"}, "l", ""},
		"a directory":                 {map[string]string{"d": "sub"}, "d/f.txt", ""},
		"a directory, absolute":       {map[string]string{"d": filepath.Join(dir, "sub")}, "d/f.txt", ""},
		"a directory and back":        {map[string]string{"x/d": "../sub"}, "x/d/../sub/f.txt", ""},
		"a loop":                      {map[string]string{"l": "m", "m": "l"}, "l", IOError},
		"a loop of its own":           {map[string]string{"l": "l"}, "l", IOError},
		"dangling":                    {map[string]string{"l": "none.txt"}, "l", FileNotFound},
		"dangling, absolute":          {map[string]string{"l": filepath.Join(dir, "none")}, "l", FileNotFound},
		"dangling behind a chain":     {map[string]string{"l": "m", "m": "none"}, "l", FileNotFound},
		"dangling directory":          {map[string]string{"d": "none"}, "d/f.txt", FileNotFound},
		"outside":                     {map[string]string{"l": "../outside.txt"}, "l", OutsideRoot},
		"outside, absolute":           {map[string]string{"l": filepath.Join(base, "outside.txt")}, "l", OutsideRoot},
		"outside behind a chain":      {map[string]string{"l": "m", "m": "../outside.txt"}, "l", OutsideRoot},
		"outside by a directory":      {map[string]string{"d": ".."}, "d/outside.txt", OutsideRoot},
		"out and in again":            {map[string]string{"l": "../root/sub/f.txt"}, "l", OutsideRoot},
		"outside and nothing there":   {map[string]string{"l": "../none"}, "l", OutsideRoot},
		"a name that could be a line": {map[string]string{"l": "x\napplied"}, "l", FileNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.RemoveAll(dir))
			writeFile(t, filepath.Join(dir, "sub", "f.txt"), "old\n")
			for from, to := range test.links {
				from = filepath.Join(dir, from)
				require.NoError(t, os.MkdirAll(filepath.Dir(from), 0o777))
				require.NoError(t, os.Symlink(to, from))
			}
			before := tree(t, base)
			a := ask(t, dir, "", `{"path":"`+test.path+`","edits":[{"op":"write","content":"new\n","blind":true}]}`, quick)
			if test.code != "" {
				require.Equal(t, []Code{test.code}, codes(a), textOf(a))
				requireNoSuccess(t, textOf(a))
				require.Equal(t, before, tree(t, base))
				return
			}
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, "new\n", readFile(t, filepath.Join(dir, "sub", "f.txt")))
			for from, to := range test.links {
				got, err := os.Readlink(filepath.Join(dir, from))
				require.NoError(t, err, "the link is still a link")
				require.Equal(t, to, got)
			}
		})
	}
}

func TestWhatIsNoFileToEditIsRefusedAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		make func(path string) error
		code Code
	}{
		"a pipe":            {func(path string) error { return syscall.Mkfifo(path, 0o666) }, NotRegular},
		"a directory":       {func(path string) error { return os.Mkdir(path, 0o777) }, NotRegular},
		"a link to nowhere": {func(path string) error { return os.Symlink("none", path) }, FileNotFound},
		"a device": {func(path string) error {
			if err := syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|5); err != nil { // /dev/zero
				return errors.ErrUnsupported
			}
			return nil
		}, NotRegular},
		"a hard link": {func(path string) error {
			if err := os.WriteFile(path+".1", []byte("x\n"), 0o666); err != nil {
				return err
			}
			return os.Link(path+".1", path)
		}, HardLinked},
		"a read-only file":  {func(path string) error { return os.WriteFile(path, []byte("x\n"), 0o444) }, ReadOnly},
		"a file of no mode": {func(path string) error { return os.WriteFile(path, []byte("x\n"), 0o000) }, ReadOnly},
		"a file of a terabyte": {func(path string) error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			defer f.Close()
			return f.Truncate(1 << 40)
		}, TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := test.make(filepath.Join(dir, "f")); err == errors.ErrUnsupported {
				t.Skip("not to be made here")
			} else {
				require.NoError(t, err)
			}
			var before []string
			for _, edit := range []string{`{"op":"insert_after","anchor":"EOF","content":"x"}`, `{"op":"write","content":"x","blind":true}`} {
				for _, dry := range []bool{true, false} {
					before = readDir(t, dir)
					start := time.Now()
					a := ask(t, dir, "", `{"path":"f","edits":[`+edit+`]}`, Options{DryRun: dry})
					require.Less(t, time.Since(start), time.Second)
					require.Equal(t, []Code{test.code}, codes(a), textOf(a))
					require.Equal(t, before, readDir(t, dir))
				}
			}
		})
	}
}

func TestAFileOverMaxSizeIsRefused(t *testing.T) {
	dir, file := tempFile(t, "1234\n")
	opt := quick
	for size, code := range map[int64]Code{4: TooLarge, 5: "", 6: ""} {
		opt.MaxSize = size
		a := ask(t, dir, file, `[{"op":"search_replace","expect":1,"search":"1234","replace":"1234"}]`, opt)
		if code == "" {
			require.Equal(t, Unchanged, a.Status)
		} else {
			require.Equal(t, []Code{code}, codes(a))
		}
	}
}

func TestOddFileNamesAreAnsweredAndEdited(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("n", 255), "a b.txt", "a\nb", "a\napplied x", `"quoted"`, "back\\slash", "tab\there", "-", "--help", "é", "\u202eabc",
		"x\x1b[31m", ".hidden", "...", "a→b", "CON", "a:b", "\u00a0",
	} {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			dir := t.TempDir()
			for _, content := range []string{"old\n", "new\n"} {
				opt := quick
				opt.Diff = true
				a := ask(t, dir, "", `{"path":`+quote(name)+`,"edits":[{"op":"write","content":"`+strings.TrimSpace(content)+`\n","blind":true}]}`, opt)
				require.Equal(t, Applied, a.Status, textOf(a))
				require.Equal(t, name, a.Files[0].Path)
				require.Equal(t, content, readFile(t, filepath.Join(dir, name)))
				first, rest, _ := strings.Cut(textOf(a), "\n")
				require.True(t, strings.HasPrefix(first, "applied "), first)
				require.Contains(t, first, " base=", "the whole name is on the first line")
				require.NotContains(t, rest, "applied")
			}
			a := ask(t, dir, "", `{"path":`+quote(name)+`,"edits":[{"op":"delete","anchor":"1:aa:aaaa"}]}`, quick)
			require.Equal(t, NotApplied, a.Status)
			requireNoSuccess(t, textOf(a))
			require.Equal(t, []string{name}, readDir(t, dir))
		})
	}
}
