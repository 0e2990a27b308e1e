package apply

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/hashline"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// goldenRequests returns the requests of testdata/requests, with anchors of
// main.txt.
func goldenRequests(f *testing.F) []string {
	root := world(f)
	names, err := filepath.Glob("testdata/requests/*.txtar")
	require.NoError(f, err)
	var list []string
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(f, err)
		for i := 0; i < len(archive.Files); i += 2 {
			request := strings.TrimSuffix(string(archive.Files[i].Data), "\n")
			if s, err := strconv.Unquote(request); err == nil {
				request = s
			}
			list = append(list, fill(f, root, request))
		}
	}
	return list
}

func FuzzDecode(f *testing.F) {
	for _, request := range goldenRequests(f) {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range []string{"", "f.txt"} {
			req := Decode(bytes.Clone(data), file)
			for _, p := range req.Problems() {
				require.NotEmpty(t, p.Message)
				require.NotContains(t, p.Message, "\n", "a message is one line")
				require.Equal(t, Refused, p.Code.status())
			}
			if len(req.Problems()) > 0 {
				requireNoSuccess(t, textOf(AnswerOf(req.Problems()...)))
				continue
			}
			b, err := json.Marshal(req)
			require.NoError(t, err)
			again := Decode(b, file)
			require.Empty(t, again.Problems(), "%s", b)
			require.Equal(t, req, again)
		}
	})
}

func FuzzEdit(f *testing.F) {
	for _, request := range goldenRequests(f) {
		f.Add([]byte(mainText), []byte(request), false, uint8(0))
	}
	edits := `[{"op":"replace","anchor":"«1»","end_anchor":"«2»","content":["x","é"]},{"op":"insert_after","anchor":"«3»","content":""},
		{"op":"search_replace","expect":1,"search":"l\n","replace":"\r\n"},{"op":"delete","anchor":"«4»"},{"op":"insert_before","anchor":"0:","content":"x\r\ny"},{"op":"insert_after","anchor":"EOF","content":"end"}]`
	for i, src := range []string{"", "a\r\nb\rc\nl\nd", "\xEF\xBB\xBFa\nb\nl\nd\n", utf16Of("a\nb\nl\nd\n", true), "a\xff\n\x00", "\xc4\xe3\nb\nl\nd\n", numbered(40)} {
		f.Add([]byte(src), []byte(edits), i%2 == 0, uint8(i))
	}
	dir := f.TempDir()
	path := filepath.Join(dir, "f.txt")
	f.Fuzz(func(t *testing.T, src, request []byte, base bool, flags uint8) {
		for _, name := range readDir(t, dir) { // that the run before made
			require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		}
		require.NoError(t, os.WriteFile(path, src, 0o666))
		opt := Options{NoSync: true, Diff: flags&1 != 0, Relocate: flags&2 != 0, DryRun: flags&4 != 0}
		opt.Encoding = []string{"", "gbk", "windows-1252", "shift_jis"}[flags>>3&3]
		scheme := hashline.Scheme(flags >> 5 % 5)
		opt.Scheme = &scheme
		text := string(request)
		s := seen{}
		ws, err := Open(dir)
		require.NoError(t, err)
		defer ws.Close()
		if v, err := ws.Read(context.Background(), "f.txt", ReadOptions{Windows: allLines, Scheme: scheme, Encoding: opt.Encoding}); err == nil {
			require.NoError(t, v.Lines(func(lines []hashline.Line) error {
				for i := range lines {
					s.anchors = append(s.anchors, hashline.Format{}.Print(lines[i].Anchor))
				}
				return nil
			}))
			v.Close()
			text = placeholder.ReplaceAllStringFunc(text, func(p string) string {
				if n, _ := strconv.Atoi(strings.Trim(p, "«»")); 1 <= n && n <= len(s.anchors) {
					return s.at(n)
				}
				return p
			})
		}
		req := Decode([]byte(text), "f.txt")
		ws.Only(req, "f.txt")
		if base && len(req.Files) == 1 {
			req.Files[0].Base = hashline.TagOf(src).String()
		}
		a := ws.Edit(t.Context(), req, opt)
		_, err = json.Marshal(a)
		require.NoError(t, err)
		require.NoError(t, a.DiffText(io.Discard))
		if a.Status == Applied && !opt.DryRun && (len(a.Files) > 1 || a.Files[0].Change != "") {
			return // not of this file alone: TestRandomRequestsForManyFilesDoWhatANaiveModelDoes
		}
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, []string{"f.txt"}, readDir(t, dir))
		if a.Status != Applied {
			require.Equal(t, src, now)
			if a.Status.Exit() != 0 {
				require.NotEmpty(t, a.Failures)
				requireNoSuccess(t, textOf(a))
			}
			return
		}
		file := a.Files[0]
		if opt.DryRun {
			require.Equal(t, src, now)
			return
		}
		require.NotEqual(t, src, now)
		if file.Base != "" {
			require.Equal(t, hashline.TagOf(now).String(), file.Base)
		}
		for _, l := range file.Snippet {
			requireShownAsRead(t, ws, l, opt.Encoding)
		}
		if file.Edits[0].Op != "write" && !bytes.HasPrefix(src, []byte("\xff\xfe")) && !bytes.HasPrefix(src, []byte("\xfe\xff")) {
			requireOutsideSame(t, string(src), string(now), file.Edits)
		}
	})
}

// requireShownAsRead fails unless a read shows l with the anchor that it has.
func requireShownAsRead(t *testing.T, ws *Workspace, l Line, encoding string) {
	if l.Gap > 0 {
		return
	}
	ref, err := hashline.Format{}.Parse(l.Anchor)
	require.NoError(t, err)
	n := ref.Anchor.Line
	v, err := ws.Read(context.Background(), "f.txt", ReadOptions{Windows: []hashline.Window{{First: n, Last: n}}, Scheme: ref.Anchor.Scheme, Encoding: encoding})
	require.NoError(t, err)
	defer v.Close()
	require.NoError(t, v.Lines(func(lines []hashline.Line) error {
		require.Equal(t, ref.Anchor, lines[0].Anchor)
		return nil
	}))
}

// requireOutsideSame fails unless the lines that no edit covers follow each other
// in the new file as they did in the old.
func requireOutsideSame(t *testing.T, src, now string, edits []EditAnswer) {
	old := rawLines(src)
	covered := make([]bool, len(old))
	for _, e := range edits {
		for i := e.First; i <= e.Last; i++ {
			covered[i-1] = true
		}
	}
	fresh := rawLines(now)
	at := 0
	for i, line := range old {
		if covered[i] {
			continue
		}
		n := slices.IndexFunc(fresh[at:], func(l string) bool {
			// An insert below gives an unterminated last line an ending; and a byte
			// order mark belongs to whatever line is first.
			return l == line || i == len(old)-1 && strings.TrimRight(l, "\r\n") == line ||
				strings.TrimPrefix(l, "\uFEFF") == strings.TrimPrefix(line, "\uFEFF")
		})
		require.GreaterOrEqual(t, n, 0, "line %d is gone: %q\n%q", i+1, line, now)
		at += n + 1
	}
}
