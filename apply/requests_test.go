package apply

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("u", false, "rewrite the answers in testdata/requests")

// Each file of testdata/requests holds pairs of sections: a request, and the
// answer to it. Behind the name of a request stand, in brackets, "file" if it is
// for main.txt alone, "json" if the answer is wanted as JSON, and "go" if the
// request is spelled as a Go string. In requests, «2» is the anchor of line 2 of
// main.txt, and «base» its tag.
func TestRequestsAreAnsweredWithTheseWords(t *testing.T) {
	files, err := filepath.Glob("testdata/requests/*.txtar")
	require.NoError(t, err)
	total := 0
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		if *update {
			archive.Files = withAnswers(archive.Files)
		}
		require.Zero(t, len(archive.Files)%2, name)
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			for i := 0; i < len(archive.Files); i += 2 {
				request, answer := &archive.Files[i], &archive.Files[i+1]
				require.Equal(t, ">", answer.Name)
				total++
				t.Run(request.Name, func(t *testing.T) {
					got := answerTo(t, request.Name, strings.TrimSuffix(string(request.Data), "\n"))
					if *update {
						answer.Data = []byte(got)
						return
					}
					require.Equal(t, string(answer.Data), got)
				})
			}
		})
		if *update {
			require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o666))
		}
	}
	require.GreaterOrEqual(t, total, 90)
}

// withAnswers returns files with an empty answer where one is missing.
func withAnswers(files []txtar.File) []txtar.File {
	var all []txtar.File
	for _, f := range files {
		if f.Name != ">" {
			all = append(all, f, txtar.File{Name: ">"})
		}
	}
	return all
}

const mainText = "one\ntwo\nthree\nfour\nfive\n"

// world makes the files that the requests are about, and one outside of the root.
func world(t testing.TB) (root string) {
	dir := t.TempDir()
	root = filepath.Join(dir, "root")
	writeFile(t, filepath.Join(dir, "outside.txt"), "secret\n")
	writeFile(t, filepath.Join(root, "main.txt"), mainText)
	writeFile(t, filepath.Join(root, "empty.txt"), "")
	writeFile(t, filepath.Join(root, "dir", "other.txt"), "other\n")
	require.NoError(t, os.Symlink("../outside.txt", filepath.Join(root, "out.lnk")))
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"main.txt", "empty.txt", "dir/other.txt"} {
		require.NoError(t, os.Chtimes(filepath.Join(root, name), old, old))
	}
	return root
}

var placeholder = regexp.MustCompile("«[0-9]+»")

// fill puts anchors and the tag of main.txt into a request.
func fill(t require.TestingT, root, request string) string {
	s := lookAll(t, root, "main.txt")
	request = strings.ReplaceAll(request, "«base»", s.base)
	request = strings.ReplaceAll(request, "$ROOT", root)
	return placeholder.ReplaceAllStringFunc(request, func(p string) string {
		n, _ := strconv.Atoi(strings.Trim(p, "«»"))
		return s.at(n)
	})
}

// answerTo returns the exit code and the answer to a request, and fails if a
// refusal left a trace.
func answerTo(t *testing.T, name, request string) string {
	root := world(t)
	_, options, _ := strings.Cut(name, "[")
	file := ""
	if strings.Contains(options, "file") {
		file = "main.txt"
	}
	if strings.Contains(options, "go") {
		var err error
		request, err = strconv.Unquote(request)
		require.NoError(t, err)
	}
	before := tree(t, filepath.Dir(root))
	a := ask(t, root, file, fill(t, root, request), quick)
	exit := a.Status.Exit()
	require.NotContains(t, textOf(a), "%!")
	if exit != 0 {
		require.NotEmpty(t, a.Failures)
		requireNoSuccess(t, textOf(a))
		require.Equal(t, before, tree(t, filepath.Dir(root)), "a refusal leaves no trace")
	}
	got := textOf(a)
	if strings.Contains(options, "json") {
		b, err := json.Marshal(a, jsontext.WithIndent("  "))
		require.NoError(t, err)
		got = string(b) + "\n"
	}
	got = strings.ReplaceAll(got, root, "$ROOT")
	return fmt.Sprintf("exit %d\n%s", exit, got)
}

func TestHostileRequestsOfAnySizeAreRefusedAtOnce(t *testing.T) {
	huge := bytes.Repeat([]byte("["), 300<<20)
	deep := func(n int, open, end string) []byte {
		return []byte(strings.Repeat(open, n) + strings.Repeat(end, n))
	}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"300 MB":                     {huge, "over 64 MiB"},
		"100,000 brackets":           {deep(100_000, "[", "]"), "not JSON"},
		"100,000 objects":            {deep(100_000, `{"edits":`, "}"), "not JSON"},
		"brackets in an edit":        {[]byte(`{"path":"a","edits":[{"op":"replace","anchor":` + string(deep(100_000, "[", "]")) + `}]}`), "not JSON"},
		"brackets in a string":       {[]byte(`{"path":"a","edits":"` + string(deep(100_000, "[", "]")) + `"}`), "no JSON list"},
		"a name of a megabyte":       {[]byte(`{"path":"a","edits":[],"` + strings.Repeat("x", 1<<20) + `":1}`), "no field"},
		"an anchor of a megabyte":    {[]byte(`{"path":"a","edits":[{"op":"delete","anchor":"` + strings.Repeat("9", 1<<20) + `"}]}`), "no file"},
		"an op of a megabyte":        {[]byte(`{"path":"a","edits":[{"op":"` + strings.Repeat("9", 1<<20) + `"}]}`), "no op"},
		"a bare number of a million": {[]byte(`{"path":"a","edits":[{"op":"delete","anchor":` + strings.Repeat("9", 1<<20) + `}]}`), "no file"},
		"a base of a megabyte":       {[]byte(`{"path":"a","base":"` + strings.Repeat("9", 1<<20) + `","edits":[]}`), "is no tag"},
		"a path of a megabyte":       {[]byte(`{"path":"` + strings.Repeat("p", 1<<20) + `","edits":[]}`), ""},
		"a twin name of a megabyte":  {[]byte(`{"` + strings.Repeat("p", 1<<20) + `":1,"` + strings.Repeat("p", 1<<20) + `":1}`), "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ws, err := Open(dir)
			require.NoError(t, err)
			defer ws.Close()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			req := Decode(test.data, "")
			a := ws.Edit(t.Context(), req, quick)
			require.Less(t, time.Since(start), 5*time.Second)
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
			require.Equal(t, Refused, a.Status)
			text := textOf(a)
			if test.want != "no file" { // the file is looked for only if the request can be read
				require.Contains(t, text, test.want)
			}
			requireNoSuccess(t, text)
			require.Empty(t, readDir(t, dir))
		})
	}
}

func readDir(t require.TestingT, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
