package searchreplace

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A sideLine is a line of one side of a block. open is set for a last line without
// an end in the file.
type sideLine struct {
	text string
	open bool
}

// sideLines splits a side into lines.
func sideLines(s string, unterminated bool) []sideLine {
	var lines []sideLine
	for line := range strings.Lines(s) {
		lines = append(lines, sideLine{text: strings.TrimSuffix(line, "\n")})
	}
	if n := len(lines); n > 0 {
		lines[n-1].open = unterminated
	}
	return lines
}

// writeHunk writes the lines of two sides: those that both begin or end with as
// context, of the others first the old ones.
func writeHunk(s *strings.Builder, old, new []sideLine) {
	head := 0
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(new)-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	write := func(mark byte, lines []sideLine) {
		for _, l := range lines {
			s.WriteByte(mark)
			s.WriteString(l.text + "\n")
			if l.open {
				s.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	write(' ', old[:head])
	write('-', old[head:len(old)-tail])
	write('+', new[head:len(new)-tail])
	write(' ', old[len(old)-tail:])
}

// lacksWords returns an error for what no diff has a way to say.
func lacksWords(b *Block, dialect Dialect) error {
	switch {
	case b.Substring || b.All:
		return fmt.Errorf("%v replaces whole lines, in one place", dialect)
	case !wholeLines(b.Search) || !wholeLines(b.Replace):
		return fmt.Errorf("%v holds whole lines", dialect)
	case b.Op == Write:
		return fmt.Errorf("%v cannot write over a whole file", dialect)
	case b.Path == "" && b.Op != Replace, b.Path == "" && b.To != "":
		return fmt.Errorf("%v must name a file", dialect)
	case b.Op == Replace && b.Search == "" && b.Replace == "":
		return fmt.Errorf("%v cannot replace nothing with nothing", dialect)
	case b.SearchUnterminated && b.Search == "", b.ReplaceUnterminated && b.Replace == "":
		return errors.New("the block has no last line, and yet one without an end")
	}
	return nil
}

// printUnified prints a block as a diff of one hunk. If it has no line, the hunk
// begins at line 0, which no file has.
func printUnified(b *Block) (string, error) {
	if err := lacksWords(b, Unified); err != nil {
		return "", err
	}
	switch {
	case len(b.Context) > 1:
		return "", errors.New("unified names one line before the text at most")
	case b.AtEnd:
		return "", errors.New("unified cannot say that the text ends the file")
	}
	var s strings.Builder
	if b.Path != "" {
		writeFileHeader(&s, b)
	}
	old, new := sideLines(b.Search, b.SearchUnterminated), sideLines(b.Replace, b.ReplaceUnterminated)
	if len(old)+len(new) == 0 {
		return s.String(), nil
	}
	oldAt, newAt := b.Line, b.Line
	switch {
	case b.Op == Create:
		newAt = 1
	case b.Op == Delete:
		oldAt, newAt = 1, 0
	case len(old) == 0 && b.Line == 0:
		newAt = 1
	case len(old) == 0 && b.Line == 1:
		return "", errors.New("unified cannot say that new lines stand before line 1")
	case len(old) == 0:
		oldAt--
	case len(new) == 0:
		newAt = max(0, newAt-1)
	}
	fmt.Fprintf(&s, "@@ -%s +%s @@", rangeOf(oldAt, len(old)), rangeOf(newAt, len(new)))
	for _, c := range b.Context {
		s.WriteString(" " + c)
	}
	s.WriteString("\n")
	writeHunk(&s, old, new)
	return s.String(), nil
}

func rangeOf(line, count int) string {
	if count == 1 {
		return strconv.Itoa(line)
	}
	return strconv.Itoa(line) + "," + strconv.Itoa(count)
}

// writeFileHeader writes what stands before the hunk.
func writeFileHeader(s *strings.Builder, b *Block) {
	name := func(before, path, after string) {
		quoted := string(appendName(nil, path))
		s.WriteString(before + quoted)
		if after == "\t" && (quoted[0] == '"' || strings.IndexByte(quoted, ' ') < 0) {
			after = ""
		}
		s.WriteString(after)
	}
	to := b.Path
	if b.To != "" {
		to = b.To
	}
	empty := b.Search == "" && b.Replace == ""
	if empty || b.To != "" || b.Op == Create || b.Op == Delete {
		name("diff --git ", "a/"+b.Path, " ")
		name("", "b/"+to, "\n")
	}
	switch {
	case b.Op == Create:
		s.WriteString("new file mode 100644\n")
		if empty {
			s.WriteString("index 0000000.." + emptyBlob + "\n")
		}
	case b.Op == Delete:
		s.WriteString("deleted file mode 100644\n")
		if empty {
			s.WriteString("index " + emptyBlob + "..0000000\n")
		}
	case b.To != "":
		if empty {
			s.WriteString("similarity index 100%\n")
		}
		name("rename from ", b.Path, "\n")
		name("rename to ", b.To, "\n")
	}
	if empty {
		return
	}
	if b.Op == Create {
		s.WriteString("--- " + devNull + "\n")
	} else {
		name("--- ", "a/"+b.Path, "\t")
		s.WriteString("\n")
	}
	if b.Op == Delete {
		s.WriteString("+++ " + devNull + "\n")
	} else {
		name("+++ ", "b/"+to, "\t")
		s.WriteString("\n")
	}
}

func printPatch(b *Block) (string, error) {
	if err := lacksWords(b, Patch); err != nil {
		return "", err
	}
	switch {
	case b.Path == "":
		return "", errors.New("patch must name a file")
	case b.Line != 0:
		return "", errors.New("patch has no line numbers")
	case b.SearchUnterminated || b.ReplaceUnterminated:
		return "", errors.New("patch cannot say that the last line of the file has no end")
	case b.Op == Delete && b.Search != "":
		return "", errors.New("patch deletes a file whatever it holds")
	}
	var s strings.Builder
	s.WriteString(beginPatch + "\n")
	switch b.Op {
	case Create:
		s.WriteString("*** Add File: " + b.Path + "\n")
	case Delete:
		s.WriteString("*** Delete File: " + b.Path + "\n")
	default:
		s.WriteString("*** Update File: " + b.Path + "\n")
		if b.To != "" {
			s.WriteString(moveTo + " " + b.To + "\n")
		}
	}
	if b.Op == Replace {
		for _, c := range b.Context {
			s.WriteString("@@ " + c + "\n")
		}
		if len(b.Context) == 0 {
			s.WriteString("@@\n")
		}
	}
	writeHunk(&s, sideLines(b.Search, false), sideLines(b.Replace, false))
	if b.AtEnd {
		s.WriteString(endOfFile + "\n")
	}
	s.WriteString(endPatch + "\n")
	return s.String(), nil
}
