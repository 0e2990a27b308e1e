package apply

import (
	"bytes"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// write checks a write of the whole file. The change is nil if there is a failure.
func (e *editing) write(edit *Edit, snap *snapshot, base *hashline.Tag) *change {
	old, err := parse(snap.src, e.enc)
	if err != nil && !edit.Blind {
		e.fail(err, "")
		return nil
	}
	content, err := e.newContent(edit.Content, old)
	if err != nil {
		e.fail(err, "content")
		return nil
	}
	// What we write must be what a read would take for text.
	now, err := parse(content, e.enc)
	if err != nil {
		e.fail(err, "content")
		return nil
	}
	c := &change{content: content, giveTag: true, scheme: hashline.Chunk}
	if !c.same(snap) {
		if err := mayOverwrite(edit, snap, old, base); err != nil {
			e.fail(err, "")
			zero := 0
			e.failures[len(e.failures)-1].Edit = &zero
			return nil
		}
	}
	if edit.Blind && base != nil && *base != snap.tag {
		c.warn("base_changed", "the file is not the one that base names any more; it was given up unseen, as blind says")
	}
	if e.opt.Scheme != nil {
		c.scheme = *e.opt.Scheme
	}
	a := EditAnswer{Op: "write", First: 1, Tier: "whole", Added: now.NumLines()}
	if old != nil {
		a.Last, a.Removed = old.NumLines(), old.NumLines()
	}
	c.answer.Added, c.answer.Removed = a.Added, a.Removed
	c.answer.Edits = []EditAnswer{a}
	if n := now.NumLines(); n > 4*edge {
		c.windows = []hashline.Window{window(0, edge), window(n-edge, n)}
	} else if n > 0 {
		c.windows = []hashline.Window{window(0, n)}
	}
	return c
}

// mayOverwrite refuses to give up text that the caller does not know. old is the
// text, if it is any.
func mayOverwrite(edit *Edit, snap *snapshot, old *text.Document, base *hashline.Tag) error {
	switch {
	case edit.Blind || len(snap.src) == 0 && base == nil:
		return nil
	case base == nil:
		return refuse(BaseRequired, `the file has text already; send "base" from a read of the whole file, or "blind": true to give that text up unseen`)
	case snap.info == nil:
		return refuse(FileChanged, "the file that base names does not exist any more; if it is to be made anew, leave base out")
	case *base != snap.tag:
		return refuse(FileChanged, "the file is not the one that base names; read it again and decide again")
	case edit.Whole:
		return nil
	}
	// The tag proves the bytes of the file, but a view of it did not show these.
	for i, line := range old.Lines(0, old.NumLines()) {
		if len(line) > hashline.CutAt {
			return refuse(LineCut, `line %d is %d bytes long and views show only its beginning; set "whole": true to give it up whole, or use edits on anchors`, i+1, len(line))
		}
	}
	return nil
}

// newContent returns the bytes of a write. A string is written as it is; of a
// list every line gets an ending, and the file's byte order mark stays.
func (e *editing) newContent(content Content, old *text.Document) ([]byte, error) {
	encode := func(s string) (string, error) {
		if e.enc == nil {
			return s, nil
		}
		doc, err := text.Parse(nil, e.enc)
		if err != nil {
			return "", err
		}
		s, err = doc.Encode(s)
		return s, textError(err)
	}
	if content.kind == textContent {
		s, err := encode(content.text)
		return []byte(s), err
	}
	lines, err := content.toLines()
	if err != nil {
		return nil, refuse(InvalidInput, "%v", err)
	}
	ending := "\n"
	if old != nil && allCRLF(old) {
		ending = "\r\n"
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line)
		b.WriteString(ending)
	}
	s, err := encode(b.String())
	if err != nil || old == nil {
		return []byte(s), err
	}
	return old.WithText([]byte(s)), nil
}

// allCRLF reports whether doc has line ends, all of them CRLF.
func allCRLF(doc *text.Document) bool {
	feeds := bytes.Count(doc.Body(), []byte("\n"))
	return feeds > 0 && feeds == bytes.Count(doc.Body(), []byte("\r\n"))
}
