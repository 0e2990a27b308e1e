package hashline_test

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/require"
)

// This file says once more what anchors are, in loops that share no code with
// the package, and makes the requests that the tests send.

var (
	schemes  = []hashline.Scheme{hashline.Chunk, hashline.Seal, hashline.Chain, hashline.Content}
	strong   = schemes[:3] // those that prove their surroundings
	wholeDoc = []hashline.Window{{First: 1, Last: hashline.ToEnd}}
)

// letters is x mod 26^n in base 26, most significant first, a = 0.
func letters(x uint64, n int) string {
	s := ""
	for range n {
		s = string(rune('a'+x%26)) + s
		x /= 26
	}
	return s
}

func naiveH(values ...uint64) uint64 {
	b := make([]byte, 8*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	return xxhash.Sum64(b)
}

// hashesOf returns h of the lines from ≤ i < to, those that exist.
func hashesOf(lines []string, from, to int) []uint64 {
	var hashes []uint64
	for i := from; i < to && i < len(lines); i++ {
		hashes = append(hashes, xxhash.Sum64String(lines[i]))
	}
	return hashes
}

// specified are the sizes of SPEC.md. No two lines or chunks have the same
// letters in a wide format.
var (
	specified = hashline.Format{LineLetters: 2, ChunkLetters: 4, ChainLetters: 4, SealLetters: 6, ContentLetters: 3}
	wide      = hashline.Format{LineLetters: 12, ChunkLetters: 12, ChainLetters: 12, SealLetters: 12, ContentLetters: 13}
)

// codesAt spells what follows the line number of an anchor for the line i,
// 0-based, whose chunk or checkpoint begins at line start.
func codesAt(f hashline.Format, scheme hashline.Scheme, lines []string, start, i int) string {
	h := xxhash.Sum64String(lines[i])
	switch scheme {
	case hashline.Chunk:
		return ":" + letters(h, f.LineLetters) + ":" + letters(naiveH(hashesOf(lines, start, start+16)...), f.ChunkLetters)
	case hashline.Seal:
		return "." + letters(naiveH(h, naiveH(hashesOf(lines, start, start+16)...)), f.SealLetters)
	case hashline.Chain:
		return ":" + letters(h, f.LineLetters) + "~" + letters(naiveH(hashesOf(lines, start, i+1)...), f.ChainLetters)
	case hashline.Content:
		return ":" + letters(h, f.ContentLetters)
	}
	return ""
}

// offsetOf returns how far line i, 0-based, is from its chunk's or chain's start.
func offsetOf(scheme hashline.Scheme, i int) int {
	switch scheme {
	case hashline.Chunk, hashline.Seal:
		return i % 16
	case hashline.Chain:
		return i % 32
	}
	return 0
}

// naiveAnchor spells the anchor of line n, 1-based.
func naiveAnchor(scheme hashline.Scheme, lines []string, n int) string {
	return naiveAnchorOf(specified, scheme, lines, n)
}

// naiveAnchorOf spells it in format f.
func naiveAnchorOf(f hashline.Format, scheme hashline.Scheme, lines []string, n int) string {
	return strconv.Itoa(n) + codesAt(f, scheme, lines, n-1-offsetOf(scheme, n-1), n-1)
}

// naivePlaces returns the lines, 1-based, at which the anchor that line n of
// old had fits in now: the line's hash fits, and the window of its chunk or
// chain, moved as far as the line, has the old fingerprint.
func naivePlaces(scheme hashline.Scheme, old []string, n int, now []string) []int {
	offset := offsetOf(scheme, n-1)
	want := codesAt(specified, scheme, old, n-1-offset, n-1)
	var places []int
	for i := range now {
		if i < offset || codesAt(specified, scheme, now, i-offset, i) != want {
			continue
		}
		places = append(places, i+1)
	}
	return places
}

// parsed returns the anchor that s spells.
func parsed(t require.TestingT, s string) *hashline.Ref {
	ref, err := hashline.Format{}.Parse(s)
	require.NoError(t, err, s)
	return &ref
}

// at returns the anchor of line n, 1-based, of lines.
func at(t require.TestingT, scheme hashline.Scheme, lines []string, n int) *hashline.Ref {
	return parsed(t, naiveAnchor(scheme, lines, n))
}

func with(ref *hashline.Ref, text string) *hashline.Ref {
	attached := *ref
	attached.Text, attached.HasText = text, true
	return &attached
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func mustParse(t require.TestingT, src string) *text.Document {
	doc, err := text.Parse([]byte(src), nil)
	require.NoError(t, err)
	return doc
}

func snapshot(t require.TestingT, src string) hashline.Snapshot {
	return hashline.Snapshot{Doc: mustParse(t, src), Tag: hashline.TagOf([]byte(src))}
}

func tagOf(src string) *hashline.Tag {
	tag := hashline.TagOf([]byte(src))
	return &tag
}

// resolve sends edits for src without a base.
func resolve(t require.TestingT, src string, edits ...hashline.Edit) *hashline.Resolution {
	return hashline.Format{}.Resolve(snapshot(t, src), hashline.Request{Edits: edits}, hashline.Options{})
}

// resolveWith sends them with base, which may be nil.
func resolveWith(t require.TestingT, src string, base *hashline.Tag, opt hashline.Options, edits ...hashline.Edit) *hashline.Resolution {
	return hashline.Format{}.Resolve(snapshot(t, src), hashline.Request{Base: base, Edits: edits}, opt)
}

// codes returns the codes of a resolution's failures, in order.
func codes(res *hashline.Resolution) []hashline.Code {
	var list []hashline.Code
	for _, f := range res.Failures {
		list = append(list, f.Code)
	}
	return list
}

// applied returns the new text.
func applied(t require.TestingT, res *hashline.Resolution) string {
	require.Empty(t, res.Failures)
	return string(res.Spliced.Bytes())
}

// numbered returns n lines that all differ.
func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = "line " + strconv.Itoa(i+1)
	}
	return lines
}

func printed(lines []hashline.Line) []string {
	var list []string
	for _, l := range lines {
		list = append(list, hashline.Format{}.Print(l.Anchor)+hashline.Arrow+string(l.Text))
	}
	return list
}
