package apply

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/hlkit/hlkit/hashline"
)

// BenchmarkReadAll shows a file of 100 MB, all of it.
func BenchmarkReadAll(b *testing.B) {
	line := []byte("\tif err := call(a, b, c); err != nil {\n")
	src := bytes.Repeat(line, (100<<20)/len(line))
	path := filepath.Join(b.TempDir(), "big.txt")
	if err := os.WriteFile(path, src, 0o666); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		ws, err := OpenFile(path)
		if err != nil {
			b.Fatal(err)
		}
		v, err := ws.Read(context.Background(), path, ReadOptions{Windows: []hashline.Window{{First: 1, Last: hashline.ToEnd}}})
		if err != nil {
			b.Fatal(err)
		}
		if err := v.Text(io.Discard); err != nil {
			b.Fatal(err)
		}
		v.Close()
		ws.Close()
	}
}
