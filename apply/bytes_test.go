package apply

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// utf16Of returns s as UTF-16 with its byte order mark.
func utf16Of(s string, bigEndian bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\uFEFF" + s)) {
		if bigEndian {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// The edits of these tests are made in a file of four lines a, b, c and d. Each
// gives the new file as a pattern in which {1} to {4} are the lines of the file
// with their endings, {e2} and so on their endings alone, and {last} is what the
// last line of the file lacks or has.
var byteOps = []struct {
	name, edit, want string
}{
	{"replace one by one", `{"op":"replace","anchor":"«2»","content":"X"}`, "{1}X{e2}{3}{4}"},
	{"replace one by two", `{"op":"replace","anchor":"«2»","content":"X\nY\n"}`, "{1}X{e2}Y{e2}{3}{4}"},
	{"replace one by two with CRLF", `{"op":"replace","anchor":"«2»","content":"X\r\nY\r\n"}`, "{1}X{e2}Y{e2}{3}{4}"},
	{"replace two by one", `{"op":"replace","anchor":"«2»","end_anchor":"«3»","content":["X"]}`, "{1}X{e2}{4}"},
	{"replace two by two", `{"op":"replace","anchor":"«2»","end_anchor":"«3»","content":["X","Y"]}`, "{1}X{e2}Y{e3}{4}"},
	{"replace the last", `{"op":"replace","anchor":"«4»","content":"X"}`, "{1}{2}{3}X{e4}"},
	{"delete one", `{"op":"delete","anchor":"«2»"}`, "{1}{3}{4}"},
	{"delete the last", `{"op":"delete","anchor":"«4»"}`, "{1}{2}{3}"},
	{"insert before the first", `{"op":"insert_before","anchor":"«1»","content":"X"}`, "X{n1}{1}{2}{3}{4}"},
	{"insert before the second", `{"op":"insert_before","anchor":"«2»","content":"X"}`, "{1}X{e1}{2}{3}{4}"},
	{"insert after the second", `{"op":"insert_after","anchor":"«2»","content":"X"}`, "{1}{2}X{e2}{3}{4}"},
	{"insert after the last", `{"op":"insert_after","anchor":"«4»","content":"X"}`, "{1}{2}{3}{t4}X{e4}"},
	{"insert at the top", `{"op":"insert_before","anchor":"0:","content":"X"}`, "X{n1}{1}{2}{3}{4}"},
	{"insert at the bottom", `{"op":"insert_after","anchor":"EOF","content":"X"}`, "{1}{2}{3}{t4}X{e4}"},
	{"search in lines", `{"op":"search_replace","anchor":"«2»","end_anchor":"«3»","search":"b","replace":"X"}`, "{1}X{r2}{3}{4}"},
	{"search over a line end", `{"op":"search_replace","expect":1,"search":"§2\n","replace":"X\n"}`, "{1}X{e2}{3}{4}"},
	{"search in the whole file", `{"op":"search_replace","expect":1,"search":"b","replace":"X"}`, "{1}X{r2}{3}{4}"},
}

// A byteFile is a kind of file, by its four lines and their endings.
type byteFile struct {
	name     string
	bom      string
	lines    [4]string // the first four begin with a, b, c and d
	endings  [4]string
	encode   func(string) string // of what stands behind bom; nil: as it is
	encoding string
}

func ends(e ...string) [4]string { return [4]string(e) }

var plainLines = [4]string{"a", "b", "c", "d"}

var byteFiles = []byteFile{
	{name: "LF", lines: plainLines, endings: ends("\n", "\n", "\n", "\n")},
	{name: "CRLF", lines: plainLines, endings: ends("\r\n", "\r\n", "\r\n", "\r\n")},
	{name: "mixed endings", lines: plainLines, endings: ends("\n", "\r\n", "\n", "\r\n")},
	{name: "no final newline", lines: plainLines, endings: ends("\n", "\n", "\n", "")},
	{name: "CRLF and no final newline", lines: plainLines, endings: ends("\r\n", "\r\n", "\r\n", "")},
	{name: "byte order mark", bom: "\xEF\xBB\xBF", lines: plainLines, endings: ends("\n", "\n", "\n", "\n")},
	{name: "byte order mark and CRLF", bom: "\xEF\xBB\xBF", lines: plainLines, endings: ends("\r\n", "\r\n", "\r\n", "")},
	{name: "lone CR", lines: [4]string{"a\rz", "b\rz", "c\r\r\rz", "d\r"}, endings: ends("\n", "\n", "\n", "")},
	{name: "FF VT NEL LS", lines: [4]string{"a\f\v", "b\u0085\u2028", "c\u2029\f", "d\v\u0085"}, endings: ends("\n", "\n", "\n", "\n")},
	{name: "control characters", lines: [4]string{"a\x01\x7f", "b\x1b[31m", "c\x08", "d\t "}, endings: ends("\n", "\n", "\n", "\n")},
	{name: "Latin-1", lines: [4]string{"a\xe4", "b\xf6", "c\xfc\xff", "d\xdf"}, endings: ends("\n", "\r\n", "\n", "")},
	{name: "Latin-1 named", lines: [4]string{"a\xe4", "b\xf6", "c\xfc\xff", "d\xdf"}, endings: ends("\n", "\r\n", "\n", ""), encoding: "latin1"},
	{name: "GBK", lines: [4]string{"a\xc4\xe3", "b\xba\xc3", "c\xca\xc0\xbd\xe7", "d\x81\x5c"}, endings: ends("\r\n", "\r\n", "\r\n", "\r\n")},
	{name: "GBK named", lines: [4]string{"a\xc4\xe3", "b\xba\xc3", "c\xca\xc0\xbd\xe7", "d\x81\x5c"}, endings: ends("\r\n", "\r\n", "\r\n", "\r\n"), encoding: "gbk"},
	{name: "UTF-8 cut in two", lines: [4]string{"a\xe2", "b\x82\xac", "c\xf0\x9f", "d\x80"}, endings: ends("\n", "\n", "\n", "\n")},
	{name: "UTF-16LE", lines: [4]string{"a\u00e4", "b\U0001F600", "c", "d"}, endings: ends("\n", "\r\n", "\n", "\n"), encode: func(s string) string { return utf16Of(s, false) }},
	{name: "UTF-16BE", lines: [4]string{"a\u00e4", "b\U0001F600", "c", "d"}, endings: ends("\r\n", "\r\n", "\n", ""), encode: func(s string) string { return utf16Of(s, true) }},
}

// build returns the file of text, which is without its byte order mark.
func (f *byteFile) build(text string) string {
	if f.encode != nil {
		return f.encode(text)
	}
	return f.bom + text
}

// fill returns what pattern stands for.
func (f *byteFile) fill(pattern string) string {
	first := f.endings[0]
	last := f.endings[3]
	terminated := last
	if last == "" {
		terminated = f.endings[2]
	}
	pairs := []string{"{n1}", first, "{t4}", f.lines[3] + terminated, "{r2}", f.lines[1][1:] + f.endings[1]}
	for i := range 4 {
		n := fmt.Sprint(i + 1)
		pairs = append(pairs, "{"+n+"}", f.lines[i]+f.endings[i], "{e"+n+"}", f.endings[i])
	}
	return strings.NewReplacer(pairs...).Replace(pattern)
}

func TestEveryOpKeepsTheBytesOfEveryKindOfFile(t *testing.T) {
	for _, f := range byteFiles {
		for _, op := range byteOps {
			if strings.Contains(op.edit, "§2") && f.lines[1] != "b" {
				continue // the line holds what a request cannot
			}
			t.Run(f.name+"/"+op.name, func(t *testing.T) {
				dir, name := tempFile(t, f.build(f.fill("{1}{2}{3}{4}")))
				s := look(t, dir, name, ReadOptions{Windows: allLines, Encoding: f.encoding})
				require.Len(t, s.anchors, 4)
				edit := op.edit
				for i, a := range s.anchors {
					edit = strings.ReplaceAll(edit, fmt.Sprintf("«%d»", i+1), a)
				}
				want := f.build(f.fill(op.want))
				edit = strings.ReplaceAll(edit, "§2", f.lines[1])
				opt := quick
				opt.Encoding = f.encoding
				opt.Diff = true
				a := ask(t, dir, "", `{"path":"f.txt","base":"`+s.base+`","edits":[`+edit+`]}`, opt)
				if f.name == "lone CR" && strings.Contains(op.want, "{t4}") {
					// The ending would take in the last line's carriage return.
					require.Equal(t, Refused, a.Status)
					return
				}
				require.Equal(t, Applied, a.Status, textOf(a))
				require.Equal(t, want, readFile(t, filepath.Join(dir, name)))
				require.Equal(t, hashline.TagOf([]byte(want)).String(), hashline.TagOf([]byte(readFile(t, filepath.Join(dir, name)))).String())
			})
		}
	}
}

func TestWriteGivesTheWholeFile(t *testing.T) {
	for _, f := range byteFiles {
		t.Run(f.name, func(t *testing.T) {
			dir, name := tempFile(t, f.build(f.fill("{1}{2}{3}{4}")))
			opt := quick
			opt.Encoding = f.encoding
			write := func(content string) *Answer {
				base := look(t, dir, name, ReadOptions{Windows: allLines, Encoding: f.encoding}).base
				return ask(t, dir, "", `{"path":"f.txt","base":"`+base+`","edits":[{"op":"write","content":`+content+`}]}`, opt)
			}
			a := write(`["x","y"]`)
			require.Equal(t, Applied, a.Status, textOf(a))
			ending := "\n"
			if crlf, lf := strings.Count(f.fill("{e1}{e2}{e3}{e4}"), "\r\n"), strings.Count(f.fill("{e1}{e2}{e3}{e4}"), "\n"); crlf == lf {
				ending = "\r\n"
			}
			require.Equal(t, f.build("x"+ending+"y"+ending), readFile(t, filepath.Join(dir, name)))
			a = write(`"x\r\ny\rz"`)
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, "x\r\ny\rz", readFile(t, filepath.Join(dir, name)), "a string is written as it is")
		})
	}
}

func TestNonASCIITextIsWrittenInTheFilesEncoding(t *testing.T) {
	for name, test := range map[string]struct {
		src, encoding, content, want string
		code                         Code
	}{
		"UTF-8":                         {"a\nb\n", "", "é", "a\né\n", ""},
		"Latin-1 that nobody named":     {"a\xe4\nb\n", "", "é", "", EncodingError},
		"ASCII in what nobody named":    {"a\xe4\nb\n", "", "e", "a\xe4\ne\n", ""},
		"Latin-1":                       {"a\xe4\nb\n", "latin1", "é", "a\xe4\n\xe9\n", ""},
		"what Latin-1 lacks":            {"a\xe4\nb\n", "latin1", "你", "", EncodingError},
		"GBK":                           {"a\xc4\xe3\r\nb\r\n", "gbk", "好", "a\xc4\xe3\r\n\xba\xc3\r\n", ""},
		"UTF-16 named as something":     {utf16Of("a\nb\n", false), "gbk", "x", "", EncodingError},
		"UTF-16LE":                      {utf16Of("a\nb\n", false), "", "é\U0001F600", utf16Of("a\né\U0001F600\n", false), ""},
		"UTF-16 with half a character":  {"\xff\xfea\x00\n\x00\x00\xd8b\x00\n\x00", "", "x", "", EncodingError},
		"UTF-16 with an odd byte":       {"\xff\xfea\x00\n\x00b", "", "x", "", EncodingError},
		"UTF-32LE":                      {"\xff\xfe\x00\x00a\x00\x00\x00\n\x00\x00\x00", "", "x", "", EncodingError},
		"UTF-32BE":                      {"\x00\x00\xfe\xff\x00\x00\x00a\x00\x00\x00\n", "", "x", "", EncodingError},
		"NUL at the beginning":          {"\x00a\nb\n", "", "x", "", BinaryFile},
		"NUL at 8191":                   {strings.Repeat("a", 8191) + "\x00\nb\n", "", "x", "", BinaryFile},
		"NUL at the end":                {"a\nb\n\x00", "", "x", "", BinaryFile},
		"UTF-16 without its mark":       {"a\x00\n\x00b\x00\n\x00", "", "x", "", BinaryFile},
		"an encoding of escapes":        {"a\nb\n", "iso-2022-jp", "x", "", EncodingError},
		"UTF-8 named as itself":         {"a\nb\n", "utf-8", "é", "a\né\n", ""},
		"invalid UTF-8 named as itself": {"a\xff\nb\n", "utf-8", "é", "", EncodingError},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.src)
			opt := quick
			opt.Encoding = test.encoding
			a := ask(t, dir, "", `{"path":"f.txt","base":"`+hashline.TagOf([]byte(test.src)).String()+`","edits":[{"op":"replace","anchor":2,"content":`+quote(test.content)+`}]}`, opt)
			if test.code != "" {
				require.Equal(t, []Code{test.code}, codes(a), textOf(a))
				requireNoSuccess(t, textOf(a))
				require.Equal(t, test.src, readFile(t, filepath.Join(dir, file)))
				return
			}
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, test.want, readFile(t, filepath.Join(dir, file)))
		})
	}
}

