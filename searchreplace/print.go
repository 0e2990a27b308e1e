package searchreplace

import (
	"fmt"
	"strconv"
	"strings"
)

var dialectNames = [...]string{"cline", "git", "call", "unified", "patch"}

func (d Dialect) String() string { return dialectNames[d] }

// Print returns b as a dialect writes it. [Decode] reads from that the same block,
// but for its dialect, its place in the reply and its repairs. A call is in tags, or
// in JSON where these cannot hold it. Not every dialect can hold every block; then
// the error says what it cannot hold.
func Print(b *Block, dialect Dialect) (string, error) {
	var forms []string
	var form string
	var err error
	switch dialect {
	case Cline, Git:
		forms, err = printMarkers(b, dialect)
	case Call:
		forms, _ = printCall(b)
		form, err = printJSON(b)
	case Unified:
		form, err = printUnified(b)
	case Patch:
		form, err = printPatch(b)
	}
	// The text of a block can be anything, and no list of what a dialect may mistake
	// it for is as good as to look.
	for _, s := range append(forms, form) {
		if s != "" && b.readAs(s) {
			return s, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%v cannot hold this text: it would be read as something else", dialect)
	}
	return "", err
}

// readAs reports whether s is read as b and nothing else.
func (b *Block) readAs(s string) bool {
	r := Decode([]byte(s), DecodeOptions{})
	return len(r.Problems) == 0 && len(r.Blocks) == 1 && r.Blocks[0].same(b)
}

// same reports whether two blocks ask for the same.
func (b *Block) same(o *Block) bool {
	if len(b.Context) != len(o.Context) {
		return false
	}
	for i := range b.Context {
		if b.Context[i] != o.Context[i] {
			return false
		}
	}
	return b.Op == o.Op && b.Path == o.Path && b.To == o.To && b.Search == o.Search && b.Replace == o.Replace &&
		b.Substring == o.Substring && b.All == o.All && b.Line == o.Line && b.AtEnd == o.AtEnd &&
		b.SearchUnterminated == o.SearchUnterminated && b.ReplaceUnterminated == o.ReplaceUnterminated
}

// lacks returns an error for what neither markers nor calls have a way to say.
func lacks(b *Block, dialect Dialect) error {
	switch {
	case len(b.Context) > 0 || b.AtEnd:
		return fmt.Errorf("%v cannot say where in the file the text stands", dialect)
	case b.SearchUnterminated || b.ReplaceUnterminated:
		return fmt.Errorf("%v cannot say that the last line of the file has no end", dialect)
	case b.To != "" || b.Op == Delete || b.Op == Rename:
		return fmt.Errorf("%v can neither delete nor rename a file", dialect)
	}
	return nil
}

func printMarkers(b *Block, dialect Dialect) ([]string, error) {
	if err := lacks(b, dialect); err != nil {
		return nil, err
	}
	switch {
	case b.Op != Replace:
		return nil, fmt.Errorf("%v cannot write a whole file", dialect)
	case b.Substring || b.All:
		return nil, fmt.Errorf("%v replaces whole lines, in one place", dialect)
	case !wholeLines(b.Search) || !wholeLines(b.Replace):
		return nil, fmt.Errorf("%v holds whole lines", dialect)
	}
	var s strings.Builder
	if b.Path != "" {
		name := b.Path
		if pathLine(name) != name {
			name = "`" + name + "`"
		}
		if pathLine(name) != b.Path {
			return nil, fmt.Errorf("%v cannot hold the file name %s", dialect, quote(b.Path))
		}
		s.WriteString(name + "\n")
	}
	open, end := "-", "+"
	fence := ""
	if dialect == Git {
		open, end = "<", ">"
		fence = strings.Repeat("`", longestFence(b.Search, b.Replace)+1) + "\n"
	}
	s.WriteString(fence + strings.Repeat(open, classicRun) + " SEARCH\n")
	if b.Line != 0 {
		s.WriteString(":start_line:" + strconv.Itoa(b.Line) + "\n-------\n")
	}
	writeEscaped(&s, b.Search)
	s.WriteString(strings.Repeat("=", classicRun) + "\n")
	writeEscaped(&s, b.Replace)
	s.WriteString(strings.Repeat(end, classicRun) + " REPLACE\n" + fence)
	return []string{s.String()}, nil
}

func wholeLines(s string) bool { return s == "" || s[len(s)-1] == '\n' }

// longestFence returns how long a run of backquotes at the beginning of a line can
// be, at least two.
func longestFence(sides ...string) int {
	most := 2
	for _, s := range sides {
		for s != "" {
			end := indexLineEnd(s)
			most = max(most, runOf(trimBlanks(s[:end]), '`'))
			s = s[end:]
		}
	}
	return most
}

// writeEscaped writes the lines of a side, with a backslash before each that would
// be read as a marker.
func writeEscaped(s *strings.Builder, side string) {
	for side != "" {
		end := indexLineEnd(side)
		if needsEscape(side[:end-1]) {
			s.WriteByte('\\')
		}
		s.WriteString(side[:end])
		side = side[end:]
	}
}

// printCall returns the two forms of a call: plain, and with CDATA around the text
// for text that holds the closing tag.
func printCall(b *Block) ([]string, error) {
	if err := lacks(b, Call); err != nil {
		return nil, err
	}
	switch {
	case b.Line != 0:
		return nil, fmt.Errorf("call cannot say where in the file the text stands")
	case b.Op == Replace && !b.Substring:
		return nil, fmt.Errorf("call replaces a piece of text, and not whole lines")
	}
	return []string{b.inTags("", ""), b.inTags(cdataStart, cdataEnd)}, nil
}

// inTags returns b as a call, with something around each text.
func (b *Block) inTags(before, behind string) string {
	var s strings.Builder
	element := func(name, value string) { fmt.Fprintf(&s, "<%s>%s</%s>\n", name, value, name) }
	text := func(name, value string) { element(name, before+"\n"+value+behind) }
	tool := "str_replace"
	switch b.Op {
	case Write:
		tool = "write_to_file"
	case Create:
		tool = "create_file"
	}
	s.WriteString("<" + tool + ">\n")
	if b.Path != "" {
		element("path", b.Path)
	}
	if b.Op == Replace {
		text("old_string", b.Search+"\n")
		text("new_string", b.Replace+"\n")
	} else {
		text("content", b.Replace)
	}
	if b.All {
		element("replace_all", "true")
	}
	s.WriteString("</" + tool + ">\n")
	return s.String()
}
