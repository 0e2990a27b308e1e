package main

import (
	"bufio"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/searchreplace"
)

// The names of fields are API; SPEC.md describes them.

type replyJSON struct {
	Blocks   []blockJSON   `json:"blocks"`
	Text     string        `json:"text"`
	Shell    []shellJSON   `json:"shell,omitzero"`
	Problems []problemJSON `json:"problems"`
}

type blockJSON struct {
	Dialect             string       `json:"dialect"`
	Op                  string       `json:"op"`
	Path                string       `json:"path"`
	To                  string       `json:"to,omitzero"`
	Search              *string      `json:"search,omitzero"`
	Replace             *string      `json:"replace,omitzero"`
	Substring           bool         `json:"substring,omitzero"`
	All                 bool         `json:"all,omitzero"`
	Line                int          `json:"line,omitzero"`
	Context             []string     `json:"context,omitzero"`
	AtEnd               bool         `json:"at_end,omitzero"`
	SearchUnterminated  bool         `json:"search_unterminated,omitzero"`
	ReplaceUnterminated bool         `json:"replace_unterminated,omitzero"`
	Stripped            *sidesJSON   `json:"stripped,omitzero"`
	First               int          `json:"first"`
	Last                int          `json:"last"`
	Repairs             []repairJSON `json:"repairs,omitzero"`
	Lossy               bool         `json:"lossy,omitzero"`
}

type sidesJSON struct {
	Search  string     `json:"search"`
	Replace string     `json:"replace"`
	Repair  repairJSON `json:"repair"`
}

type repairJSON struct {
	Rule string `json:"rule"`
	Line int    `json:"line"`
	Note string `json:"note"`
}

type problemJSON struct {
	Block   int    `json:"block,omitzero"`
	Path    string `json:"path,omitzero"`
	Line    int    `json:"line"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type shellJSON struct {
	Text  string `json:"text"`
	First int    `json:"first"`
	Last  int    `json:"last"`
}

func opName(op searchreplace.Op) string {
	return [...]string{"replace", "write", "create", "delete", "rename"}[op]
}

func blockOf(b *searchreplace.Block) blockJSON {
	j := blockJSON{
		Dialect: b.Dialect.String(), Op: opName(b.Op), Path: b.Path, To: b.To,
		Substring: b.Substring, All: b.All, Line: b.Line, Context: b.Context, AtEnd: b.AtEnd,
		SearchUnterminated: b.SearchUnterminated, ReplaceUnterminated: b.ReplaceUnterminated,
		First: b.First, Last: b.Last,
		Lossy: !utf8.ValidString(b.Path) || !utf8.ValidString(b.Search) || !utf8.ValidString(b.Replace),
	}
	if b.Op == searchreplace.Replace || b.Search != "" {
		j.Search = &b.Search
	}
	if b.Op != searchreplace.Delete && b.Op != searchreplace.Rename {
		j.Replace = &b.Replace
	}
	if s := b.Stripped; s != nil {
		j.Stripped = &sidesJSON{s.Search, s.Replace, repairJSON(s.Repair)}
	}
	for _, r := range b.Repairs {
		j.Repairs = append(j.Repairs, repairJSON(r))
	}
	return j
}

// write writes v as JSON on one line. Bytes that are not UTF-8 become U+FFFD: see
// the field lossy.
func write(out *bufio.Writer, v any) error {
	err := json.MarshalWrite(out, v, jsontext.AllowInvalidUTF8(true))
	out.WriteByte('\n')
	return err
}

// A collector prints a reply as one object.
type collector struct {
	out   *bufio.Writer
	reply replyJSON
	text  strings.Builder
}

func (c *collector) events(events []searchreplace.Event) error {
	for _, e := range events {
		switch e.Kind {
		case searchreplace.Prose:
			c.text.WriteString(e.Text)
		case searchreplace.Completed:
			c.reply.Blocks = append(c.reply.Blocks, blockOf(e.Block))
		case searchreplace.Failed:
			c.reply.Problems = append(c.reply.Problems, problemJSON(*e.Problem))
		case searchreplace.ShellSeen:
			c.reply.Shell = append(c.reply.Shell, shellJSON(*e.Shell))
		}
	}
	return nil
}

func (c *collector) end() (problems int) {
	c.reply.Text = c.text.String()
	write(c.out, &c.reply)
	return len(c.reply.Problems)
}