func TestFilesOfNoOrOneLineAreEdited(t *testing.T) {
	for name, test := range map[string]struct{ src, edit, want string }{
		"insert at the top of an empty file":      {"", `{"op":"insert_before","anchor":"0:","content":"x"}`, "x\n"},
		"insert at the bottom of an empty file":   {"", `{"op":"insert_after","anchor":"EOF","content":["x",""]}`, "x\n\n"},
		"insert into a lone byte order mark":      {"\xEF\xBB\xBF", `{"op":"insert_after","anchor":"EOF","content":"x"}`, "\xEF\xBB\xBFx\n"},
		"replace one line without its end":        {"a", `{"op":"replace","anchor":"«1»","content":"x"}`, "x"},
		"replace one line by two without an end":  {"a", `{"op":"replace","anchor":"«1»","content":"x\ny"}`, "x\ny"},
		"delete the only line":                    {"a\r\n", `{"op":"delete","anchor":"«1»"}`, ""},
		"delete the only line without its end":    {"a", `{"op":"delete","anchor":"«1»"}`, ""},
		"delete all behind a mark":                {"\xEF\xBB\xBFa\n", `{"op":"delete","anchor":"«1»"}`, "\xEF\xBB\xBF"},
		"replace the only line by a blank one":    {"a", `{"op":"replace","anchor":"«1»","content":[""]}`, "\n"},
		"write an empty file full":                {"", `{"op":"write","content":"x"}`, "x"},
		"a carriage return alone is a line":       {"\r", `{"op":"insert_before","anchor":"«1»","content":"x"}`, "x\n\r"},
		"search in a file without a final end":    {"abc", `{"op":"search_replace","expect":1,"search":"b","replace":"\n"}`, "a\nc"},
		"search for the end that is not there":    {"abc\nd", `{"op":"search_replace","expect":1,"search":"\n","replace":""}`, "abcd"},
		"search that takes the last line with it": {"a\nb\n", `{"op":"search_replace","expect":1,"search":"\nb","replace":""}`, "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.src)
			s := lookAll(t, dir, file)
			edit := test.edit
			if len(s.anchors) > 0 {
				edit = strings.ReplaceAll(edit, "«1»", s.at(1))
			}
			a := ask(t, dir, file, "["+edit+"]", quick)
			require.Equal(t, Applied, a.Status, textOf(a))
			require.Equal(t, test.want, readFile(t, filepath.Join(dir, file)))
		})
	}
}

