package searchreplace_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The model: lines compared one window after another, in the plainest way.

func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

func asIs(s string) string     { return s }
func trimmed(s string) string  { return strings.Trim(s, " \t") }
func trailing(s string) string { return strings.TrimRight(s, " \t") }

func windows(file, search []string, fold func(string) string) []int {
	var starts []int
	for i := 0; i+len(search) <= len(file) && len(search) > 0; i++ {
		if slices.EqualFunc(file[i:i+len(search)], search, func(a, b string) bool { return fold(a) == fold(b) }) {
			starts = append(starts, i)
		}
	}
	return starts
}

func resolve(t require.TestingT, src string, opt searchreplace.Options, blocks ...searchreplace.Block) *searchreplace.Resolution {
	doc, err := text.Parse([]byte(src), nil)
	require.NoError(t, err)
	return searchreplace.Resolve(doc, blocks, opt)
}

// genLines draws lines that often repeat and often differ in blanks only.
func genLines(t *rapid.T, name string, least, most int) []string {
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "  ", "    ", "\t", "\t\t"}).Draw(t, "indent") +
			rapid.SampledFrom([]string{"a", "b", "c", "", "a b", "...", "}"}).Draw(t, "content") +
			rapid.SampledFrom([]string{"", "", "", " ", "\t"}).Draw(t, "trailing")
	})
	return rapid.SliceOfN(line, least, most).Draw(t, name)
}

func joinLines(lines []string, ending string) string {
	var b strings.Builder
	for _, s := range lines {
		b.WriteString(s)
		b.WriteString(ending)
	}
	return b.String()
}

// genBlock draws a block that often stands in file.
func genBlock(t *rapid.T, file []string) searchreplace.Block {
	search := genLines(t, "search", 1, 4)
	if len(file) > 0 && rapid.IntRange(0, 4).Draw(t, "from the file") > 0 {
		start := rapid.IntRange(0, len(file)-1).Draw(t, "start")
		n := rapid.IntRange(1, min(6, len(file)-start)).Draw(t, "n")
		search = slices.Clone(file[start : start+n])
		damage := rapid.SampledFrom([]func(string) string{asIs, asIs, trailing, trimmed, func(s string) string { return "  " + s }, func(s string) string { return strings.ReplaceAll(s, "\t", "    ") }}).Draw(t, "damage")
		for i := range search {
			search[i] = damage(search[i])
		}
	}
	replace := slices.Clone(search)
	switch rapid.IntRange(0, 4).Draw(t, "change") {
	case 0:
		replace = genLines(t, "replace", 0, 4)
	case 1:
		i := rapid.IntRange(0, len(replace)-1).Draw(t, "changed")
		replace[i] += "x"
	case 2:
		i := rapid.IntRange(0, len(replace)).Draw(t, "inserted")
		replace = slices.Insert(replace, i, genLines(t, "new", 1, 2)...)
	case 3:
		i := rapid.IntRange(0, len(replace)-1).Draw(t, "deleted")
		replace = slices.Delete(replace, i, i+1)
	}
	b := searchreplace.Block{Search: joinLines(search, "\n"), Replace: joinLines(replace, "\n"), All: rapid.IntRange(0, 9).Draw(t, "all") == 0}
	if rapid.IntRange(0, 2).Draw(t, "substring") == 0 {
		b.Substring = true
		b.Search = strings.TrimSuffix(b.Search, "\n")
		if rapid.Bool().Draw(t, "replace without its end") {
			b.Replace = strings.TrimSuffix(b.Replace, "\n")
		}
		if cut := rapid.IntRange(0, len(b.Search)).Draw(t, "cut"); cut < len(b.Search) {
			b.Search = b.Search[cut:]
		}
	}
	return b
}

func genFile(t *rapid.T) (lines []string, src string) {
	lines = genLines(t, "file", 0, 12)
	src = joinLines(lines, "\n")
	if len(lines) > 0 && lines[len(lines)-1] != "" && rapid.IntRange(0, 3).Draw(t, "unterminated") == 0 {
		src = strings.TrimSuffix(src, "\n")
	}
	return lines, src
}

var everyPreset = []string{"strict", "default", "cline", "avante", "aider", "grok"}

func genOptions(t *rapid.T) searchreplace.Options {
	l, _ := searchreplace.Preset(rapid.SampledFrom(everyPreset).Draw(t, "ladder"))
	return searchreplace.Options{
		Ladder:           l,
		First:            rapid.IntRange(0, 9).Draw(t, "first") == 0,
		AllowPlaceholder: true,
	}
}

func TestBytesOutsideSpansStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, src := genFile(t)
		blocks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) searchreplace.Block { return genBlock(t, file) }), 1, 3).Draw(t, "blocks")
		opt := genOptions(t)
		opt.Partial = true
		res := resolve(t, src, opt, blocks...)
		var spans []searchreplace.Span
		for _, r := range res.Results {
			spans = append(spans, r.Spans...)
		}
		slices.SortFunc(spans, func(a, b searchreplace.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
		got := string(res.Spliced.Bytes())
		reached := 0
		for i, s := range spans {
			piece := src[reached:s.Start]
			at := strings.Index(got, piece)
			require.True(t, at >= 0 && (i > 0 || at == 0), "%q of %q is not in %q, spans %v", piece, src, got, spans)
			got = got[at+len(piece):]
			reached = s.End
		}
		require.True(t, strings.HasSuffix(got, src[reached:]), "%q of %q does not end %q, spans %v", src[reached:], src, got, spans)
	})
}

func TestOrderOfBlocksDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, src := genFile(t)
		blocks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) searchreplace.Block { return genBlock(t, file) }), 2, 4).Draw(t, "blocks")
		opt := genOptions(t)
		opt.Partial = true
		a := resolve(t, src, opt, blocks...)
		slices.Reverse(blocks)
		b := resolve(t, src, opt, blocks...)
		require.Equal(t, string(a.Spliced.Bytes()), string(b.Spliced.Bytes()))
		require.Equal(t, len(a.Failures), len(b.Failures))
	})
}

// A block whose search is once in the file, line for line, becomes its
// replacement there, whatever the ladder; if it is there already, it stays.
func TestSearchThatStandsOnceApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, src := genFile(t)
		b := genBlock(t, file)
		b.Substring = false
		b.Search = joinLines(linesOf(b.Search), "\n")
		search, replace := linesOf(b.Search), linesOf(b.Replace)
		found := windows(file, search, asIs)
		if len(found) != 1 {
			return // not once
		}
		res := resolve(t, src, genOptions(t), b)
		require.Empty(t, res.Failures)
		require.Equal(t, searchreplace.Exact, res.Results[0].Tier)
		want := slices.Concat(file[:found[0]], replace, file[found[0]+len(search):])
		if res.Results[0].Unchanged {
			// Only where the replacement stands around the search, blanks at line ends
			// aside; and, if it has new lines, blank edges of both aside.
			stands := slices.Equal(search, replace)
			around := func(start int, search, replace []string) {
				for _, at := range windows(file, replace, trailing) {
					stands = stands || at <= start && start+len(search) <= at+len(replace)
				}
			}
			around(found[0], search, replace)
			if inner, top := withoutEdges(search); 0 < len(inner) && len(inner) < len(search) {
				less, _ := withoutEdges(replace)
				around(found[0]+top, inner, less)
			}
			require.True(t, stands)
			want = file
		}
		require.Equal(t, want, linesOf(string(res.Spliced.Bytes())))
	})
}

func TestTierAndCountAreThoseOfTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, src := genFile(t)
		b := genBlock(t, file)
		b.Substring, b.All = false, false
		b.Search = joinLines(linesOf(b.Search), "\n")
		search := linesOf(b.Search)
		res := resolve(t, src, searchreplace.Options{AllowPlaceholder: true}, b)
		blank := trimmed(strings.Join(search, "")) == ""
		for _, tier := range []struct {
			name searchreplace.Tier
			fold func(string) string
		}{{searchreplace.Exact, asIs}, {searchreplace.Trailing, trailing}, {searchreplace.Indent, trimmed}} {
			if tier.name == searchreplace.Indent && blank {
				continue
			}
			found := windows(file, search, tier.fold)
			switch {
			case len(found) > 1:
				require.Len(t, res.Failures, 1)
				require.Equal(t, searchreplace.MultipleMatches, res.Failures[0].Code)
				require.Equal(t, tier.name, res.Failures[0].Tier)
				require.Equal(t, len(found), res.Failures[0].Count)
				return
			case len(found) == 1 && tier.name == searchreplace.Trailing && len(res.Failures) > 0:
				require.Equal(t, searchreplace.MultipleMatches, res.Failures[0].Code)
				require.True(t, hasRival(file, search, found[0]) || len(windows(file, search, trimmed)) > 1)
				return
			case len(found) == 1 && tier.name != searchreplace.Indent:
				require.Empty(t, res.Failures)
				if tier.name == searchreplace.Trailing && hasRival(file, search, found[0]) {
					require.True(t, res.Results[0].Unchanged, "what is done already has no rivals")
				}
				require.Equal(t, tier.name, res.Results[0].Tier)
				require.Equal(t, found[0], res.Results[0].Places[0].Start)
				return
			case len(found) == 1 && len(res.Failures) == 0:
				if tier := res.Results[0].Tier; tier == searchreplace.Indent || tier == searchreplace.Trimmed {
					require.Equal(t, found[0], res.Results[0].Places[0].Start)
				}
				return
			}
		}
	})
}

// hasRival reports whether a search that stands at line at of file but for blanks at
// line ends stands elsewhere as it is but for blank lines at its ends, or is a brace
// that stands elsewhere at another depth.
func hasRival(file, search []string, at int) bool {
	if trimmed(strings.Join(search, "")) == "" {
		return false
	}
	inner, top := withoutEdges(search)
	exact := windows(file, inner, asIs)
	if len(inner) < len(search) && len(exact) > 0 && !slices.Contains(exact, at+top) {
		return true
	}
	brace := len(search) == 1 && !strings.ContainsAny(search[0], "abcx") && trimmed(search[0]) == search[0]
	return brace && len(windows(file, search, trimmed)) > 1
}

