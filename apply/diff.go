package apply

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/hlkit/hlkit/text"
)

// diffContext is how many unchanged lines a diff shows around a change.
const diffContext = 3

// diff puts c, a change of f, which is then at goes, into its answer as a unified
// diff that git apply and patch -p1 take. It is made from the edits: nothing is
// compared but the ends of each change. UTF-16 is shown as text, since a patch of
// it would be binary.
func (f *file) diff(c *change, goes *file) {
	d := differ{old: f.snap.src}
	var changes []text.Change
	switch {
	case c == f.made && c.spliced != nil:
		d.old = nil
		changes = []text.Change{{New: c.spliced.Bytes()}}
	case c == f.made:
		d.old = nil
		changes = []text.Change{{New: c.content}}
	case c.answer.Change == "removed":
		changes = []text.Change{{Start: 0, End: len(f.snap.src)}}
	case c.spliced != nil:
		d.old, d.bom = c.doc.Body(), c.doc.BOM()
		changes = c.spliced.Changes()
		if c.doc.UTF16() {
			d.bom = nil
			c.warn("diff_decoded", "the file is UTF-16; the diff shows its text and cannot be applied to it")
		}
	case c.content != nil:
		changes = []text.Change{{Start: 0, End: len(f.snap.src), New: c.content}}
	}
	var b bytes.Buffer
	f.diffHeader(&b, c, goes)
	if c.doc == nil && c.answer.Change == "removed" && len(f.snap.src) > 0 {
		c.warn("diff_binary", "the removed file is not text, and the diff leaves its bytes out")
	} else {
		var hunks bytes.Buffer
		d.write(&hunks, changes)
		f.diffNames(&b, c, goes, hunks.Len() > 0)
		b.Write(hunks.Bytes())
	}
	c.answer.diff = b.Bytes()
	var lossy bool
	if c.answer.Diff, lossy = (*text.Encoding)(nil).Decode(b.Bytes()); lossy {
		c.warn("diff_lossy", "the diff holds bytes that are not UTF-8, which JSON shows as U+FFFD; what is to be applied is printed by --diff without --json")
	}
}

// A differ writes the hunks of a diff.
type differ struct {
	old []byte // without the byte order mark
	bom []byte // a patch counts it to the first line

	oldLine, newLine int // lines before the place reached
	at               int // the place reached in old
}

// write writes changes, which are in order, as hunks.
func (d *differ) write(b *bytes.Buffer, changes []text.Change) {
	changes = d.normalize(changes)
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && lineCount(d.old[changes[n-1].End:changes[n].Start], 2*diffContext+1) <= 2*diffContext {
			n++
		}
		d.hunk(b, changes[:n])
		changes = changes[n:]
	}
}

