//go:build unix

package apply

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// shapeFiles are a, b and c, with lines of their own.
var shapeFiles = map[string]string{
	"a": "a1\na2\na3\na4\na5\na6\n", "b": "b1\nb2\nb3\nb4\nb5\nb6\n", "c": "c1\nc2\nc3\nc4\nc5\nc6\n",
	"x/only": "only\n", "empty": "", "odd \"name\" ä": "odd\n",
}

// with returns shapeFiles with changes: name and text in turn; "-" takes one away.
func with(changes ...string) map[string]string {
	all := map[string]string{}
	for name, text := range shapeFiles {
		all[name] = text
	}
	for i := 0; i < len(changes); i += 2 {
		all[changes[i]] = changes[i+1]
		if changes[i+1] == "-" {
			delete(all, changes[i])
		}
	}
	return all
}

// Whatever a request does to names and between files comes out as said, and its diff
// as a dry run prints it makes git apply do the same.
func TestFilesChangeNamesAndLinesAsSaidAndGitAppliesTheDiff(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	entry := func(path string, edits ...string) string {
		return `{"path":` + quote(path) + `,"edits":[` + strings.Join(edits, ",") + `]}`
	}
	rename := func(to string) string { return `{"op":"rename","to_path":"` + to + `"}` }
	remove := func(path string) string {
		return `{"path":` + quote(path) + `,"base":"` + tagText(shapeFiles[path]) + `","edits":[{"op":"remove"}]}`
	}
	create := func(text string) string { return `{"op":"create","content":` + quote(text) + `}` }
	bring := func(op, from, to, path string) string {
		return fmt.Sprintf(`{"op":%q,"anchor":"«%s»","to":%q,"to_path":%q}`, op, from, to, path)
	}
	a, b, c := shapeFiles["a"], shapeFiles["b"], shapeFiles["c"]
	manyDirs, manyWant := []string{}, []string{}
	for i := range 100 {
		name := fmt.Sprintf("n%d/m/f", i)
		manyDirs, manyWant = append(manyDirs, entry(name, create("x\n"))), append(manyWant, name, "x\n")
	}
	for name, test := range map[string]struct {
		entries []string
		want    map[string]string
	}{
		"a chain":                             {[]string{entry("a", rename("b")), entry("b", rename("c")), entry("c", rename("d"))}, with("a", "-", "b", a, "c", b, "d", c)},
		"a chain, the other way":              {[]string{entry("c", rename("d")), entry("b", rename("c")), entry("a", rename("b"))}, with("a", "-", "b", a, "c", b, "d", c)},
		"a chain over one that is removed":    {[]string{entry("a", rename("b")), entry("b", rename("c")), remove("c")}, with("a", "-", "b", a, "c", b)},
		"a swap":                              {[]string{entry("a", rename("b")), entry("b", rename("a"))}, with("a", b, "b", a)},
		"a swap with edits":                   {[]string{entry("a", rename("b"), bring("move", "a1", "EOF", "c")), entry("b", rename("a"), `{"op":"delete","anchor":"«b2»"}`)}, with("a", strings.Replace(b, "b2\n", "", 1), "b", a[3:], "c", c+"a1\n")},
		"a swap with lines both ways":         {[]string{entry("a", rename("b"), bring("move", "a1", "«b6»", "b")), entry("b", rename("a"), bring("copy", "b1", "«a6»", "a"))}, with("a", b+"a1\n", "b", a[3:]+"b1\n")},
		"lines out, and another made there":   {[]string{entry("a", rename("d"), bring("move", "a1", "EOF", "b")), entry("a", create("new\n"))}, with("a", "new\n", "d", a[3:], "b", b+"a1\n")},
		"a ring of three":                     {[]string{entry("a", rename("b")), entry("b", rename("c")), entry("c", rename("a"))}, with("a", c, "b", a, "c", b)},
		"a rename, and another made there":    {[]string{entry("a", rename("d")), `{"path":"a","edits":[` + create("new\n") + `]}`}, with("a", "new\n", "d", a)},
		"removed and made":                    {[]string{remove("a"), entry("a", create("new\n"))}, with("a", "new\n")},
		"lines both ways":                     {[]string{entry("a", bring("move", "a1", "«b6»", "b")), entry("b", bring("move", "b1", "«a6»", "a"))}, with("a", a[3:]+"b1\n", "b", b[3:]+"a1\n")},
		"lines both ways at one edge":         {[]string{entry("a", bring("move", "a1", "«b1»", "b")), entry("b", bring("move", "b1", "«a1»", "a"))}, with("a", "b1\n"+a[3:], "b", "a1\n"+b[3:])},
		"lines in a ring":                     {[]string{entry("a", bring("move", "a1", "0:", "b")), entry("b", bring("move", "b1", "0:", "c")), entry("c", bring("move", "c1", "0:", "a"))}, with("a", "c1\n"+a[3:], "b", "a1\n"+b[3:], "c", "b1\n"+c[3:])},
		"lines out of a renamed file":         {[]string{entry("a", rename("d"), bring("move", "a2", "0:", "b"))}, with("a", "-", "d", strings.Replace(a, "a2\n", "", 1), "b", "a2\n"+b)},
		"lines into a renamed file":           {[]string{entry("a", rename("d")), entry("b", bring("copy", "b2", "0:", "a"))}, with("a", "-", "d", "b2\n"+a)},
		"lines into one that is made":         {[]string{entry("a", bring("move", "a1", "EOF", "x/y/z")), entry("x/y/z", create("top\n"))}, with("a", a[3:], "x/y/z", "top\na1\n")},
		"all lines of a file":                 {[]string{entry("x/only", bring("move", "only", "EOF", "empty"))}, with("x/only", "", "empty", "only\n")},
		"the last of a directory":             {[]string{remove("x/only"), entry("y/only", create("only\n"))}, with("x/only", "-", "y/only", "only\n", "x/", "")},
		"out of a directory, and one made in": {[]string{entry("x/only", rename("only")), entry("x/new", create(""))}, with("x/only", "-", "only", "only\n", "x/new", "")},
		"empty files":                         {[]string{entry("none", create("")), remove("empty")}, with("none", "", "empty", "-")},
		"an odd name":                         {[]string{entry("odd \"name\" ä", rename("ö\\t"), `{"op":"insert_after","anchor":"EOF","content":"more"}`)}, with("odd \"name\" ä", "-", "ö\\t", "odd\nmore\n")},
		"a hundred directories":               {manyDirs, with(manyWant...)},
	} {
		t.Run(name, func(t *testing.T) {
			dir, other := tempTree(t, shapeFiles), tempTree(t, shapeFiles)
			request := `{"files":[` + strings.Join(test.entries, ",") + `]}`
			request = strings.ReplaceAll(request, `"ö\t"`, `"ö\\t"`)
			for name := range shapeFiles {
				for i, text := range lookAll(t, dir, name).texts {
					request = strings.ReplaceAll(request, "«"+text+"»", lookAll(t, dir, name).at(i+1))
				}
			}
			dry := ask(t, dir, "", request, Options{DryRun: true, Diff: true})
			require.Equal(t, Applied, dry.Status, textOf(dry))
			require.Equal(t, with(), contents(t, dir))
			answer := ask(t, dir, "", request, quick)
			require.Equal(t, Applied, answer.Status, textOf(answer))
			require.Equal(t, test.want, contents(t, dir))
			var diff bytes.Buffer
			require.NoError(t, dry.DiffText(&diff))
			cmd := exec.Command(git, "apply", "--whitespace=nowarn", "-")
			cmd.Dir, cmd.Stdin = other, bytes.NewReader(diff.Bytes())
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s\n%s", out, diff.String())
			got := contents(t, other)
			if _, kept := test.want["x/"]; kept { // git removes a directory with its last file
				got["x/"] = ""
			}
			require.Equal(t, test.want, got, "%s", diff.String())
		})
	}
}

