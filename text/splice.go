package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Change replaces the bytes Start ≤ i < End of a Document's Body by New. Both
// ends are ends of lines, or of the text.
type Change struct {
	Start, End int
	New        []byte
}

// A Spliced is a Document with edits made. It shares the Document's bytes, so
// that a one-line edit of a large file costs one line.
type Spliced struct {
	doc     *Document
	changes []Change
	size    int // of the new Body
}

// Splice makes edits in d. They name lines of d as it stands, so their order
// does not matter; inserts at one place keep their order, and an insert at the
// edge of replaced lines stands outside them. If an edit is out of range or
// overlaps another, Splice returns an [*OverlapError] or a [*LineError] and
// nothing else.
//
// Line i of a replacement takes the ending of line i of the range, further lines
// that of the range's last terminated line, else of the nearest terminated line
// before, else of the line after, else "\n". Replacing an unterminated last line
// leaves it unterminated; an insert after it terminates it and is unterminated
// in its place; deleting it leaves the lines before it alone. An empty line is
// always terminated: without its ending it would be no line.
//
// Parse of the new file gives the new lines. Splice refuses what would not be
// read back so; only a U+FEFF that comes to begin the file is then its byte
// order mark.
func Splice(d *Document, edits []Edit) (*Spliced, error) {
	for i, e := range edits {
		if e.Start < 0 || e.Start > e.End || e.End > d.lines {
			return nil, &LineError{i, fmt.Sprintf("lines %d ≤ i < %d are out of range: the text has %d lines; parse it again", e.Start, e.End, d.lines)}
		}
	}
	if overlaps := Overlaps(edits); overlaps != nil {
		return nil, overlaps[0]
	}
	s := &Spliced{doc: d, size: len(d.body)}
	sorted := slices.DeleteFunc(order(edits), func(i int) bool { return edits[i].empty() })
	for n, i := range sorted {
		// The lowest edit writes the new last line, if it comes in place of the old
		// one or after it.
		last := n == len(sorted)-1 && edits[i].End == d.lines
		change, err := d.render(edits[i], last && d.Unterminated())
		if err != nil {
			return nil, &LineError{i, err.Error()}
		}
		// The first insert after an unterminated last line takes that line with
		// it, unless an edit of the line stands before it.
		if edits[i].Start == d.lines && d.Unterminated() && (n == 0 || edits[sorted[n-1]].End < d.lines) {
			if err := d.terminateLast(&change); err != nil {
				return nil, &LineError{i, err.Error()}
			}
		}
		s.changes = append(s.changes, change)
		s.size += len(change.New) - (change.End - change.Start)
	}
	if f, _ := sniff(s.head()); f != d.form {
		return nil, &LineError{sorted[0], "the new file would begin like UTF-16 or UTF-32; begin its first line with other bytes"}
	}
	return s, nil
}

// render returns e as bytes. With unterminated, its last line has no ending.
func (d *Document) render(e Edit, unterminated bool) (Change, error) {
	c := Change{Start: d.Offset(e.Start), End: d.Offset(e.End)}
	if len(e.Lines) == 0 {
		return c, nil
	}
	further := d.furtherEnding(e)
	size := 0
	for _, line := range e.Lines {
		size += len(line) + len("\r\n")
	}
	c.New = make([]byte, 0, size)
	old := d.body[c.Start:c.End]
	for i, line := range e.Lines {
		ending := further
		if n := bytes.IndexByte(old, '\n'); n >= 0 {
			_, ending = cutEnding(old[:n+1])
			old = old[n+1:]
		}
		if unterminated && i == len(e.Lines)-1 && line != "" {
			ending = ""
		}
		if err := d.checkLine(line, ending); err != nil {
			return c, err
		}
		c.New = append(append(c.New, line...), ending...)
	}
	return c, nil
}

// furtherEnding returns the ending of lines of e that replace no line.
func (d *Document) furtherEnding(e Edit) string {
	// Only the text's last line can be unterminated, so two steps up are enough,
	// in the range as before it.
	for i := e.End - 1; i >= 0 && i >= e.End-2; i-- {
		if ending := d.Ending(i); ending != "" {
			return ending
		}
	}
	if e.End < d.lines {
		if ending := d.Ending(e.End); ending != "" {
			return ending
		}
	}
	return "\n"
}

