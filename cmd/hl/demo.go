package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hlkit/hlkit/internal/cli"
	"github.com/spf13/pflag"
)

func demoCommand() cli.Command {
	return cli.Command{
		Usage: `usage: hl demo

Shows on one screen, in a temporary directory, what hl does: a read, an edit,
and an edit that is refused because somebody else changed the file.
`,
		Flags: func(*pflag.FlagSet) func(*cli.Env) int {
			return func(e *cli.Env) int {
				if len(e.Args) > 0 {
					return e.Complain("demo takes no arguments")
				}
				if err := demo(e); err != nil {
					return e.Complain("demo: %v", err)
				}
				return 0
			}
		},
	}
}

const demoFile = `package main

import "fmt"

func main() {
	name := "world"
	fmt.Println("hello", name)
}
`

// demo plays two programs that edit one file. What it prints is what the commands
// print.
func demo(e *cli.Env) error {
	dir, err := os.MkdirTemp("", "hl-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "main.go")
	if err := os.WriteFile(path, []byte(demoFile), 0o666); err != nil {
		return err
	}
	d := &demonstration{env: e, dir: dir}

	d.say("A model reads a file. Every line stands behind its anchor.")
	read := d.hl("", 0, "read", "main.go")

	d.say("It edits by anchor, and retypes nothing. The answer has fresh anchors.")
	edit := `[{"op": "replace", "anchor": "%s", "content": "\tname := \"gopher\""}]`
	answer := d.hl(fmt.Sprintf(edit, anchorOf(read, "name :=")), 0, "edit", "main.go")

	d.say("Meanwhile somebody else puts a line on top.")
	d.run("sed", func() error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, append([]byte("// Command hello greets.\n"), text...), 0o666)
	}, "sed -i '1i // Command hello greets.' main.go")

	d.say("The next edit still means the old line 7. It is refused, and told where the line is now.")
	edit = `[{"op": "insert_after", "anchor": "%s", "content": "\tfmt.Println(\"bye\")"}]`
	refusal := d.hl(fmt.Sprintf(edit, anchorOf(answer, "Println")), 1, "edit", "main.go")

	d.say("With the anchor from the answer it lands.")
	d.hl(fmt.Sprintf(edit, anchorOf(refusal, "Println")), 0, "edit", "main.go")
	return d.err
}

// A demonstration prints commands and what they print.
type demonstration struct {
	env *cli.Env
	dir string
	err error // the first thing that went otherwise than it should
}

func (d *demonstration) say(text string) { fmt.Fprintf(d.env.Stdout, "\n# %s\n", text) }

// run prints a command line and does what it stands for.
func (d *demonstration) run(name string, do func() error, line string) {
	fmt.Fprintf(d.env.Stdout, "$ %s\n", line)
	if err := do(); err != nil && d.err == nil {
		d.err = fmt.Errorf("%s: %w", name, err)
	}
}

// hl runs hl in the demonstration's directory and returns what it printed.
func (d *demonstration) hl(stdin string, want int, args ...string) string {
	line := "hl " + strings.Join(args, " ")
	if stdin != "" {
		line += " <<'END'\n" + stdin + "\nEND"
	}
	var out bytes.Buffer
	d.run(args[0], func() error {
		sub := &cli.Env{Args: append(args, "--root", d.dir), Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &out, Getenv: d.env.Getenv}
		if exit := run(sub); exit != want {
			return fmt.Errorf("exit status %d, not %d", exit, want)
		}
		return nil
	}, line)
	d.env.Stdout.Write(out.Bytes())
	return out.String()
}

// anchorOf returns the anchor of the first line of a view that holds text.
func anchorOf(view, text string) string {
	for line := range strings.Lines(view) {
		if anchor, rest, ok := strings.Cut(line, "→"); ok && strings.Contains(rest, text) {
			return anchor
		}
	}
	return ""
}
