package apply

import (
	"path/filepath"
	"strings"

	"github.com/hlkit/hlkit/searchreplace"
)

// RequestOf returns the request that a decoded reply is. Problems of the reply are
// the request's. With file all blocks are for that file, whatever path they name.
func RequestOf(reply *searchreplace.Reply, file string) *Request {
	req := &Request{blocks: true}
	for i := range reply.Problems {
		p := &reply.Problems[i]
		f := Failure{File: p.Path, Code: Code(p.Code), Message: p.Message, Line: p.Line}
		if file == "" {
			f.entry = noEntry
		}
		if p.Block > 0 {
			ordinal := p.Block - 1
			f.Edit = &ordinal
		}
		req.problems = append(req.problems, f)
	}
	if len(reply.Blocks) == 0 && len(reply.Problems) == 0 {
		req.problems = append(req.problems, Failure{Code: InvalidInput, Message: "the reply holds no block; write one as sr prompt shows"})
	}
	at := map[string]int{}
	for i := range reply.Blocks {
		b := &reply.Blocks[i]
		path := b.Path
		if file != "" {
			path = file
			if b.Path != "" && filepath.Base(filepath.FromSlash(b.Path)) != filepath.Base(file) {
				req.others = append(req.others, b.Path)
			}
		}
		if path == "" {
			req.problems = append(req.problems, Failure{entry: noEntry, Edit: &i, Code: InvalidInput, Line: b.First, Message: "the block names no file; write its path on the line before it, or name FILE"})
			continue
		}
		n, known := at[path]
		if !known {
			n = len(req.Files)
			at[path] = n
			req.Files = append(req.Files, FileRequest{Path: path})
		}
		req.Files[n].add(b, i)
	}
	return req
}

// add adds the edits that a block is.
func (r *FileRequest) add(b *searchreplace.Block, ordinal int) {
	edit := Edit{block: b, ordinal: ordinal}
	switch b.Op {
	case searchreplace.Replace:
		edit.Op, edit.Search, edit.Replace = "search_replace", &b.Search, &b.Replace
	case searchreplace.Write, searchreplace.Create:
		edit.Op, edit.Content = "write", Text(wholeText(b))
		if b.Op == searchreplace.Create {
			edit.Op = "create"
		}
	case searchreplace.Delete:
		edit.Op = "remove"
	}
	if b.To != "" {
		renamed := false
		for _, e := range r.Edits {
			renamed = renamed || e.Op == "rename" && e.ToPath == b.To
		}
		if !renamed {
			r.Edits = append(r.Edits, Edit{Op: "rename", ToPath: b.To, block: b, ordinal: ordinal})
		}
	}
	if b.Op != searchreplace.Rename {
		r.Edits = append(r.Edits, edit)
	}
}

// whole checks an edit that a block was made of.
func (v *validation) whole(e *Edit, placeholder bool) {
	switch e.Op {
	case "write", "create":
		if err := newText(e.Content.text); err != nil {
			v.fail(InvalidInput, "", "%v", err)
		}
		if line, text := searchreplace.Placeholder("", e.Content.text); line > 0 && !placeholder {
			v.fail(ContentHasPlaceholder, "", "line %d of the new text, %q, stands for text that is left out; write the whole text (--allow-placeholder takes it as it is)", line, clip(text))
		}
	case "search_replace":
		if err := newText(e.block.Replace); err != nil {
			v.fail(InvalidInput, "", "%v", err)
		}
	}
}

// wholeText returns the text that a block gives a whole file.
func wholeText(b *searchreplace.Block) string {
	if b.ReplaceUnterminated {
		return strings.TrimSuffix(b.Replace, "\n")
	}
	return b.Replace
}

// makesFile reports whether a block makes the file if there is none.
func (e *Edit) makesFile() bool {
	return e.block != nil && e.block.Op == searchreplace.Replace && e.block.Search == ""
}
