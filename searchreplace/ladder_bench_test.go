package searchreplace_test

import (
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

func BenchmarkResolve(b *testing.B) {
	for _, w := range workloads() {
		b.Run(w.name, func(b *testing.B) {
			doc, err := text.Parse([]byte(w.src), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(w.src)))
			b.ReportAllocs()
			for b.Loop() {
				searchreplace.Resolve(doc, w.blocks, w.opt)
			}
		})
	}
}
