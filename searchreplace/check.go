package searchreplace

import "strings"

// check returns what is wrong with the text of a block that is complete, or nil,
// and offers another reading of it where there may be one. Every dialect's blocks
// come through here.
func (sc *scope) check(b *Block) *Problem {
	if sc.d.doubt != "" {
		return &Problem{
			Block: sc.d.blocks, Line: b.First, Code: "invalid_input",
			Message: sc.d.doubt + "; write the name of the file alone on the line before the block",
		}
	}
	if b.Op == Replace {
		b.Stripped = stripped(b)
	}
	if strings.Contains(b.Replace, arrow) && (allAnchored(b.Replace) || b.Stripped == nil && allNumbered(b.Replace)) {
		return &Problem{
			Block: sc.d.blocks, Path: b.Path, Line: b.First, Code: "content_has_anchors",
			Message: `every line of the new text begins with an anchor; write the lines without what a read prints before "→"`,
		}
	}
	return nil
}

// stripped returns the reading of a block without the gutter on its lines, or
// without the fence around its sides, or nil.
func stripped(b *Block) *Sides {
	if s, padded, ok := withoutGutter(b.Search); ok {
		r, alsoPadded, also := withoutGutter(b.Replace)
		// A blank belongs to the gutter only if it stands on every line of both sides:
		// Roo's views have it.
		if padded && (alsoPadded || !also) {
			s = withoutPadding(s)
			if also {
				r = withoutPadding(r)
			}
		}
		return &Sides{s, r, Repair{Rule: "gutter_stripped", Line: b.First, Note: "every line begins with a line number; it is read without"}}
	}
	if s, ok := withoutFence(b.Search); ok {
		if r, ok := withoutFence(b.Replace); ok || b.Replace == "" {
			return &Sides{s, r, Repair{Rule: "fence_stripped", Line: b.First, Note: "a fence stands around the text of both sides; they are read without"}}
		}
	}
	return nil
}

// unwrap takes the file name and the fence from both sides of a block, if they
// are repeated there: no file begins so by itself.
func unwrap(sc *scope, b *Block) {
	s, ok1 := withoutName(b.Search, b.Path)
	r, ok2 := withoutName(b.Replace, b.Path)
	if ok2 && (ok1 || b.Search == "") {
		b.Search, b.Replace = s, r
		b.Repairs = append(b.Repairs, Repair{Rule: "wrapping_stripped", Line: b.First, Note: "the file name and a fence are repeated in the text of the block; it is read without"})
	}
}

// withoutName returns s without a first line that names path, and the fence
// around the rest.
func withoutName(s, path string) (string, bool) {
	first, rest, _ := strings.Cut(s, "\n")
	if !parseFence(rest[:indexLineEnd(rest)]).open() {
		return s, false // as most text
	}
	name := pathLine(first)
	if name == "" || name != path && name != path[strings.LastIndexByte(path, '/')+1:] {
		return s, false
	}
	if rest, ok := withoutFence(rest); ok {
		return rest, true
	}
	return s, false
}

// withoutFence returns s without the fence around it.
func withoutFence(s string) (string, bool) {
	first, rest, _ := strings.Cut(s, "\n")
	f := parseFence(first)
	if !f.open() {
		return s, false
	}
	body := strings.TrimSuffix(rest, "\n")
	at := strings.LastIndexByte(body, '\n') + 1
	if !f.closedBy(body[at:]) {
		return s, false
	}
	return rest[:at], true
}
