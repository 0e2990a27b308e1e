package searchreplace_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("u", false, "rewrite the answers in testdata")

// A decodeCase is one reply of the corpus and what it is read as. Behind its name
// stand, in brackets, "go" if the reply is spelled as a Go string, "cut" if it ends
// without its last line end, and the name of a format if one is forced.
type decodeCase struct {
	file, name string
	reply      string
	opt        searchreplace.DecodeOptions
	want       string
}

// Each file of testdata/decode holds pairs of sections: a reply, and what is read
// from it.
func decodeCases(t testing.TB) []decodeCase {
	files, err := filepath.Glob("testdata/decode/*.txtar")
	require.NoError(t, err)
	var cases []decodeCase
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		topic := strings.TrimSuffix(filepath.Base(name), ".txtar")
		for i := 0; i < len(archive.Files); i++ {
			c := decodeCase{file: topic, name: archive.Files[i].Name, reply: string(archive.Files[i].Data)}
			c.options(t)
			if i+1 < len(archive.Files) && archive.Files[i+1].Name == ">" {
				i++
				c.want = string(archive.Files[i].Data)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func (c *decodeCase) options(t testing.TB) {
	_, options, _ := strings.Cut(c.name, "[")
	for option := range strings.FieldsSeq(strings.TrimSuffix(options, "]")) {
		switch option {
		case "go":
			reply, err := strconv.Unquote(strings.TrimSpace(c.reply))
			require.NoError(t, err, c.name)
			c.reply = reply
		case "cut":
			c.reply = strings.TrimSuffix(c.reply, "\n")
		default:
			format, err := searchreplace.ParseFormat(option)
			require.NoError(t, err, c.name)
			c.opt.Format = format
		}
	}
}

func TestRepliesAreReadAsTheseBlocks(t *testing.T) {
	if *update {
		rewriteCases(t)
	}
	cases := decodeCases(t)
	for _, c := range cases {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			got := show(searchreplace.Decode([]byte(c.reply), c.opt))
			require.Equal(t, c.want, got)
		})
	}
}

func rewriteCases(t *testing.T) {
	want := map[string]string{}
	for _, c := range decodeCases(t) {
		want[c.file+"/"+c.name] = show(searchreplace.Decode([]byte(c.reply), c.opt))
	}
	files, _ := filepath.Glob("testdata/decode/*.txtar")
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		topic := strings.TrimSuffix(filepath.Base(name), ".txtar")
		var all []txtar.File
		for _, f := range archive.Files {
			if f.Name != ">" {
				all = append(all, f, txtar.File{Name: ">", Data: []byte(want[topic+"/"+f.Name])})
			}
		}
		archive.Files = all
		require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o666))
	}
}

var opNames = map[searchreplace.Op]string{
	searchreplace.Replace: "replace", searchreplace.Write: "write", searchreplace.Create: "create",
	searchreplace.Delete: "delete", searchreplace.Rename: "rename",
}

var dialectNames = map[searchreplace.Dialect]string{
	searchreplace.Cline: "cline", searchreplace.Git: "git", searchreplace.Call: "call",
	searchreplace.Unified: "unified", searchreplace.Patch: "patch",
}

// show prints a reply for the corpus.
func show(r *searchreplace.Reply) string {
	var s strings.Builder
	for i := range r.Blocks {
		s.WriteString(showBlock(i+1, &r.Blocks[i]))
	}
	for _, p := range r.Problems {
		s.WriteString(showProblem(&p))
	}
	for _, c := range r.Shell {
		fmt.Fprintf(&s, "shell lines %d-%d\n%s", c.First, c.Last, bar(c.Text))
	}
	if r.Text != "" {
		s.WriteString("text\n" + bar(r.Text))
	}
	return s.String()
}

func showProblem(p *searchreplace.Problem) string {
	return fmt.Sprintf("problem block %d %q line %d %s: %s\n", p.Block, p.Path, p.Line, p.Code, p.Message)
}

func showBlock(n int, b *searchreplace.Block) string {
	var s strings.Builder
	fmt.Fprintf(&s, "block %d %s %s %q lines %d-%d", n, dialectNames[b.Dialect], opNames[b.Op], b.Path, b.First, b.Last)
	if b.To != "" {
		fmt.Fprintf(&s, " to %q", b.To)
	}
	if b.Substring {
		s.WriteString(" substring")
	}
	if b.All {
		s.WriteString(" all")
	}
	if b.Line != 0 {
		fmt.Fprintf(&s, " at %d", b.Line)
	}
	if b.AtEnd {
		s.WriteString(" at the end")
	}
	if b.SearchUnterminated {
		s.WriteString(" search unterminated")
	}
	if b.ReplaceUnterminated {
		s.WriteString(" replace unterminated")
	}
	s.WriteString("\n")
	for _, c := range b.Context {
		fmt.Fprintf(&s, "  context %q\n", c)
	}
	for _, r := range b.Repairs {
		fmt.Fprintf(&s, "  repair line %d %s: %s\n", r.Line, r.Rule, r.Note)
	}
	if b.Op == searchreplace.Replace {
		s.WriteString(" search\n" + bar(b.Search))
	}
	if b.Op != searchreplace.Delete && b.Op != searchreplace.Rename {
		s.WriteString(" replace\n" + bar(b.Replace))
	}
	if x := b.Stripped; x != nil {
		fmt.Fprintf(&s, " or %s (line %d: %s) search\n%s replace\n%s", x.Repair.Rule, x.Repair.Line, x.Repair.Note, bar(x.Search), bar(x.Replace))
	}
	return s.String()
}

