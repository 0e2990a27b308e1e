package apply

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// patchers are programs that take patches, each in a directory of its own.
var patchers = map[string][]string{
	"git":   {"git", "apply", "--whitespace=nowarn", "-p1"},
	"patch": {"patch", "-p1", "--binary", "--force", "--no-backup-if-mismatch", "--quiet"},
}

// requirePatched fails unless every patcher makes want of old with the diff.
// old is nil for a new file.
func requirePatched(t require.TestingT, name string, old *string, diff, want string) {
	for program, args := range patchers {
		if _, err := exec.LookPath(args[0]); err != nil {
			continue
		}
		dir, err := os.MkdirTemp("", "patched-")
		require.NoError(t, err)
		path := filepath.Join(dir, name)
		if old != nil {
			writeFile(t, path, *old)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C")
		cmd.Stdin = strings.NewReader(diff)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s\n%s", program, out, diff)
		got, err := os.ReadFile(path)
		if want == "" && os.IsNotExist(err) {
			// A patch cannot tell an empty file from none to every program.
			got = nil
		} else {
			require.NoError(t, err, "%s\n%s", program, diff)
		}
		require.Equal(t, want, string(got), "%s\n%s", program, diff)
		require.NoError(t, os.RemoveAll(dir))
	}
}

// diffOf carries out a request with a diff and returns it in bytes.
func diffOf(t require.TestingT, dir, request string) string {
	opt := quick
	opt.Diff = true
	a := ask(t, dir, "", request, opt)
	require.Equal(t, Applied, a.Status, textOf(a))
	var b bytes.Buffer
	require.NoError(t, a.DiffText(&b))
	return b.String()
}

func TestADiffIsWhatGitApplyAndPatchTake(t *testing.T) {
	for name, test := range map[string]struct{ src, edits string }{
		"one line":                       {numbered(20), `{"op":"replace","anchor":"«10»","content":"x"}`},
		"the first line":                 {numbered(20), `{"op":"replace","anchor":"«1»","content":"x"}`},
		"the last line":                  {numbered(20), `{"op":"replace","anchor":"«20»","content":"x"}`},
		"an insert at the top":           {numbered(20), `{"op":"insert_before","anchor":"0:","content":"x"}`},
		"an insert at the bottom":        {numbered(20), `{"op":"insert_after","anchor":"EOF","content":"x"}`},
		"an insert after no newline":     {"a\nb", `{"op":"insert_after","anchor":"EOF","content":"x"}`},
		"a line without a newline":       {"a\nb", `{"op":"replace","anchor":"«2»","content":"x"}`},
		"far above a missing newline":    {numbered(20) + "end", `{"op":"replace","anchor":"«2»","content":"x"}`},
		"near a missing newline":         {numbered(20) + "end", `{"op":"replace","anchor":"«19»","content":"x"}`},
		"the last of no newline":         {"a\nb", `{"op":"delete","anchor":"«2»"}`},
		"all of it":                      {numbered(5), `{"op":"delete","anchor":"«1»","end_anchor":"«5»"}`},
		"all of no newline":              {"a", `{"op":"delete","anchor":"«1»"}`},
		"into an empty file":             {"", `{"op":"insert_after","anchor":"EOF","content":"x\ny"}`},
		"CRLF":                           {"a\r\nb\r\nc\r\n", `{"op":"replace","anchor":"«2»","content":"x\ny"}`},
		"mixed endings":                  {"a\r\nb\nc\r\nd", `{"op":"replace","anchor":"«1»","end_anchor":"«2»","content":"x\ny"}`},
		"a mark and its line":            {"\xEF\xBB\xBFa\nb\n", `{"op":"replace","anchor":"«1»","content":"x"}`},
		"a mark and an insert":           {"\xEF\xBB\xBFa\nb\n", `{"op":"insert_before","anchor":"«1»","content":"x"}`},
		"a mark and its line deleted":    {"\xEF\xBB\xBFa\nb\n", `{"op":"delete","anchor":"«1»"}`},
		"a mark and all deleted":         {"\xEF\xBB\xBFa\nb\n", `{"op":"delete","anchor":"«1»","end_anchor":"«2»"}`},
		"a mark alone":                   {"\xEF\xBB\xBF", `{"op":"insert_after","anchor":"EOF","content":"x"}`},
		"a mark and its only line":       {"\xEF\xBB\xBFa", `{"op":"replace","anchor":"«1»","content":["x","a"]}`},
		"a mark and the second line":     {"\xEF\xBB\xBFa\nb\nc\n", `{"op":"replace","anchor":"«2»","content":"x"}`},
		"a mark and the same line":       {"\xEF\xBB\xBFa\nb\nc\n", `{"op":"replace","anchor":"«1»","end_anchor":"«2»","content":["a","x"]}`},
		"odd bytes":                      {"\xff\x01\r\n\rb\xe2\n", `{"op":"replace","anchor":"«2»","content":"\rx"}`},
		"lines that look like a diff":    {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n\\ No newline\n", `{"op":"replace","anchor":"«2»","content":"-- x"}`},
		"two changes far apart":          {numbered(40), `{"op":"delete","anchor":"«5»"},{"op":"insert_after","anchor":"«30»","content":"x"}`},
		"two changes six lines apart":    {numbered(40), `{"op":"delete","anchor":"«5»"},{"op":"replace","anchor":"«12»","content":"x"}`},
		"two changes seven lines apart":  {numbered(40), `{"op":"delete","anchor":"«5»"},{"op":"replace","anchor":"«13»","content":"x"}`},
		"changes that touch":             {numbered(10), `{"op":"delete","anchor":"«5»"},{"op":"replace","anchor":"«6»","content":"line 5"},{"op":"insert_before","anchor":"«5»","content":"x"}`},
		"a change that changes one part": {numbered(10), `{"op":"replace","anchor":"«2»","end_anchor":"«9»","content":"line 2\nline 3\nx\nline 8\nline 9"}`},
		"a change that moves blanks":     {"\n\n\na\n\n\n", `{"op":"insert_after","anchor":"«2»","content":""}`},
		"a write":                        {numbered(10), `{"op":"write","blind":true,"content":"line 1\nnew\nline 10\n"}`},
		"a write without a newline":      {numbered(10), `{"op":"write","blind":true,"content":"line 1\nline 10"}`},
		"a write of a mark":              {"a\n", `{"op":"write","blind":true,"content":"\ufeffa\n"}`},
		"a write to nothing":             {"a\n", `{"op":"write","blind":true,"content":""}`},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.src)
			diff := diffOf(t, dir, `{"path":"f.txt","edits":`+editsIn(t, dir, file, "["+test.edits+"]")+`}`)
			requirePatched(t, file, &test.src, diff, readFile(t, filepath.Join(dir, file)))
		})
	}
}

