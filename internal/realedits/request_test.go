//go:build fire

package realedits

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hlkit/hlkit/hashline"
)

// A view is what a read shows of a file, all of it.
type view struct {
	base string
	rows []row
}

// A row is a line of a view.
type row struct{ anchor, text string }

// object is a JSON object to be.
type object map[string]any

// request returns edits as a JSON request with the anchors of v, in one of the
// forms that a request can have. With named the file is an argument of the
// command, and the request need not name it.
func (p *planner) request(path string, edits []edit, v *view, named bool, n *counts) []byte {
	var list []object
	for _, e := range edits {
		if e.part {
			continue
		}
		list = append(list, p.object(e, v, n))
		n.edit(p.scheme, e.op)
	}
	if named && !p.base && p.encoding == "" && p.one(3) {
		return marshal(list)
	}
	var value any = list
	if len(list) == 1 && p.one(3) {
		value = list[0]
	}
	if p.one(10) {
		value = string(marshal(value)) // a list as a string, as some models send it
	}
	file := object{"path": path, "edits": value}
	if p.one(8) {
		delete(file, "path")
		file["file_path"] = path
	}
	if p.encoding != "" {
		file["encoding"] = p.encoding
	}
	if p.base {
		file["base"] = v.base
	}
	if p.one(8) {
		return marshal(object{"files": []object{file}})
	}
	return marshal(file)
}

// object returns one edit of a request.
func (p *planner) object(e edit, v *view, n *counts) object {
	o := object{"op": e.op}
	switch e.op {
	case "insert_after", "insert_before":
		at := e.start
		if e.op == "insert_after" {
			at--
		}
		if o["anchor"] = e.place; e.place == "" {
			o["anchor"] = p.anchor(v.rows[at])
		} else {
			n.add("edits at " + e.place)
		}
		o["content"] = p.content(e, n)
		return o
	case "search_replace":
		o["search"], o["replace"] = p.feeds(e.search), p.feeds(e.replace)
		if e.expect > 0 {
			o["expect"] = e.expect
			n.add("edits with expect")
		}
		if e.expect > 1 {
			n.add("edits with expect over 1")
		}
		if e.everywhere {
			return o
		}
		n.add("edits that search in a scope")
	case "replace":
		o["content"] = p.content(e, n)
	}
	o["anchor"] = p.anchor(v.rows[e.start])
	if e.end-e.start > 1 || p.one(4) {
		o["end_anchor"] = p.anchor(v.rows[e.end-1])
	}
	switch lines := e.end - e.start; {
	case e.op == "search_replace":
	case lines > chunkLines:
		n.add("replaces and deletes of over 16 lines")
	case lines > 1 && !p.base:
		n.add("replaces and deletes of ranges without base")
	}
	for _, l := range p.lines[e.start:e.end] {
		if len(l.text) > hashline.CutAt && e.op != "search_replace" {
			o["whole"] = true
			n.add("edits with whole")
			break
		}
	}
	return o
}

// anchor returns the anchor of a row, alone or with its text, as views print it.
func (p *planner) anchor(r row) any {
	switch {
	case p.one(8) && utf8.ValidString(r.text):
		return r.anchor + hashline.Arrow + r.text
	case p.scheme == hashline.File && p.one(3):
		return json.Number(r.anchor)
	}
	return r.anchor
}

// content returns the new lines of an edit as a string, a list, or, to delete,
// null.
func (p *planner) content(e edit, n *counts) any {
	if len(e.lines) == 0 {
		return []any{"", []string{}, nil}[p.IntN(3)]
	}
	if p.one(2) {
		n.add("contents as a list")
		return e.lines
	}
	n.add("contents as a string")
	if len(e.lines) == 1 && e.lines[0] == "" && strings.HasPrefix(e.op, "insert") && p.one(2) {
		return ""
	}
	s := strings.Join(e.lines, "\n")
	if e.lines[len(e.lines)-1] == "" || p.one(2) {
		s += "\n"
	}
	return p.feeds(s)
}

// feeds returns s with line ends that mean the same.
func (p *planner) feeds(s string) string {
	if p.one(6) {
		return strings.ReplaceAll(s, "\n", "\r\n")
	}
	return s
}

// marshal returns v as JSON. A string that is not UTF-8 would be mended without a
// word, so the plan must not hold any.
func marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("a request that is no JSON: %v", err))
	}
	return b.Bytes()
}
