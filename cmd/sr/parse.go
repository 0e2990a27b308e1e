package main

import (
	"bufio"
	"errors"
	"io"

	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/spf13/pflag"
)

func parseCommand() cli.Command {
	return cli.Command{
		Usage: `usage: sr parse [flags]

Reads a model's reply from standard input and prints what it holds as one JSON
object: its "blocks", its "text" beside them, and the "problems" of what cannot
be read. SPEC.md names the fields.

  -f, --file NAME   read the reply from a file; - is standard input
  --follow          print one JSON object a line for each event, while the reply
                    is still coming
  --format NAME     look for blocks of one dialect only: cline, git (or aider),
                    call (or xml, json), unified (or udiff), patch; auto, which
                    is the default, looks for all of them

The exit status is 2 if something cannot be read.

example: sr parse -f reply.txt
`,
		Flags: func(flags *pflag.FlagSet) func(*cli.Env) int {
			p := &parsing{}
			flags.StringVarP(&p.from, "file", "f", "-", "")
			flags.BoolVar(&p.follow, "follow", false, "")
			flags.StringVar(&p.format, "format", "auto", "")
			return p.run
		},
	}
}

// A parsing is one run of sr parse.
type parsing struct {
	from, format string
	follow       bool
}

func (p *parsing) run(e *cli.Env) int {
	format, err := formatNamed(p.format)
	switch {
	case err != nil:
		return e.Complain("--format: %v", err)
	case len(e.Args) > 0:
		return e.Complain("parse takes no arguments; for a file use: sr parse -f %s", e.Args[0])
	}
	in, err := e.Input(p.from, "reply")
	if err != nil {
		return e.Complain("reading the reply: %v", err)
	}
	defer in.Close()
	out := bufio.NewWriterSize(e.Stdout, 64<<10)
	var to listener = &collector{out: out}
	if p.follow {
		to = &follower{out: out}
	}
	if err := decode(in, searchreplace.DecodeOptions{Format: format}, to); err != nil {
		return e.Complain("reading the reply: %v", err)
	}
	problems := to.end()
	if err := out.Flush(); err != nil {
		return e.Complain("writing the output: %v", err)
	}
	if problems > 0 {
		return 2
	}
	return 0
}

// formatNamed returns the format of a name; that of a prompt will do.
func formatNamed(name string) (searchreplace.Format, error) {
	switch name {
	case "aider":
		return searchreplace.FormatGit, nil
	case "xml", "json":
		return searchreplace.FormatCall, nil
	case "udiff":
		return searchreplace.FormatUnified, nil
	}
	return searchreplace.ParseFormat(name)
}

// A listener gets the events of a reply.
type listener interface {
	events([]searchreplace.Event) error
	end() (problems int)
}

// decode reads a reply, and hands on its events as soon as they are there.
func decode(in io.Reader, opt searchreplace.DecodeOptions, to listener) error {
	d := searchreplace.NewDecoder(opt)
	piece := make([]byte, 64<<10)
	for {
		n, err := in.Read(piece)
		if err := to.events(d.Feed(piece[:n])); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return to.events(d.Close())
		}
		if err != nil {
			return err
		}
	}
}
