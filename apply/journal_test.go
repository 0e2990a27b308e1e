//go:build unix

package apply

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// A hostile has made names of ours in a directory where he may write, with files
// of another's around it:
//
//	outside/          another's, and what is in it
//	shared/           the hostile's
//	shared/private/   another's
//
// He knows all names and all bytes.
type hostile struct {
	top string // of all
}

const (
	hostileID   = "0123456789abcdef"
	hostilePart = ".hl-" + hostileID + "-00000000.part"
)

func newHostile(t *testing.T) *hostile {
	h := &hostile{t.TempDir()}
	for name, text := range map[string]string{
		"outside/secret.txt":     "secret\n",
		"outside/sub/file.txt":   "file\n",
		"shared/f.txt":           "mine\n",
		"shared/g.txt":           "mine, too\n",
		"shared/private/own.txt": "own\n",
	} {
		writeFile(t, h.path(name), text)
	}
	require.NoError(t, os.MkdirAll(h.path("outside/empty/deep"), 0o777))
	require.NoError(t, os.MkdirAll(h.path("shared/private/empty"), 0o777))
	return h
}

func (h *hostile) path(name string) string { return filepath.Join(h.top, name) }

// journalName returns the name that a journal in a directory has.
func (h *hostile) journalName(t *testing.T, dir string) string {
	info, err := os.Stat(h.path(dir))
	require.NoError(t, err)
	return fmt.Sprintf(".hl-%s-%x.journal", hostileID, inode(info))
}

// mark makes a marker beside a file of shared.
func (h *hostile) mark(t *testing.T, base, to string) {
	require.NoError(t, os.Symlink(to, h.path("shared/"+markerName(base))))
}

// others returns all that is not the hostile's.
func (h *hostile) others(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, dir := range []string{"outside", "shared/private"} {
		for name, text := range contents(t, h.path(dir)) {
			all[dir+"/"+name] = text
		}
	}
	return all
}

func tagText(text string) string { return hashline.TagOf([]byte(text)).String() }

func record1(root string, ready bool, made, steps string) string {
	return fmt.Sprintf(`{"root":%q,"ready":%v,"steps":[%s],"made":[%s]}`, root, ready, steps, made)
}

func step1(path, before, after, temp string) string {
	return fmt.Sprintf(`{"path":%s,"before":%q,"after":%q,"temp":%s}`, quote(path), before, after, quote(temp))
}

