package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/lock"
	"github.com/spf13/pflag"
)

func readCommand() cli.Command {
	return cli.Command{
		Usage: `usage: hl read [flags] FILE...

Prints for each file a header "PATH base=TAG lines A-B/N", then "ANCHOR→TEXT"
for each line. TAG stands for the bytes of the whole file, and is - if not all
of it is shown. Without --lines at most 2,000 lines or 256 KiB are shown; a
footer "more: --lines N-" tells how to go on.

  --lines LIST      show these lines, such as 10-40,90- or all
  --scheme NAME     anchors: chunk (default), seal, chain, content or file
  --plain           the text alone, with its line ends, nothing cut
  --json            one JSON object
  --root DIR        take FILE as a path in DIR, and never leave it
  --encoding NAME   what a file is that is not UTF-8, such as gbk
  --lock-timeout D  how long to wait for others that edit the file (default 10s)

What can be shown is shown; the exit status is 2 if a file could not be.

example: hl read --lines 100-140 main.go
`,
		Flags: func(flags *pflag.FlagSet) func(*cli.Env) int {
			r := &reading{}
			flags.StringVar(&r.lines, "lines", "", "")
			flags.StringVar(&r.scheme, "scheme", "chunk", "")
			flags.BoolVar(&r.plain, "plain", false, "")
			flags.BoolVar(&r.json, "json", false, "")
			flags.StringVar(&r.root, "root", "", "")
			flags.StringVar(&r.opt.Encoding, "encoding", "", "")
			flags.DurationVar(&r.opt.LockTimeout, "lock-timeout", lock.DefaultTimeout, "")
			return r.run
		},
	}
}

// A reading is one run of hl read.
type reading struct {
	lines, scheme, root string
	plain, json         bool
	opt                 apply.ReadOptions
}

func (r *reading) run(e *cli.Env) int {
	var err error
	if r.opt.Scheme, err = hashline.ParseScheme(r.scheme); err != nil {
		return e.Complain("--scheme: %v", err)
	}
	if r.plain {
		r.opt.Scheme = hashline.Chunk // no anchor is shown, and file is for whole files only
	}
	if r.lines != "" {
		if r.opt.Windows, err = hashline.ParseWindows(r.lines); err != nil {
			return e.Complain("--lines: %v", err)
		}
	}
	switch {
	case r.opt.LockTimeout <= 0:
		return e.Complain("--lock-timeout is %v; give a time over 0, such as 10s", r.opt.LockTimeout)
	case len(e.Args) == 0:
		return e.Complain("name a file to read: hl read FILE")
	case r.json && r.plain:
		return e.Complain("--json and --plain cannot be used together: one prints an object, the other the text alone")
	}
	out := bufio.NewWriterSize(e.Stdout, 64<<10)
	show := &shower{reading: r, env: e, out: out}
	if r.json {
		show.object(e.Args)
	} else {
		for _, file := range e.Args {
			show.file(file, show.text)
		}
	}
	if err := out.Flush(); err != nil {
		return e.Complain("writing the output: %v", err)
	}
	return show.exit
}

// A shower shows files, one after the other.
type shower struct {
	*reading
	env      *cli.Env
	out      *bufio.Writer
	exit     int
	failures []apply.Failure
}

// file shows one file, or notes why not.
func (s *shower) file(name string, show func(*apply.View) error) {
	err := func() error {
		ws, err := cli.OpenWorkspace(s.root, name)
		if err != nil {
			return err
		}
		defer ws.Close()
		view, err := ws.Read(context.Background(), name, s.opt)
		if err != nil {
			return err
		}
		defer view.Close()
		if !s.json {
			for _, w := range view.Warnings {
				fmt.Fprintf(s.env.Stderr, "warning %s: %s: %s\n", w.Code, hashline.QuotePath(name), w.Message)
			}
		}
		return show(view)
	}()
	if err == nil {
		return
	}
	s.exit = 2
	f := apply.FailureOf(name, err)
	s.failures = append(s.failures, f)
	if !s.json {
		s.out.Flush()
		fmt.Fprintf(s.env.Stderr, "not read %s: %s: %s\n", hashline.QuotePath(name), f.Code, f.Message)
	}
}

func (s *shower) text(v *apply.View) error {
	if !s.plain {
		return v.Text(s.out)
	}
	err := v.Plain(s.out)
	if err == nil && v.More > 0 {
		s.out.Flush()
		s.env.Stderr.Write(hashline.AppendMore(nil, v.More))
	}
	return err
}

// object prints all files as one JSON object.
func (s *shower) object(files []string) {
	enc := jsontext.NewEncoder(s.out, jsontext.AllowInvalidUTF8(true)) // in names of files
	enc.WriteToken(jsontext.BeginObject)
	enc.WriteToken(jsontext.String("files"))
	enc.WriteToken(jsontext.BeginArray)
	for _, file := range files {
		s.file(file, func(v *apply.View) error { return v.JSON(enc) })
	}
	enc.WriteToken(jsontext.EndArray)
	if s.failures != nil {
		enc.WriteToken(jsontext.String("failures"))
		json.MarshalEncode(enc, s.failures)
	}
	enc.WriteToken(jsontext.EndObject)
}
