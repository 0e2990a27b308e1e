package main

import (
	"fmt"
	"io"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/spf13/pflag"
)

func applyCommand() cli.Command {
	return cli.Command{
		Usage: `usage: sr apply [flags] [FILE]

Reads a model's reply from standard input and carries out the blocks that it
holds, all of them or nothing. Each block must find exactly one place; a ladder
of rules, strict first, says how its text may differ from the file's. With FILE
all blocks are for that file. An answer goes to standard output, a refusal,
which says what to correct, to standard error: give the model both.

  -f, --file NAME   read the reply from a file; - is standard input
  --format NAME     look for blocks of one dialect only; see sr parse --help
  --ladder NAME     strict, default, cline, avante, aider, grok, or tiers joined
                    by commas, such as exact,trailing; SPEC.md tells them all
  --first           of several places take the first
  --all             take all places
  --partial         apply the blocks that match, and say which to send again
  --rescue          apply a block that names the wrong file where it stands, if
                    that is exactly one other file of the reply
  --on-empty WHAT   what a block without SEARCH does to a file that has text:
                    append, prepend or overwrite; without it it is refused
  --allow-placeholder  take "... existing code ..." in new text as it is
  --blind           let blocks that give or remove a whole file give up its text
  --stream          show where each block lands while the reply is coming; it is
                    applied once, at the end
  --throttle D      the time between two pictures of --stream (default 100ms)
` + cli.FlagsUsage + `
Exit status: 0 applied, or already so. 1 nothing written: the file is not what
the reply expects. 2 nothing written: the reply is wrong. 3 partly, as named.

example: sr apply --diff < reply.txt
`,
		Flags: func(flags *pflag.FlagSet) func(*cli.Env) int {
			a := &applying{}
			a.Define(flags)
			flags.StringVar(&a.format, "format", "auto", "")
			flags.StringVar(&a.ladder, "ladder", "default", "")
			flags.BoolVar(&a.First, "first", false, "")
			flags.BoolVar(&a.All, "all", false, "")
			flags.BoolVar(&a.Partial, "partial", false, "")
			flags.BoolVar(&a.Rescue, "rescue", false, "")
			flags.StringVar(&a.onEmpty, "on-empty", "", "")
			flags.BoolVar(&a.AllowPlaceholder, "allow-placeholder", false, "")
			flags.BoolVar(&a.Blind, "blind", false, "")
			flags.BoolVar(&a.stream, "stream", false, "")
			flags.DurationVar(&a.throttle, "throttle", defaultThrottle, "")
			return a.run
		},
	}
}

// An applying is one run of sr apply.
type applying struct {
	cli.Editing
	preview
	format, ladder, onEmpty string
	stream                  bool
}

func (a *applying) run(e *cli.Env) int {
	file, exit := a.File(e, "apply")
	if exit != 0 {
		return exit
	}
	format, err := formatNamed(a.format)
	if err != nil {
		return e.Complain("--format: %v", err)
	}
	if a.Ladder, err = searchreplace.ParseLadder(a.ladder); err != nil {
		return e.Complain("--ladder: %v", err)
	}
	switch a.OnEmpty = searchreplace.OnEmpty(a.onEmpty); a.OnEmpty {
	case searchreplace.Refuse, searchreplace.Append, searchreplace.Prepend, searchreplace.Overwrite:
	default:
		return e.Complain("--on-empty is %q; use append, prepend or overwrite", a.onEmpty)
	}
	if a.First && a.All {
		return e.Complain("--first and --all cannot be used together: one takes one place, the other every place")
	}
	in, err := e.Input(a.From, "reply")
	if err != nil {
		return e.Complain("reading the reply: %v", err)
	}
	defer in.Close()
	// One byte more than a reply may have, to see that it is too large.
	limited := &io.LimitedReader{R: in, N: apply.MaxRequest + 1}
	var reply *searchreplace.Reply
	if a.stream {
		reply, err = a.preview.read(limited, e.Stderr, terminalSize(e.Stderr, e.Getenv), searchreplace.DecodeOptions{Format: format}, a.lands(file))
	} else {
		var data []byte
		data, err = io.ReadAll(limited)
		reply = searchreplace.Decode(data, searchreplace.DecodeOptions{Format: format})
	}
	if err != nil {
		return e.Complain("reading the reply: %v", err)
	}
	if limited.N == 0 {
		return e.Complain("the reply is over %d MiB; split it", apply.MaxRequest>>20)
	}
	for _, s := range reply.Shell {
		fmt.Fprintf(e.Stderr, "sr: line %d of the reply: shell commands, which are not run\n", s.First)
	}
	if len(reply.Blocks) == 0 && a.format != "auto" {
		fmt.Fprintf(e.Stderr, "sr: blocks of other dialects than --format %s were not looked for\n", a.format)
	}
	req := apply.RequestOf(reply, file)
	return a.Run(e, req, file)
}