func TestAJournalThatSomebodyMadeDoesNothingThatHeCouldNotDo(t *testing.T) {
	mine := tagText("mine\n")
	secret, own := tagText("secret\n"), tagText("own\n")
	f := step1("f.txt", "0000000000000000", mine, hostilePart)
	for name, journal := range map[string]string{
		"nothing in it":              "",
		"not JSON":                   "\x00\x01 no JSON",
		"another JSON":               `[1,2,3]`,
		"no steps":                   `{"root":"."}`,
		"half of one":                record1(".", true, "", f)[:40],
		"the file is to be removed":  record1(".", true, "", step1("f.txt", "-", mine, hostilePart)),
		"a directory above":          record1("..", true, "", step1("shared/f.txt", "-", mine, hostilePart)+","+step1("outside/secret.txt", "-", secret, hostilePart)),
		"not ready, above":           record1("..", false, `"outside/empty/deep","outside/empty"`, step1("shared/f.txt", "-", mine, hostilePart)+","+step1("outside/secret.txt", "-", secret, hostilePart)),
		"the root":                   record1(strings.Repeat("../", 40)+"..", true, `"etc"`, step1("etc/passwd", "-", "-", hostilePart)),
		"private":                    record1(".", true, `"private/empty"`, step1("f.txt", "-", mine, hostilePart)+","+step1("private/own.txt", "-", own, hostilePart)),
		"files as directories":       record1("..", false, `"outside/secret.txt","shared/private/own.txt","outside/sub/file.txt","outside/empty/deep"`, ""),
		"directories of others":      record1("..", false, `"outside/empty","outside/empty/deep","shared/private/empty"`, step1("shared/f.txt", "-", mine, hostilePart)),
		"absolute":                   record1("/", true, `"/etc"`, step1("/etc/passwd", "-", "-", hostilePart)),
		"dots in a path":             record1(".", true, "", step1("../outside/secret.txt", "-", secret, hostilePart)),
		"dots in a root":             record1("private/../..", true, "", step1("outside/secret.txt", "-", secret, hostilePart)),
		"a link in a path":           record1(".", true, "", step1("link/secret.txt", "-", secret, hostilePart)+","+f),
		"another name as temp":       record1(".", false, "", step1("f.txt", mine, "-", "private/own.txt")),
		"the file itself as temp":    record1(".", false, "", step1("f.txt", mine, "-", "f.txt")),
		"dots in temp":               record1(".", false, "", step1("f.txt", mine, "-", "../outside/secret.txt")),
		"a path in temp":             record1(".", false, "", step1("f.txt", mine, "-", ".hl-"+hostileID+"-0/../../outside/secret.part")),
		"wrong tags":                 record1(".", true, "", step1("f.txt", "0123456789abcdef", "fedcba9876543210", hostilePart)),
		"no tags":                    record1(".", true, "", step1("f.txt", "", "", hostilePart)),
		"the old file is not there":  record1(".", true, "", f),
		"a made directory is shared": record1("..", false, `"shared","shared/private","shared/private/empty"`, step1("shared/f.txt", "-", mine, hostilePart)),
		"one file twice":             record1(".", true, "", step1("f.txt", "-", mine, hostilePart)+","+step1("f.txt", mine, "-", hostilePart)),
		"a NUL":                      record1(".", true, "", step1("f.txt\x00", "-", mine, hostilePart)),
		"huge":                       record1(".", true, "", strings.Repeat(step1("f.txt", "-", mine, hostilePart)+",", mostSteps)+f),
		"deep":                       strings.Repeat("[", 100_000),
		"many directories":           record1(".", false, strings.Repeat(`"private/empty",`, 90_000)+`"private/empty"`, ""),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHostile(t)
			require.NoError(t, os.Symlink("../outside", h.path("shared/link")))
			writeFile(t, h.path("shared/"+hostilePart), "part\n")
			base := h.journalName(t, "shared")
			writeFile(t, h.path("shared/"+base), journal)
			h.mark(t, "f.txt", base)
			h.come(t)
		})
	}
}

// come lets all commands come, and demands that nothing of others has changed, and
// that no answer is long in coming or unclear.
func (h *hostile) come(t *testing.T) {
	t.Helper()
	before := h.others(t)
	begin := time.Now()
	edit := `{"path":"f.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"more"}]}`
	shared := h.path("shared")
	ws, err := Open(shared)
	require.NoError(t, err)
	defer ws.Close()
	if fileExists(h.path("shared/f.txt")) {
		v, err := ws.Read(context.Background(), "f.txt", ReadOptions{Windows: allLines})
		if err == nil {
			v.Close()
		} else {
			require.False(t, fileExists(h.path("shared/f.txt")), "%v", err)
		}
	}
	for _, request := range []string{
		edit,
		`{"files":[` + edit + `,{"path":"g.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"more"}]}]}`,
	} {
		for _, opt := range []Options{{DryRun: true}, quick} {
			a := askIn(ws, "", request, opt)
			if a.Status != Applied {
				requireNoSuccess(t, textOf(a))
				for _, f := range a.Failures {
					require.NotContains(t, f.Message, "\n")
					require.Contains(t, []Code{IOError, FileNotFound, Locked}, f.Code, textOf(a))
					if f.Code == IOError {
						require.Contains(t, f.Message, "remove", "it says what to do")
						require.NotContains(t, f.Message, "secret.txt", "it names nothing of others to be removed")
						require.NotContains(t, f.Message, "own.txt")
					}
				}
			}
		}
	}
	require.Equal(t, before, h.others(t))
	require.Less(t, time.Since(begin), 2*time.Minute, "it hangs")
}

