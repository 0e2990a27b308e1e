package text_test

import (
	"io"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func edit(start, end int, lines ...string) text.Edit {
	return text.Edit{Start: start, End: end, Lines: lines}
}

func TestSpliceGivesNewLinesTheirEndings(t *testing.T) {
	for _, tt := range []struct {
		name  string
		src   string
		edits []text.Edit
		want  string
	}{
		// Whose ending a new line takes.
		{"line i of a replacement takes the ending of line i of the range", "a\r\nb\nc\r\n", []text.Edit{edit(0, 3, "x", "y", "z")}, "x\r\ny\nz\r\n"},
		{"fewer lines take the endings from the top", "a\r\nb\nc\n", []text.Edit{edit(0, 3, "x")}, "x\r\n"},
		{"further lines take the ending of the range's last line", "a\nb\r\nc\n", []text.Edit{edit(0, 2, "x", "y", "z", "w")}, "x\ny\r\nz\r\nw\r\nc\n"},
		{"further lines take the ending of the range's last terminated line", "a\nb\r\nc", []text.Edit{edit(1, 3, "x", "y", "z")}, "a\nx\r\ny\r\nz"},
		{"further lines for an unterminated line take the ending of the line before", "a\r\nb", []text.Edit{edit(1, 2, "x", "y")}, "a\r\nx\r\ny"},
		{"further lines for the only line, unterminated, get LF", "a", []text.Edit{edit(0, 1, "x", "y")}, "x\ny"},
		{"an insert takes the ending of the line before", "a\r\nb\n", []text.Edit{edit(1, 1, "x", "y")}, "a\r\nx\r\ny\r\nb\n"},
		{"an insert at the top takes the ending of the line after", "a\r\nb\n", []text.Edit{edit(0, 0, "x")}, "x\r\na\r\nb\n"},
		{"an insert above the only line, unterminated, gets LF", "a", []text.Edit{edit(0, 0, "x")}, "x\na"},
		{"an insert into an empty file gets LF", "", []text.Edit{edit(0, 0, "x", "y")}, "x\ny\n"},
		{"an insert at the end takes the ending of the line before", "a\nb\r\n", []text.Edit{edit(2, 2, "x")}, "a\nb\r\nx\r\n"},
		{"the line before counts as it was, not as edited", "a\nb\r\nc\n", []text.Edit{edit(1, 2), edit(2, 2, "x")}, "a\nx\r\nc\n"},
		{"a lone carriage return is no ending", "a\rb\n", []text.Edit{edit(1, 1, "x")}, "a\rb\nx\n"},

		// Where inserts stand.
		{"inserts at one place keep their order", "a\nb\n", []text.Edit{edit(1, 1, "1"), edit(1, 1, "2", "3"), edit(1, 1, "4")}, "a\n1\n2\n3\n4\nb\n"},
		{"the order of edits does not matter", "a\nb\nc\n", []text.Edit{edit(2, 3, "z"), edit(0, 1, "x"), edit(1, 2)}, "x\nz\n"},
		{"inserts at both edges of a replaced range stand outside it", "a\nb\nc\n", []text.Edit{edit(2, 2, "below"), edit(1, 2, "x"), edit(1, 1, "above")}, "a\nabove\nx\nbelow\nc\n"},
		{"an insert between two replaced ranges stands between them", "a\nb\n", []text.Edit{edit(1, 2, "y"), edit(1, 1, "-"), edit(0, 1, "x")}, "x\n-\ny\n"},
		{"inserts at both edges of a deleted range keep their order", "a\nb\nc\n", []text.Edit{edit(2, 2, "2"), edit(1, 1, "1"), edit(1, 2)}, "a\n1\n2\nc\n"},

		// What stays.
		{"no edits", "a\r\nb", nil, "a\r\nb"},
		{"an edit of nothing by nothing", "a\r\nb", []text.Edit{edit(2, 2), edit(0, 0)}, "a\r\nb"},
		{"all lines deleted", "a\r\nb\n", []text.Edit{edit(0, 2)}, ""},
		{"the byte order mark stays before a new first line", "\xEF\xBB\xBFa\n", []text.Edit{edit(0, 0, "x")}, "\xEF\xBB\xBFx\na\n"},
		{"the byte order mark stays when line 1 is replaced", "\xEF\xBB\xBFa\r\n", []text.Edit{edit(0, 1, "x")}, "\xEF\xBB\xBFx\r\n"},
		{"the byte order mark stays when all lines go", "\xEF\xBB\xBFa\n", []text.Edit{edit(0, 1)}, "\xEF\xBB\xBF"},
		{"an insert after only a byte order mark", "\xEF\xBB\xBF", []text.Edit{edit(0, 0, "x")}, "\xEF\xBB\xBFx\n"},
		{"invalid UTF-8 stays", "\xc3\nb\n\xff\xfe", []text.Edit{edit(1, 2, "x")}, "\xc3\nx\n\xff\xfe"},
		{"invalid UTF-8 is written as given", "a\n", []text.Edit{edit(0, 1, "\xc3\x28")}, "\xc3\x28\n"},

		// Carriage returns that are read back as they were written.
		{"a new line may hold a carriage return", "a\n", []text.Edit{edit(0, 1, "x\ry")}, "x\ry\n"},
		{"a new line may end in a carriage return before CRLF", "a\r\n", []text.Edit{edit(0, 1, "x\r")}, "x\r\r\n"},
		{"a new unterminated line may end in a carriage return", "a\nb", []text.Edit{edit(1, 2, "x\r")}, "a\nx\r"},
		{"CRLF ends a last line that ends in a carriage return", "a\r\nb\r", []text.Edit{edit(2, 2, "x")}, "a\r\nb\r\r\nx"},

		// A missing final line feed, beyond the matrix below.
		{"several inserts after an unterminated line: the last one takes over", "a\r\nb", []text.Edit{edit(2, 2, "x"), edit(2, 2, "y")}, "a\r\nb\r\nx\r\ny"},
		{"an insert after a replaced unterminated line takes over", "a\nb", []text.Edit{edit(1, 2, "x"), edit(2, 2, "y")}, "a\nx\ny"},
		{"an insert after a deleted unterminated line takes over", "a\nb", []text.Edit{edit(1, 2), edit(2, 2, "y")}, "a\ny"},
		{"an insert before a deleted unterminated line is terminated", "a\nb", []text.Edit{edit(1, 1, "x"), edit(1, 2)}, "a\nx\n"},
		{"an insert before and one after an unterminated line", "a\nb", []text.Edit{edit(2, 2, "y"), edit(1, 1, "x")}, "a\nx\nb\ny"},
		{"an edit of nothing at the end does not terminate the last line", "a\nb", []text.Edit{edit(2, 2), edit(0, 1, "x")}, "x\nb"},
		{"all lines replaced, the last one unterminated", "a\r\nb\r\nc", []text.Edit{edit(0, 3, "x")}, "x"},
		// An unterminated line that is empty would be no line at all.
		{"an empty line for an unterminated one is terminated", "a\r\nb", []text.Edit{edit(1, 2, "")}, "a\r\n\r\n"},
		{"an empty line for the only line is terminated", "a", []text.Edit{edit(0, 1, "")}, "\n"},
		{"an empty line after an unterminated one is terminated", "a", []text.Edit{edit(1, 1, "")}, "a\n\n"},
		{"an empty line at the end of a replacement is terminated", "a", []text.Edit{edit(0, 1, "x", "")}, "x\n\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := text.Splice(mustParse(t, tt.src), tt.edits)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(s.Bytes()))
			assert.Equal(t, len(tt.want), s.Size())
			assert.Equal(t, tt.src == tt.want, s.Equal())
		})
	}
}

