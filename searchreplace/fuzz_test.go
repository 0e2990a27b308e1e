package searchreplace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

// requireSound fails unless a reply is read in the same way however it is cut, a
// prefix of it has no other blocks, and its events make sense.
func requireSound(t require.TestingT, opt searchreplace.DecodeOptions, reply string, cuts ...int) {
	whole := searchreplace.Decode([]byte(reply), opt)
	want := show(whole)
	var pieces []string
	at := 0
	slices.Sort(cuts)
	for _, cut := range cuts {
		if cut > at && cut < len(reply) {
			pieces = append(pieces, reply[at:cut])
			at = cut
		}
	}
	require.Equal(t, want, show(read(opt, true, append(pieces, reply[at:])...)))
	if at > 0 {
		open := read(opt, false, reply[:at])
		for i := range open.Blocks {
			require.Less(t, i, len(whole.Blocks))
			require.Equal(t, showBlock(i, &whole.Blocks[i]), showBlock(i, &open.Blocks[i]))
		}
	}
	for _, b := range whole.Blocks {
		require.LessOrEqual(t, 1, b.First)
		require.LessOrEqual(t, b.First, b.Last)
		require.LessOrEqual(t, b.Last, strings.Count(reply, "\n")+1)
		if !b.Substring {
			require.True(t, b.Search == "" || strings.HasSuffix(b.Search, "\n"))
			require.True(t, b.Replace == "" || strings.HasSuffix(b.Replace, "\n"))
		}
	}
	for _, p := range whole.Problems {
		require.NotContains(t, p.Message, "\n")
		require.NotContains(t, p.Message, "%!")
		require.LessOrEqual(t, 1, p.Line)
	}
	requireOrder(t, opt, reply)
}

// requireOrder fails unless the events of each block come in their order, and its
// lines are what it replaces with.
func requireOrder(t require.TestingT, opt searchreplace.DecodeOptions, reply string) {
	d := searchreplace.NewDecoder(opt)
	var open *searchreplace.Block
	var lines strings.Builder
	searched := false
	for _, e := range append(d.Feed([]byte(reply)), d.Close()...) {
		switch e.Kind {
		case searchreplace.Begun:
			require.Nil(t, open)
			open, searched = e.Block, false
			lines.Reset()
		case searchreplace.SearchDone:
			require.Same(t, open, e.Block)
			require.False(t, searched)
			searched = true
		case searchreplace.Line:
			require.Same(t, open, e.Block)
			require.True(t, searched)
			require.NotEmpty(t, e.Text)
			lines.WriteString(e.Text)
		case searchreplace.Completed:
			require.Same(t, open, e.Block)
			require.True(t, searched)
			if !slices.ContainsFunc(e.Block.Repairs, func(r searchreplace.Repair) bool {
				return r.Rule == "missing_closer" || r.Rule == "wrapping_stripped"
			}) {
				require.Equal(t, e.Block.Replace, lines.String())
			}
			open = nil
		case searchreplace.Failed:
			if e.Block != nil {
				require.Same(t, open, e.Block)
				open = nil
			}
		}
	}
	require.Nil(t, open)
}

// FuzzDecode reads any text.
func FuzzDecode(f *testing.F) {
	for _, c := range decodeCases(f) {
		f.Add([]byte(c.reply), 0, len(c.reply)/2, len(c.reply)/3)
	}
	f.Fuzz(func(t *testing.T, reply []byte, format, cut, other int) {
		opt := searchreplace.DecodeOptions{Format: searchreplace.Format(uint(format) % 6)}
		requireSound(t, opt, string(reply), cut, other)
	})
}

// FuzzDecodeLines reads lines that mean something to one dialect or another, in any
// order: each byte picks one.
func FuzzDecodeLines(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5}, 3)
	for i := range pieces {
		f.Add([]byte{byte(i), byte(i + 1), byte(i + 2), byte(i + 7), byte(i + 20)}, i)
	}
	f.Fuzz(func(t *testing.T, picks []byte, cut int) {
		var s strings.Builder
		for _, p := range picks {
			s.WriteString(pieces[int(p)%len(pieces)])
			if p < 200 { // now and then two on one line
				s.WriteString("\n")
			}
		}
		requireSound(t, searchreplace.DecodeOptions{}, s.String(), cut, cut/2, cut/3)
	})
}

func TestTheEventsOfTheCorpusComeInOrder(t *testing.T) {
	for _, c := range decodeCases(t) {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			requireSound(t, c.opt, c.reply, len(c.reply)/2)
		})
	}
}
