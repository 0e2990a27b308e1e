package main

import (
	"io"

	"github.com/hlkit/hlkit/internal/cli"
	"github.com/spf13/pflag"
)

func promptCommand() cli.Command {
	return cli.Command{
		Usage: `usage: hl prompt

Prints instructions for a model that is to use hl read and hl edit.

example: hl prompt >> system-prompt.txt
`,
		Flags: func(*pflag.FlagSet) func(*cli.Env) int {
			return func(e *cli.Env) int {
				if len(e.Args) > 0 {
					return e.Complain("prompt takes no arguments")
				}
				io.WriteString(e.Stdout, prompt)
				return 0
			}
		},
	}
}

// prompt is ASCII but for the arrow: models copy what they see into code.
const prompt = `Read files with "hl read FILE" (a part: --lines 10-40,90-). It prints
  PATH base=TAG lines A-B/N
  ANCHOR→TEXT          for each line, for example 22:ab:rstu→	return nil
Edit with "hl edit FILE", a JSON list of edits on standard input:
  {"op":"replace","anchor":"A","end_anchor":"B","content":"new lines"}
  {"op":"delete","anchor":"A","end_anchor":"B"}
  {"op":"insert_after","anchor":"A","content":"new lines"}   also insert_before
  {"op":"search_replace","search":"old","replace":"new"}      the one place of old
  {"op":"search_replace","anchor":"A","end_anchor":"B","search":"old","replace":"new"}
      every place in these lines; or in the whole file with "expect": NUMBER
  {"op":"move","anchor":"A","end_anchor":"B","to":"C"}         or copy: behind C;
      "place":"before"; "to_path":"OTHER" if C is in another file
  {"op":"rename","to_path":"NEW"}                             beside other edits
  {"op":"create","content":"whole text"}                      a new file, alone
  {"op":"remove"}                                             alone, needs the TAG
- Copy anchors whole from a read or an answer. Never make up an anchor.
- end_anchor is the last line of a range; leave it out for one line.
- The top of a file is "0:", the bottom "EOF", for inserts and "to" only.
- content is the new text alone, with its indentation, without anchors; a final
  line end is no extra line. A list of lines will do.
- Put all edits of a change into one request, on the lines as you read them; it
  is made whole or not at all. For several files: "hl edit" without FILE, and
  {"files":[{"path":"FILE","edits":[...]}]}
- For a range of over 16 lines send the TAG of a read of the whole file, too:
  {"path":"FILE","base":"TAG","edits":[...]}  With base=- there is none: leave
  it out; if it is needed, the answer gives it.
- After "applied", use the anchors of the answer; older ones may be void.
- After "not applied" nothing was written. Look at the lines in the answer,
  and send the whole request again with its fresh anchors.
`
