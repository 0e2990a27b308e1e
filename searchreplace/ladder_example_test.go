package searchreplace_test

import (
	"fmt"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// A model forgot the indentation of a block; it is put where it belongs. One that
// stands in two places is not.
func ExampleResolve() {
	src := "def area(r):\n    check(r)\n    s = 3.14 * r\n    return s\n\ndef half(r):\n    check(r)\n    return r / 2\n"
	doc, err := text.Parse([]byte(src), nil)
	if err != nil {
		panic(err)
	}
	res := searchreplace.Resolve(doc, []searchreplace.Block{{
		Search:  "check(r)\ns = 3.14 * r\nreturn s\n",
		Replace: "check(r)\ns = math.pi * r * r\nreturn s\n",
	}}, searchreplace.Options{})
	fmt.Println(res.Results[0].Tier, "at line", res.Results[0].Places[0].Start+1)
	fmt.Print(string(res.Spliced.Bytes()))

	res = searchreplace.Resolve(doc, []searchreplace.Block{{Search: "    check(r)\n"}}, searchreplace.Options{})
	fmt.Println(res.Failures[0])
	// Output:
	// indent at line 2
	// def area(r):
	//     check(r)
	//     s = math.pi * r * r
	//     return s
	//
	// def half(r):
	//     check(r)
	//     return r / 2
	// block 1: multiple_matches: the search stands in 2 places (lines 2, 7); add lines around it until it stands in one
}
