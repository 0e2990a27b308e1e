package hashline_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func replaceAll(search, replace string, expect int) hashline.Edit {
	return hashline.Edit{Op: hashline.SearchReplace, Search: search, Replace: replace, Expect: expect}
}

func TestASearchReplacesEveryHit(t *testing.T) {
	for _, tt := range []struct {
		name, src       string
		search, replace string
		hits            int
		want            string
	}{
		{"one hit", "a b\nc\n", "b", "x", 1, "a x\nc\n"},
		{"several on a line", "a b a\na\n", "a", "xy", 3, "xy b xy\nxy\n"},
		{"hits that touch", "aaaa\n", "aa", "b", 2, "bb\n"},
		{"of overlapping ones the first", "aaa\n", "aa", "b", 1, "ba\n"},
		{"a pattern that overlaps itself over lines", "a\na\na\na\n", "a\na\n", "b\n", 2, "b\nb\n"},
		{"several lines", "a\nb\nc\n", "a\nb", "x\ny\nz", 1, "x\ny\nz\nc\n"},
		{"from the middle of a line to the middle of another", "one two\nthree four\n", "two\nthree", "2\n3", 1, "one 2\n3 four\n"},
		{"a whole line", "a\nb\nc\n", "b\n", "", 1, "a\nc\n"},
		{"a whole line by two", "a\nb\nc\n", "b\n", "x\ny\n", 1, "a\nx\ny\nc\n"},
		{"whole lines that touch", "b\nb\nc\n", "b\n", "x\n", 2, "x\nx\nc\n"},
		{"the text of a line", "a\nb\nc\n", "b", "", 1, "a\n\nc\n"},
		{"a line split", "a,b\nc\n", ",", "\n", 1, "a\nb\nc\n"},
		{"two lines joined", "a\nb\nc\n", "a\nb", "ab", 1, "ab\nc\n"},
		{"every line joined", "a\nb\nc\n", "\n", ",", 3, "a,b,c,\n"},
		{"an ending before the last line", "a\nb", "\n", ",", 1, "a,b"},
		{"the blank line", "a\n\nb\n", "\n\n", "\n", 1, "a\nb\n"},
		{"all of the text", "a\nb\n", "a\nb\n", "", 1, ""},
		{"all of the text by a line", "a\nb\n", "a\nb\n", "x", 1, "x\n"},
		{"a line at the end without its ending", "a\nb", "b", "x", 1, "a\nx"},
		{"the last line without its ending goes", "a\nb", "b", "", 1, "a\n"},
		{"the only line without its ending goes", "b", "b", "", 1, ""},
		{"a line feed at the very end", "a\nb", "b", "x\n", 1, "a\nx"},
		{"two at the very end", "a\nb", "b", "x\n\n", 1, "a\nx\n\n"},
		{"a beginning of the last line", "a\nbc", "b", "x\n", 1, "a\nx\nc"},
		{"CRLF by one line", "a\r\nb\r\nc\r\n", "b", "x", 1, "a\r\nx\r\nc\r\n"},
		{"a search over CRLF", "a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", 1, "x\r\ny\r\nz\r\nc\r\n"},
		{"a search with CRLF", "a\nb\nc\n", "a\r\nb", "x\r\ny", 1, "x\ny\nc\n"},
		{"mixed endings keep their places", "a\r\nb\nc\r\nd\n", "b\nc", "x\ny", 1, "a\r\nx\ny\r\nd\n"},
		{"a join takes the first ending", "a\r\nb\nc\n", "a\nb", "ab", 1, "ab\r\nc\n"},
		{"a lone carriage return is text", "a\rb\nc\r\n", "\r", "x", 1, "axb\nc\r\n"},
		{"one before CRLF, too", "a\r\r\nb\r\n", "a\r\n", "x\n", 0, ""},
		{"a byte order mark stays", "\xEF\xBB\xBFa\nb\n", "a\n", "", 1, "\xEF\xBB\xBFb\n"},
		{"bytes that are no UTF-8 stay", "\xff a\nb \xfe\n", "a", "x", 1, "\xff x\nb \xfe\n"},
		{"letters beyond ASCII", "é→è\n", "→", "é\nè", 1, "éé\nèè\n"},
		{"the same again", "a\n", "a", "a", 1, "a\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := resolve(t, tt.src, replaceAll(tt.search, tt.replace, max(tt.hits, 1)))
			if tt.hits == 0 {
				assert.Equal(t, []hashline.Code{hashline.NoMatch}, codes(res))
				return
			}
			assert.Equal(t, tt.want, applied(t, res))
			assert.Equal(t, tt.hits, res.Edits[0].Hits)
		})
	}
}

