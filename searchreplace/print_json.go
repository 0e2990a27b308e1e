package searchreplace

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// printJSON prints a block as the parameters of a call in JSON, on one line.
func printJSON(b *Block) (string, error) {
	switch {
	case len(b.Context) > 0 || b.AtEnd:
		return "", errors.New("call cannot say where in the file the text stands, but for its line")
	case b.To != "" || b.Op == Delete || b.Op == Rename || b.Op == Create:
		return "", errors.New("call in JSON replaces text or writes a file")
	case b.Op == Replace && !b.Substring:
		return "", errors.New("call replaces a piece of text, and not whole lines")
	case b.SearchUnterminated || b.Op == Replace && b.ReplaceUnterminated:
		return "", errors.New("call cannot say that the last line of the file has no end")
	}
	s := []byte("{")
	field := func(name string, value []byte) {
		if len(s) > 1 {
			s = append(s, ", "...)
		}
		s = append(append(s, `"`+name+`": `...), value...)
	}
	text := func(name, value string) {
		quoted, _ := jsontext.AppendQuote(nil, value)
		field(name, quoted)
	}
	if !utf8.ValidString(b.Path) || !utf8.ValidString(b.Search) || !utf8.ValidString(b.Replace) {
		return "", errors.New("call in JSON holds UTF-8 only")
	}
	if b.Path != "" {
		text("path", b.Path)
	}
	if b.Op == Write {
		content := b.Replace
		if b.ReplaceUnterminated {
			content = strings.TrimSuffix(content, "\n")
		}
		text("content", content)
		return string(append(s, "}\n"...)), nil
	}
	if b.Line != 0 {
		field("start_line", strconv.AppendInt(nil, int64(b.Line), 10))
	}
	if b.All {
		field("replace_all", []byte("true"))
	}
	text("old_string", b.Search)
	text("new_string", b.Replace)
	return string(append(s, "}\n"...)), nil
}
