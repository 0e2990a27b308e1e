package text

import (
	"bytes"
	"errors"
)

// Ended returns s with the line end of its last line, if terminated, else without.
// A line end that is added is what [Splice] would give a line there. A text of no
// lines stays as it is. A last line that would not be read back as it is, because
// it is empty, or ends in a carriage return and would get a line feed, is an error.
func (s *Spliced) Ended(terminated bool) (*Spliced, error) {
	out := *s
	out.changes = append([]Change(nil), s.changes...)
	c := out.takeLastLine()
	if len(c.New) == 0 || (c.New[len(c.New)-1] == '\n') == terminated {
		return s, nil
	}
	if terminated {
		ending := s.doc.furtherEnding(Edit{Start: s.doc.lines, End: s.doc.lines})
		if ending == "\n" && c.New[len(c.New)-1] == '\r' {
			return nil, errors.New("the last line ends in a carriage return, which an ending would take in; leave the carriage return out")
		}
		c.New = append(c.New, ending...)
		out.size += len(ending)
		return &out, nil
	}
	start := bytes.LastIndexByte(c.New[:len(c.New)-1], '\n') + 1
	line, ending := cutEnding(c.New[start:])
	if len(line) == 0 {
		return nil, errors.New("the last line is empty, and without its ending it would be no line; leave the line out, or end it")
	}
	c.New = c.New[:len(c.New)-len(ending)]
	out.size -= len(ending)
	return &out, nil
}

// takeLastLine makes the last change one that writes the last line, which it
// returns; nothing of the text is different for that. Its New is of its own.
func (s *Spliced) takeLastLine() *Change {
	body := s.doc.body
	if n := len(s.changes); n == 0 || s.changes[n-1].End < len(body) {
		s.changes = append(s.changes, Change{Start: len(body), End: len(body)})
	}
	for {
		n := len(s.changes)
		last := &s.changes[n-1]
		last.New = bytes.Clone(last.New)
		switch {
		case len(last.New) > 0 || last.Start == 0:
			return last
		case n > 1 && s.changes[n-2].End == last.Start:
			s.changes[n-2].End = last.End
			s.changes = s.changes[:n-1]
		default:
			start := bytes.LastIndexByte(body[:last.Start-1], '\n') + 1
			last.New = append([]byte(nil), body[start:last.Start]...)
			last.Start = start
		}
	}
}
