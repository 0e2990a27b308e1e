package main

import (
	"io"
	"strings"

	"github.com/hlkit/hlkit/internal/cli"
	"github.com/spf13/pflag"
)

func promptCommand() cli.Command {
	return cli.Command{
		Usage: `usage: sr prompt [flags]

Prints instructions for a model that is to edit files.

  --format NAME     the dialect it is to write: cline (default), git, aider,
                    xml, json, udiff or patch

example: sr prompt --format aider >> system-prompt.txt
`,
		Flags: func(flags *pflag.FlagSet) func(*cli.Env) int {
			format := flags.String("format", "cline", "")
			return func(e *cli.Env) int {
				if len(e.Args) > 0 {
					return e.Complain("prompt takes no arguments")
				}
				for _, p := range prompts {
					if p.format == *format {
						io.WriteString(e.Stdout, p.text)
						return 0
					}
				}
				return e.Complain("--format: unknown format %q; use %s", *format, promptNames())
			}
		},
	}
}

func promptNames() string {
	var names []string
	for _, p := range prompts {
		names = append(names, p.format)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// A prompt is short, as it is read with every task, and in ASCII: models copy what
// they see. In calls the path comes first: so it is known while the text still
// comes. All that looks like an example is one, and is read by a test.
type prompt struct{ format, text string }

var prompts = [...]prompt{
	{"cline", `To edit a file, write its path on a line of its own, and then blocks:

src/main.go
------- SEARCH
func f() int {
	return 1
=======
func f() int {
	return 2
+++++++ REPLACE

` + sides + `
To make a new file, leave SEARCH empty:

src/new.go
------- SEARCH
=======
package main
+++++++ REPLACE
`},
	{"git", `To edit a file, write its path on a line of its own, and then blocks:

src/main.go
<<<<<<< SEARCH
func f() int {
	return 1
=======
func f() int {
	return 2
>>>>>>> REPLACE

` + sides + `
To make a new file, leave SEARCH empty:

src/new.go
<<<<<<< SEARCH
=======
package main
>>>>>>> REPLACE
`},
	{"aider", `To edit a file, write its path on a line of its own, and then a block in a fence:

src/main.go
` + "```go" + `
<<<<<<< SEARCH
func f() int {
	return 1
=======
func f() int {
	return 2
>>>>>>> REPLACE
` + "```" + `

` + sides + `- If the text has lines that begin with a fence, use a longer one around it.

To make a new file, leave SEARCH empty:

src/new.go
` + "```go" + `
<<<<<<< SEARCH
=======
package main
>>>>>>> REPLACE
` + "```" + `
`},
	{"xml", `To edit a file, call replace_in_file, with one block or several in diff:

<replace_in_file>
<path>src/main.go</path>
<diff>
------- SEARCH
func f() int {
	return 1
=======
func f() int {
	return 2
+++++++ REPLACE
</diff>
</replace_in_file>

` + sides + `- Write the text as it is: no entities such as &lt; for what the file has as <.

To make a file, call write_to_file:

<write_to_file>
<path>src/new.go</path>
<content>
package main
</content>
</write_to_file>
`},
	{"json", `To edit a file, call edit_file. Its parameters, in this order:

{"path": "src/main.go", "old_string": "\treturn 1\n", "new_string": "\treturn 2\n"}

- old_string is text of the file, exactly as it is there, with its indentation;
  enough of it to stand in the file only once.
- new_string is what to put in its place; "" deletes.
- For every place of old_string at once, put a field before the text:

{"path": "src/main.go", "replace_all": true, "old_string": "f(", "new_string": "g("}

- For several edits of one file send a list. Each is looked for in the file as it
  is before any of them:

{"path": "src/main.go", "edits": [
  {"old_string": "\treturn 1\n", "new_string": "\treturn 2\n"},
  {"old_string": "var x int\n", "new_string": ""}]}

- To make a file:

{"path": "src/new.go", "content": "package main\n"}
`},
	{"udiff", `To edit files, write a unified diff in a fence:

` + "```diff" + `
--- a/src/main.go
+++ b/src/main.go
@@ func f() int {
 // f is the answer.
-	return 1
+	return 2
 }
--- /dev/null
+++ b/src/new.go
@@
+package main
` + "```" + `

- A line that stays begins with a blank, one to delete with "-", a new one with
  "+"; a blank line that stays is a line with one blank.
- The lines that stay and those to delete are exactly as they are in the file, with
  their indentation, and together stand in the file only once. Three that stay
  before and behind the change mostly do.
- Behind @@ stands a line of the file somewhere before them, or nothing. Numbers
  are not needed.
- Each place is a hunk with its own @@ line. Never leave lines out in between.
- A new file has the old name /dev/null, a file to delete the new name /dev/null.
`},
	{"patch", `To edit files, write a patch:

*** Begin Patch
*** Update File: src/main.go
@@ func f() int {
 	// The answer.
-	return 1
+	return 2
 }
*** Add File: src/new.go
+package main
*** Update File: src/a.go
*** Move to: src/b.go
@@
-package a
+package b
*** End Patch

- A line that stays begins with a blank, one to delete with "-", a new one with
  "+"; a blank line that stays is a line with one blank.
- The lines that stay and those to delete are exactly as they are in the file, with
  their indentation, and together stand in the file only once. Three that stay
  before and behind the change mostly do.
- Behind @@ stands a line of the file somewhere before them, or nothing.
- Each place has its own @@ line. Never leave lines out in between.
- A line "*** End of File" behind the lines says that they end the file.
`},
}

const sides = `- SEARCH has whole lines of the file, exactly as they are there, with their
  indentation; enough of them to stand in the file only once.
- REPLACE has the lines to put in their place. If it is empty, they are deleted.
- Keep blocks short: the lines that change and a few around them. For several
  places write several blocks. Each is looked for in the file as it is before any
  of them.
- Never leave lines out, and write no line numbers.
- A line of the text that is itself a marker has a backslash before it.
`
