package apply

import (
	"bytes"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// write checks a write of the whole file. The change is nil if there is a failure.
func (f *file) write(o *op) {
	snap := f.snap
	old, err := parse(snap.src, f.enc)
	if err != nil && !o.Blind {
		f.fail(err, "")
		return
	}
	c, now := f.whole(o, old)
	if c == nil {
		return
	}
	if !c.same(snap) {
		if err := mayOverwrite(o.Edit, snap, old, f.base); err != nil {
			f.j.fail(o.entry, o, "", err)
			return
		}
	}
	unseen := o.block != nil && len(snap.src) > 0 && !c.same(snap)
	if o.Blind && f.base != nil && *f.base != snap.tag {
		c.warn("base_changed", "the file is not the one that base names any more; it was given up unseen, as blind says")
	}
	a := EditAnswer{Edit: o.index, Op: "write", First: 1, Tier: "whole", Added: now.NumLines()}
	if old != nil {
		a.Last, a.Removed = old.NumLines(), old.NumLines()
	}
	a.Notes = o.notes()
	if unseen {
		a.Notes = append(a.Notes, unseenNote)
	}
	c.answer.Added, c.answer.Removed = a.Added, a.Removed
	c.answer.Edits = []EditAnswer{a}
	f.c = c
}

// create checks the making of a file, which may get lines from others.
func (f *file) create(o *op) {
	c, now := f.whole(o, nil)
	if c == nil {
		return
	}
	if f.leaves == nil && len(f.lines) > 0 {
		windows, content := c.windows, c.content
		f.edit(now)
		c = f.c
		c.windows, c.content = windows, content
	}
	c.giveTag = true
	c.answer.Change, c.answer.Added = "created", now.NumLines()
	c.answer.Edits = []EditAnswer{{Edit: o.index, Op: "create", First: 1, Tier: "whole", Added: now.NumLines(), Notes: o.notes()}}
	f.made = c
}

// remove checks the removal of a file.
func (f *file) remove(o *op) {
	var err error
	shown := o.block != nil && o.block.Search != "" // which "*** Delete File" never does
	unseen := o.block != nil && !shown
	switch {
	case len(f.snap.src) == 0 && f.base == nil:
	case shown:
		if !f.reads(o.block.Search) {
			err = refuse(NoMatch, "the file to be removed is not what the block shows of it; read it again and decide again")
		}
	case unseen:
		if !o.Blind {
			err = refuse(BaseRequired, unseenText)
		}
	case f.base == nil:
		err = refuse(BaseRequired, `the file has text; send "base" from a read of the whole file, so that no text is removed unseen`)
	case *f.base != f.snap.tag:
		err = refuse(FileChanged, "the file is not the one that base names; read it again and decide again")
	}
	if err != nil {
		f.j.fail(o.entry, o, "", err)
		return
	}
	f.c = &change{scheme: hashline.Chunk}
	f.c.answer.Change = "removed"
	a := EditAnswer{Edit: o.index, Op: "remove", First: 1, Tier: "whole"}
	if doc, err := parse(f.snap.src, f.enc); err == nil {
		f.c.doc = doc
		a.Last, a.Removed = doc.NumLines(), doc.NumLines()
		f.c.answer.Removed = a.Removed
	}
	a.Notes = o.notes()
	if unseen && len(f.snap.src) > 0 {
		a.Notes = append(a.Notes, unseenNote)
	}
	f.c.answer.Edits = []EditAnswer{a}
}

// reads reports whether the file has the lines of s, and no others.
func (f *file) reads(s string) bool {
	doc, err := parse(f.snap.src, f.enc)
	if err != nil {
		return false
	}
	want := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	if doc.NumLines() != len(want) {
		return false
	}
	for i, line := range doc.Lines(0, doc.NumLines()) {
		if string(line) != strings.TrimSuffix(want[i], "\r") && string(line) != want[i] {
			return false
		}
	}
	return true
}

// whole returns the change that gives the file o's content, and the new text. The
// change is nil if there is a failure.
func (f *file) whole(o *op, old *text.Document) (*change, *text.Document) {
	content, err := f.newContent(o.Content, old)
	if err != nil {
		f.j.fail(o.entry, o, "content", err)
		return nil, nil
	}
	// What we write must be what a read would take for text.
	now, err := parse(content, f.enc)
	if err != nil {
		f.j.fail(o.entry, o, "content", err)
		return nil, nil
	}
	// Never nil, which would be no content at all.
	c := &change{content: append([]byte{}, content...), giveTag: true, scheme: hashline.Chunk, windows: bothEnds(now.NumLines())}
	if f.j.opt.Scheme != nil {
		c.scheme = *f.j.opt.Scheme
	}
	return c, now
}

// bothEnds returns what to show of n new lines: of many only those at both ends.
func bothEnds(n int) []hashline.Window {
	switch {
	case n > 4*edge:
		return []hashline.Window{window(0, edge), window(n-edge, n)}
	case n > 0:
		return []hashline.Window{window(0, n)}
	}
	return nil
}

const unseenNote = "unseen: the reply does not show the text that was there"

// unseenText refuses a block, which has no way to name a base.
const unseenText = "the file has text that the reply does not show; change it by blocks that do, or read it and send its base to hl edit; sr apply --blind gives that text up unseen"

// mayOverwrite refuses to give up text that the caller does not know. old is the
// text, if it is any.
func mayOverwrite(edit *Edit, snap *snapshot, old *text.Document, base *hashline.Tag) error {
	switch {
	case edit.Blind || base == nil && len(snap.src) == 0:
		return nil
	case edit.block != nil:
		return refuse(BaseRequired, unseenText)
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
func (f *file) newContent(content Content, old *text.Document) ([]byte, error) {
	encode := func(s string) (string, error) {
		if f.enc == nil {
			return s, nil
		}
		doc, err := text.Parse(nil, f.enc)
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