func TestLinesOfAFileThatIsRemovedAreNotCopied(t *testing.T) {
	dir := tempTree(t, shapeFiles)
	for _, op := range []string{"copy", "move"} {
		a := ask(t, dir, "", `{"files":[{"path":"a","base":"`+tagText(shapeFiles["a"])+`","edits":[{"op":"remove"}]},
			{"path":"a","edits":[{"op":"`+op+`","anchor":"`+lookAll(t, dir, "a").at(1)+`","to":"EOF","to_path":"b"}]}]}`, quick)
		require.Equal(t, []Code{EditsOverlap}, codes(a), textOf(a))
		require.Contains(t, textOf(a), "files[0].edits[0] removes a, and files[1].edits[0] needs its lines")
		require.Equal(t, with(), contents(t, dir))
	}
}

// A hundred directories are made, and the last file fails. They go again, but for
// those into which somebody put something meanwhile.
func TestDirectoriesThatWereMadeGoWithARollBackButNotWhatOthersPutThere(t *testing.T) {
	for _, cut := range []bool{false, true} {
		dir := tempTree(t, map[string]string{"old": "old\n"})
		require.NoError(t, os.Mkdir(filepath.Join(dir, "mine"), 0o777))
		var entries []string
		for i := range 100 {
			entries = append(entries, fmt.Sprintf(`{"path":"n%d/m/f","edits":[{"op":"create","content":"x\n"}]}`, i))
		}
		entries = append(entries, `{"path":"mine/f","edits":[{"op":"create","content":"x\n"}]}`)
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		links := 0
		ws.fault = func(call string) error {
			if call == "link" {
				links++
			}
			if call == "link" && links == 101 {
				writeFile(t, filepath.Join(dir, "n7/theirs"), "theirs\n")
				require.NoError(t, os.MkdirAll(filepath.Join(dir, "n8/m/theirs"), 0o777))
				require.NoError(t, os.MkdirAll(filepath.Join(dir, "theirs"), 0o777))
			}
			if links >= 101 && (cut || call == "link") {
				return syscall.EIO
			}
			return nil
		}
		a := askIn(ws, "", `{"files":[`+strings.Join(entries, ",")+`]}`, quick)
		if cut {
			require.Equal(t, Partial, a.Status)
			ws.fault = nil
			a = askIn(ws, "", `{"path":"n9/m/f","edits":[{"op":"search_replace","search":"x","replace":"x","expect":1}]}`, quick)
			require.Equal(t, []Code{FileNotFound}, codes(a), textOf(a))
		} else {
			require.Equal(t, Refused, a.Status, textOf(a))
		}
		require.Equal(t, map[string]string{"old": "old\n", "mine/": "", "n7/theirs": "theirs\n", "n8/m/theirs/": "", "theirs/": ""}, contents(t, dir))
	}
}