func TestALineOfFiveMegabytesIsCutAndEdited(t *testing.T) {
	long := strings.Repeat("0123456789", 500<<10)
	src := "a\n" + long + "!\nz\n"
	for name, test := range map[string]struct {
		edit, want string
		code       Code
	}{
		"is not replaced unseen":          {`{"op":"replace","anchor":"«2»","content":"x"}`, "", LineCut},
		"is not deleted unseen":           {`{"op":"delete","anchor":"«1»","end_anchor":"«3»"}`, "", LineCut},
		"is replaced whole":               {`{"op":"replace","anchor":"«2»","content":"x","whole":true}`, "a\nx\nz\n", ""},
		"is changed in part":              {`{"op":"search_replace","anchor":"«2»","search":"!","replace":"?"}`, "a\n" + long + "?\nz\n", ""},
		"is changed in many parts":        {`{"op":"search_replace","anchor":"«2»","search":"0","replace":""}`, "a\n" + strings.ReplaceAll(long, "0", "") + "!\nz\n", ""},
		"is split":                        {`{"op":"search_replace","expect":1,"search":"!","replace":"\n!"}`, "a\n" + long + "\n!\nz\n", ""},
		"is left alone by a neighbour":    {`{"op":"replace","anchor":"«3»","content":"x"}`, "a\n" + long + "!\nx\n", ""},
		"takes an insert behind it":       {`{"op":"insert_after","anchor":"«2»","content":"x"}`, "a\n" + long + "!\nx\nz\n", ""},
		"is named with its text":          {`{"op":"replace","anchor":"«2»→` + long[:2000] + `…+5118001b","content":"x","whole":true}`, "a\nx\nz\n", ""},
		"is named with a wrong cut":       {`{"op":"replace","anchor":"«2»→` + long[:2000] + `…+5118002b","content":"x","whole":true}`, "", AnchorStale},
		"is not written over as if known": {`{"op":"write","content":"x"}`, "", LineCut},
		"is written over whole":           {`{"op":"write","content":"x","whole":true}`, "x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, src)
			s := lookAll(t, dir, file)
			edit := test.edit
			for i, a := range s.anchors {
				edit = strings.ReplaceAll(edit, fmt.Sprintf("«%d»", i+1), a)
			}
			start := time.Now()
			a := ask(t, dir, "", `{"path":"f.txt","base":"`+s.base+`","edits":[`+edit+`]}`, quick)
			require.Less(t, time.Since(start), 5*time.Second)
			text := textOf(a)
			require.Less(t, len(text), 20<<10, "the answer shows no more of it than a read does")
			if test.code != "" {
				require.Equal(t, []Code{test.code}, codes(a))
				require.True(t, readFile(t, filepath.Join(dir, file)) == src)
				return
			}
			require.Equal(t, Applied, a.Status)
			require.True(t, readFile(t, filepath.Join(dir, file)) == test.want)
		})
	}
}

