package apply

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// bring puts moved and copied lines in their places, now that all places are
// known, and says what each file's edits came to.
func (j *job) bring() {
	for _, o := range j.ops {
		if o.Op != "move" && o.Op != "copy" {
			continue
		}
		from := o.file.resolved(o, false)
		lines, err := o.file.linesFor(o.dest, from.Start, from.End)
		if err != nil {
			j.fail(o.entry, o, "", err)
			continue
		}
		place := o.dest.resolved(o, true)
		place.Splices = []text.Edit{{Start: place.Start, End: place.Start, Lines: lines}}
		o.dest.c.spliced = nil
	}
	for _, f := range j.files {
		if f.res == nil && f.found == nil {
			continue
		}
		if f.c.spliced == nil {
			f.splice()
		}
		if len(f.j.failures) == 0 {
			f.describe()
		}
	}
}

// resolved returns what part of a move or copy came to in f.
func (f *file) resolved(o *op, place bool) *hashline.Resolved {
	return &f.res.Edits[f.asked[part{o, place}]]
}

// linesFor returns lines of f, 0-based and half-open, as dest has them.
func (f *file) linesFor(dest *file, start, end int) ([]string, error) {
	var lines []string
	// Between files of one kind bytes go as they are, even those that are no text.
	same := f.enc.Name() == dest.enc.Name() && f.doc.UTF16() == dest.doc.UTF16()
	for i, line := range f.doc.Lines(start, end) {
		if same && (f == dest || f.enc != nil || f.doc.UTF16() || f.alike(dest, line)) {
			lines = append(lines, string(line))
			continue
		}
		s, lossy := f.enc.Decode(line)
		if lossy {
			return nil, refuse(EncodingError, "line %d of %s has bytes that %s cannot hold; say with \"encoding\" what they are", i+1, quotePath(f.path), quotePath(dest.path))
		}
		encoded, err := dest.doc.Encode(s)
		if err != nil {
			return nil, textError(err)
		}
		lines = append(lines, encoded)
	}
	return lines, nil
}

// splices returns what all edits of f come to, and the edit each is of.
func (f *file) splices() (all []text.Edit, owner []*op) {
	if f.res != nil {
		for i, r := range f.res.Edits {
			for _, s := range r.Splices {
				all, owner = append(all, s), append(owner, f.asks[i].op)
			}
		}
	}
	if f.found != nil {
		for i, s := range f.found.Edits {
			all, owner = append(all, s), append(owner, f.blocks[f.found.Owners[i][0]])
		}
	}
	return all, owner
}

// alike reports whether a line of f can go into dest as it is, though nobody said
// what either is: not if one of them is UTF-8 and the other is something else.
func (f *file) alike(dest *file, line []byte) bool {
	switch {
	case isASCII(line):
		return true
	case utf8.Valid(line):
		return f.kind() == other || dest.kind() != other
	}
	return dest.kind() != isUTF8
}

// A kind is what the bytes of a document are.
type kind int

const (
	unknown kind = iota
	ascii
	isUTF8 // and not ASCII
	other
)

// kind returns what the bytes of f are. It looks at them once.
func (f *file) kind() kind {
	if f.is == unknown {
		switch body := f.doc.Body(); {
		case isASCII(body):
			f.is = ascii
		case utf8.Valid(body):
			f.is = isUTF8
		default:
			f.is = other
		}
	}
	return f.is
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
}

// splice makes the new text of f from all splices.
func (f *file) splice() {
	all, owner := f.splices()
	for _, over := range text.Overlaps(all) {
		a, b := owner[over.First], owner[over.Second]
		f.j.fail(b.entry, b, "", refuse(EditsOverlap, "%s and %s change the same lines of %s; make them one edit", f.j.label(a), f.j.label(b), quotePath(f.path)))
	}
	spliced, err := text.Splice(f.doc, all)
	if err == nil && f.found != nil {
		var endErr error
		if spliced, endErr = f.found.Finish(spliced); endErr != nil {
			f.fail(refuse(InvalidInput, "in %s: %v", quotePath(f.path), endErr), "")
		}
	}
	f.c.spliced = spliced
	if lineErr, ok := errors.AsType[*text.LineError](err); ok {
		o := owner[lineErr.Edit]
		f.j.fail(o.entry, o, "", refuse(InvalidInput, "in %s: %s", quotePath(f.path), lineErr.Reason))
	}
}