// git apply goes beyond no symbolic link.
func TestADiffNamesFilesWithoutSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d", "f"), []byte("a\n"), 0o666))
	require.NoError(t, os.Symlink("d", filepath.Join(dir, "dd")))
	require.NoError(t, os.Symlink("dd/f", filepath.Join(dir, "link")))
	const edits = `"edits":[{"op":"insert_after","anchor":"EOF","content":"b"}]`
	for _, name := range []string{"dd/f", "link", "d/f", "./d/../d/f"} {
		diff := diffOf(t, dir, `{"path":"`+name+`",`+edits+`}`)
		require.Contains(t, diff, "--- a/d/f\n+++ b/d/f\n", name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "d", "f"), []byte("a\n"), 0o666))
	}
	require.Contains(t, diffOf(t, dir, `{"path":"dd/new","edits":[{"op":"create","content":"b"}]}`), "+++ b/d/new\n")

	t.Chdir(dir)
	for _, name := range []string{"dd/f", "link"} {
		ws, err := OpenFile(name)
		require.NoError(t, err)
		defer ws.Close()
		opt := quick
		opt.Diff, opt.DryRun = true, true
		a := askIn(ws, name, `{`+edits+`}`, opt)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Contains(t, a.Files[0].Diff, "--- a/d/f\n+++ b/d/f\n", name)
	}
}

func TestADiffNamesEveryFile(t *testing.T) {
	for _, name := range []string{
		"a b.txt", "dir/a b.txt", `q"uote.txt`, "back\\slash.txt", "new\nline.txt", "tab\tname.txt", "é.txt", " lead", "trail ", "-dash", "a\x01b", "b/b", "dev/null", "./plain.txt",
	} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			dir := t.TempDir()
			request := func(content string) string {
				return `{"path":` + quote(name) + `,"edits":[{"op":"write","blind":true,"content":` + quote(content) + `}]}`
			}
			made := diffOf(t, dir, request("one\ntwo"))
			requirePatched(t, name, nil, made, "one\ntwo")
			old := "one\ntwo"
			changed := diffOf(t, dir, request("one\n2\n"))
			requirePatched(t, name, &old, changed, "one\n2\n")
		})
	}
	t.Run("a new empty file", func(t *testing.T) {
		diff := diffOf(t, t.TempDir(), `{"path":"f.txt","edits":[{"op":"write","content":""}]}`)
		cmd := exec.Command("git", "apply", "--check", "-p1")
		cmd.Dir = t.TempDir()
		cmd.Stdin = strings.NewReader(diff)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, diff)
	})
}

