package apply_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
)

// An agent shows a file to a model, and carries out what the model answers.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "main.go")
	if err := os.WriteFile(path, []byte("package main\n\nfunc main() {\n}\n"), 0o666); err != nil {
		panic(err)
	}

	ws, err := apply.Open(dir)
	if err != nil {
		panic(err)
	}
	defer ws.Close()
	view, err := ws.Read(context.Background(), "main.go", apply.ReadOptions{Scheme: hashline.Chunk})
	if err != nil {
		panic(err)
	}
	if err := view.Text(os.Stdout); err != nil {
		panic(err)
	}
	view.Close()

	message := `{"path": "main.go", "edits": [
		{"op": "insert_after", "anchor": "3:sj:jgst", "content": "\tprintln(\"hi\")"}]}`
	req := apply.Decode([]byte(message), "")
	answer := ws.Edit(context.Background(), req, apply.Options{})
	fmt.Println(answer.Status, answer.Status.Exit())
	if err := answer.Text(os.Stdout, false); err != nil {
		panic(err)
	}
	// Output:
	// main.go base=23a2a6c76bfaea1e lines 1-4/4
	// 1:aj:jgst→package main
	// 2:kv:jgst→
	// 3:sj:jgst→func main() {
	// 4:jc:jgst→}
	// applied 0
	// applied main.go +1 -0 base=-
	// edits[0] insert_after: after line 3
	// 1:aj:mdsz→package main
	// 2:kv:mdsz→
	// 3:sj:mdsz→func main() {
	// 4:un:mdsz→	println("hi")
	// 5:jc:mdsz→}
}