// terminateLast makes c, an insert at the end, write the unterminated last line
// again with an ending.
func (d *Document) terminateLast(c *Change) error {
	c.Start = d.Offset(d.lines - 1)
	last := string(d.body[c.Start:])
	ending := d.furtherEnding(Edit{Start: d.lines, End: d.lines})
	if ending == "\n" && strings.HasSuffix(last, "\r") {
		return errors.New("the last line ends in a carriage return, which an ending would take in; replace that line as well")
	}
	c.New = append([]byte(last+ending), c.New...)
	return nil
}

// checkLine refuses a line that would not be read back as it was written.
func (d *Document) checkLine(line, ending string) error {
	switch {
	case strings.Contains(line, "\n"):
		return errors.New("a line holds a line feed; give it as two lines")
	case ending == "\n" && strings.HasSuffix(line, "\r"):
		return errors.New("a line ends in a carriage return and would run into its ending; leave the carriage return out")
	case strings.Contains(line, "\x00"):
		return errors.New("a line holds a NUL byte, which no text has; leave it out")
	case d.form.isUTF16() && !utf8.ValidString(line):
		return errors.New("a line is not UTF-8, and the file is UTF-16; give it as UTF-8")
	}
	return nil
}

// Changes returns what Splice replaces, from the top to the bottom; neighbours
// may touch. The caller must not change it.
func (s *Spliced) Changes() []Change { return s.changes }

// Document returns the text that the changes were made to.
func (s *Spliced) Document() *Document { return s.doc }

// Equal reports whether the new text is the old one.
func (s *Spliced) Equal() bool {
	if s.size != len(s.doc.body) {
		return false
	}
	// Where sizes are equal, a shift inside one change could be undone by another,
	// so compare the stretch from the first change to the last.
	if len(s.changes) == 0 {
		return true
	}
	at := s.changes[0].Start
	for piece := range s.pieces(at) {
		if !bytes.Equal(piece, s.doc.body[at:at+len(piece)]) {
			return false
		}
		at += len(piece)
	}
	return true
}

// pieces iterates over the new Body from offset start on, which no change
// precedes.
func (s *Spliced) pieces(start int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		at := start
		for _, c := range s.changes {
			if !yield(s.doc.body[at:c.Start]) || !yield(c.New) {
				return
			}
			at = c.End
		}
		yield(s.doc.body[at:])
	}
}

// head returns the first bytes of the new file, as many as sniff needs.
func (s *Spliced) head() []byte {
	head := append(make([]byte, 0, 2*sniffLen), s.doc.bom...)
	for piece := range s.pieces(0) {
		head = append(head, piece[:min(sniffLen, len(piece))]...)
		if len(head) >= sniffLen {
			break
		}
	}
	return head
}

// Size returns how many bytes the new file has; for UTF-16, how many its text
// has in UTF-8.
func (s *Spliced) Size() int { return len(s.doc.bom) + s.size }

// WriteTo writes the new file: byte order mark, text, in the encoding it had.
func (s *Spliced) WriteTo(w io.Writer) (int64, error) {
	var written int64
	write := func(b []byte) error {
		if len(b) == 0 {
			return nil
		}
		n, err := w.Write(b)
		written += int64(n)
		return err
	}
	if err := write(s.doc.bom); err != nil {
		return written, err
	}
	for piece := range s.pieces(0) {
		if s.doc.form.isUTF16() {
			piece = encodeUTF16(nil, piece, s.doc.form)
		}
		if err := write(piece); err != nil {
			return written, err
		}
	}
	return written, nil
}

// Bytes returns the new file.
func (s *Spliced) Bytes() []byte {
	var b bytes.Buffer
	b.Grow(s.Size())
	s.WriteTo(&b) // a bytes.Buffer does not fail
	return b.Bytes()
}

// Reader reads the new file, as WriteTo writes it.
func (s *Spliced) Reader() io.Reader {
	readers := []io.Reader{bytes.NewReader(s.doc.bom)}
	for piece := range s.pieces(0) {
		if s.doc.form.isUTF16() {
			piece = encodeUTF16(nil, piece, s.doc.form)
		}
		if len(piece) > 0 {
			readers = append(readers, bytes.NewReader(piece))
		}
	}
	return io.MultiReader(readers...)
}
