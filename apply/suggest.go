package apply

import (
	"slices"
	"unicode/utf8"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// suggest returns edits on lines as a request on anchors that is ready to send; nil
// if anchors alone do not prove its lines.
func (f *file) suggest(edits []text.Edit, shown map[int]Line) *Request {
	if len(edits) == 0 {
		return nil
	}
	out := FileRequest{Path: f.path}
	var check []hashline.Edit
	for _, e := range edits {
		edit := Edit{Op: "replace", Content: Lines(e.Lines...)}
		if f.enc != nil || f.doc.UTF16() || slices.ContainsFunc(e.Lines, func(s string) bool { return !utf8.ValidString(s) }) {
			return nil // its lines are bytes of another encoding
		}
		first, last := e.Start, e.End-1
		if e.Start == e.End {
			if edit.Op = "insert_after"; e.Start == 0 {
				edit.Anchor = "0:"
			}
			first, last = e.Start-1, e.Start-1
		}
		if first >= 0 {
			edit.Anchor = shown[first].Anchor
		}
		if last > first {
			edit.EndAnchor = shown[last].Anchor
		}
		v := &validation{}
		h := v.edit(&edit)
		if v.failures != nil {
			return nil
		}
		check, out.Edits = append(check, h), append(out.Edits, edit)
	}
	res := hashline.Format{}.Resolve(hashline.Snapshot{Doc: f.doc, Tag: f.snap.tag}, hashline.Request{Edits: check}, hashline.Options{})
	if len(res.Failures) > 0 {
		return nil
	}
	return &Request{Files: []FileRequest{out}}
}
