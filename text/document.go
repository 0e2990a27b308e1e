package text

import (
	"bytes"
	"errors"
	"iter"
	"sync"
	"unicode/utf8"
)

var lineFeed = []byte{'\n'}

// ErrBinary is returned for bytes that hold a NUL and are not UTF-16 with a
// byte order mark: no text that this package would edit.
var ErrBinary = errors.New("binary file: it holds a NUL byte")

// A Document is the text of a file, by line. It keeps the bytes given to
// [Parse], which must not change while the Document is in use. It is immutable
// and safe for concurrent use.
type Document struct {
	body  []byte // the text: after the byte order mark, UTF-16 decoded
	bom   []byte // the byte order mark as in the file
	form  form
	enc   *Encoding
	index lineIndex
	lines int
	utf8  func() bool // whether body is valid UTF-8: one scan, when first asked
}

// Parse returns the lines of a file's bytes. enc says what a file is that is
// not UTF-8; nil leaves the bytes as they are. The error is [ErrBinary] or an
// [*EncodingError].
func Parse(src []byte, enc *Encoding) (*Document, error) {
	d := &Document{enc: enc}
	d.form, d.bom = sniff(src)
	if err := d.form.allows(enc); err != nil {
		return nil, err
	}
	d.body = src[len(d.bom):]
	if d.form.isUTF16() {
		body, err := decodeUTF16(d.body, d.form)
		if err != nil {
			return nil, err
		}
		d.body = body
	}
	if bytes.IndexByte(d.body, 0) >= 0 {
		return nil, ErrBinary
	}
	d.utf8 = sync.OnceValue(func() bool { return d.form.isUTF16() || utf8.Valid(d.body) })
	d.index = newLineIndex(d.body)
	d.lines = d.index.feeds
	if d.Unterminated() {
		d.lines++
	}
	return d, nil
}

// NumLines returns how many lines d has.
func (d *Document) NumLines() int { return d.lines }

// Unterminated reports whether the last line lacks its line feed.
func (d *Document) Unterminated() bool {
	return len(d.body) > 0 && d.body[len(d.body)-1] != '\n'
}

// Body returns the text that the lines are made of: without the byte order
// mark, UTF-16 as UTF-8. The caller must not change it.
func (d *Document) Body() []byte { return d.body }

// BOM returns the byte order mark as it stands in the file, or nothing.
func (d *Document) BOM() []byte { return d.bom }

// UTF16 reports whether the file is UTF-16, and Body its text in UTF-8.
func (d *Document) UTF16() bool { return d.form.isUTF16() }

// WithText returns the bytes of a file like d, with its byte order mark and in
// its form, whose Body is body. For UTF-16 body must be valid UTF-8.
func (d *Document) WithText(body []byte) []byte {
	file := bytes.Clone(d.bom)
	if d.form.isUTF16() {
		return encodeUTF16(file, body, d.form)
	}
	return append(file, body...)
}

// Offset returns where line i begins in Body, 0 ≤ i ≤ NumLines; the offset of
// line NumLines is the length of Body.
func (d *Document) Offset(i int) int {
	if i > d.index.feeds {
		return len(d.body)
	}
	return d.index.offset(d.body, i)
}

// LineAt returns the line that holds the byte at offset at of Body; NumLines
// where a final line feed ends the text and at is its length.
func (d *Document) LineAt(at int) int { return d.index.line(d.body, at) }

// Line returns the content of line i, without its ending.
func (d *Document) Line(i int) []byte {
	line, _ := cutEnding(d.raw(i))
	return line
}

// Ending returns what ends line i: "\n", "\r\n", or "" for an unterminated
// last line.
func (d *Document) Ending(i int) string {
	// Not by raw, which looks for the end from the beginning of the line: of one
	// very long line that would be dear.
	_, ending := cutEnding(d.body[d.Offset(i):d.Offset(i+1)])
	return ending
}

// Lines iterates over the numbers and contents of the lines start ≤ i < end.
// It costs one scan, where a loop over Line would look up every line.
func (d *Document) Lines(start, end int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		if start >= end {
			return
		}
		rest := d.body[d.Offset(start):]
		for i := start; i < end; i++ {
			raw := rest
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				raw = rest[:n+1]
			}
			rest = rest[len(raw):]
			line, _ := cutEnding(raw)
			if !yield(i, line) {
				return
			}
		}
	}
}

// Encode returns s, which is UTF-8, as the bytes that stand for it in Body. The
// error is an [*EncodingError]: a character that the file's encoding lacks, or
// text beyond ASCII for a file whose encoding nobody named.
func (d *Document) Encode(s string) (string, error) {
	if isASCII(s) {
		return s, nil
	}
	if d.enc != nil {
		return d.enc.encode(s)
	}
	if !d.utf8() {
		return "", errNotUTF8
	}
	return s, nil
}

// Decode returns the text of a line, or part of a line, of Body as UTF-8.
// lossy reports that some bytes stand for no character and became U+FFFD.
func (d *Document) Decode(line []byte) (s string, lossy bool) { return d.enc.Decode(line) }

// Encoding returns what Parse was given.
func (d *Document) Encoding() *Encoding { return d.enc }

// raw returns line i with its ending.
func (d *Document) raw(i int) []byte {
	rest := d.body[d.Offset(i):]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		return rest[:n+1]
	}
	return rest
}

func cutEnding(raw []byte) (line []byte, ending string) {
	n := len(raw)
	switch {
	case n == 0 || raw[n-1] != '\n':
		return raw, ""
	case n > 1 && raw[n-2] == '\r':
		return raw[:n-2], "\r\n"
	}
	return raw[:n-1], "\n"
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