func TestASearchInItsLinesSeesNoOthers(t *testing.T) {
	lines := []string{"a b", "a b", "a b", "a b"}
	src := joined(lines)
	scoped := func(search, replace string, expect int) *hashline.Resolution {
		e := replaceAll(search, replace, expect)
		e.Anchor, e.End = at(t, hashline.Chunk, lines, 2), at(t, hashline.Chunk, lines, 3)
		return resolve(t, src, e)
	}
	assert.Equal(t, "a b\nx b\nx b\na b\n", applied(t, scoped("a", "x", 0)), "any number will do")
	assert.Equal(t, "a b\nx b\nx b\na b\n", applied(t, scoped("a", "x", 2)))
	assert.Equal(t, "a b\nx\na b\n", applied(t, scoped("a b\na b\n", "x\n", 1)))
	assert.Equal(t, "a b\na b\n", applied(t, scoped("a b\n", "", 2)), "at both edges")
	assert.Equal(t, "a b\na cb\na cb\na b\n", applied(t, scoped(" ", " c", 2)))
	assert.Equal(t, []hashline.Code{hashline.NoMatch}, codes(scoped("b\na b\na b", "x", 1)), "it begins above")
	assert.Equal(t, []hashline.Code{hashline.NoMatch}, codes(scoped("a b\na b\na", "x", 1)), "it ends below")
	for _, s := range []string{"a b\n", "b\n", "\n"} {
		res := scoped(s, "x", 2)
		require.Equal(t, []hashline.Code{hashline.InvalidInput}, codes(res), "%q would join line 4", s)
		assert.Contains(t, res.Failures[0].Message, "joins line 3")
		assert.Equal(t, "replace", res.Failures[0].Field)
	}
	e := replaceAll("\n", ",", 3)
	e.Anchor, e.End = at(t, hashline.Chunk, lines, 2), at(t, hashline.Chunk, lines, 4)
	assert.Equal(t, "a b\na b,a b,a b,\n", applied(t, resolve(t, src, e)), "nothing stands below to join")
}

func TestAWrongNumberOfHitsIsRefusedAndShown(t *testing.T) {
	src := joined(strings.Split(strings.Repeat("a,", 9)+"b", ","))
	res := resolve(t, src, replaceAll("a", "x", 8))
	require.Equal(t, []hashline.Code{hashline.MultipleMatches}, codes(res))
	f := res.Failures[0]
	assert.Equal(t, 9, f.Count)
	assert.Equal(t, []int{1, 2, 3, 4, 5}, linesOf(f.Candidates))
	assert.Equal(t, "expect", f.Field)
	res = resolve(t, src, replaceAll("a", "x", 10))
	require.Equal(t, []hashline.Code{hashline.NoMatch}, codes(res))
	assert.Equal(t, 9, res.Failures[0].Count)
	res = resolve(t, src, replaceAll("c", "x", 1))
	require.Equal(t, []hashline.Code{hashline.NoMatch}, codes(res))
	assert.Equal(t, "search", res.Failures[0].Field)
	e := replaceAll("c", "x", 0)
	e.Anchor = at(t, hashline.Chunk, strings.Split(strings.TrimSuffix(src, "\n"), "\n"), 2)
	res = resolve(t, src, e)
	require.Equal(t, []hashline.Code{hashline.NoMatch}, codes(res))
	assert.Equal(t, []int{2}, linesOf(res.Failures[0].Context), "the lines named are shown")
	assert.Equal(t, []hashline.Code{hashline.NoMatch}, codes(resolve(t, "", replaceAll("c", "x", 1))))
}

func TestAReplacementThatCannotBeWrittenNamesItsField(t *testing.T) {
	for _, replace := range []string{"x\r", "x\x00", "x\r\ny\r"} {
		res := resolve(t, "a\n", replaceAll("a", replace, 1))
		require.Equal(t, []hashline.Code{hashline.InvalidInput}, codes(res), "%q", replace)
		assert.Equal(t, "replace", res.Failures[0].Field)
	}
}

