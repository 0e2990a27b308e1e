package text_test

import (
	"fmt"

	"github.com/hlkit/hlkit/text"
)

func ExampleSplice() {
	doc, err := text.Parse([]byte("one\r\ntwo\r\nthree"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := text.Splice(doc, []text.Edit{
		{Start: 1, End: 2, Lines: []string{"2"}},    // replaces the second line
		{Start: 3, End: 3, Lines: []string{"four"}}, // inserts at the end
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", res.Bytes())
	// Output: "one\r\n2\r\nthree\r\nfour"
}