func TestAMarkerThatSomebodyMadeDoesNothing(t *testing.T) {
	old := ".hl-" + hostileID + "-0.journal"
	for name, make := range map[string]func(t *testing.T, h *hostile, marker string) error{
		"a directory":   func(t *testing.T, h *hostile, marker string) error { return os.Mkdir(marker, 0o777) },
		"a FIFO":        func(t *testing.T, h *hostile, marker string) error { return syscall.Mkfifo(marker, 0o666) },
		"an empty file": func(t *testing.T, h *hostile, marker string) error { return os.WriteFile(marker, nil, 0o666) },
		"a huge file": func(t *testing.T, h *hostile, marker string) error {
			return os.WriteFile(marker, []byte(strings.Repeat("x/", 1<<20)), 0o666)
		},
		"a link to a device": func(t *testing.T, h *hostile, marker string) error { return os.Symlink("/dev/zero", marker) },
		"a link to a file": func(t *testing.T, h *hostile, marker string) error {
			return os.Symlink("../outside/secret.txt", marker)
		},
		"a link to itself":      func(t *testing.T, h *hostile, marker string) error { return os.Symlink(filepath.Base(marker), marker) },
		"a link to no journal":  func(t *testing.T, h *hostile, marker string) error { return os.Symlink(old, marker) },
		"one that is elsewhere": func(t *testing.T, h *hostile, marker string) error { return os.Symlink("../outside/"+old, marker) },
		"one in no directory":   func(t *testing.T, h *hostile, marker string) error { return os.Symlink("../none/"+old, marker) },
		"one far up": func(t *testing.T, h *hostile, marker string) error {
			return os.Symlink(strings.Repeat("../", 1000)+old, marker)
		},
		"an absolute one":          func(t *testing.T, h *hostile, marker string) error { return os.Symlink(h.path("outside/"+old), marker) },
		"a directory as a journal": func(t *testing.T, h *hostile, marker string) error { return os.Mkdir(h.path("shared/"+old), 0o777) },
		"a FIFO as a journal": func(t *testing.T, h *hostile, marker string) error {
			return syscall.Mkfifo(h.path("shared/"+old), 0o666)
		},
		"a link as a journal": func(t *testing.T, h *hostile, marker string) error {
			return os.Symlink("../outside/secret.txt", h.path("shared/"+old))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHostile(t)
			marker := h.path("shared/" + markerName("f.txt"))
			require.NoError(t, make(t, h, marker))
			if strings.HasSuffix(name, "as a journal") {
				h.mark(t, "f.txt", old)
			}
			h.come(t)
			require.True(t, strings.HasPrefix(readFile(t, h.path("shared/f.txt")), "mine\n"))
		})
	}
}

// He knows of a request of another that was cut off, and names its journal from
// where he may write, by a way that is not the one the markers have.
func TestAMarkerThatSomebodyMadeDoesNotEndTheRequestOfAnother(t *testing.T) {
	for _, by := range []string{"../private/", "link/"} {
		for k := 20; k < 70; k += 9 {
			dir, ok := crashed(t, k, nil)
			require.True(t, ok)
			shared := t.TempDir()
			writeFile(t, filepath.Join(shared, "f.txt"), "mine\n")
			require.NoError(t, os.Symlink(dir, filepath.Join(shared, "link")))
			names, err := filepath.Glob(filepath.Join(dir, ".hl-*.journal"))
			require.NoError(t, err)
			require.Len(t, names, 1)
			to := by + filepath.Base(names[0])
			if by != "link/" {
				rel, err := filepath.Rel(shared, names[0])
				require.NoError(t, err)
				to = rel
			}
			require.NoError(t, os.Symlink(to, filepath.Join(shared, markerName("f.txt"))))
			lookAll(t, shared, "f.txt")
			a := ask(t, shared, "f.txt", `[{"op":"insert_after","anchor":"EOF","content":"more"}]`, quick)
			require.Equal(t, Applied, a.Status, textOf(a))
			ws, err := Open(dir)
			require.NoError(t, err)
			requireAllOrNone(t, ws, dir, k)
			ws.Close()
		}
	}
}