func TestASearchInAnEncodingFindsCharactersNotBytes(t *testing.T) {
	for _, tt := range []struct{ enc, src, search, replace, want string }{
		// In gbk 你 is C4 E3, 愫 is E3 BA, 好 is BA C3.
		{"gbk", "\xc4\xe3\xba\xc3\n", "愫", "x", ""},
		{"gbk", "\xc4\xe3\xba\xc3\n", "好", "你", "\xc4\xe3\xc4\xe3\n"},
		{"gbk", "\x81\x41A\n", "A", "b", "\x81\x41b\n"},
		// In shift_jis the second byte of ソ is a backslash.
		{"shift_jis", "\x83\x5c\\n\n", `\`, "/", "\x83\x5c/n\n"},
		{"shift_jis", "\x83\x5c\n", `\`, "/", ""},
		{"windows-1252", "caf\xe9\n", "é", "è", "caf\xe8\n"},
	} {
		enc, err := text.LookupEncoding(tt.enc)
		require.NoError(t, err)
		doc, err := text.Parse([]byte(tt.src), enc)
		require.NoError(t, err)
		res := hashline.Format{}.Resolve(hashline.Snapshot{Doc: doc}, hashline.Request{Edits: []hashline.Edit{replaceAll(tt.search, tt.replace, 1)}}, hashline.Options{})
		if tt.want == "" {
			assert.Equal(t, []hashline.Code{hashline.NoMatch}, codes(res), tt)
			continue
		}
		assert.Equal(t, tt.want, applied(t, res), tt)
	}
	res := resolve(t, "\xff\n", replaceAll("é", "x", 1), hashline.Edit{Op: hashline.InsertAfter, Anchor: parsed(t, "EOF"), Lines: []string{"é"}})
	assert.Equal(t, []hashline.Code{hashline.EncodingError, hashline.EncodingError}, codes(res))
	assert.Equal(t, "search", res.Failures[0].Field)
	assert.Equal(t, "content", res.Failures[1].Field)
}

// TestASearchIsStringsReplace compares with strings.Replace. Two rules about
// the end of the text are apart: a text that ends in a line feed keeps one, and
// one that does not gets none.
func TestASearchIsStringsReplace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := func(label string, least, most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n", "\n"}), least, most).Draw(t, label), "")
		}
		src, search, replace := letters("text", 1, 24), letters("search", 1, 3), letters("replace", 0, 3)
		n := strings.Count(src, search)
		if n == 0 {
			return
		}
		want := strings.ReplaceAll(src, search, replace)
		got := applied(t, resolve(t, src, replaceAll(search, replace, n)))
		switch {
		case !strings.HasSuffix(src, "\n") && strings.HasSuffix(want, "\n"):
			require.Contains(t, []string{want, want[:len(want)-1]}, got)
		case strings.HasSuffix(src, "\n") && want != "" && !strings.HasSuffix(want, "\n"):
			require.Equal(t, want+"\n", got)
		default:
			require.Equal(t, want, got)
		}
		// With other endings the same lines come out.
		crlf := strings.ReplaceAll(src, "\n", "\r\n")
		if strings.Contains(src, "\n") {
			require.Equal(t, strings.ReplaceAll(got, "\n", "\r\n"), applied(t, resolve(t, crlf, replaceAll(search, replace, n))))
		}
	})
}

// TestASearchLeavesOtherLinesAlone: lines without a hit keep their bytes, their
// endings included.
func TestASearchLeavesOtherLinesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src, want strings.Builder
		n := 0
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			ending := rapid.SampledFrom([]string{"\n", "\r\n", "\r\r\n"}).Draw(t, "ending")
			line := rapid.SampledFrom([]string{"", "a", "\xff", "\u2028", "HIT", "xHITxHIT"}).Draw(t, "line")
			n += strings.Count(line, "HIT")
			src.WriteString(line + ending)
			want.WriteString(strings.ReplaceAll(line, "HIT", "new") + ending)
		}
		if n > 0 {
			require.Equal(t, want.String(), applied(t, resolve(t, src.String(), replaceAll("HIT", "new", n))))
		}
	})
}
