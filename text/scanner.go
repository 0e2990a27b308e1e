package text

import (
	"bytes"
	"io"
)

// scanBuffer is how much of a file a Scanner holds. Larger is no faster: it is
// already past what a second-level cache keeps.
const scanBuffer = 128 << 10

// A Scanner reads the lines of a file that may be too large to hold, in
// constant memory and one pass. It sees the same lines as [Parse]. The first
// error ends it: io.EOF after the last line, [ErrBinary] where a NUL was found
// in what was read so far, an [*EncodingError], or what the reader returned.
type Scanner struct {
	r      io.Reader
	buf    []byte // backs the unread bytes
	data   []byte // read, not yet returned; a part of buf
	err    error  // what r returned; sticky
	offset int64  // of data in the text
	begun  bool   // the last part returned did not end its line

	bom     int
	decoded bool // the text is not the bytes of the file
}

// NewScanner returns a Scanner of r, which begins at the beginning of a file.
func NewScanner(r io.Reader, enc *Encoding) (*Scanner, error) {
	head := make([]byte, sniffLen)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	head = head[:n]
	f, bom := sniff(head)
	if err := f.allows(enc); err != nil {
		return nil, err
	}
	r = io.MultiReader(bytes.NewReader(head[len(bom):]), r)
	if f.isUTF16() {
		r = &utf16Reader{r: r, form: f}
	}
	s := ScanFrom(r)
	s.bom, s.decoded = len(bom), f.isUTF16()
	return s, nil
}

// ScanFrom returns a Scanner of r, which begins at the beginning of a line past
// a byte order mark and is not UTF-16.
func ScanFrom(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, scanBuffer)}
}

// Offset returns where the next line begins, counted from where the reader of
// s began, to go on there with [ScanFrom]; within a line, where its next part
// does. ok is false for UTF-16, where that is not possible.
func (s *Scanner) Offset() (at int64, ok bool) { return int64(s.bom) + s.offset, !s.decoded }

// AtEnd reports whether nothing is left to read, or an error in its place.
func (s *Scanner) AtEnd() bool { return len(s.data) == 0 && s.fill() != nil }

// Skip passes over up to n lines and returns over how many it came: fewer only
// with an error. An unterminated last line counts as one.
func (s *Scanner) Skip(n int) (int, error) { return s.Copy(io.Discard, n) }

// Copy is Skip, and writes the lines with their endings to w. An error of w ends
// it, too.
func (s *Scanner) Copy(w io.Writer, n int) (int, error) {
	copied := 0
	for copied < n {
		if len(s.data) == 0 {
			if err := s.fill(); err != nil {
				if err == io.EOF && s.begun {
					s.begun = false
					copied++
				}
				if copied == n {
					return n, nil
				}
				return copied, err
			}
		}
		// n lines take n bytes or more: to count in more of the buffer would be
		// wasted on a caller who skips few lines at a time.
		size := min(len(s.data), max(n-copied, 4096))
		feeds := bytes.Count(s.data[:size], lineFeed)
		if copied+feeds >= n {
			feeds = n - copied
			size = 0
			for range feeds {
				size += bytes.IndexByte(s.data[size:], '\n') + 1
			}
		}
		if _, err := w.Write(s.data[:size]); err != nil {
			return copied, err
		}
		copied += feeds
		s.begun = s.data[size-1] != '\n'
		s.take(size)
	}
	return copied, nil
}

// Batch sets lines to the next len(lines) lines, without their endings, if the
// buffer can hold them all and each ends in a line feed. Otherwise it returns
// false and passes over nothing; Part reads them then. The lines are valid until
// the next call.
func (s *Scanner) Batch(lines [][]byte) bool {
	if s.begun {
		return false
	}
	rest := s.data
	for i := 0; i < len(lines); i++ {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			if len(s.data) == len(s.buf) || s.fill() != nil {
				return false
			}
			rest, i = s.data, -1 // what was found has moved in the buffer
			continue
		}
		line := rest[:n]
		if n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		lines[i] = line
		rest = rest[n+1:]
	}
	s.take(len(s.data) - len(rest))
	return true
}

// Part returns the next part of a line, without the line's ending. last is true
// for the part that ends the line, which may be empty; most lines are one part.
// The part is valid until the next call.
func (s *Scanner) Part() (part []byte, last bool, err error) {
	at := 0 // no line feed before this
	for {
		if n := bytes.IndexByte(s.data[at:], '\n'); n >= 0 {
			raw := s.data[:at+n+1]
			line, _ := cutEnding(raw)
			s.take(len(raw))
			s.begun = false
			return line, true, nil
		}
		// A full buffer is a part, but for a carriage return at its end: that may
		// belong to the ending.
		if len(s.data) == len(s.buf) {
			n := len(s.data)
			if s.data[n-1] == '\r' {
				n--
			}
			part := s.data[:n]
			s.take(n)
			s.begun = true
			return part, false, nil
		}
		at = len(s.data)
		if err := s.fill(); err != nil {
			if err != io.EOF || len(s.data) == 0 && !s.begun {
				return nil, false, err
			}
			part := s.data
			s.take(len(part))
			s.begun = false
			return part, true, nil
		}
	}
}

// take moves past n bytes of data.
func (s *Scanner) take(n int) {
	s.data = s.data[n:]
	s.offset += int64(n)
}

// fill reads more into data. It returns an error only if nothing came.
func (s *Scanner) fill() error {
	if s.err != nil {
		return s.err
	}
	n := copy(s.buf, s.data)
	for range 100 { // as bufio does: a reader that returns nothing has a bug
		got, err := s.r.Read(s.buf[n:])
		fresh := s.buf[n : n+got]
		s.data = s.buf[:n+got]
		if bytes.IndexByte(fresh, 0) >= 0 {
			err = ErrBinary
			s.data = s.buf[:n]
			got = 0
		}
		s.err = err
		if got > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	s.err = io.ErrNoProgress
	return s.err
}
