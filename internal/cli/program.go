// Package cli is what the two commands have in common: how a command line is
// taken, how a request is carried out and answered, and what an interrupt does.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// An Env is what a command has to do with the world.
type Env struct {
	Program        string // its name, in front of complaints
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
}

// Complain reports wrong usage, and returns its exit status.
func (e *Env) Complain(format string, args ...any) int {
	fmt.Fprintf(e.Stderr, e.Program+": "+format+"\n", args...)
	return 2
}

// A Command is a subcommand of a program.
type Command struct {
	Usage string
	Flags func(*pflag.FlagSet) func(*Env) int // defines flags; the result runs
}

// A Program is a set of subcommands.
type Program struct {
	Name, Usage string
	Names       []string // of the commands, as messages list them
	Command     func(name string) Command
}

// Run carries out the command line of e and returns the exit status.
func (p *Program) Run(e *Env) int {
	e.Program = p.Name
	if len(e.Args) == 0 {
		io.WriteString(e.Stderr, p.Usage)
		return 2
	}
	name := e.Args[0]
	switch name {
	case "--help", "-h", "help":
		usage := p.Usage
		if last := e.Args[len(e.Args)-1]; len(e.Args) == 2 && slices.Contains(p.Names, last) {
			usage = p.Command(last).Usage
		}
		io.WriteString(e.Stdout, usage)
		return 0
	case "--version", "version":
		fmt.Fprintln(e.Stdout, p.Name, version())
		return 0
	}
	if !slices.Contains(p.Names, name) {
		most := len(p.Names) - 1
		return e.Complain("there is no command %q; the commands are %s and %s (%s --help)", name, strings.Join(p.Names[:most], ", "), p.Names[most], p.Name)
	}
	cmd := p.Command(name)
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	act := cmd.Flags(flags)
	if err := flags.Parse(e.Args[1:]); errors.Is(err, pflag.ErrHelp) {
		io.WriteString(e.Stdout, cmd.Usage)
		return 0
	} else if err != nil {
		return e.Complain("%v (%s %s --help)", err, p.Name, name)
	}
	e.Args = flags.Args()
	return act(e)
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
