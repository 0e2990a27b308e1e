//go:build fire

package realedits

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// A reason says why a pair is not to be had by edits of lines.
type reason string

const (
	isBinary      reason = "a version holds NUL bytes"
	isUTF16       reason = "a version is UTF-16"
	notUTF8       reason = "new text is not UTF-8, which JSON cannot carry"
	otherEncoding reason = "text beyond ASCII for a file that is not UTF-8"
	bomChanges    reason = "the byte order mark comes or goes"
	endsInReturn  reason = "a new line ends in a carriage return before its ending"
	finalNewline  reason = "the final newline comes or goes"
	endingsChange reason = "line endings change"
)

// A subject is a pair, taken apart.
type subject struct {
	pair
	lines    []line // of the older version, without its byte order mark
	changes  []change
	obstacle reason // what keeps the changes from being edits of lines, or ""
	writable bool   // the newer version can be the content of a write
	newLines int    // of the newer version
	encoding string // of files that are not UTF-8
}

const bom = "\uFEFF"

func newSubject(p pair) (*subject, error) {
	s := &subject{pair: p}
	s.writable = utf8.Valid(p.new) && !hasNUL(p.old) && !hasNUL(p.new) && !isWide(p.old)
	old, new := string(p.old), string(p.new)
	if strings.HasPrefix(old, bom) && strings.HasPrefix(new, bom) {
		old, new = old[len(bom):], new[len(bom):]
	}
	s.lines = linesOf([]byte(old))
	s.newLines = len(linesOf([]byte(new)))
	var err error
	if s.changes, err = changesOf([]byte(old), []byte(new)); err != nil {
		return nil, err
	}
	s.obstacle = s.look(old, new)
	return s, nil
}

// look returns what keeps the changes of a pair from being edits of lines.
func (s *subject) look(old, new string) reason {
	var plain []edit
	for _, c := range s.changes {
		plain = append(plain, edit{start: c.start, end: c.end, lines: textsOf(c.fresh)})
	}
	fresh := func(is func(string) bool) bool {
		return slices.ContainsFunc(plain, func(e edit) bool { return slices.ContainsFunc(e.lines, is) })
	}
	switch {
	case isWide(s.old) || isWide(s.new):
		return isUTF16
	case hasNUL(s.old) || hasNUL(s.new):
		return isBinary
	case fresh(func(l string) bool { return !utf8.ValidString(l) }):
		return notUTF8
	case !utf8.ValidString(old) && fresh(beyondASCII):
		return otherEncoding
	case strings.HasPrefix(old, bom) != strings.HasPrefix(new, bom):
		return bomChanges
	case fresh(endsInCR):
		return endsInReturn
	case string(bytesOf(linewise(s.lines, plain))) == new:
		return ""
	case terminated(old) != terminated(new):
		return finalNewline
	}
	return endingsChange
}

func hasNUL(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }

func isWide(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xFF\xFE")) || bytes.HasPrefix(b, []byte("\xFE\xFF"))
}

func beyondASCII(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

func endsInCR(s string) bool { return strings.HasSuffix(s, "\r") }

func terminated(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }

func textsOf(lines []line) []string {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.text)
	}
	return texts
}

// withCRLF returns p as a checkout with CRLF would have it, if it has none yet.
func withCRLF(p pair) (pair, bool) {
	if bytes.IndexByte(p.old, '\r') >= 0 || bytes.IndexByte(p.new, '\r') >= 0 || hasNUL(p.old) || hasNUL(p.new) {
		return pair{}, false
	}
	p.name += " (CRLF)"
	p.old = bytes.ReplaceAll(p.old, []byte("\n"), []byte("\r\n"))
	p.new = bytes.ReplaceAll(p.new, []byte("\n"), []byte("\r\n"))
	return p, true
}
