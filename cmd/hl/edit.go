package main

import (
	"io"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/spf13/pflag"
)

func editCommand() cli.Command {
	return cli.Command{
		Usage: `usage: hl edit [flags] [FILE]

Reads a request from standard input and carries it out, all of it or nothing:

  {"path": "main.go", "base": "TAG", "edits": [
    {"op": "replace", "anchor": "A", "end_anchor": "B", "content": "new\ntext"},
    {"op": "delete", "anchor": "A", "end_anchor": "B"},
    {"op": "insert_after", "anchor": "A", "content": ["new", "lines"]},
    {"op": "insert_before", "anchor": "0:", "content": "at the top"},
    {"op": "search_replace", "search": "old", "replace": "new", "expect": 2},
    {"op": "move", "anchor": "A", "to": "C", "to_path": "b.go"},
    {"op": "rename", "to_path": "c.go"}]}

Also copy, as move; and alone for a file: write and create with "content", and
remove. Several files: {"files": [{"path": "a.go", "edits": [...]}, ...]}. With
FILE the list of edits alone will do. "base" is the tag of a read of the whole
file: it proves ranges longer than what their two anchors prove. An answer goes
to standard output, a refusal to standard error; with --json both go to standard
output.

A search_replace with an anchor or "expect" replaces every place literally; with
neither, the one place that is meant, found as sr apply finds it.

  -f, --file NAME   read the request from a file; - is standard input
  --relocate        follow anchors whose lines moved
  --scheme NAME     fresh anchors of this scheme; content: accept such anchors
` + cli.FlagsUsage + `
example: hl edit --diff main.go < edits.json
`,
		Flags: func(flags *pflag.FlagSet) func(*cli.Env) int {
			r := &request{}
			r.Define(flags)
			flags.BoolVar(&r.Relocate, "relocate", false, "")
			flags.StringVar(&r.scheme, "scheme", "", "")
			return r.run
		},
	}
}

// A request is one run of hl edit.
type request struct {
	cli.Editing
	scheme string
}

func (r *request) run(e *cli.Env) int {
	file, exit := r.File(e, "edit")
	if exit != 0 {
		return exit
	}
	if r.scheme != "" {
		scheme, err := hashline.ParseScheme(r.scheme)
		if err != nil {
			return e.Complain("--scheme: %v", err)
		}
		if scheme == hashline.File {
			return e.Complain("--scheme file is for hl read: an answer does not show the whole file, which bare numbers need")
		}
		r.Scheme = &scheme
	}
	in, err := e.Input(r.From, "request")
	if err != nil {
		return e.Complain("reading the request: %v", err)
	}
	defer in.Close()
	// One byte more than a request may have, to see that it is too large.
	data, err := io.ReadAll(io.LimitReader(in, apply.MaxRequest+1))
	if err != nil {
		return e.Complain("reading the request: %v", err)
	}
	return r.Run(e, apply.Decode(data, file), file)
}
