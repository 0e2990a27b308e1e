package hashline_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// Show a text behind anchors, edit a line by its anchor, and see the edit refused
// once somebody else has changed the line.
func Example() {
	src := "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n"

	scan, _ := text.NewScanner(strings.NewReader(src), nil)
	all := []hashline.Window{{First: 1, Last: hashline.ToEnd}}
	printer := hashline.Format{}.Printer(nil)
	hashline.Format{}.Annotate(scan, nil, hashline.Chunk, 1, all, func(lines []hashline.Line) error {
		for i := range lines {
			os.Stdout.Write(printer.AppendLine(nil, &lines[i]))
		}
		return nil
	})

	anchor, _ := hashline.Format{}.Parse("4:oq:fjys")
	req := hashline.Request{Edits: []hashline.Edit{
		{Op: hashline.Replace, Anchor: &anchor, Lines: []string{"\tprintln(\"goodbye\")"}},
	}}
	resolve := func(src []byte) []byte {
		doc, err := text.Parse(src, nil)
		if err != nil {
			fmt.Println(err)
			return src
		}
		res := hashline.Format{}.Resolve(hashline.Snapshot{Doc: doc, Tag: hashline.TagOf(src)}, req, hashline.Options{})
		if len(res.Failures) > 0 {
			for _, f := range res.Failures {
				fmt.Println(f)
			}
			return src
		}
		return res.Spliced.Bytes()
	}
	edited := resolve([]byte(src))
	fmt.Printf("%s", edited)
	resolve(edited)
	// Output:
	// 1:aj:fjys→package main
	// 2:kv:fjys→
	// 3:sj:fjys→func main() {
	// 4:oq:fjys→	println("hello")
	// 5:jc:fjys→}
	// package main
	//
	// func main() {
	// 	println("goodbye")
	// }
	// edits[0]: anchor_stale: line 4 is not what it was; use the fresh anchors
}