// Every kind of edit of the last line, with and without a final line feed.
func TestSpliceKeepsTheStateOfTheFinalLineFeed(t *testing.T) {
	kinds := []struct {
		name string
		edit text.Edit
		want map[string]string // by text
	}{
		{"replace", edit(1, 2, "x"), map[string]string{
			"a\nb\n": "a\nx\n", "a\r\nb\r\n": "a\r\nx\r\n", "a\r\nb\n": "a\r\nx\n", "a\nb\r\n": "a\nx\r\n",
			"a\nb": "a\nx", "a\r\nb": "a\r\nx"}},
		{"replace by two", edit(1, 2, "x", "y"), map[string]string{
			"a\nb\n": "a\nx\ny\n", "a\r\nb\r\n": "a\r\nx\r\ny\r\n", "a\r\nb\n": "a\r\nx\ny\n", "a\nb\r\n": "a\nx\r\ny\r\n",
			"a\nb": "a\nx\ny", "a\r\nb": "a\r\nx\r\ny"}},
		{"delete", edit(1, 2), map[string]string{
			"a\nb\n": "a\n", "a\r\nb\r\n": "a\r\n", "a\r\nb\n": "a\r\n", "a\nb\r\n": "a\n",
			"a\nb": "a\n", "a\r\nb": "a\r\n"}},
		{"insert before", edit(1, 1, "x"), map[string]string{
			"a\nb\n": "a\nx\nb\n", "a\r\nb\r\n": "a\r\nx\r\nb\r\n", "a\r\nb\n": "a\r\nx\r\nb\n", "a\nb\r\n": "a\nx\nb\r\n",
			"a\nb": "a\nx\nb", "a\r\nb": "a\r\nx\r\nb"}},
		{"insert after", edit(2, 2, "x"), map[string]string{
			"a\nb\n": "a\nb\nx\n", "a\r\nb\r\n": "a\r\nb\r\nx\r\n", "a\r\nb\n": "a\r\nb\nx\n", "a\nb\r\n": "a\nb\r\nx\r\n",
			"a\nb": "a\nb\nx", "a\r\nb": "a\r\nb\r\nx"}},
	}
	for _, k := range kinds {
		for src, want := range k.want {
			s, err := text.Splice(mustParse(t, src), []text.Edit{k.edit})
			require.NoError(t, err)
			assert.Equal(t, want, string(s.Bytes()), "%s in %q", k.name, src)
		}
	}
}

