package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/lock"
	"github.com/spf13/pflag"
)

func editCommand() command {
	return command{
		usage: `usage: hl edit [flags] [FILE]

Reads a request from standard input and carries it out, all of it or nothing:

  {"path": "main.go", "base": "TAG", "edits": [
    {"op": "replace", "anchor": "A", "end_anchor": "B", "content": "new\ntext"},
    {"op": "delete", "anchor": "A", "end_anchor": "B"},
    {"op": "insert_after", "anchor": "A", "content": ["new", "lines"]},
    {"op": "insert_before", "anchor": "0:", "content": "at the top"},
    {"op": "search_replace", "search": "old", "replace": "new", "expect": 2},
    {"op": "write", "content": "the whole text"}]}

With FILE the list of edits alone will do. "base" is the tag of a read of the
whole file: it proves ranges longer than what their two anchors prove. An answer
goes to standard output, a refusal to standard error; with --json both go to
standard output.

  -f, --file NAME   read the request from a file; - is standard input
  --dry-run         say what would happen, with the same exit status
  --diff            print the change as a patch, the answer on standard error
  --json            answer with one JSON object
  --concise         answer without lines of the file
  --relocate        follow anchors whose lines moved
  --scheme NAME     fresh anchors of this scheme; content: accept such anchors
  --root DIR        take all paths as in DIR and never leave it; without it FILE
                    may be anywhere, and a path in a request is below here
  --encoding NAME   what a file is that is not UTF-8, such as gbk
  --lock-timeout D  how long to wait for others that edit the file (default 10s)
  --max-size BYTES  largest file to edit (default 1 GiB)
  --break-hardlinks edit a file with several names under this one alone

example: hl edit --diff main.go < edits.json
`,
		flags: func(flags *pflag.FlagSet) func(*env) int {
			r := &request{}
			flags.StringVarP(&r.from, "file", "f", "-", "")
			flags.BoolVar(&r.opt.DryRun, "dry-run", false, "")
			flags.BoolVar(&r.opt.Diff, "diff", false, "")
			flags.BoolVar(&r.json, "json", false, "")
			flags.BoolVar(&r.concise, "concise", false, "")
			flags.BoolVar(&r.opt.Relocate, "relocate", false, "")
			flags.StringVar(&r.scheme, "scheme", "", "")
			flags.StringVar(&r.root, "root", "", "")
			flags.StringVar(&r.opt.Encoding, "encoding", "", "")
			flags.DurationVar(&r.opt.LockTimeout, "lock-timeout", lock.DefaultTimeout, "")
			flags.Int64Var(&r.opt.MaxSize, "max-size", apply.DefaultMaxSize, "")
			flags.BoolVar(&r.opt.BreakHardlinks, "break-hardlinks", false, "")
			return r.run
		},
	}
}

// A request is one run of hl edit.
type request struct {
	from, scheme, root string
	json, concise      bool
	opt                apply.Options
}

func (r *request) run(e *env) int {
	if len(e.args) > 1 {
		return e.complain("edit takes one FILE; for %s write its own request", hashline.QuotePath(e.args[1]))
	}
	file := ""
	if len(e.args) == 1 {
		if file = e.args[0]; file == "" {
			return e.complain("FILE is empty; name a file or leave it out")
		}
	}
	if r.scheme != "" {
		scheme, err := hashline.ParseScheme(r.scheme)
		if err != nil {
			return e.complain("--scheme: %v", err)
		}
		if scheme == hashline.File {
			return e.complain("--scheme file is for hl read: an answer does not show the whole file, which bare numbers need")
		}
		r.opt.Scheme = &scheme
	}
	if r.opt.MaxSize < 1 {
		return e.complain("--max-size is %d; give a number of bytes, 1 or more", r.opt.MaxSize)
	}
	if r.opt.LockTimeout <= 0 {
		return e.complain("--lock-timeout is %v; give a time over 0, such as 10s", r.opt.LockTimeout)
	}
	// Nobody may be listening by the time the answer is given; dying of that would
	// say that nothing was written.
	signal.Ignore(syscall.SIGPIPE)
	r.opt.NoSync = e.getenv("HL_FSYNC") == "off"
	if r.from == "-" && isTerminal(e.stdin) {
		fmt.Fprintln(e.stderr, "hl: reading the request from standard input; end it with Ctrl-D")
	}
	data, err := r.readRequest(e.stdin)
	if err != nil {
		return e.complain("reading the request: %v", err)
	}
	ctx, interrupted := interruptible()
	answer := r.carryOut(ctx, data, file)
	exit := answer.Status.Exit()
	if exit != 0 {
		if code := interrupted(); code != 0 {
			exit = code
		}
	}
	if err := r.print(e, answer); err != nil {
		failed := e.complain("writing the answer: %v; it was: %s", err, answer.Status)
		if answer.Status == apply.Applied && !r.opt.DryRun {
			return exit // any other would say that nothing was written
		}
		return max(exit, failed)
	}
	return exit
}

// isTerminal reports whether somebody may be typing at r.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// readRequest reads one byte more than a request may have, to see that it is too
// large.
func (r *request) readRequest(stdin io.Reader) ([]byte, error) {
	if r.from != "-" {
		f, err := os.Open(r.from)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		stdin = f
	}
	return io.ReadAll(io.LimitReader(stdin, apply.MaxRequest+1))
}

func (r *request) carryOut(ctx context.Context, data []byte, file string) *apply.Answer {
	req := apply.Decode(data, file)
	ws, err := openWorkspace(r.root, file)
	if err != nil {
		answer := apply.AnswerOf(append(slices.Clone(req.Problems()), apply.FailureOf(file, err))...)
		answer.DryRun = r.opt.DryRun
		return answer
	}
	defer ws.Close()
	if file != "" {
		ws.Only(req, file)
	}
	return ws.Edit(ctx, req, r.opt)
}

// print prints the answer: success on standard output, refusal on standard error.
func (r *request) print(e *env, answer *apply.Answer) error {
	if r.json {
		b, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true)) // in names of files
		if err != nil {
			return err
		}
		_, err = e.stdout.Write(append(b, '\n'))
		return err
	}
	out := e.stdout
	if r.opt.Diff || answer.Status.Exit() != 0 {
		out = e.stderr
	}
	if r.opt.Diff {
		if err := answer.DiffText(e.stdout); err != nil {
			return err
		}
	}
	return answer.Text(out, r.concise)
}

// interruptible returns a context that an interrupt or termination ends, and a
// function that returns the exit status to end with then, else 0.
func interruptible() (context.Context, func() int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		cancel(signalError{<-signals})
		signal.Reset(os.Interrupt, syscall.SIGTERM) // a second one ends us at once
	}()
	return ctx, func() int {
		if s, ok := context.Cause(ctx).(signalError); ok {
			if n, ok := s.Signal.(syscall.Signal); ok {
				return 128 + int(n)
			}
		}
		return 0
	}
}

type signalError struct{ os.Signal }

func (s signalError) Error() string { return s.String() }
