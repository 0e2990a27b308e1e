package apply

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/searchreplace"
)

// A Request is edits of some files. As JSON it is that of its one file, or an
// object with "files".
type Request struct {
	Files []FileRequest

	blocks bool     // made of blocks, which messages call so
	others []string // other paths that the blocks name, though they are all for one file

	problems []Failure // kept here, so that no caller can forget them and have half a request made
}

// Problems returns what [Decode] and [Workspace.Only] found wrong with r, in that
// order; nothing for a request made in Go. The caller must not change it.
func (r *Request) Problems() []Failure { return r.problems }

// A FileRequest is edits of one file.
type FileRequest struct {
	Path     string `json:"path"`
	Base     string `json:"base,omitzero"`     // the tag of the file as the caller knows it
	Encoding string `json:"encoding,omitzero"` // what a file that is not UTF-8 is
	Edits    []Edit `json:"edits"`
}

// An Edit is one change. Which fields it needs and takes depends on Op; the
// others are to be left zero.
type Edit struct {
	Op        string  `json:"op"`
	Anchor    string  `json:"anchor,omitzero"`
	EndAnchor string  `json:"end_anchor,omitzero"`
	Content   Content `json:"content,omitzero"`
	Search    *string `json:"search,omitzero"`
	Replace   *string `json:"replace,omitzero"`
	Expect    *int    `json:"expect,omitzero"`
	Whole     bool    `json:"whole,omitzero"`
	Blind     bool    `json:"blind,omitzero"`
	To        string  `json:"to,omitzero"`    // an anchor
	Place     string  `json:"place,omitzero"` // "before" or, the default, "after" To
	ToPath    string  `json:"to_path,omitzero"`

	problem *Failure             // why the edit could not be decoded
	block   *searchreplace.Block // that the edit was made of
	ordinal int                  // of the block, from 0, in its reply
}

// MarshalJSONTo implements [json.MarshalerTo].
func (r *Request) MarshalJSONTo(enc *jsontext.Encoder) error {
	if len(r.Files) == 1 {
		return json.MarshalEncode(enc, r.Files[0])
	}
	return json.MarshalEncode(enc, struct {
		Files []FileRequest `json:"files"`
	}{r.Files})
}

// MarshalJSON implements [encoding/json.Marshaler], for callers of that package.
func (r *Request) MarshalJSON() ([]byte, error) { return json.Marshal(marshalerTo{r}) }

// A marshalerTo hides that a value has MarshalJSON, which calls it.
type marshalerTo struct{ json.MarshalerTo }

// Content is new text: a string, a list of lines, or null. The zero Content is
// none at all.
type Content struct {
	kind  contentKind
	text  string
	lines []string
}

type contentKind int

const (
	noContent contentKind = iota
	nullContent
	textContent
	listContent
)

// Text returns s as content. Where it is taken as lines, one final line end is
// no extra line.
func Text(s string) Content { return Content{kind: textContent, text: s} }

// Lines returns lines, which have no line ends, as content.
func Lines(lines ...string) Content { return Content{kind: listContent, lines: lines} }

// IsZero reports whether c is no content at all.
func (c Content) IsZero() bool { return c.kind == noContent }

// empty reports whether c holds no text.
func (c Content) empty() bool { return c.text == "" && len(c.lines) == 0 }

// MarshalJSONTo implements [json.MarshalerTo].
func (c Content) MarshalJSONTo(enc *jsontext.Encoder) error {
	switch c.kind {
	case textContent:
		return enc.WriteToken(jsontext.String(c.text))
	case listContent:
		return json.MarshalEncode(enc, c.lines)
	}
	return enc.WriteToken(jsontext.Null)
}

// MarshalJSON implements [encoding/json.Marshaler].
func (c Content) MarshalJSON() ([]byte, error) { return json.Marshal(marshalerTo{c}) }

// toLines returns the lines of c, without endings: none for "", [] and null.
func (c Content) toLines() ([]string, error) {
	if err := newText(c.text); err != nil {
		return nil, err
	}
	for i, line := range c.lines {
		if err := newText(line); err != nil {
			return nil, err
		}
		switch {
		case strings.Contains(line, "\n"):
			return nil, fmt.Errorf(`element %d of the list holds a line end; make it two elements, or send one string`, i)
		case strings.HasSuffix(line, "\r"):
			return nil, fmt.Errorf(`element %d of the list ends in a carriage return; leave it out, the file's own line ends are written`, i)
		}
	}
	if c.kind != textContent {
		return c.lines, nil
	}
	if c.text == "" {
		return nil, nil
	}
	lines := strings.Split(c.text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else if strings.HasSuffix(lines[last], "\r") {
		return nil, errors.New(`the text ends in a carriage return; end it with "\n" or nothing, the file's own line ends are written`)
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines, nil
}

// newText says why s can be no new text of a file.
func newText(s string) error {
	switch {
	case strings.Contains(s, "\x00"):
		return errNUL
	case !utf8.ValidString(s):
		return errInvalidUTF8
	}
	return nil
}

// errInvalidUTF8 is for programs in Go: JSON cannot hold such text.
var errInvalidUTF8 = errors.New("new text is to be UTF-8; decode it first")

var errNUL = errors.New("a NUL character cannot be written into a text file; leave it out")
