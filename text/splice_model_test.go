package text_test

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A modelLine is a line of the model, and the edit that it comes from.
type modelLine struct {
	line
	edit int // -1: the text itself
}

// model makes edits, which do not overlap, one by one from the bottom. It
// shares no code with Splice. ok is false if a line would not be read back.
func model(orig []line, edits []text.Edit) (lines []modelLine, ok bool) {
	for _, l := range orig {
		lines = append(lines, modelLine{l, -1})
	}
	order := make([]int, len(edits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return -cmp.Or(cmp.Compare(edits[a].Start, edits[b].Start), cmp.Compare(edits[a].End, edits[b].End), cmp.Compare(a, b))
	})
	for _, i := range order {
		e := edits[i]
		var fresh []modelLine
		for k, s := range e.Lines {
			ending := modelEnding(orig, e.Start, e.End)
			if at := e.Start + k; at < e.End && orig[at].ending != "" {
				ending = orig[at].ending
			}
			fresh = append(fresh, modelLine{line{s, ending}, i})
		}
		lines = slices.Replace(lines, e.Start, e.End, fresh...)
	}
	if len(orig) > 0 && orig[len(orig)-1].ending == "" {
		for i := range lines {
			last := i == len(lines)-1
			switch l := &lines[i]; {
			case !last && l.ending == "":
				l.ending = modelEnding(orig, len(orig), len(orig))
			case last && l.edit >= 0 && edits[l.edit].End == len(orig) && l.text != "":
				l.ending = ""
			}
		}
	}
	for _, l := range lines {
		if strings.ContainsAny(l.text, "\n\x00") || l.ending == "\n" && strings.HasSuffix(l.text, "\r") {
			return nil, false
		}
	}
	return lines, true
}

// modelEnding returns the ending of lines that replace none of orig.
func modelEnding(orig []line, start, end int) string {
	var near []line // nearest first
	for i := end - 1; i >= start; i-- {
		near = append(near, orig[i])
	}
	for i := start - 1; i >= 0; i-- {
		near = append(near, orig[i])
	}
	near = append(near, orig[end:min(end+1, len(orig))]...)
	for _, l := range near {
		if l.ending != "" {
			return l.ending
		}
	}
	return "\n"
}

// overlap compares two edits the slow way.
func overlap(a, b text.Edit) bool {
	inside := func(a, b text.Edit) bool { return a.Start == a.End && b.Start < a.Start && a.Start < b.End }
	for i := a.Start; i < a.End; i++ {
		if b.Start <= i && i < b.End {
			return true
		}
	}
	return inside(a, b) || inside(b, a)
}

func anyOverlap(edits []text.Edit) bool {
	for i := range edits {
		for k := range i {
			if overlap(edits[i], edits[k]) {
				return true
			}
		}
	}
	return false
}

// checkSplice compares Splice with the model, and the ways to read the result
// with each other.
func checkSplice(t require.TestingT, src string, edits []text.Edit) {
	d := mustParse(t, src)
	orig := naiveLines(string(d.Body()))
	before := slices.Clone(orig)
	s, err := text.Splice(d, edits)
	if anyOverlap(edits) {
		require.ErrorAs(t, err, new(*text.OverlapError))
		return
	}
	require.Empty(t, text.Overlaps(edits))
	want, ok := model(orig, edits)
	require.Equal(t, before, orig)
	var body strings.Builder
	for _, l := range want {
		body.WriteString(l.text + l.ending)
	}
	bom := string(d.BOM())
	file := bom + body.String()
	// Other tests tell of texts that come to begin with a byte order mark.
	begins := func(marks ...string) bool {
		return bom == "" && slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(file, m) })
	}
	if !ok || begins("\xFF\xFE", "\xFE\xFF") {
		require.ErrorAs(t, err, new(*text.LineError), "%q %q", src, edits)
		return
	}
	require.NoError(t, err)

	require.Equal(t, file, string(s.Bytes()), "%q %q", src, edits)
	require.Equal(t, len(file), s.Size())
	require.Equal(t, file == src, s.Equal())
	var w bytes.Buffer
	n, err := s.WriteTo(&w)
	require.NoError(t, err)
	require.Equal(t, int64(len(file)), n)
	require.Equal(t, file, w.String())
	read, err := io.ReadAll(s.Reader())
	require.NoError(t, err)
	require.Equal(t, file, string(read))
	require.Same(t, d, s.Document())

	checkChanges(t, s, bom, file)
	if !begins("\xEF\xBB\xBF") {
		again := mustParse(t, file)
		require.Equal(t, len(want), again.NumLines())
		for i, l := range linesOf(again) {
			require.Equal(t, want[i].line, l)
		}
	}
}

