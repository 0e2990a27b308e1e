package hashline

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/hlkit/hlkit/text"
)

// CutAt is the length in bytes, as in the file, over which views cut a line.
const CutAt = 2000

// A Line is one line of a view.
type Line struct {
	Anchor Anchor
	Text   []byte // bytes as in the file (UTF-16: in UTF-8), without the ending
	Cut    int    // how many bytes of the line Text leaves out at its end
}

// NewLine returns the view of a line, without an anchor.
func NewLine(line []byte, enc *text.Encoding) Line {
	shown, cut := cutLine(enc, line, len(line))
	return Line{Text: shown, Cut: cut}
}

// cutLine returns the view of a line that has size bytes and begins with head,
// all of it or more than CutAt bytes.
func cutLine(enc *text.Encoding, head []byte, size int) (shown []byte, cut int) {
	if size <= CutAt {
		return head, 0
	}
	shown = enc.Cut(head, CutAt)
	return shown, size - len(shown)
}

// cutMark is what a view shows in place of n bytes.
func cutMark(n int) string { return "…+" + strconv.Itoa(n) + "b" }

// AppendText appends the text of l as a view shows it: with its cut mark, in
// UTF-8 if the document has an encoding, else in the bytes of the file.
func (l *Line) AppendText(dst []byte, enc *text.Encoding) []byte {
	if enc == nil {
		dst = append(dst, l.Text...)
	} else {
		s, _ := enc.Decode(l.Text)
		dst = append(dst, s...)
	}
	if l.Cut > 0 {
		dst = append(dst, cutMark(l.Cut)...)
	}
	return dst
}

// A Printer prints lines as a view shows them. It is made for many lines in
// order, of which most differ from the one before in the number and their own
// letters only.
type Printer struct {
	f   Format
	enc *text.Encoding

	last   Anchor // printed last
	prefix []byte // last and the arrow
	digits int    // in prefix
}

// Printer returns a Printer of the lines of a document with encoding enc.
func (f Format) Printer(enc *text.Encoding) *Printer {
	return &Printer{f: f.sizes(), enc: enc}
}

// AppendLine appends l as a line of a view: the anchor, the arrow, the text and a
// line feed.
func (p *Printer) AppendLine(dst []byte, l *Line) []byte {
	if !p.next(l.Anchor) {
		p.prefix = append(p.f.append(p.prefix[:0], l.Anchor), Arrow...)
		p.digits = bytes.IndexAny(p.prefix, ":.→")
	}
	p.last = l.Anchor
	dst = append(dst, p.prefix...)
	if p.enc == nil && l.Cut == 0 {
		return append(append(dst, l.Text...), '\n')
	}
	return append(l.AppendText(dst, p.enc), '\n')
}

// next changes prefix to a, if a is the anchor of the line below the last one, in
// the same chunk, and its number has as many digits.
func (p *Printer) next(a Anchor) bool {
	if a.Scheme != Chunk || a.Line != p.last.Line+1 || a.Window != p.last.Window || p.last.Scheme != Chunk || p.prefix == nil {
		return false
	}
	i := p.digits - 1
	for p.prefix[i] == '9' {
		p.prefix[i] = '0'
		if i--; i < 0 {
			return false
		}
	}
	p.prefix[i]++
	putLetters(p.prefix[p.digits+1:p.digits+1+p.f.LineLetters], a.Own)
	return true
}

// Shown returns the text of l as JSON and attached texts have it: as AppendText,
// with U+FFFD for bytes that are no character. lossy reports that there were any.
func (l *Line) Shown(enc *text.Encoding) (s string, lossy bool) {
	s, lossy = enc.Decode(l.Text)
	if l.Cut > 0 {
		s += cutMark(l.Cut)
	}
	return s, lossy
}

// A Header is what stands above the lines of a view.
type Header struct {
	Path    string
	Base    Tag
	HasBase bool     // the view shows the whole file
	Windows []Window // what it shows, within Total; none for an empty file
	Total   int      // lines in the file; -1 if unknown
}

// String returns h as a view prints it, without a line end.
func (h Header) String() string {
	base := "-"
	if h.HasBase {
		base = h.Base.String()
	}
	total := "?"
	if h.Total >= 0 {
		total = strconv.Itoa(h.Total)
	}
	var shown []string
	for _, w := range h.Windows {
		shown = append(shown, w.String())
	}
	if shown == nil {
		shown = []string{"0-0"}
	}
	return fmt.Sprintf("%s base=%s lines %s/%s", QuotePath(h.Path), base, strings.Join(shown, ","), total)
}

// AppendGap appends the line that stands in a view for n lines left out.
func AppendGap(dst []byte, n int) []byte {
	return fmt.Appendf(dst, "… %d lines\n", n)
}

// AppendMore appends the footer of a view after which the file goes on at line.
func AppendMore(dst []byte, line int) []byte {
	return fmt.Appendf(dst, "more: --lines %d-\n", line)
}

// QuotePath returns path as a view prints it: as it is, or as a Go string
// literal if it is empty or holds a space, a quote, a backslash or anything that
// does not print.
func QuotePath(path string) string {
	odd := func(r rune) bool {
		return r == ' ' || r == '"' || r == '\\' || r == '\uFFFD' || !strconv.IsPrint(r)
	}
	if path == "" || strings.ContainsFunc(path, odd) {
		return strconv.Quote(path)
	}
	return path
}