// Many files of a new directory need it once.
func TestAJournalListsADirectoryThatIsToBeMadeOnce(t *testing.T) {
	dir := t.TempDir()
	ws, err := Open(dir)
	require.NoError(t, err)
	defer ws.Close()
	var list []string
	add := ws.missingDirs(&list)
	for _, name := range []string{"a/b/1", "a/b/2", "a/c/d/3", "e", "a/4"} {
		target, err := ws.locate(name)
		require.NoError(t, err)
		add(target)
		target.close()
	}
	require.Equal(t, []string{"a", "a/b", "a/c", "a/c/d"}, list)
}

// Of a name that one file leaves and another takes, the top may be meant of either.
func TestThePlaceInANameThatChangesItsFileIsRefused(t *testing.T) {
	dir := tempTree(t, shapeFiles)
	a := ask(t, dir, "", `{"files":[{"path":"a","edits":[{"op":"rename","to_path":"b"}]},{"path":"b","edits":[{"op":"rename","to_path":"a"}]},
		{"path":"c","edits":[{"op":"move","anchor":"`+lookAll(t, dir, "c").at(1)+`","to":"EOF","to_path":"b"}]}]}`, quick)
	require.Equal(t, []Code{EditsOverlap}, codes(a), textOf(a))
	require.Equal(t, with(), contents(t, dir))
}
