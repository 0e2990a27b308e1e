package lock

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkInProcess takes and gives up a key that nobody else uses, in the
// process alone.
func BenchmarkInProcess(b *testing.B) {
	for name, write := range map[string]bool{"read": false, "write": true} {
		b.Run(name, func(b *testing.B) {
			var q table // of a process
			k, err := keyOf("a.txt")
			require.NoError(b, err)
			ctx := context.Background()
			b.ReportAllocs()
			for b.Loop() {
				held, err := q.lock(ctx, k, write)
				if err != nil {
					b.Fatal(err)
				}
				q.unlock(held, write)
			}
		})
	}
}

// BenchmarkBetweenProcesses is all of a lock and its unlocking, alone and with
// another process that does the same.
func BenchmarkBetweenProcesses(b *testing.B) {
	run := func(b *testing.B, d *Dir, path string, write bool) {
		ctx := context.Background()
		for b.Loop() {
			unlock, err := d.lock(ctx, []string{path}, write)
			if err != nil {
				b.Fatal(err)
			}
			unlock()
		}
	}
	for name, write := range map[string]bool{"read": false, "write": true} {
		b.Run(name+"/alone", func(b *testing.B) {
			d, _, path := twoProcesses(b)
			run(b, d, path, write)
		})
		b.Run(name+"/against another", func(b *testing.B) {
			d, _, path := twoProcesses(b)
			p := start(b, "loop", d.Path, path, map[bool]string{true: "write", false: "read"}[write])
			require.Equal(b, "looping", p.line(b))
			run(b, d, path, write)
		})
	}
}
