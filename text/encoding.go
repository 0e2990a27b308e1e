package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// An EncodingError says why bytes are no text that can be edited, or why new
// text cannot be written into a file.
type EncodingError struct {
	Reason string // one line: what is wrong and what to do
}

func (e *EncodingError) Error() string { return e.Reason }

var (
	errNotUTF8   = &EncodingError{Reason: "the file is not UTF-8, and the request has text beyond ASCII; say what the file is with --encoding NAME (field \"encoding\")"}
	errTornUTF16 = &EncodingError{Reason: "the file is UTF-16 by its byte order mark, but holds half a character and would not survive a rewrite; convert it to UTF-8"}
)

// An Encoding is the encoding of a file that is not UTF-8. The nil *Encoding
// stands for UTF-8. It is immutable and safe for concurrent use.
type Encoding struct {
	name string
	enc  encoding.Encoding
}

// LookupEncoding returns the encoding of a WHATWG name or label, such as
// "gbk", "windows-1252" or "latin1", in any case. For UTF-8 it returns nil. It
// refuses names whose line feed is not always the byte 0x0A, or whose lines
// cannot be read one without the other.
func LookupEncoding(name string) (*Encoding, error) {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, &EncodingError{Reason: fmt.Sprintf("unknown encoding %q; use a WHATWG name such as windows-1252, gbk or shift_jis", name)}
	}
	canonical, err := htmlindex.Name(enc)
	if err != nil {
		return nil, &EncodingError{Reason: fmt.Sprintf("encoding %q is not supported", name)}
	}
	switch canonical {
	case "utf-8":
		return nil, nil
	case "utf-16le", "utf-16be":
		return nil, &EncodingError{Reason: fmt.Sprintf("encoding %q is not supported: its line feed is not the byte 0x0A (UTF-16 is recognised by its byte order mark)", name)}
	case "iso-2022-jp", "replacement":
		// Their escape sequences carry over from line to line. The second stands for
		// iso-2022-kr, iso-2022-cn and hz-gb-2312.
		return nil, &EncodingError{Reason: fmt.Sprintf("encoding %q is not supported: a line cannot be read without the lines before it; convert the file to UTF-8", name)}
	}
	return &Encoding{name: canonical, enc: enc}, nil
}

// Name returns the WHATWG name of e in lower case.
func (e *Encoding) Name() string {
	if e == nil {
		return "utf-8"
	}
	return e.name
}

// Decode returns b, some whole characters of one line, as UTF-8. lossy reports
// that the result does not say which bytes they were.
func (e *Encoding) Decode(b []byte) (s string, lossy bool) {
	if e == nil {
		if utf8.Valid(b) {
			return string(b), false
		}
		return string([]rune(string(b))), true
	}
	out, err := e.enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.Repeat("\uFFFD", len(b)), true
	}
	back, err := e.enc.NewEncoder().Bytes(out)
	return string(out), err != nil || string(back) != string(b)
}

// DecodingWriter returns a writer that writes to w as UTF-8 what is written to
// it. It is to be closed, which does not close w. e must not be nil: UTF-8 needs
// no decoding.
func (e *Encoding) DecodingWriter(w io.Writer) io.WriteCloser {
	return transform.NewWriter(w, e.enc.NewDecoder())
}

// Cut returns the longest beginning of line that is at most n bytes long and
// ends between two characters. In UTF-8 that is, of the places n, n-1, n-2 and
// n-3, the first that has no continuation byte behind it; n, if all have one.
func (e *Encoding) Cut(line []byte, n int) []byte {
	if len(line) <= n {
		return line
	}
	if e == nil {
		for k := n; k > n-utf8.UTFMax && k >= 0; k-- {
			if utf8.RuneStart(line[k]) {
				return line[:k]
			}
		}
		return line[:n]
	}
	// The decoder stops before a character of which it has only a part.
	dst := make([]byte, 4*n+utf8.UTFMax)
	_, used, _ := e.enc.NewDecoder().Transform(dst, line[:n], false)
	return line[:used]
}

// Boundaries returns a function that reports whether a character of b begins at
// an offset. It is to be called with ascending offsets; all calls together cost
// one scan of the lines that they fall in. In UTF-8 every offset will do, since
// a character's bytes never stand inside another's.
func (e *Encoding) Boundaries(b []byte) func(at int) bool {
	if e == nil {
		return func(int) bool { return true }
	}
	dec := e.enc.NewDecoder()
	var dst [16]byte
	pos := 0 // a character begins here
	return func(at int) bool {
		pos += bytes.LastIndexByte(b[pos:max(pos, at)], '\n') + 1
		for pos < at {
			if b[pos] < utf8.RuneSelf {
				pos++
				continue
			}
			// Feed one byte more at a time until the decoder takes a character.
			used := 0
			for n := 1; used == 0 && pos+n <= len(b); n++ {
				dec.Reset()
				_, used, _ = dec.Transform(dst[:], b[pos:pos+n], pos+n == len(b))
			}
			pos += max(used, 1)
		}
		return pos == at
	}
}

// encode returns s in e, if it comes back as s.
func (e *Encoding) encode(s string) (string, error) {
	out, err := e.enc.NewEncoder().Bytes([]byte(s))
	if err == nil {
		if back, err := e.enc.NewDecoder().Bytes(out); err == nil && string(back) == s {
			return string(out), nil
		}
	}
	return "", &EncodingError{Reason: fmt.Sprintf("%s has no bytes for %q; write it in other characters", e.name, firstUnencodable(e, s))}
}

// firstUnencodable returns the first character of s that e cannot hold.
func firstUnencodable(e *Encoding, s string) string {
	for _, r := range s {
		one := string(r)
		out, err := e.enc.NewEncoder().Bytes([]byte(one))
		if err != nil {
			return one
		}
		if back, err := e.enc.NewDecoder().Bytes(out); err != nil || string(back) != one {
			return one
		}
	}
	return s
}
