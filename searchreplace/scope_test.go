package searchreplace

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A parameter that is known as a whole, as those of JSON are, may hold blocks.
func TestTheTextOfACallIsReadAsABody(t *testing.T) {
	d := NewDecoder(DecodeOptions{})
	d.n = 12
	begun := d.top.nested("a.go", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n------- SEARCH\nc\n=======\nd", 9)
	require.Equal(t, 2, begun)
	var blocks []Block
	for _, e := range d.Close() {
		require.NotEqual(t, Failed, e.Kind)
		if e.Kind == Completed {
			blocks = append(blocks, *e.Block)
		}
	}
	require.Len(t, blocks, 2)
	for _, b := range blocks {
		require.Equal(t, "a.go", b.Path)
		require.Equal(t, 9, b.First)
		require.Equal(t, 9, b.Last)
	}
	require.Equal(t, "d\n", blocks[1].Replace)
	require.Equal(t, "missing_closer", blocks[1].Repairs[0].Rule)
}
