package searchreplace_test

import (
	"bytes"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
)

func benchReply(unit string) []byte { return bytes.Repeat([]byte(unit), (10<<20)/len(unit)) }

func BenchmarkDecode(b *testing.B) {
	lines := bytes.Repeat([]byte("func line(of, a, program) (int, error) { return 1\n"), 200_000)
	for _, bm := range []struct {
		name  string
		reply []byte
	}{
		{"prose", benchReply("This is prose, as a model writes it: `x` < y, and so on.\n")},
		{"code", append([]byte("```go\n"), lines...)},
		{"small blocks", benchReply(oneBlock)},
		{"aider", benchReply("src/main.go\n```go\n<<<<<<< SEARCH\nfunc line(of, a, program) (int, error) { return 1\n=======\nfunc line(of, a, program) (int, error) { return 2\n>>>>>>> REPLACE\n```\n\n")},
		{"large block", append(append([]byte("------- SEARCH\nold\n=======\n"), lines...), "+++++++ REPLACE\n"...)},
		{"calls", benchReply("<replace_in_file>\n<path>src/main.go</path>\n<diff>\n" + oneBlock + "</diff>\n</replace_in_file>\n")},
		{"file", append(append([]byte("<write_to_file>\n<path>a</path>\n<content>\n"), lines...), "</content>\n</write_to_file>\n"...)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.reply)))
			b.ReportAllocs()
			for b.Loop() {
				searchreplace.Decode(bm.reply, searchreplace.DecodeOptions{})
			}
		})
		b.Run(bm.name+" in pieces", func(b *testing.B) {
			b.SetBytes(int64(len(bm.reply)))
			b.ReportAllocs()
			for b.Loop() {
				inPieces(bm.reply, 1<<10, nil)
			}
		})
	}
}