func TestTwoMillionLinesAreEdited(t *testing.T) {
	var b bytes.Buffer
	for i := range 2_000_000 {
		fmt.Fprintf(&b, "%d\n", i+1)
	}
	src := b.String()
	dir, file := tempFile(t, src)
	s := look(t, dir, file, ReadOptions{Windows: []hashline.Window{{First: 1, Last: 1}, {First: 1_999_990, Last: 2_000_000}}})
	start := time.Now()
	a := ask(t, dir, file, `[{"op":"replace","anchor":"`+s.at(11)+`","content":"x"},{"op":"insert_before","anchor":"`+s.at(1)+`","content":"y"},{"op":"insert_after","anchor":"`+s.at(12)+`","content":"z"}]`, quick)
	require.Equal(t, Applied, a.Status, textOf(a))
	require.Less(t, time.Since(start), 10*time.Second)
	want := strings.Replace("y\n"+src, "\n1999999\n2000000\n", "\nx\n2000000\nz\n", 1)
	require.True(t, readFile(t, filepath.Join(dir, file)) == want)
	require.Less(t, len(textOf(a)), 4<<10)

	// A stale anchor is looked for in all of them.
	writeFile(t, filepath.Join(dir, file), "new\n"+src)
	a = ask(t, dir, file, `[{"op":"replace","anchor":"`+s.at(5)+`","content":"x"}]`, quick)
	require.Equal(t, []Code{AnchorStale}, codes(a))
	require.NotNil(t, a.Retry)
}

