// Hl shows text files behind anchors and edits them by anchor. Run hl --help.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/pflag"
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

HL_FSYNC=off does not wait for the disk.

"hl COMMAND --help" tells the flags, "hl --version" the version.

example: hl read main.go
         echo '[{"op": "delete", "anchor": "22:ab:rstu"}]' | hl edit main.go
`

// A command is one of hl's subcommands.
type command struct {
	usage string
	flags func(*pflag.FlagSet) func(*env) int // defines flags; the result runs
}

func commandNamed(name string) (cmd command, known bool) {
	switch name {
	case "read":
		return readCommand(), true
	case "edit":
		return editCommand(), true
	case "prompt":
		return promptCommand(), true
	case "demo":
		return demoCommand(), true
	}
	return command{}, false
}

// An env is what a command has to do with the world.
type env struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
}

// complain reports wrong usage.
func (e *env) complain(format string, args ...any) int {
	fmt.Fprintf(e.stderr, "hl: "+format+"\n", args...)
	return 2
}

// version returns the version of the module, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return s.Value
		}
	}
	return info.Main.Version
}

func main() {
	os.Exit(run(&env{os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv}))
}

func run(e *env) int {
	if len(e.args) == 0 {
		io.WriteString(e.stderr, usage)
		return 2
	}
	name := e.args[0]
	switch name {
	case "--help", "-h", "help":
		if cmd, known := commandNamed(e.args[len(e.args)-1]); known && len(e.args) == 2 {
			io.WriteString(e.stdout, cmd.usage)
			return 0
		}
		io.WriteString(e.stdout, usage)
		return 0
	case "--version", "version":
		fmt.Fprintln(e.stdout, "hl", version())
		return 0
	}
	cmd, known := commandNamed(name)
	if !known {
		return e.complain("there is no command %q; the commands are read, edit, prompt and demo (hl --help)", name)
	}
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	act := cmd.flags(flags)
	if err := flags.Parse(e.args[1:]); errors.Is(err, pflag.ErrHelp) {
		io.WriteString(e.stdout, cmd.usage)
		return 0
	} else if err != nil {
		return e.complain("%v (hl %s --help)", err, name)
	}
	e.args = flags.Args()
	return act(e)
}