func TestSpliceRefuses(t *testing.T) {
	const (
		feed   = "a line holds a line feed; give it as two lines"
		cr     = "a line ends in a carriage return and would run into its ending; leave the carriage return out"
		lastCR = "the last line ends in a carriage return, which an ending would take in; replace that line as well"
		nul    = "a line holds a NUL byte, which no text has; leave it out"
		utf16  = "a line is not UTF-8, and the file is UTF-16; give it as UTF-8"
		mark   = "the new file would begin like UTF-16 or UTF-32; begin its first line with other bytes"
	)
	for _, tt := range []struct {
		name  string
		src   string
		edits []text.Edit
		at    int // the edit named
		want  string
	}{
		{"a start below 0", "a\n", []text.Edit{edit(0, 1), edit(-1, 1)}, 1, "lines -1 ≤ i < 1 are out of range: the text has 1 lines; parse it again"},
		{"an end before the start", "a\nb\n", []text.Edit{edit(2, 1)}, 0, "lines 2 ≤ i < 1 are out of range: the text has 2 lines; parse it again"},
		{"an end beyond the last line", "a\nb", []text.Edit{edit(1, 3, "x")}, 0, "lines 1 ≤ i < 3 are out of range: the text has 2 lines; parse it again"},
		{"an insert beyond the end", "a\n", []text.Edit{edit(2, 2, "x")}, 0, "lines 2 ≤ i < 2 are out of range: the text has 1 lines; parse it again"},
		{"a line with a line feed", "a\nb\n", []text.Edit{edit(1, 2, "ok"), edit(0, 1, "x\ny")}, 1, feed},
		{"a line that ends in a line feed", "a\n", []text.Edit{edit(0, 1, "x\n")}, 0, feed},
		{"an unterminated line with a line feed", "a", []text.Edit{edit(0, 1, "x\n")}, 0, feed},
		{"a line that ends in a carriage return before LF", "a\n", []text.Edit{edit(0, 1, "x", "y\r")}, 0, cr},
		{"a line that would be CRLF", "a\n", []text.Edit{edit(0, 1, "x\r\n")}, 0, feed},
		{"an insert after a last line that ends in a carriage return", "a\nb\r", []text.Edit{edit(2, 2, "x")}, 0, lastCR},
		{"a NUL", "a\n", []text.Edit{edit(0, 1, "x\x00")}, 0, nul},
		{"invalid UTF-8 for a UTF-16 file", "\xFF\xFEa\x00", []text.Edit{edit(0, 1, "\xff")}, 0, utf16},
		{"a first line that makes the file UTF-16", "a\n", []text.Edit{edit(0, 1, "\xFE\xFFx")}, 0, mark},
		{"a deletion that makes the file UTF-16", "a\n\xFF\xFEb\n", []text.Edit{edit(0, 1)}, 0, mark},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := text.Splice(mustParse(t, tt.src), tt.edits)
			assert.Nil(t, s)
			var lineErr *text.LineError
			require.ErrorAs(t, err, &lineErr)
			assert.Equal(t, text.LineError{Edit: tt.at, Reason: tt.want}, *lineErr)
			assert.EqualError(t, err, tt.want)
		})
	}
}