// checkChanges puts the new file together from the changes, and sees that they
// touch only lines that an edit names: every other byte is where it was.
func checkChanges(t require.TestingT, s *text.Spliced, bom, file string) {
	d := s.Document()
	var b strings.Builder
	b.WriteString(bom)
	at := 0
	for _, c := range s.Changes() {
		require.LessOrEqual(t, at, c.Start)
		require.LessOrEqual(t, c.Start, c.End)
		for _, edge := range []int{c.Start, c.End} {
			require.True(t, edge == 0 || edge == len(d.Body()) || d.Body()[edge-1] == '\n')
		}
		b.Write(d.Body()[at:c.Start])
		b.Write(c.New)
		at = c.End
	}
	b.Write(d.Body()[at:])
	require.Equal(t, file, b.String())
}

// editsFrom makes edits of n lines out of any bytes.
func editsFrom(script []byte, n int) []text.Edit {
	next := func() int {
		if len(script) == 0 {
			return 0
		}
		b := script[0]
		script = script[1:]
		return int(b)
	}
	pool := []string{"", "x", "new line", "é", "x\ry", "x\r", "\r", "\xff", "\xFE\xFF", "\uFEFFx", "a", "b", "x\ny", "x\x00", "c", strings.Repeat("long", 600)}
	var edits []text.Edit
	for len(script) > 0 && len(edits) < 12 {
		start := next() % (n + 1)
		shape := next()
		e := text.Edit{Start: start, End: min(n, start+shape%4)}
		for range shape / 4 % 4 {
			e.Lines = append(e.Lines, pool[next()%len(pool)])
		}
		edits = append(edits, e)
	}
	return edits
}

func TestSpliceEqualsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom([]string{"", "", "", "\xEF\xBB\xBF"}).Draw(t, "bom") + genBody(20).Draw(t, "body")
		script := rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "script")
		checkSplice(t, src, editsFrom(script, mustParse(t, src).NumLines()))
	})
}

// Short texts of few different pieces, each with every pair of edits.
func TestSpliceEqualsTheModelInAllSmallCases(t *testing.T) {
	var srcs []string
	for _, a := range []string{"", "a\n", "a\r\n", "\r\n"} {
		for _, b := range []string{"", "b\n", "b\r\n"} {
			for _, c := range []string{"", "c", "c\r", "c\r\n"} {
				srcs = append(srcs, a+b+c)
			}
		}
	}
	for _, src := range srcs {
		var all []text.Edit
		n := len(naiveLines(src))
		for start := range n + 1 {
			for end := start; end <= n; end++ {
				all = append(all, edit(start, end), edit(start, end, "x"), edit(start, end, "x", ""))
			}
		}
		for _, e := range all {
			checkSplice(t, src, []text.Edit{e})
			for _, f := range all {
				checkSplice(t, src, []text.Edit{e, f})
			}
		}
	}
}

func FuzzSplice(f *testing.F) {
	f.Add([]byte("a\nb\r\nc"), []byte{1, 5, 1})
	f.Add([]byte("a\nb"), []byte{2, 4, 0, 2, 4, 1, 1, 1})
	f.Add([]byte("\xEF\xBB\xBFa\r\n"), []byte{0, 8, 1, 2, 1, 4, 3})
	f.Add([]byte("a\r"), []byte{1, 4, 1})
	f.Add([]byte("\xFF\n\xFE\xFF\n"), []byte{0, 1})
	f.Add([]byte(""), []byte{0, 4, 0})
	f.Add([]byte("\xFE\xFF"), []byte{0, 4, 1})
	f.Fuzz(func(t *testing.T, src, script []byte) {
		d, err := text.Parse(src, nil)
		if err != nil || len(d.BOM()) == 2 { // UTF-16: see FuzzUTF16
			return
		}
		checkSplice(t, string(src), editsFrom(script, d.NumLines()))
	})
}