// withoutEdges returns lines without blank ones at their ends, and how many these are
// at the top.
func withoutEdges(lines []string) (inner []string, top int) {
	for len(lines) > 0 && trimmed(lines[0]) == "" {
		lines, top = lines[1:], top+1
	}
	for len(lines) > 0 && trimmed(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines, top
}

func TestCRLFInCRLFOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, src := genFile(t)
		blocks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) searchreplace.Block { return genBlock(t, file) }), 1, 3).Draw(t, "blocks")
		opt := genOptions(t)
		opt.Partial = true
		lf := resolve(t, src, opt, blocks...)
		if len(lf.Spliced.Bytes()) > 0 && !strings.Contains(src, "\n") {
			return // no line end to take over
		}
		crlf := resolve(t, strings.ReplaceAll(src, "\n", "\r\n"), opt, blocks...)
		require.Equal(t, strings.ReplaceAll(string(lf.Spliced.Bytes()), "\n", "\r\n"), string(crlf.Spliced.Bytes()))
		for i := range blocks {
			blocks[i].Search = strings.ReplaceAll(blocks[i].Search, "\n", "\r\n")
			blocks[i].Replace = strings.ReplaceAll(blocks[i].Replace, "\n", "\r\n")
		}
		both := resolve(t, src, opt, blocks...)
		require.Equal(t, string(lf.Spliced.Bytes()), string(both.Spliced.Bytes()))
	})
}

// A block that has been applied is not applied again. What it cannot know is
// excepted: that its search stood in two places, blanks aside, that it came to
// stand anew where the replacement meets the lines around it, or that it stands in the
// replacement, whose first line alone was indented as the file has it: a line at another
// depth may be another line.
func TestAppliedTwiceIsNoSecondEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, src := genFile(t)
		b := genBlock(t, file)
		b.Substring, b.All = false, false
		b.Search = joinLines(linesOf(b.Search), "\n")
		inner, _ := withoutEdges(linesOf(b.Search))
		at := windows(file, inner, trimmed)
		if len(at) != 1 {
			return // not once, or blank
		}
		opt := genOptions(t)
		opt.First = false
		res := resolve(t, src, opt, b)
		if len(res.Failures) > 0 || res.Results[0].Unchanged {
			return // no edit
		}
		place := res.Results[0].Places[0] // without blank edges of the search that are not its own
		start := place.Start
		if trailing(file[at[0]]) != trailing(inner[0]) && len(windows(linesOf(b.Replace), inner, trailing)) > 0 &&
			slices.Contains(windows(file, inner[1:], trailing), at[0]+1) {
			return // of the first line only
		}
		once := string(res.Spliced.Bytes())
		again := resolve(t, once, opt, b)
		if len(again.Failures) > 0 || again.Results[0].Unchanged {
			return
		}
		if slices.EqualFunc(linesOf(once), linesOf(string(again.Spliced.Bytes())), func(a, b string) bool { return trailing(a) == trailing(b) }) {
			return // of blanks at line ends, where the block adds such to a line and takes another of them away
		}
		end := place.End + len(linesOf(once)) - len(file)
		for _, p := range again.Results[0].Places {
			require.False(t, start <= p.Start && p.End <= end, "%q became %q and then %q by %+v", src, once, again.Spliced.Bytes(), again.Results[0])
			require.True(t, p.Start < end && start < p.End || p.Start == end || p.End == start, "%q became %q and then %q by %+v", src, once, again.Spliced.Bytes(), again.Results[0])
		}
	})
}

func TestSubstringStandsOnceApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.StringOfN(rapid.SampledFrom([]rune("ab \n–\"")), 0, 30, -1).Draw(t, "src")
		runes := []rune(src)
		from := rapid.IntRange(0, len(runes)).Draw(t, "from")
		search := string(runes[from:min(from+rapid.IntRange(1, 8).Draw(t, "length"), len(runes))])
		replace := rapid.StringOfN(rapid.SampledFrom([]rune("abx \n–")), 0, 6, -1).Draw(t, "replace")
		at := strings.Index(src, search)
		if search == "" || strings.Contains(src[at+1:], search) || search == "\n" {
			return // not once
		}
		res := resolve(t, src, genOptions(t), searchreplace.Block{Search: search, Replace: replace, Substring: true})
		require.Empty(t, res.Failures)
		got := string(res.Spliced.Bytes())
		want := src[:at] + replace + src[at+len(search):]
		if r := res.Results[0]; r.Unchanged && search != replace {
			require.True(t, strings.Contains(src, replace) || strings.Contains(src+"\n", replace))
			return
		} else if slices.ContainsFunc(r.Notes, func(n searchreplace.Note) bool { return n.Rule == searchreplace.NoteFinalNewline }) {
			return // literal, it would join lines or leave a blank one
		}
		// The file's final line end, or its lack, stays.
		require.Equal(t, strings.TrimSuffix(want, "\n"), strings.TrimSuffix(got, "\n"), "of %q", src)
	})
}
