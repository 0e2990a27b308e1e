package searchreplace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLadderCorpus resolves the cases of testdata/ladder by every preset. A case
// CASE is the members
//
//	CASE/file      the file
//	CASE/options   of the request, one a line; may be left out
//	CASE/block     what a block has beside its sides, one a line; may be left out
//	CASE/search    its search
//	CASE/replace   its replacement; may be left out for none
//	CASE/want      the answer
//
// with block.2, search.2, replace.2 and so on for further blocks. What a member
// cannot hold is written as Go strings, a line each, in a member named .q.
func TestLadderCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/ladder/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			var out []txtar.File
			for _, c := range casesOf(t, archive) {
				t.Run(c.name, func(t *testing.T) {
					got := c.answers(t)
					if !*update {
						assert.Equal(t, string(c.members["want"]), got)
					}
					c.members["want"] = []byte(got)
				})
				for _, m := range append(c.order, "want") {
					out = append(out, txtar.File{Name: c.name + "/" + m, Data: c.members[m]})
				}
			}
			if *update {
				archive.Files = out
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o666))
			}
		})
	}
}

type corpusCase struct {
	name    string
	order   []string // members but want, as they stand
	members map[string][]byte
}

func casesOf(t *testing.T, a *txtar.Archive) []*corpusCase {
	var cases []*corpusCase
	for _, f := range a.Files {
		name, member, ok := strings.Cut(f.Name, "/")
		require.True(t, ok, f.Name)
		if len(cases) == 0 || cases[len(cases)-1].name != name {
			cases = append(cases, &corpusCase{name: name, members: map[string][]byte{}})
		}
		c := cases[len(cases)-1]
		require.NotContains(t, c.members, member, name)
		c.members[member] = f.Data
		if member != "want" {
			c.order = append(c.order, member)
		}
	}
	return cases
}

// text returns a member as it is meant.
func (c *corpusCase) text(t *testing.T, member string) string {
	if data, ok := c.members[member]; ok {
		return string(data)
	}
	var b strings.Builder
	for line := range strings.Lines(string(c.members[member+".q"])) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		require.NoError(t, err, "%s/%s: %s", c.name, member, line)
		b.WriteString(s)
	}
	return b.String()
}

func (c *corpusCase) blocks(t *testing.T) []searchreplace.Block {
	var blocks []searchreplace.Block
	for n := 1; ; n++ {
		suffix := ""
		if n > 1 {
			suffix = fmt.Sprint(".", n)
			if _, ok := c.members["search"+suffix]; !ok && c.members["search"+suffix+".q"] == nil {
				return blocks
			}
		}
		b := searchreplace.Block{Search: c.text(t, "search"+suffix), Replace: c.text(t, "replace"+suffix)}
		for line := range strings.Lines(c.text(t, "block"+suffix)) {
			c.hint(t, &b, strings.TrimSuffix(line, "\n"))
		}
		blocks = append(blocks, b)
	}
}

// hint reads a line of a block member.
func (c *corpusCase) hint(t *testing.T, b *searchreplace.Block, line string) {
	key, value, _ := strings.Cut(line, " ")
	switch key {
	case "substring":
		b.Substring = true
	case "call":
		b.Substring, b.Dialect = true, searchreplace.Call
	case "unified":
		b.Dialect = searchreplace.Unified
	case "patch":
		b.Dialect = searchreplace.Patch
	case "all":
		b.All = true
	case "line":
		n, err := strconv.Atoi(value)
		require.NoError(t, err)
		b.Line = n
	case "context":
		b.Context = append(b.Context, value)
	case "at-end":
		b.AtEnd = true
	case "search-unterminated":
		b.SearchUnterminated = true
	case "replace-unterminated":
		b.ReplaceUnterminated = true
	case "stripped":
		search, replace, ok := strings.Cut(value, " ")
		require.True(t, ok)
		s, err := strconv.Unquote(search)
		require.NoError(t, err)
		r, err := strconv.Unquote(replace)
		require.NoError(t, err)
		b.Stripped = &searchreplace.Sides{Search: s, Replace: r}
	default:
		t.Fatalf("%s: no block has %q", c.name, line)
	}
}

func (c *corpusCase) options(t *testing.T) searchreplace.Options {
	var opt searchreplace.Options
	for line := range strings.Lines(c.text(t, "options")) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "all":
			opt.All = true
		case "first":
			opt.First = true
		case "partial":
			opt.Partial = true
		case "allow-placeholder":
			opt.AllowPlaceholder = true
		case "on-empty":
			opt.OnEmpty = searchreplace.OnEmpty(value)
		default:
			t.Fatalf("%s: no option %q", c.name, line)
		}
	}
	return opt
}

// answers returns what every preset answers, those that answer alike together.
func (c *corpusCase) answers(t *testing.T) string {
	src := c.text(t, "file")
	blocks := c.blocks(t)
	byAnswer := map[string][]string{}
	var order []string
	for _, name := range everyPreset {
		opt := c.options(t)
		opt.Ladder, _ = searchreplace.Preset(name)
		got := answer(t, src, blocks, opt)
		if byAnswer[got] == nil {
			order = append(order, got)
		}
		byAnswer[got] = append(byAnswer[got], name)
	}
	var b strings.Builder
	for _, got := range order {
		names := byAnswer[got]
		if len(names) == len(everyPreset) {
			names = []string{"every preset"}
		}
		fmt.Fprintf(&b, "%s:\n%s", strings.Join(names, " "), got)
	}
	return b.String()
}

// answer prints a resolution. What a failure offers is made, as if it had been
// sent.
func answer(t *testing.T, src string, blocks []searchreplace.Block, opt searchreplace.Options) string {
	res := resolve(t, src, opt, blocks...)
	doc, err := text.Parse([]byte(src), nil)
	require.NoError(t, err)
	var b strings.Builder
	for i, r := range res.Results {
		fail := slices.IndexFunc(res.Failures, func(f *searchreplace.Failure) bool { return f.Block == i })
		if fail >= 0 {
			f := res.Failures[fail]
			fmt.Fprintf(&b, "\t%d: %s: %s\n", i+1, f.Code, f.Message)
			for _, p := range f.Places {
				fmt.Fprintf(&b, "\t\tat %s", lineRange(p))
				if p.Edits != nil {
					spliced, err := text.Splice(doc, p.Edits)
					require.NoError(t, err)
					fmt.Fprintf(&b, " it would be %q", spliced.Bytes())
				}
				b.WriteString("\n")
			}
			for _, why := range f.Why {
				fmt.Fprintf(&b, "\t\t%s\n", why)
			}
			continue
		}
		fmt.Fprintf(&b, "\t%d: %s", i+1, r.Tier)
		for _, p := range r.Places {
			fmt.Fprintf(&b, " %s", lineRange(p))
		}
		if r.Unchanged {
			b.WriteString(" unchanged")
		}
		if r.AlreadyAt > 0 {
			fmt.Fprintf(&b, ", already there at line %d", r.AlreadyAt)
		}
		b.WriteString("\n")
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "\t\t%s: %s\n", n.Rule, n.Text)
		}
	}
	if res.Spliced != nil && !res.Spliced.Equal() {
		fmt.Fprintf(&b, "\t%q\n", res.Spliced.Bytes())
	}
	return b.String()
}

func lineRange(p searchreplace.Place) string {
	switch p.End - p.Start {
	case 0:
		return fmt.Sprintf("before %d", p.Start+1)
	case 1:
		return fmt.Sprint(p.End)
	}
	return fmt.Sprintf("%d-%d", p.Start+1, p.End)
}