func TestOverlapsNamesEditsThatShareALine(t *testing.T) {
	type pairs = []*text.OverlapError
	for _, tt := range []struct {
		name  string
		edits []text.Edit
		want  pairs
	}{
		{"none", nil, nil},
		{"touching ranges", []text.Edit{edit(2, 4), edit(0, 2), edit(4, 5)}, nil},
		{"inserts at one place", []text.Edit{edit(1, 1, "x"), edit(1, 1, "y")}, nil},
		{"inserts at the edges of a range", []text.Edit{edit(1, 3), edit(1, 1, "x"), edit(3, 3, "y")}, nil},
		{"an insert between ranges that touch", []text.Edit{edit(0, 2), edit(2, 2, "x"), edit(2, 4)}, nil},
		{"the same line twice", []text.Edit{edit(1, 2, "x"), edit(1, 2, "y")}, pairs{{0, 1}}},
		{"a line in common", []text.Edit{edit(2, 4), edit(0, 3)}, pairs{{1, 0}}},
		{"a range inside another", []text.Edit{edit(1, 2), edit(0, 4)}, pairs{{1, 0}}},
		{"an insert inside a range", []text.Edit{edit(1, 1, "x"), edit(0, 2)}, pairs{{1, 0}}},
		{"an insert of nothing inside a range", []text.Edit{edit(1, 1), edit(0, 2)}, pairs{{1, 0}}},
		{"two inside a third", []text.Edit{edit(0, 9), edit(1, 2), edit(5, 6)}, pairs{{0, 1}, {0, 2}}},
		{"one over several is named with the one that reaches furthest", []text.Edit{edit(0, 9), edit(1, 3), edit(2, 4)}, pairs{{0, 1}, {0, 2}}},
		{"a chain", []text.Edit{edit(0, 3), edit(2, 5), edit(4, 7)}, pairs{{0, 1}, {1, 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, text.Overlaps(tt.edits))
			d := mustParse(t, strings.Repeat("a\n", 9))
			s, err := text.Splice(d, tt.edits)
			if tt.want == nil {
				require.NoError(t, err)
				return
			}
			assert.Nil(t, s)
			var overlap *text.OverlapError
			require.ErrorAs(t, err, &overlap)
			assert.Equal(t, tt.want[0], overlap)
		})
	}
	assert.EqualError(t, &text.OverlapError{First: 1, Second: 0}, "edits 1 and 0 overlap")
}

func TestEqualIsNotFooledByEditsThatUndoEachOther(t *testing.T) {
	d := mustParse(t, "a\nb\na\nb\n")
	for _, tt := range []struct {
		name  string
		edits []text.Edit
		want  bool
	}{
		{"nothing", nil, true},
		{"a line by itself", []text.Edit{edit(1, 2, "b")}, true},
		{"the same size, other text", []text.Edit{edit(1, 2, "c")}, false},
		{"a shift undone", []text.Edit{edit(0, 0, "a", "b"), edit(2, 4)}, true},
		{"a shift undone, other text", []text.Edit{edit(0, 0, "b"), edit(3, 4)}, false},
		{"all lines by themselves", []text.Edit{edit(0, 4, "a", "b", "a", "b")}, true},
	} {
		s, err := text.Splice(d, tt.edits)
		require.NoError(t, err)
		assert.Equal(t, tt.want, s.Equal(), tt.name)
	}
}

// A fullWriter takes n bytes and then fails.
type fullWriter struct{ n int }

func (w *fullWriter) Write(p []byte) (int, error) {
	n := min(w.n, len(p))
	w.n -= n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestWriteToStopsAtTheFirstError(t *testing.T) {
	for _, src := range []string{"\xEF\xBB\xBFa\nb\nc\n", "\xFF\xFEa\x00\n\x00b\x00"} {
		s, err := text.Splice(mustParse(t, src), []text.Edit{edit(1, 2, "new")})
		require.NoError(t, err)
		size := len(s.Bytes())
		for n := range size + 1 {
			written, err := s.WriteTo(&fullWriter{n})
			assert.Equal(t, int64(n), written)
			assert.Equal(t, n < size, err == io.ErrShortWrite)
		}
	}
}
