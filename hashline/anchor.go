package hashline

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Arrow stands between an anchor and the text of its line.
const Arrow = "→"

// An Anchor names a line, and says what the line and its surroundings were.
// Anchors that are == name the same thing.
type Anchor struct {
	Scheme Scheme
	Line   int    // 1-based; 0 for Top and Bottom
	Own    uint64 // the line's letters, as a number; Seal: all letters
	Window uint64 // the letters of the chunk or chain
}

// Append appends a, as SPEC.md spells it, to dst.
func (f Format) Append(dst []byte, a Anchor) []byte {
	f = f.sizes()
	return f.append(dst, a)
}

// Print returns a as SPEC.md spells it.
func (f Format) Print(a Anchor) string { return string(f.Append(nil, a)) }

// append is Append for an f that has its sizes.
func (f *Format) append(dst []byte, a Anchor) []byte {
	switch a.Scheme {
	case Top:
		return append(dst, "0:"...)
	case Bottom:
		return append(dst, "EOF"...)
	}
	dst = strconv.AppendInt(dst, int64(a.Line), 10)
	switch a.Scheme {
	case Chunk:
		dst = appendLetters(append(dst, ':'), a.Own, f.LineLetters)
		dst = appendLetters(append(dst, ':'), a.Window, f.ChunkLetters)
	case Seal:
		dst = appendLetters(append(dst, '.'), a.Own, f.SealLetters)
	case Chain:
		dst = appendLetters(append(dst, ':'), a.Own, f.LineLetters)
		dst = appendLetters(append(dst, '~'), a.Window, f.ChainLetters)
	case Content:
		dst = appendLetters(append(dst, ':'), a.Own, f.ContentLetters)
	}
	return dst
}

// A Ref is an anchor as an edit names it. Text is what stood behind the arrow,
// if HasText: it must be the line's text, or the text of its view.
type Ref struct {
	Anchor  Anchor
	Text    string
	HasText bool
}

// An AnchorError says why a text is no anchor. Its code is AnchorMalformed, or
// InvalidInput for a line number that cannot be.
type AnchorError struct {
	Code   Code
	Reason string
}

func (e *AnchorError) Error() string { return e.Reason }

// Parse returns the anchor that s spells, with the text attached to it. There is
// one spelling: what parses prints back identically. The error is an
// [*AnchorError].
func (f Format) Parse(s string) (Ref, error) {
	f = f.sizes()
	spelled, text, hasText := strings.Cut(s, Arrow)
	ref := Ref{Text: text, HasText: hasText}
	switch spelled {
	case "0:", "EOF":
		if hasText {
			return Ref{}, f.malformed(s)
		}
		ref.Anchor.Scheme = Top
		if spelled == "EOF" {
			ref.Anchor.Scheme = Bottom
		}
		return ref, nil
	}
	digits := 0
	for digits < len(spelled) && '0' <= spelled[digits] && spelled[digits] <= '9' {
		digits++
	}
	a, ok := f.parseCodes(spelled[digits:])
	if !ok || digits == 0 || digits > 1 && spelled[0] == '0' {
		return Ref{}, f.malformed(s)
	}
	line, err := strconv.Atoi(spelled[:digits])
	switch {
	case err != nil:
		return Ref{}, &AnchorError{InvalidInput, fmt.Sprintf("line number %s is beyond %d, the largest there is", clip(spelled[:digits]), math.MaxInt)}
	case line == 0:
		return Ref{}, &AnchorError{InvalidInput, `line 0 does not exist: lines count from 1; the place before line 1 is "0:"`}
	}
	a.Line = line
	ref.Anchor = a
	return ref, nil
}

// parseCodes returns the anchor without its line that s, what follows the line
// number, spells.
func (f *Format) parseCodes(s string) (a Anchor, ok bool) {
	if s == "" {
		return Anchor{Scheme: File}, true
	}
	if rest, found := strings.CutPrefix(s, "."); found {
		own, ok := parseLetters(rest, f.SealLetters)
		return Anchor{Scheme: Seal, Own: own}, ok
	}
	s, found := strings.CutPrefix(s, ":")
	if !found {
		return Anchor{}, false
	}
	if own, ok := parseLetters(s, f.ContentLetters); ok {
		return Anchor{Scheme: Content, Own: own}, true
	}
	n := f.LineLetters
	if len(s) <= n {
		return Anchor{}, false
	}
	own, ok1 := parseLetters(s[:n], n)
	var ok2 bool
	switch s[n] {
	case ':':
		a.Scheme = Chunk
		a.Window, ok2 = parseLetters(s[n+1:], f.ChunkLetters)
	case '~':
		a.Scheme = Chain
		a.Window, ok2 = parseLetters(s[n+1:], f.ChainLetters)
	}
	a.Own = own
	return a, ok1 && ok2
}

func (f *Format) malformed(s string) error {
	if strings.ContainsAny(s, "-,") && !strings.Contains(s, Arrow) {
		return &AnchorError{AnchorMalformed, fmt.Sprintf(`%s is no anchor; copy anchors whole from a read, like "22:ab:rstu"; a range takes two, "anchor" and "end_anchor"`, clip(s))}
	}
	return &AnchorError{AnchorMalformed, fmt.Sprintf(`%s is no anchor; copy anchors whole from a read, like "22:ab:rstu"`, clip(s))}
}

// clip quotes s for a message, and shortens it where it is long.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "…"
}
