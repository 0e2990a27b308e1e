package apply_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
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

// An agent carries out the blocks that a model answers with. A refusal is the next
// message to the model: it says what to correct.
func Example_reply() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "server.conf"), []byte("# The server.\nhost = here\nport = 80\n"), 0o666); err != nil {
		panic(err)
	}
	ws, err := apply.Open(dir)
	if err != nil {
		panic(err)
	}
	defer ws.Close()

	// model stands for a call of a model with all messages so far.
	replies := []string{
		"server.conf\n------- SEARCH\nport = 443\n=======\nport = 8080\n+++++++ REPLACE\n",
		"I see.\n\nserver.conf\n------- SEARCH\nport = 80\n=======\nport = 8080\n+++++++ REPLACE\n",
	}
	model := func(messages []string) string { return replies[len(messages)-1] }

	messages := []string{"Use port 8080."}
	for range 3 { // a model that does not get there is not asked for ever
		reply := searchreplace.Decode([]byte(model(messages)), searchreplace.DecodeOptions{})
		answer := ws.Edit(context.Background(), apply.RequestOf(reply, ""), apply.Options{})
		var message strings.Builder
		if err := answer.Text(&message, false); err != nil {
			panic(err)
		}
		fmt.Print(message.String())
		if answer.Status.Exit() == 0 {
			break
		}
		messages = append(messages, message.String())
	}
	// Output:
	// not applied server.conf: nothing was written; 1 failure
	// block 1 no_match: the search stands nowhere in the file; line 3 is most like it; the file may have changed since you read it: copy the search from it as it is now
	// now:
	// 1:gw:tneo→# The server.
	// 2:mg:tneo→host = here
	// 3:un:tneo→port = 80
	//   line 3 has “port·=·80” where the search has “port·=·443”
	// if that is the place, hl edit: {"path":"server.conf","edits":[{"op":"replace","anchor":"3:un:tneo","content":["port = 8080"]}]}
	// next: correct these blocks and send the reply again, all of it
	// applied server.conf +1 -1 base=-
	// block 1 search_replace: line 3
	// 1:gw:xana→# The server.
	// 2:mg:xana→host = here
	// 3:mv:xana→port = 8080
}
