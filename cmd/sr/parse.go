package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/spf13/pflag"
)

func parseCommand() command {
	return command{
		usage: `usage: sr parse [flags]

Reads a model's reply from standard input and prints what it holds as one JSON
object: its "blocks", its "text" beside them, and the "problems" of what cannot
be read. SPEC.md names the fields.

  -f, --file NAME   read the reply from a file; - is standard input
  --follow          print one JSON object a line for each event, while the reply
                    is still coming
  --format NAME     look for blocks of one dialect only: cline, git (or aider),
                    call (or xml, json), unified (or udiff), patch

The exit status is 2 if something cannot be read.

example: sr parse -f reply.txt
`,
		flags: func(flags *pflag.FlagSet) func(*env) int {
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

func (p *parsing) run(e *env) int {
	format, err := formatNamed(p.format)
	switch {
	case err != nil:
		return e.complain("--format: %v", err)
	case len(e.args) > 0:
		return e.complain("parse takes no arguments; for a file use: sr parse -f %s", e.args[0])
	}
	in := e.stdin
	if p.from != "-" {
		f, err := os.Open(p.from)
		if err != nil {
			return e.complain("reading the reply: %v", err)
		}
		defer f.Close()
		in = f
	} else if isTerminal(e.stdin) {
		fmt.Fprintln(e.stderr, "sr: reading the reply from standard input; end it with Ctrl-D")
	}
	out := bufio.NewWriterSize(e.stdout, 64<<10)
	var to listener = &collector{out: out}
	if p.follow {
		to = &follower{out: out}
	}
	if err := decode(in, searchreplace.DecodeOptions{Format: format}, to); err != nil {
		return e.complain("reading the reply: %v", err)
	}
	problems := to.end()
	if err := out.Flush(); err != nil {
		return e.complain("writing the output: %v", err)
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

// isTerminal reports whether somebody may be typing at r.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
