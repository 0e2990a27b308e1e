package apply

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A replyWork is a reply of a thousand blocks for a file of 100,000 lines.
type replyWork struct {
	name, src, reply string
	idle             time.Duration // what it takes on two cores that others use, too
	status           Status
}

func replyWorks() []replyWork {
	const lines, blocks = 100_000, 1000
	var src, hits, misses strings.Builder
	for i := range lines {
		fmt.Fprintf(&src, "\t\tvalue%d, err := compute%d(ctx, input, options)\n", i, i/8)
	}
	for i := range blocks {
		at := i * (lines / blocks)
		line := fmt.Sprintf("\t\tvalue%d, err := compute%d(ctx, input, options)\n", at, at/8)
		next := fmt.Sprintf("\t\tvalue%d, err := compute%d(ctx, input, options)\n", at+1, (at+1)/8)
		block := func(b *strings.Builder, search string) {
			b.WriteString("f.txt\n------- SEARCH\n" + search + next + "=======\n" + line + "\t\tlog(err)\n+++++++ REPLACE\n\n")
		}
		block(&hits, line)
		block(&misses, strings.Replace(line, "compute", "compote", 1))
	}
	return []replyWork{
		{"hits", src.String(), hits.String(), 200 * time.Millisecond, Applied},
		{"misses", src.String(), misses.String(), 500 * time.Millisecond, NotApplied},
		{"ambiguous", src.String() + src.String(), hits.String(), 200 * time.Millisecond, NotApplied},
	}
}

// TestAThousandBlocksOnAHundredThousandLinesTakeLinearTime allows ten times of what
// each takes. Work that grows with the product takes minutes.
func TestAThousandBlocksOnAHundredThousandLinesTakeLinearTime(t *testing.T) {
	if raceEnabled {
		t.Skip("measured without the race detector")
	}
	for _, w := range replyWorks() {
		t.Run(w.name, func(t *testing.T) {
			dir, name := tempFile(t, w.src)
			begin := time.Now()
			answer := send(t, dir, w.reply, Options{})
			textOf(answer)
			quote(answer)
			took := time.Since(begin)
			t.Log(took)
			require.Equal(t, w.status, answer.Status)
			if w.status == Applied {
				require.Equal(t, 100_000, strings.Count(readFile(t, filepath.Join(dir, name)), "\n"))
			} else {
				require.Len(t, answer.Failures, 1000)
			}
			require.Less(t, took, 10*w.idle)
		})
	}
}

// BenchmarkReply carries out the same as a dry run.
func BenchmarkReply(b *testing.B) {
	for _, w := range replyWorks() {
		b.Run(w.name, func(b *testing.B) {
			dir, _ := tempFile(b, w.src)
			b.SetBytes(int64(len(w.src)))
			for b.Loop() {
				if answer := send(b, dir, w.reply, Options{DryRun: true}); answer.Status != w.status {
					b.Fatal(answer.Status)
				}
			}
		})
	}
}
