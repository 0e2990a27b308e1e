package searchreplace_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/require"
)

// FuzzResolve checks what holds for any file and block: an answer for the block,
// the bytes before and behind its spans as they were, and what a failure offers
// can be made.
//
//	go test -fuzz=FuzzResolve ./searchreplace
func FuzzResolve(f *testing.F) {
	f.Add([]byte("a\r\nb\nc"), "b\n", "x\n", uint16(0), 0)
	f.Add([]byte("\tif a {\n\t\tb()\n\t}\n"), "    if a {\n        b()\n    }\n", "    c()\n", uint16(1), 2)
	f.Add([]byte("say “hi” — it’s…\n"), "say \"hi\" -- it's...", "x", uint16(0x105), 0)
	f.Add([]byte("\xff\xfea\x00\n\x00"), "a\n", "b\n", uint16(2), 1)
	f.Add([]byte("a\nb\nc\nd\n"), "a\n...\nd\n", "A\n...\nD\n", uint16(1), 0)
	f.Add([]byte("print(\"a\\n\")\n"), `print(\"a\\n\")`, `print(\"b\")`, uint16(3), 0)
	f.Fuzz(func(t *testing.T, src []byte, search, replace string, flags uint16, line int) {
		doc, err := text.Parse(src, nil)
		if err != nil {
			t.Skip()
		}
		set := func(bit int) bool { return flags>>(bit+3)&1 == 1 }
		ladder, _ := searchreplace.Preset(everyPreset[int(flags&7)%len(everyPreset)])
		b := searchreplace.Block{
			Search: search, Replace: replace, Line: line,
			Substring: set(0), All: set(1), AtEnd: set(2), SearchUnterminated: set(3),
		}
		if set(4) {
			b.Dialect = searchreplace.Unified
			b.Context = strings.Split(replace, "\n")[:1]
		}
		if set(6) {
			b.Stripped = &searchreplace.Sides{Search: replace, Replace: search}
		}
		opt := searchreplace.Options{Ladder: ladder, First: set(5), AllowPlaceholder: set(7)}
		res := searchreplace.Resolve(doc, []searchreplace.Block{b}, opt)
		for _, fail := range res.Failures {
			require.NotEmpty(t, fail.Message)
			require.NotContains(t, fail.Message, "\n")
			for _, p := range fail.Places {
				require.True(t, 0 <= p.Start && p.Start <= p.End && p.End <= doc.NumLines())
				if _, err := text.Splice(doc, p.Edits); err != nil {
					require.IsType(t, &text.LineError{}, err)
				}
			}
		}
		if len(res.Failures) > 0 {
			require.Nil(t, res.Spliced)
			return
		}
		spans := res.Results[0].Spans
		require.Equal(t, res.Results[0].Unchanged, len(spans) == 0)
		if len(spans) == 0 {
			require.True(t, res.Spliced.Equal())
			return
		}
		if doc.UTF16() {
			return // the bytes of the file are not those of the text
		}
		got := bytes.TrimPrefix(res.Spliced.Bytes(), doc.BOM())
		require.True(t, bytes.HasPrefix(got, doc.Body()[:spans[0].Start]))
		require.True(t, bytes.HasSuffix(got, doc.Body()[spans[len(spans)-1].End:]))
	})
}
