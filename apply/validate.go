package apply

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/internal/near"
	"github.com/hlkit/hlkit/searchreplace"
)

// validate takes the edits of the request that are well formed as ops, and reports
// what is wrong with the others.
func (j *job) validate() {
	for i := range j.req.Files {
		f := &j.req.Files[i]
		if len(f.Edits) == 0 && len(j.failures) == 0 {
			j.fail(i, nil, "edits", refuse(InvalidInput, "the request holds no edits; send at least one"))
		}
		for n := range f.Edits {
			e := &f.Edits[n]
			if e.problem != nil {
				continue // reported by Decode
			}
			o := &op{Edit: e, entry: i, index: n, block: e.block}
			if e.block != nil {
				o.index = e.ordinal
			}
			v := &validation{index: n}
			switch {
			case e.block != nil:
				v.index = o.index
				v.whole(e, j.opt.AllowPlaceholder)
				if j.opt.Blind {
					blind := *e
					blind.Blind, o.Edit = true, &blind
				}
			case e.Op == "write" || e.Op == "create" || e.Op == "remove":
				v.alone(e, len(f.Edits))
				if e.Op == "create" && f.Base != "" {
					v.fail(InvalidInput, "base", `create makes a file that is not there, and "base" names one; leave base out, or use "op": "write"`)
				}
			case e.Op == "rename":
				if e.ToPath == "" {
					v.fail(InvalidInput, "to_path", `"to_path" is missing; name the file's new path`)
				}
			case e.Op == "search_replace" && e.Anchor == "" && e.EndAnchor == "" && e.Expect == nil:
				var h hashline.Edit
				v.search(e, &h)
				o.block = &searchreplace.Block{Dialect: searchreplace.Call, Substring: true, Search: h.Search, Replace: h.Replace}
			default:
				o.at = v.edit(e)
				if e.Op == "move" || e.Op == "copy" {
					o.place = v.place(e)
				}
			}
			for k := range v.failures {
				v.failures[k].entry = i
			}
			j.failures = append(j.failures, v.failures...)
			if v.failures == nil {
				j.ops = append(j.ops, o)
			}
		}
	}
}

// A validation checks one edit.
type validation struct {
	index    int
	failures []Failure
}

func (v *validation) fail(code Code, field, format string, args ...any) *Failure {
	v.failures = append(v.failures, Failure{Code: code, Edit: &v.index, Field: field, Message: fmt.Sprintf(format, args...)})
	return &v.failures[len(v.failures)-1]
}

// edit returns e as hashline takes it.
func (v *validation) edit(e *Edit) hashline.Edit {
	h := hashline.Edit{Op: hashline.Op(e.Op), Whole: e.Whole}
	h.Anchor = v.anchor("anchor", e.Anchor)
	h.End = v.anchor("end_anchor", e.EndAnchor)
	switch e.Op {
	case "replace", "delete", "insert_after", "insert_before":
		if e.Anchor == "" {
			v.fail(InvalidInput, "anchor", `"anchor" is missing; copy one whole from a read, like "22:ab:rstu"`)
		}
		h.Lines = v.content(e)
	case "move", "copy":
		if e.Anchor == "" {
			v.fail(InvalidInput, "anchor", `"anchor" is missing; copy one whole from a read, like "22:ab:rstu"`)
		}
		h.Op, h.Whole = hashline.Delete, true // nothing of the lines is lost
		if e.Op == "copy" {
			h.Op = hashline.Copy
		}
	case "search_replace":
		v.search(e, &h)
	case "":
		v.fail(InvalidInput, "op", `"op" is missing; it is one of %s`, join(opNames))
	default:
		v.fail(InvalidInput, "op", "%s", unknownOp(e.Op))
	}
	return h
}

func unknownOp(op string) string {
	hint := ""
	if best := near.Best(strings.ToLower(op), opNames); best != "" {
		hint = fmt.Sprintf("; did you mean %q?", best)
	}
	return fmt.Sprintf("there is no op %q%s (the ops: %s)", clip(op), hint, join(opNames))
}

func join(names []string) string { return strings.Join(names, ", ") }

// anchor returns the anchor that s spells; nil for "".
func (v *validation) anchor(field, s string) *hashline.Ref {
	if s == "" {
		return nil
	}
	ref, err := hashline.Format{}.Parse(s)
	if anchorErr, ok := errors.AsType[*hashline.AnchorError](err); ok {
		f := v.fail(Code(anchorErr.Code), field, "%s", anchorErr.Reason)
		f.Anchor = clip(s)
		return nil
	}
	return &ref
}

