// Sr reads the SEARCH/REPLACE blocks that language models write. Run sr --help.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/pflag"
)

const usage = `usage: sr parse [flags]     show the blocks of a model's reply as JSON
       sr prompt [flags]    print instructions for a model

A reply may hold blocks between markers (Cline's, git's, aider's), tool calls in
tags or in JSON, unified diffs and "*** Begin Patch", mixed as they come. What
is misspelled is put right by rules, and reported; what cannot be read is a
problem that says how to write it.

Exit status: 0 all of it can be read. 2 something cannot, or the command line is
wrong.

"sr COMMAND --help" tells the flags, "sr --version" the version.

example: sr parse < reply.txt
`

// A command is one of sr's subcommands.
type command struct {
	usage string
	flags func(*pflag.FlagSet) func(*env) int // defines flags; the result runs
}

func commandNamed(name string) (cmd command, known bool) {
	switch name {
	case "parse":
		return parseCommand(), true
	case "prompt":
		return promptCommand(), true
	}
	return command{}, false
}

// An env is what a command has to do with the world.
type env struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// complain reports wrong usage.
func (e *env) complain(format string, args ...any) int {
	fmt.Fprintf(e.stderr, "sr: "+format+"\n", args...)
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
	os.Exit(run(&env{os.Args[1:], os.Stdin, os.Stdout, os.Stderr}))
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
		fmt.Fprintln(e.stdout, "sr", version())
		return 0
	}
	cmd, known := commandNamed(name)
	if !known {
		return e.complain("there is no command %q; the commands are parse and prompt (sr --help)", name)
	}
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	act := cmd.flags(flags)
	if err := flags.Parse(e.args[1:]); errors.Is(err, pflag.ErrHelp) {
		io.WriteString(e.stdout, cmd.usage)
		return 0
	} else if err != nil {
		return e.complain("%v (sr %s --help)", err, name)
	}
	e.args = flags.Args()
	return act(e)
}
