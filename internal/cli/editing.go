package cli

import (
	"context"
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

// Editing is the flags that every command that edits has, and how it answers.
type Editing struct {
	From, Root    string
	JSON, Concise bool
	apply.Options
}

// FlagsUsage tells the flags that Define defines.
const FlagsUsage = `  --dry-run         say what would happen, with the same exit status
  --diff            print the change as a patch, the answer on standard error
  --json            answer with one JSON object, lines and all
  --concise         answer in text without lines of the file
  --root DIR        take all paths as in DIR and never leave it; without it FILE
                    may be anywhere, and other paths below its directory or here
  --encoding NAME   what a file is that is not UTF-8, such as gbk
  --lock-timeout D  wait so long for others who edit the files (default 10s)
  --max-size BYTES  largest file to edit (default 1 GiB)
  --break-hardlinks edit a file with several names under this one alone
`

// Define defines the flags.
func (r *Editing) Define(flags *pflag.FlagSet) {
	flags.StringVarP(&r.From, "file", "f", "-", "")
	flags.BoolVar(&r.DryRun, "dry-run", false, "")
	flags.BoolVar(&r.Diff, "diff", false, "")
	flags.BoolVar(&r.JSON, "json", false, "")
	flags.BoolVar(&r.Concise, "concise", false, "")
	flags.StringVar(&r.Root, "root", "", "")
	flags.StringVar(&r.Encoding, "encoding", "", "")
	flags.DurationVar(&r.LockTimeout, "lock-timeout", lock.DefaultTimeout, "")
	flags.Int64Var(&r.MaxSize, "max-size", apply.DefaultMaxSize, "")
	flags.BoolVar(&r.BreakHardlinks, "break-hardlinks", false, "")
}

// File returns the FILE of the command line, "" if there is none, or the exit
// status if that, or a flag, is wrong.
func (r *Editing) File(e *Env, command string) (file string, exit int) {
	if len(e.Args) > 1 {
		return "", e.Complain("%s takes one FILE; for %s write its own request", command, hashline.QuotePath(e.Args[1]))
	}
	if len(e.Args) == 1 {
		if file = e.Args[0]; file == "" {
			return "", e.Complain("FILE is empty; name a file or leave it out")
		}
	}
	if r.MaxSize < 1 {
		return "", e.Complain("--max-size is %d; give a number of bytes, 1 or more", r.MaxSize)
	}
	if r.LockTimeout <= 0 {
		return "", e.Complain("--lock-timeout is %v; give a time over 0, such as 10s", r.LockTimeout)
	}
	return file, 0
}

// Run carries out the request and prints the answer. It returns the exit status.
func (r *Editing) Run(e *Env, req *apply.Request, file string) int {
	// Nobody may be listening by the time the answer is given; dying of that would
	// say that nothing was written.
	signal.Ignore(syscall.SIGPIPE)
	r.NoSync = e.Getenv("HL_FSYNC") == "off"
	ctx, interrupted := interruptible()
	answer := r.carryOut(ctx, req, file)
	exit := answer.Status.Exit()
	if exit != 0 && answer.Status != apply.Partial {
		if code := interrupted(); code != 0 {
			exit = code
		}
	}
	if err := r.print(e, answer); err != nil {
		said := string(answer.Status)
		if answer.DryRun {
			said += " (dry run: nothing was written)"
		}
		failed := e.Complain("writing the answer: %v; it was: %s", err, said)
		if (answer.Status == apply.Applied || answer.Status == apply.Partial) && !r.DryRun {
			return exit // any other would say that nothing was written
		}
		return max(exit, failed)
	}
	return exit
}

func (r *Editing) carryOut(ctx context.Context, req *apply.Request, file string) *apply.Answer {
	ws, err := OpenWorkspace(r.Root, file)
	if err != nil {
		answer := apply.AnswerOf(append(slices.Clone(req.Problems()), apply.FailureOf(file, err))...)
		answer.DryRun = r.DryRun
		return answer
	}
	defer ws.Close()
	if file != "" {
		ws.Only(req, file)
	}
	return ws.Edit(ctx, req, r.Options)
}

// print prints the answer: success on standard output, refusal on standard error.
func (r *Editing) print(e *Env, answer *apply.Answer) error {
	if r.JSON {
		b, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true)) // in names of files
		if err != nil {
			return err
		}
		_, err = e.Stdout.Write(append(b, '\n'))
		return err
	}
	out := e.Stdout
	if r.Diff || answer.Status.Exit() != 0 {
		out = e.Stderr
	}
	if r.Diff {
		if err := answer.DiffText(e.Stdout); err != nil {
			return err
		}
	}
	return answer.Text(out, r.Concise)
}

// OpenWorkspace returns the workspace of a root, or of a file, or of the working
// directory.
func OpenWorkspace(root, file string) (*apply.Workspace, error) {
	switch {
	case root != "":
		return apply.Open(root)
	case file != "":
		return apply.OpenFile(file)
	}
	return apply.Open(".")
}