// content returns the new lines of e.
func (v *validation) content(e *Edit) []string {
	insert := e.Op == "insert_after" || e.Op == "insert_before"
	switch {
	case e.Op == "delete":
		if !e.Content.empty() {
			v.fail(InvalidInput, "content", `delete takes no content; to put something in place of the lines use "op": "replace"`)
		}
		return nil
	case e.Content.IsZero():
		v.fail(InvalidInput, "content", `"content" is missing; send the new lines as a string or a list`)
		return nil
	case insert && e.Content.empty() && e.Content.kind != textContent:
		v.fail(InvalidInput, "content", `%s has nothing to insert; a blank line is "" or [""]`, e.Op)
		return nil
	case insert && e.Content.empty():
		return []string{""}
	}
	lines, err := e.Content.toLines()
	if err != nil {
		v.fail(InvalidInput, "content", "%v", err)
		return nil
	}
	v.noAnchors("content", lines)
	return lines
}

// noAnchors refuses text copied from a view with its anchors.
func (v *validation) noAnchors(field string, lines []string) {
	if (hashline.Format{}).ContentHasAnchors(lines) {
		v.fail(ContentHasAnchors, field, `every line of %s begins with an anchor or a line number and "→", as a read prints them; send the text alone`, field)
	}
}

// search sets h to a search_replace.
func (v *validation) search(e *Edit, h *hashline.Edit) {
	switch {
	case e.Search == nil:
		v.fail(InvalidInput, "search", `"search" is missing; send the text to replace`)
	case *e.Search == "":
		v.fail(InvalidInput, "search", `"search" is empty; send the text to replace, or use an insert`)
	case strings.Contains(*e.Search, "\x00"):
		v.fail(InvalidInput, "search", "search holds a NUL character, which no text file has; leave it out")
	default:
		h.Search = *e.Search
	}
	switch {
	case e.Replace == nil:
		v.fail(InvalidInput, "replace", `"replace" is missing; to remove the text send ""`)
	case newText(*e.Replace) != nil:
		v.fail(InvalidInput, "replace", "%v", newText(*e.Replace))
	default:
		h.Replace = *e.Replace
		v.noAnchors("replace", strings.Split(*e.Replace, "\n"))
	}
	switch {
	case e.Expect != nil && *e.Expect < 1:
		v.fail(InvalidInput, "expect", `"expect" is %d; send the number of places to replace, 1 or more`, *e.Expect)
	case e.Expect != nil:
		h.Expect = *e.Expect
	}
	if e.Anchor == "" && e.EndAnchor != "" {
		v.fail(InvalidInput, "anchor", `"anchor" is missing: "end_anchor" alone names no range`)
	}
}

// place returns where the lines of a move or copy come.
func (v *validation) place(e *Edit) hashline.Edit {
	h := hashline.Edit{Op: hashline.InsertAfter, Later: true, Anchor: v.anchor("to", e.To)}
	switch {
	case e.To == "":
		v.fail(InvalidInput, "to", `"to" is missing; name the line behind which the lines are to stand, like "22:ab:rstu", or "0:" or "EOF"`)
	case e.Place == "before":
		h.Op = hashline.InsertBefore
	case e.Place != "" && e.Place != "after":
		v.fail(InvalidInput, "place", `"place" is neither "after" nor "before"; send one of them, or leave it out for "after"`)
	}
	return h
}

// alone checks a write, create or remove, one of n edits.
func (v *validation) alone(e *Edit, n int) {
	does := map[string]string{"write": "gives the whole file", "create": "makes the whole file", "remove": "takes the whole file away"}[e.Op]
	if n > 1 {
		v.fail(InvalidInput, "op", "%s stands alone: it %s; leave the other edits out, or use them in its place", e.Op, does)
	}
	switch {
	case e.Op == "remove":
	case e.Content.IsZero() || e.Content.kind == nullContent:
		v.fail(InvalidInput, "content", `"content" is missing; send the whole text of the file`)
	case e.Content.kind == textContent:
		if err := newText(e.Content.text); err != nil {
			v.fail(InvalidInput, "content", "%v", err)
		}
		v.noAnchors("content", strings.Split(e.Content.text, "\n"))
	default:
		lines, err := e.Content.toLines()
		if err != nil {
			v.fail(InvalidInput, "content", "%v", err)
		}
		v.noAnchors("content", lines)
	}
}
