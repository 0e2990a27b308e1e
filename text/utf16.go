package text

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A form is what the first bytes of a file say about the rest.
type form int

const (
	plain   form = iota // the bytes are the text
	utf16le             // FF FE
	utf16be             // FE FF
	utf32               // FF FE 00 00 or 00 00 FE FF: always refused
)

// sniffLen is how many bytes sniff needs to see.
const sniffLen = 4

// sniff returns the form of a file that begins with head, and its byte order
// mark. FF FE 00 00 is UTF-32, though it could be UTF-16 that begins with a NUL.
func sniff(head []byte) (form, []byte) {
	at := func(i int) byte {
		if i < len(head) {
			return head[i]
		}
		return 0xAA // in no byte order mark
	}
	switch {
	case at(0) == 0xFF && at(1) == 0xFE && at(2) == 0 && at(3) == 0,
		at(0) == 0 && at(1) == 0 && at(2) == 0xFE && at(3) == 0xFF:
		return utf32, nil
	case at(0) == 0xFF && at(1) == 0xFE:
		return utf16le, head[:2:2]
	case at(0) == 0xFE && at(1) == 0xFF:
		return utf16be, head[:2:2]
	case at(0) == 0xEF && at(1) == 0xBB && at(2) == 0xBF:
		return plain, head[:3:3]
	}
	return plain, nil
}

func (f form) isUTF16() bool { return f == utf16le || f == utf16be }

func (f form) order() binary.AppendByteOrder {
	if f == utf16be {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// unit returns the code unit in the first two bytes of b.
func (f form) unit(b []byte) rune {
	if f == utf16be {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}

// allows reports, as an error, a form that cannot be read, or not with enc.
func (f form) allows(enc *Encoding) error {
	switch {
	case f == utf32:
		return &EncodingError{Reason: "the file is UTF-32, which is not supported; convert it to UTF-8"}
	case f.isUTF16() && enc != nil:
		return &EncodingError{Reason: "the file is UTF-16 by its byte order mark; leave the encoding out"}
	}
	return nil
}

// decodeUTF16 returns src, which follows a byte order mark, as UTF-8. What would
// not encode to the same bytes again is an [*EncodingError].
func decodeUTF16(src []byte, f form) ([]byte, error) {
	dst := make([]byte, 0, len(src)/2+len(src)/8)
	dst, rest, err := appendUTF16(dst, src, f)
	if err == nil && len(rest) > 0 {
		err = errTornUTF16
	}
	return dst, err
}

// appendUTF16 appends the UTF-8 of src to dst. rest is the tail of src that is
// no whole character yet: fewer than four bytes.
func appendUTF16(dst, src []byte, f form) (_, rest []byte, err error) {
	for len(src) >= 2 {
		r := f.unit(src)
		size := 2
		if utf16.IsSurrogate(r) {
			if len(src) < 4 {
				break
			}
			r = utf16.DecodeRune(r, f.unit(src[2:]))
			if r == utf8.RuneError {
				return dst, src, errTornUTF16
			}
			size = 4
		}
		dst = utf8.AppendRune(dst, r)
		src = src[size:]
	}
	return dst, src, nil
}

// encodeUTF16 appends s, which is valid UTF-8, as UTF-16 to dst.
func encodeUTF16(dst []byte, s []byte, f form) []byte {
	order := f.order()
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
			dst = order.AppendUint16(dst, uint16(r1))
			r = r2
		}
		dst = order.AppendUint16(dst, uint16(r))
	}
	return dst
}

// A utf16Reader reads UTF-16 after the byte order mark and returns it as UTF-8.
type utf16Reader struct {
	r    io.Reader
	form form
	in   []byte // read, not decoded
	out  []byte // decoded, not returned
	buf  []byte // backs out
	err  error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	if len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		// Once: r may return nothing, and how often that goes on is for the caller
		// to say.
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) fill() {
	const size = 32 << 10
	if cap(u.in) == 0 {
		u.in = make([]byte, 0, size)
	}
	n, err := u.r.Read(u.in[len(u.in):cap(u.in)])
	u.in = u.in[:len(u.in)+n]
	out, rest, bad := appendUTF16(u.buf[:0], u.in, u.form)
	u.buf, u.out = out, out
	u.in = u.in[:copy(u.in[:cap(u.in)], rest)]
	if bad == nil && err == io.EOF && len(u.in) > 0 {
		bad = errTornUTF16
	}
	if bad != nil {
		err = bad
	}
	u.err = err
}