// git apply lets a removal see what patches above it made of its path.
func TestADiffRemovesAFileBeforeAnotherTakesItsName(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"a": "x\n", "b": "y\n", "c": ""}
	for name, content := range files {
		writeFile(t, filepath.Join(dir, name), content)
	}
	for _, gone := range []string{"b", "c"} {
		base := lookAll(t, dir, gone).base
		diff := diffOf(t, dir, `{"files":[{"path":"a","edits":[{"op":"rename","to_path":"`+gone+`"},{"op":"insert_after","anchor":"EOF","content":"z"}]},{"path":"`+gone+`","base":"`+base+`","edits":[{"op":"remove"}]}]}`)
		tree := t.TempDir()
		for name, content := range files {
			writeFile(t, filepath.Join(tree, name), content)
		}
		cmd := exec.Command("git", "apply", "-p1")
		cmd.Dir, cmd.Stdin = tree, strings.NewReader(diff)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, diff)
		require.Equal(t, "x\nz\n", readFile(t, filepath.Join(tree, gone)))
		require.NoFileExists(t, filepath.Join(tree, "a"))
		require.NoError(t, os.Rename(filepath.Join(dir, gone), filepath.Join(dir, "a")))
		writeFile(t, filepath.Join(dir, "a"), files["a"])
	}
}

func TestDiffsOfRandomEditsAreWhatGitApplyAndPatchTake(t *testing.T) {
	base := t.TempDir()
	n := 0
	check := func(t *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		line := rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"a", "b", "", "c\r", "}"}).Draw(t, "line") + "\n"
		})
		src := rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(t, "mark") + strings.Join(rapid.SliceOfN(line, 1, 30).Draw(t, "lines"), "")
		if rapid.Bool().Draw(t, "unterminated") {
			src += "end"
		}
		path := filepath.Join(dir, "f.txt")
		writeFile(t, path, src)
		lines := len(lookAll(t, dir, "f.txt").anchors)
		var edits []string
		for at := 1; at <= lines; {
			at += rapid.IntRange(0, 9).Draw(t, "gap")
			if at > lines {
				break
			}
			last := min(at+rapid.IntRange(0, 3).Draw(t, "size"), lines)
			content := quote(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "N"}), 0, 4).Draw(t, "content"))
			edits = append(edits, fmt.Sprintf(`{"op":"replace","anchor":"«%d»","end_anchor":"«%d»","content":%s}`, at, last, content))
			at = last + 1
		}
		if rapid.Bool().Draw(t, "top") {
			edits = append(edits, `{"op":"insert_before","anchor":"0:","content":"a"}`)
		}
		if edits == nil || rapid.Bool().Draw(t, "bottom") {
			edits = append(edits, `{"op":"insert_after","anchor":"EOF","content":["a","b"]}`)
		}
		opt := quick
		opt.Diff = true
		a := ask(t, dir, "", `{"path":"f.txt","edits":`+editsIn(t, dir, "f.txt", "["+strings.Join(edits, ",")+"]")+`}`, opt)
		require.Zero(t, a.Status.Exit(), textOf(a))
		if a.Status == Unchanged {
			return
		}
		var b bytes.Buffer
		require.NoError(t, a.DiffText(&b))
		requirePatched(t, "f.txt", &src, b.String(), readFile(t, path))
	}
	rapid.Check(t, check)
}

func TestADiffOfUTF16ShowsTextAndSaysSo(t *testing.T) {
	dir, file := tempFile(t, utf16Of("a\nb\n", true))
	opt := quick
	opt.Diff = true
	a := ask(t, dir, "", `{"path":"f.txt","edits":`+editsIn(t, dir, file, `[{"op":"replace","anchor":"«1»","content":"é"}]`)+`}`, opt)
	require.Equal(t, "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-a\n+é\n b\n", a.Files[0].Diff)
	require.Equal(t, "diff_decoded", a.Files[0].Warnings[0].Code)
}
