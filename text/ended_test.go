package text_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEndedGivesOrTakesTheFinalLineEndAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b\r"}), 0, 5).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending"))
		doc, err := text.Parse([]byte(src), nil)
		require.NoError(t, err)
		var edits []text.Edit
		for at := 0; at <= doc.NumLines(); at++ {
			switch rapid.IntRange(0, 3).Draw(t, "edit") {
			case 0:
				edits = append(edits, text.Edit{Start: at, End: at, Lines: []string{"new"}})
			case 1:
				if at < doc.NumLines() {
					edits = append(edits, text.Edit{Start: at, End: at + 1, Lines: rapid.SampledFrom([][]string{nil, {"new"}, {""}, {"x", "y"}}).Draw(t, "new")})
					at++
				}
			}
		}
		s, err := text.Splice(doc, edits)
		if err != nil {
			return
		}
		before := string(s.Bytes())
		terminated := rapid.Bool().Draw(t, "terminated")
		ended, err := s.Ended(terminated)
		require.Equal(t, before, string(s.Bytes()), "s stays")
		bare := strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r")
		if !strings.HasSuffix(before, "\n") {
			bare = before
		}
		if err != nil {
			require.True(t, bare == "" || strings.HasSuffix(bare, "\n") || strings.HasSuffix(bare, "\r"), "%q: %v", before, err)
			return
		}
		got := string(ended.Bytes())
		require.Equal(t, len(got), ended.Size())
		require.Equal(t, got == src, ended.Equal())
		switch {
		case before == "" || strings.HasSuffix(before, "\n") == terminated:
			require.Equal(t, before, got)
		case terminated:
			require.Contains(t, []string{bare + "\n", bare + "\r\n"}, got)
		default:
			require.Equal(t, bare, got)
		}
		reach := 0
		for _, c := range ended.Changes() {
			require.LessOrEqual(t, reach, c.Start)
			require.LessOrEqual(t, c.Start, c.End)
			reach = c.End
			for _, at := range []int{c.Start, c.End} {
				require.True(t, at == 0 || at == len(src) || src[at-1] == '\n', "changes are of whole lines")
			}
		}
	})
}
