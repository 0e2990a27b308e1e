// Sr reads the SEARCH/REPLACE blocks that language models write. Run sr --help.
package main

import (
	"os"

	"github.com/hlkit/hlkit/internal/cli"
)

const usage = `usage: sr apply [flags] [FILE]   carry out the blocks of a model's reply
       sr parse [flags]          show the blocks of a model's reply as JSON
       sr prompt [flags]         print instructions for a model

A reply may hold blocks between markers (Cline's, git's, aider's), tool calls in
tags or in JSON, unified diffs and "*** Begin Patch", mixed as they come. What
is misspelled is put right by rules, and reported; what cannot be read is a
problem that says how to write it.

Exit status: 0 applied, or already so; all of it can be read. 1 nothing written:
the file is not what the reply took it for. 2 nothing written: something cannot
be read, or the command line is wrong. 3 partly written, as named.

HL_FSYNC=off does not wait for the disk. HL_LOCK_DIR is where the locks are.

"sr COMMAND --help" tells the flags, "sr --version" the version.

example: sr apply --diff < reply.txt
`

// run carries out the command line of e and returns the exit status.
func run(e *cli.Env) int { return program().Run(e) }

func program() *cli.Program {
	return &cli.Program{
		Name:  "sr",
		Usage: usage,
		Names: []string{"apply", "parse", "prompt"},
		Command: func(name string) cli.Command {
			switch name {
			case "apply":
				return applyCommand()
			case "parse":
				return parseCommand()
			}
			return promptCommand()
		},
	}
}

func main() {
	os.Exit(run(&cli.Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}))
}
