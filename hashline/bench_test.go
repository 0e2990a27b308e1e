package hashline_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// benchText returns about size bytes of text that looks like code.
func benchText(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		switch i % 5 {
		case 0:
			b.WriteString("}\n\n")
		case 1:
			fmt.Fprintf(&b, "func f%d(a, b int) (int, error) {\n", i)
		default:
			fmt.Fprintf(&b, "\tif err := call%d(a, b); err != nil {\n", i)
		}
	}
	return b.Bytes()
}

// BenchmarkAnnotate computes the anchors of 100 MB in memory; BenchmarkBound is
// what it cannot do without.
func BenchmarkAnnotate(b *testing.B) {
	annotate(b, func([]hashline.Line) error { return nil })
}

// BenchmarkView prints them, too.
func BenchmarkView(b *testing.B) {
	printer := hashline.Format{}.Printer(nil)
	var buf []byte
	annotate(b, func(lines []hashline.Line) error {
		buf = buf[:0]
		for i := range lines {
			buf = printer.AppendLine(buf, &lines[i])
		}
		return nil
	})
}

func annotate(b *testing.B, emit func([]hashline.Line) error) {
	src := benchText(100 << 20)
	b.SetBytes(int64(len(src)))
	all := []hashline.Window{{First: 1, Last: hashline.ToEnd}}
	for b.Loop() {
		scan, err := text.NewScanner(bytes.NewReader(src), nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := (hashline.Format{}).Annotate(scan, nil, hashline.Chunk, 1, all, emit); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBound does what annotating cannot do without: it finds the ends of
// lines and hashes each.
func BenchmarkBound(b *testing.B) {
	src := benchText(100 << 20)
	b.SetBytes(int64(len(src)))
	var sum uint64
	for b.Loop() {
		for rest := src; len(rest) > 0; {
			n := bytes.IndexByte(rest, '\n')
			sum += xxhash.Sum64(rest[:n])
			rest = rest[n+1:]
		}
	}
	_ = sum
}

// BenchmarkResolve resolves 1,000 edits of a text of 1,000,000 lines: all of them
// fit, or all of their lines moved.
func BenchmarkResolve(b *testing.B) {
	old := numbered(1_000_000)
	var edits []hashline.Edit
	for n := 1; n <= len(old); n += 1_000 {
		edits = append(edits, hashline.Edit{Op: hashline.Replace, Anchor: at(b, hashline.Chunk, old, n), Lines: []string{"x"}})
	}
	for name, src := range map[string]string{"fitting": joined(old), "moved": "new\n" + joined(old)} {
		b.Run(name, func(b *testing.B) {
			snap := snapshot(b, src)
			for b.Loop() {
				res := hashline.Format{}.Resolve(snap, hashline.Request{Edits: edits}, hashline.Options{})
				if n := len(res.Failures); n > 0 != (name == "moved") {
					b.Fatal(n, "failures")
				}
			}
		})
	}
}
