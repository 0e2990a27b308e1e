package hashline

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// A Scheme is a way to name a line. It decides what an anchor proves.
type Scheme int

const (
	Chunk   Scheme = iota // 22:ab:rstu, the lines of its grid chunk
	Seal                  // 22.abcdef, the same in one code
	Chain                 // 22:ab~rstu, the lines from its checkpoint down to it
	Content               // 22:abc, its own line
	File                  // 22, nothing: the request's base must match
	Top                   // 0:, the place before the first line; proves nothing
	Bottom                // EOF, the place after the last line; proves nothing
)

var schemeNames = [...]string{"chunk", "seal", "chain", "content", "file", "top", "bottom"}

func (s Scheme) String() string { return schemeNames[s] }

// lettered reports whether anchors of s prove something by themselves.
func (s Scheme) lettered() bool { return s <= Content }

// ParseScheme returns the scheme of a name: chunk, seal, chain, content or file.
func ParseScheme(name string) (Scheme, error) {
	for s := Chunk; s <= File; s++ {
		if schemeNames[s] == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown scheme %q; use chunk, seal, chain, content or file", name)
}

// A Format holds the sizes of the anchor format. A field that is zero stands for
// its default, and the defaults are the format that SPEC.md defines; other
// sizes are for measuring. Letters are at most 13.
type Format struct {
	ChunkLines     int // lines in a grid chunk: 16
	ChainLines     int // lines from checkpoint to checkpoint: 32
	LineLetters    int // of the line, in chunk and chain: 2
	ChunkLetters   int // of the chunk: 4
	ChainLetters   int // of the chain: 4
	SealLetters    int // 6
	ContentLetters int // 3
}

// sizes returns f with its defaults filled in.
func (f Format) sizes() Format {
	def := func(field *int, size int) {
		if *field == 0 {
			*field = size
		}
	}
	def(&f.ChunkLines, 16)
	def(&f.ChainLines, 32)
	def(&f.LineLetters, 2)
	def(&f.ChunkLetters, 4)
	def(&f.ChainLetters, 4)
	def(&f.SealLetters, 6)
	def(&f.ContentLetters, 3)
	return f
}

// grid returns how many lines share a chunk, or a checkpoint, in scheme s. f has
// its sizes.
func (f Format) grid(s Scheme) int {
	switch s {
	case Chunk, Seal:
		return f.ChunkLines
	case Chain:
		return f.ChainLines
	}
	return 1
}

// A Tag identifies the bytes of a file: their XXH64 with seed 0, every byte of
// the file included.
type Tag uint64

// TagOf returns the tag of a file's bytes.
func TagOf(src []byte) Tag { return Tag(xxhash.Sum64(src)) }

// String returns t as 16 hexadecimal digits in lower case.
func (t Tag) String() string { return fmt.Sprintf("%016x", uint64(t)) }

// ParseTag is the inverse of Tag.String and accepts nothing else.
func ParseTag(s string) (Tag, bool) {
	if len(s) != 16 {
		return 0, false
	}
	var t Tag
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		default:
			return 0, false
		}
		t = t<<4 | Tag(c)
	}
	return t, true
}

// hashLine returns h of the format: the hash of one line's bytes.
func hashLine(line []byte) uint64 { return xxhash.Sum64(line) }

// A summer computes H of the format: the hash of some hashes, 8 bytes each,
// little-endian. It keeps its buffer.
type summer struct{ buf []byte }

func (s *summer) sum(values ...uint64) uint64 {
	s.buf = s.buf[:0]
	for _, v := range values {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, v)
	}
	return xxhash.Sum64(s.buf)
}

// powers26[n] is 26^n.
var powers26 = func() (p [14]uint64) {
	p[0] = 1
	for n := 1; n < len(p); n++ {
		p[n] = p[n-1] * 26
	}
	return p
}()

// code returns the number that n letters of x spell. The divisors of the default
// format are constants, which makes the division a multiplication.
func code(x uint64, n int) uint64 {
	switch n {
	case 2:
		return x % (26 * 26)
	case 3:
		return x % (26 * 26 * 26)
	case 4:
		return x % (26 * 26 * 26 * 26)
	}
	return x % powers26[n]
}

// putLetters sets dst to code as letters, most significant first, a = 0.
func putLetters(dst []byte, code uint64) {
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = byte('a' + code%26)
		code /= 26
	}
}

// appendLetters appends code as n letters.
func appendLetters(dst []byte, code uint64, n int) []byte {
	var letters [len(powers26) - 1]byte
	putLetters(letters[:n], code)
	return append(dst, letters[:n]...)
}

// parseLetters is the inverse of appendLetters. ok is false unless s is exactly
// n lower-case letters.
func parseLetters(s string, n int) (code uint64, ok bool) {
	if len(s) != n {
		return 0, false
	}
	for i := range n {
		c := s[i]
		if c < 'a' || c > 'z' {
			return 0, false
		}
		code = code*26 + uint64(c-'a')
	}
	return code, true
}