// A container may see a part of the files only. It must neither take the request
// for done nor change that part alone; who sees all puts all right.
func TestWhoSeesAPartOfTheFilesLeavesAllAsTheyAre(t *testing.T) {
	for _, dir := range halfDone(t) {
		part := filepath.Join(t.TempDir(), "sub")
		require.NoError(t, os.Rename(filepath.Join(dir, "sub"), part))
		before := contents(t, part)
		for _, name := range []string{"c.txt", "e.txt"} {
			a := ask(t, part, "", `{"path":"`+name+`","edits":[{"op":"insert_after","anchor":"EOF","content":"more"}]}`, quick)
			require.NotEqual(t, Applied, a.Status)
			require.Contains(t, textOf(a), "is not to be seen from here")
		}
		require.Equal(t, before, contents(t, part))
		// And the other way round.
		before = contents(t, dir)
		a := ask(t, dir, "", `{"path":"a.txt","edits":[{"op":"insert_after","anchor":"EOF","content":"more"}]}`, quick)
		require.Equal(t, []Code{IOError}, codes(a), textOf(a))
		require.Contains(t, textOf(a), "not all of them are to be seen from here")
		require.Equal(t, before, contents(t, dir))
		require.NoError(t, os.Rename(part, filepath.Join(dir, "sub")))
		ws, err := Open(dir)
		require.NoError(t, err)
		requireAllOrNone(t, ws, dir, 0)
		ws.Close()
	}
}

// halfDone returns trees in which a request was cut off while it changed files.
func halfDone(t *testing.T) (dirs []string) {
	for k := 0; ; k++ {
		dir, ok := crashed(t, k, nil)
		if !ok {
			require.Greater(t, len(dirs), 10)
			return dirs
		}
		got := contents(t, dir)
		clean(got)
		if len(got) != len(five) || got["a.txt"] != five["a.txt"] {
			if names, _ := filepath.Glob(filepath.Join(dir, ".hl-*.journal")); len(names) == 1 && k%3 > 0 {
				dirs = append(dirs, dir)
			}
		}
	}
}

// A file that has changed since is left, and so are the others.
func TestAFileThatChangedSinceTheCrashKeepsAllAsTheyAre(t *testing.T) {
	for _, dir := range halfDone(t) {
		writeFile(t, filepath.Join(dir, "b.txt"), "theirs\n")
		before := contents(t, dir)
		for n := range len(fiveNames) {
			ws, err := Open(dir)
			require.NoError(t, err)
			comeBy(ws, n)
			ws.Close()
			require.Equal(t, before, contents(t, dir))
		}
		require.Equal(t, "theirs", lookAll(t, dir, "b.txt").texts[0])
		a := ask(t, dir, "b.txt", `[{"op":"insert_after","anchor":"EOF","content":"more"}]`, quick)
		require.Equal(t, []Code{IOError}, codes(a))
		require.Contains(t, textOf(a), "b.txt: it has changed since; look at them, then remove its journal ")
		// As it says.
		names, err := filepath.Glob(filepath.Join(dir, ".hl-*.journal"))
		require.NoError(t, err)
		require.NoError(t, os.Remove(names[0]))
		a = ask(t, dir, "b.txt", `[{"op":"insert_after","anchor":"EOF","content":"more"}]`, quick)
		require.Equal(t, Applied, a.Status, textOf(a))
	}
}

// The sweep comes before the repair, and by itself for files beside those of the
// request.
func TestTheSweepNeverRemovesWhatAJournalNames(t *testing.T) {
	for k := 10; ; k += 4 {
		dir, ok := crashed(t, k, nil)
		if !ok {
			return
		}
		past := time.Now().Add(-3 * time.Hour)
		ws, err := Open(dir)
		require.NoError(t, err)
		// An hour and more later: names and times are of then.
		names, err := filepath.Glob(filepath.Join(dir, ".hl-*"))
		require.NoError(t, err)
		for _, name := range names {
			os.Chtimes(name, past, past)
		}
		for _, name := range []string{"other.txt", "sub/x.txt"} {
			target, err := ws.locate(name)
			require.NoError(t, err)
			stamp, err := ws.stamp(target)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(stamp, nil, 0o600))
			require.NoError(t, os.Chtimes(stamp, past, past))
			target.close()
		}
		a := askIn(ws, "", `{"path":"other.txt","edits":[{"op":"search_replace","search":"other","replace":"other","expect":1}]}`, quick)
		require.Equal(t, Unchanged, a.Status, textOf(a))
		requireAllOrNone(t, ws, dir, k)
		ws.Close()
	}
}
