package hashline_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/require"
)

func TestWindowsPastATextThatEndsWithAChunkAreEmpty(t *testing.T) {
	for _, lines := range []int{0, 1, 16, 31, 32, 64} {
		for _, windows := range [][]hashline.Window{{{First: lines, Last: lines + 3}}, {{First: lines + 1, Last: hashline.ToEnd}}, {{First: 100, Last: 200}}} {
			windows[0].First = max(windows[0].First, 1)
			scan, err := text.NewScanner(strings.NewReader(strings.Repeat("x\n", lines)), nil)
			require.NoError(t, err)
			last := 0
			require.NoError(t, hashline.Format{}.Annotate(scan, nil, hashline.Chunk, 1, windows, func(shown []hashline.Line) error {
				last = shown[len(shown)-1].Anchor.Line
				return nil
			}))
			if windows[0].First <= lines {
				require.Equal(t, lines, last)
			} else {
				require.Zero(t, last)
			}
		}
	}
}