// bar prints text line by line; what a line of a text file cannot show is escaped.
func bar(text string) string {
	var s strings.Builder
	for text != "" {
		i := strings.IndexByte(text, '\n') + 1
		end := "\n"
		if i == 0 {
			i, end = len(text), "\\\n" // no line end
		}
		line := strings.TrimSuffix(text[:i], "\n")
		if hidden(line) {
			line = strings.Trim(strconv.Quote(line), `"`) + "$"
		}
		s.WriteString("|" + line + end)
		text = text[i:]
	}
	return s.String()
}

// hidden reports whether a line holds what a reader of the corpus would not see.
func hidden(line string) bool {
	return !utf8.ValidString(line) || strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") ||
		strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && !unicode.IsGraphic(r) })
}

// read returns what a decoder says of pieces, in the form of a reply.
func read(opt searchreplace.DecodeOptions, closed bool, pieces ...string) *searchreplace.Reply {
	d := searchreplace.NewDecoder(opt)
	r := &searchreplace.Reply{}
	add := func(events []searchreplace.Event) {
		for _, e := range events {
			switch e.Kind {
			case searchreplace.Prose:
				r.Text += e.Text
			case searchreplace.Completed:
				r.Blocks = append(r.Blocks, *e.Block)
			case searchreplace.Failed:
				r.Problems = append(r.Problems, *e.Problem)
			case searchreplace.ShellSeen:
				r.Shell = append(r.Shell, *e.Shell)
			}
		}
	}
	for _, p := range pieces {
		add(d.Feed([]byte(p)))
	}
	if closed {
		add(d.Close())
	}
	return r
}

func TestHowAReplyIsCutDoesNotMatter(t *testing.T) {
	splits, step := 200, 1
	if testing.Short() {
		splits, step = 20, 7
	}
	for _, c := range decodeCases(t) {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			want := show(searchreplace.Decode([]byte(c.reply), c.opt))
			for i := 0; i <= len(c.reply); i += step {
				require.Equal(t, want, show(read(c.opt, true, c.reply[:i], c.reply[i:])), "cut at %d", i)
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range splits {
				var pieces []string
				most := 1 + random.IntN(1+len(c.reply)/2)
				for rest := c.reply; rest != ""; {
					n := min(len(rest), 1+random.IntN(most))
					pieces = append(pieces, rest[:n])
					rest = rest[n:]
				}
				require.Equal(t, want, show(read(c.opt, true, pieces...)))
			}
		})
	}
}

// A reply that is still coming, or that was cut off, has no block that the whole
// one does not have. There are exceptions: a fence that ends the text ends the block
// without a closer that it is around, a line cut at the right place reads as a
// closer, and a hunk that has as many lines as it says is whole.
func TestNoPrefixCompletesABlockThatTheWholeDoesNotHave(t *testing.T) {
	for _, c := range decodeCases(t) {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			whole := searchreplace.Decode([]byte(c.reply), c.opt)
			step := 1
			if testing.Short() {
				step = 5
			}
			for i := 0; i < len(c.reply); i += step {
				open := read(c.opt, false, c.reply[:i])
				require.LessOrEqual(t, len(open.Blocks), len(whole.Blocks))
				for j := range open.Blocks {
					require.Equal(t, showBlock(j, &whole.Blocks[j]), showBlock(j, &open.Blocks[j]), "up to %d", i)
				}
				require.LessOrEqual(t, len(open.Problems), len(whole.Problems))
				closed := searchreplace.Decode([]byte(c.reply[:i]), c.opt)
				for j := range closed.Blocks {
					b := &closed.Blocks[j]
					if j >= len(open.Blocks) && (endsWithFence(b) || endsWithinLine(c.reply, i, b) || endsByCounts(b)) {
						continue
					}
					if !assert.Less(t, j, len(whole.Blocks), "up to %d: %q", i, c.reply[:i]) {
						return
					}
					require.Equal(t, showBlock(j, &whole.Blocks[j]), showBlock(j, &closed.Blocks[j]), "up to %d", i)
				}
			}
		})
	}
}

func endsWithFence(b *searchreplace.Block) bool {
	for _, r := range b.Repairs {
		if r.Rule == "missing_closer" {
			return true
		}
	}
	return false
}

func endsWithinLine(reply string, i int, b *searchreplace.Block) bool {
	rest, _, _ := strings.Cut(reply[i:], "\n")
	return b.Last == strings.Count(reply[:i], "\n")+1 && strings.TrimSpace(rest) != ""
}

// endsByCounts reports whether b is a hunk: it may have more lines than it says, or
// a remark on its last line.
func endsByCounts(b *searchreplace.Block) bool { return b.Dialect == searchreplace.Unified }