// normalize returns changes without the lines at their ends that stay the same,
// those that touch as one. Where the text has a byte order mark, a change of the
// first line's beginning takes that line with it, since the mark moves.
func (d *differ) normalize(changes []text.Change) []text.Change {
	var out []text.Change
	for _, c := range changes {
		if n := len(out); n > 0 && out[n-1].End == c.Start {
			last := &out[n-1]
			last.End = c.End
			last.New = append(last.New[:len(last.New):len(last.New)], c.New...)
			continue
		}
		out = append(out, c)
	}
	if len(d.bom) > 0 && len(out) > 0 && out[0].Start == 0 && (out[0].End == 0 || len(out[0].New) == 0) && out[0].End < len(d.old) {
		first := &out[0]
		line := firstLine(d.old[first.End:])
		first.New = append(first.New[:len(first.New):len(first.New)], line...)
		first.End += len(line)
		if len(out) > 1 && out[1].Start == first.End {
			first.End, first.New = out[1].End, append(first.New, out[1].New...)
			out = append(out[:1], out[2:]...)
		}
	}
	kept := out[:0]
	for _, c := range out {
		if c = d.trim(c); c.Start < c.End || len(c.New) > 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

// trim takes lines off both ends of c that it does not change.
func (d *differ) trim(c text.Change) text.Change {
	pinned := len(d.bom) > 0 && c.Start == 0 // the first line holds the mark
	for !pinned && c.Start < c.End && len(c.New) > 0 {
		line := firstLine(d.old[c.Start:c.End])
		if !bytes.Equal(line, firstLine(c.New)) {
			break
		}
		c.Start += len(line)
		c.New = c.New[len(line):]
	}
	for c.Start < c.End && len(c.New) > 0 {
		line := lastLine(d.old[c.Start:c.End])
		if !bytes.Equal(line, lastLine(c.New)) || pinned && (len(line) == c.End-c.Start || len(line) == len(c.New)) {
			break
		}
		c.End -= len(line)
		c.New = c.New[:len(c.New)-len(line)]
	}
	return c
}

// hunk writes changes, which are near each other, with context.
func (d *differ) hunk(b *bytes.Buffer, changes []text.Change) {
	last := changes[len(changes)-1]
	start, end := d.back(changes[0].Start), d.forth(last.End)
	skipped := lineCount(d.old[d.at:start], -1)
	d.oldLine += skipped
	d.newLine += skipped
	var body bytes.Buffer
	oldCount, newCount := 0, 0
	at := start
	for _, c := range changes {
		n := d.lines(&body, ' ', at, d.old[at:c.Start])
		oldCount, newCount = oldCount+n, newCount+n
		oldCount += d.lines(&body, '-', c.Start, d.old[c.Start:c.End])
		newCount += d.lines(&body, '+', c.Start, c.New)
		at = c.End
	}
	n := d.lines(&body, ' ', at, d.old[at:end])
	oldCount, newCount = oldCount+n, newCount+n
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(d.oldLine, oldCount), span(d.newLine, newCount))
	b.Write(body.Bytes())
	d.oldLine += oldCount
	d.newLine += newCount
	d.at = end
}

// span returns count lines after the first before lines, as a hunk header has it.
func span(before, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(before) + ",0"
	case 1:
		return strconv.Itoa(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, count)
}

// lines writes the lines of part, which stands at offset at, each behind mark, and
// returns how many there are. The byte order mark, which part does not have,
// belongs to the line at the very beginning.
func (d *differ) lines(b *bytes.Buffer, mark byte, at int, part []byte) int {
	if at == 0 && len(d.bom) > 0 && (len(part) > 0 || mark != ' ') {
		part = append(bytes.Clone(d.bom), part...)
	}
	count := 0
	for len(part) > 0 {
		line := firstLine(part)
		part = part[len(line):]
		b.WriteByte(mark)
		b.Write(line)
		if line[len(line)-1] != '\n' {
			b.WriteString("\n\\ No newline at end of file\n")
		}
		count++
	}
	return count
}

// back returns where the context before offset at begins.
func (d *differ) back(at int) int {
	for range diffContext {
		if at == d.at {
			break
		}
		at = d.at + bytes.LastIndexByte(d.old[d.at:at-1], '\n') + 1
	}
	return at
}

// forth returns where the context after offset at ends.
func (d *differ) forth(at int) int {
	for range diffContext {
		at += len(firstLine(d.old[at:]))
	}
	return at
}

// firstLine returns the first line of b with its ending.
func firstLine(b []byte) []byte {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		return b[:n+1]
	}
	return b
}

// lastLine returns the last line of b with its ending.
func lastLine(b []byte) []byte {
	return b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1:]
}

// lineCount returns how many lines b has, or some number over most if there are
// more than most ≥ 0.
func lineCount(b []byte, most int) int {
	if most < 0 {
		n := bytes.Count(b, []byte("\n"))
		if len(b) > 0 && b[len(b)-1] != '\n' {
			n++
		}
		return n
	}
	n := 0
	for len(b) > 0 && n <= most {
		b = b[len(firstLine(b)):]
		n++
	}
	return n
}
