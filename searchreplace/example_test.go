package searchreplace_test

import (
	"fmt"

	"github.com/hlkit/hlkit/searchreplace"
)

const reply = `The page names the shop twice. I'll change both.

<edit_file_by_diff>
<path>index.html</path>
<diff>
------- SEARCH
    <title>Old shop</title>
=======
    <title>New shop</title>
+++++++ REPLACE
------- SEARCH
    <h1>Old shop</h1>
=======
    <h1>New shop</h1>
+++++++ REPLACE
</diff>
</edit_file_by_diff>
`

func ExampleDecode() {
	r := searchreplace.Decode([]byte(reply), searchreplace.DecodeOptions{})
	fmt.Print(r.Text)
	for _, b := range r.Blocks {
		fmt.Printf("%s: %q becomes %q\n", b.Path, b.Search, b.Replace)
	}
	for _, p := range r.Problems {
		fmt.Printf("line %d: %s\n", p.Line, p.Message)
	}
	// Output:
	// The page names the shop twice. I'll change both.
	//
	// index.html: "    <title>Old shop</title>\n" becomes "    <title>New shop</title>\n"
	// index.html: "    <h1>Old shop</h1>\n" becomes "    <h1>New shop</h1>\n"
}

func ExampleDecoder() {
	d := searchreplace.NewDecoder(searchreplace.DecodeOptions{})
	for _, piece := range []string{"main.go\n------- SEA", "RCH\nx := 1\n=======\nx :", "= 2\n+++++++ REPLACE\n"} {
		for _, e := range d.Feed([]byte(piece)) {
			switch e.Kind {
			case searchreplace.Begun:
				fmt.Println("a block for", e.Block.Path)
			case searchreplace.Line:
				fmt.Printf("+%s", e.Text)
			case searchreplace.Completed:
				fmt.Println("complete")
			}
		}
	}
	fmt.Println(len(d.Close()), "events more")
	// Output:
	// a block for main.go
	// +x := 2
	// complete
	// 0 events more
}

func ExampleParseResponse() {
	tools := []searchreplace.Tool{{Name: "read_file", Params: []string{"path"}}}
	response := "I'll read it first.\n<read_file>\n<path>main.go</path>\n</read_file>\n"
	for _, part := range searchreplace.ParseResponse([]byte(response), tools) {
		if part.Call == nil {
			fmt.Print(part.Text)
			continue
		}
		fmt.Println(part.Call.Name, part.Call.Params[0].Value, part.Call.Partial)
	}
	// Output:
	// I'll read it first.
	// read_file main.go false
}
