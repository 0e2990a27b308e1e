//go:build fire

package realedits

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// utf16BOM stands for UTF-16 with a byte order mark, which no request names.
const utf16BOM = "UTF-16"

// recodings are tried in turn. In all but the first a byte of a character can be
// an ASCII letter or digit, which a search must not take for one.
var recodings = []string{"windows-1252", "shift_jis", "gbk", "gb18030", utf16BOM}

// recoded returns s, which edits of lines can express, with its files in another
// encoding, if they have text beyond ASCII and all of it is in that encoding.
// Hardly any module has such files.
func recoded(s *subject, name string) (*subject, bool) {
	old, new := string(s.old), string(s.new)
	if !beyondASCII(old+new) || !utf8.ValidString(old+new) || strings.Contains(old+new, bom) {
		return nil, false
	}
	r := *s
	r.name += " (" + name + ")"
	r.writable = false // a write is of bytes in UTF-8
	if name == utf16BOM {
		r.old, r.new = wide(old), wide(new)
		return &r, true
	}
	r.encoding = name
	var ok1, ok2 bool
	r.old, ok1 = encode(old, name)
	r.new, ok2 = encode(new, name)
	return &r, ok1 && ok2
}

// encode returns s in an encoding, if it comes back the same.
func encode(s, name string) ([]byte, bool) {
	enc, err := htmlindex.Get(name)
	if err != nil {
		panic(err)
	}
	out, err := enc.NewEncoder().String(s)
	if err != nil {
		return nil, false
	}
	back, err := enc.NewDecoder().String(out)
	return []byte(out), err == nil && back == s
}

func wide(s string) []byte {
	b := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}