// rawLines returns src cut behind each line feed.
func rawLines(src string) []string {
	lines := strings.SplitAfter(src, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func TestEveryByteOutsideTheEditedLinesStays(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		line := rapid.Custom(func(t *rapid.T) string {
			text := rapid.SampledFrom([]string{"", "a", "b", "}", "\ta\xff", "\r", "é", "x\fy", "\u2028", "a"}).Draw(t, "text")
			return text + rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
		})
		lines := rapid.SliceOfN(line, 1, 40).Draw(t, "lines")
		if rapid.Bool().Draw(t, "unterminated") {
			lines = append(lines, "end")
		}
		src := strings.Join(lines, "")
		file := fmt.Sprintf("%d.txt", n)
		path := filepath.Join(dir, file)
		writeFile(t, path, src)
		s := lookAll(t, dir, file)
		first := rapid.IntRange(1, len(s.anchors)).Draw(t, "first")
		last := rapid.IntRange(first, len(s.anchors)).Draw(t, "last")
		op := rapid.SampledFrom([]string{"replace", "delete", "insert_after", "insert_before"}).Draw(t, "op")
		content := rapid.SliceOfN(rapid.SampledFrom([]string{"N", "", "new"}), 1, 4).Draw(t, "content")
		edit := map[string]any{"op": op, "anchor": s.at(first)}
		above, below := first-1, last // untouched lines
		switch op {
		case "replace":
			edit["end_anchor"], edit["content"] = s.at(last), content
		case "delete":
			edit["end_anchor"] = s.at(last)
		case "insert_after":
			edit["content"], above, below = content, first, first
		case "insert_before":
			edit["content"], above, below = content, first-1, first-1
		}
		a := ask(t, dir, "", quote(map[string]any{"path": file, "base": s.base, "edits": []any{edit}}), quick)
		got := readFile(t, path)
		if a.Status == Unchanged {
			require.Equal(t, src, got)
			return
		}
		require.Equal(t, Applied, a.Status, textOf(a))
		want := rawLines(src)
		if op == "insert_after" && above == len(want) && !strings.HasSuffix(src, "\n") {
			above-- // it gets an ending
		}
		head, tail := strings.Join(want[:above], ""), strings.Join(want[below:], "")
		require.True(t, strings.HasPrefix(got, head) && strings.HasSuffix(got, tail) && len(got) >= len(head)+len(tail), "%q", got)
		kept := append(slices.Clone(want[:above]), want[below:]...)
		now := rawLines(got)
		for _, l := range kept {
			i := slices.Index(now, l)
			require.GreaterOrEqual(t, i, 0, "%q is gone", l)
			now = slices.Delete(now, i, i+1)
		}
	})
}
