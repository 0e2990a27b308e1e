// Hl shows text files behind anchors and edits them by anchor. Run hl --help.
package main

import (
	"os"

	"github.com/hlkit/hlkit/internal/cli"
)

const usage = `usage: hl read [flags] FILE...      show files, each line behind its anchor
       hl edit [flags] [FILE]       carry out a request of edits on anchors
       hl prompt                    print instructions for a model
       hl demo                      show a read, an edit and a refusal

A line is named by its anchor LINE:HASH:CHUNK, copied whole from a read. An
anchor that no longer fits proves that the file changed: then nothing is
written, and the answer has fresh anchors.

Exit status: 0 applied, or already so. 1 nothing written: the file is not what
the request took it for; use the answer and send again. 2 nothing written: the
request is wrong, or the file cannot be edited. 3 partly written, as named.

HL_FSYNC=off does not wait for the disk. HL_LOCK_DIR is where the locks are.

"hl COMMAND --help" tells the flags, "hl --version" the version.

example: hl read main.go
         echo '[{"op": "delete", "anchor": "22:ab:rstu"}]' | hl edit main.go
`

// run carries out the command line of e and returns the exit status.
func run(e *cli.Env) int { return program().Run(e) }

func program() *cli.Program {
	return &cli.Program{
		Name:  "hl",
		Usage: usage,
		Names: []string{"read", "edit", "prompt", "demo"},
		Command: func(name string) cli.Command {
			switch name {
			case "read":
				return readCommand()
			case "edit":
				return editCommand()
			case "prompt":
				return promptCommand()
			}
			return demoCommand()
		},
	}
}

func main() {
	os.Exit(run(&cli.Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}))
}
