//go:build fire

package realedits

import (
	"context"
	"fmt"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// A door is a way to read and to edit the file of a directory. With named, edit
// names the file beside the request; with dry it answers with the diff, and writes
// nothing.
type door interface {
	read(path string, scheme hashline.Scheme, encoding string) (*view, error)
	edit(path string, request []byte, named, dry bool) (*outcome, error)
	close()
}

// An outcome is an answer, as far as it is looked at.
type outcome struct {
	status         string
	exit           int
	codes          []string // of failures
	base           string   // "" if none was given
	added, removed int
	snippet        []shown
	diff           []byte
	text           string // the whole answer, for messages
}

// A shown is a row of a snippet, or a gap. The text of a lossy row has U+FFFD for
// bytes that the answer could not carry.
type shown struct {
	row
	lossy bool
	gap   int
}

// A library is package apply in this process.
type library struct{ ws *apply.Workspace }

func openLibrary(dir string) (door, error) {
	ws, err := apply.Open(dir)
	if err != nil {
		return nil, err
	}
	return library{ws}, nil
}

func (l library) close() { l.ws.Close() }

func (l library) read(path string, scheme hashline.Scheme, encoding string) (*view, error) {
	opt := apply.ReadOptions{Windows: []hashline.Window{{First: 1, Last: hashline.ToEnd}}, Scheme: scheme, Encoding: encoding}
	v, err := l.ws.Read(context.Background(), path, opt)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if !v.HasBase {
		return nil, fmt.Errorf("a read of the whole file gave no base")
	}
	var enc *text.Encoding
	if encoding != "" {
		if enc, err = text.LookupEncoding(encoding); err != nil {
			return nil, err
		}
	}
	out := &view{base: v.Base.String()}
	err = v.Lines(func(lines []hashline.Line) error {
		for i := range lines {
			shown := lines[i].AppendText(nil, enc)
			out.rows = append(out.rows, row{hashline.Format{}.Print(lines[i].Anchor), string(shown)})
		}
		return nil
	})
	return out, err
}

func (l library) edit(path string, request []byte, named, dry bool) (*outcome, error) {
	file := ""
	if named {
		file = path
	}
	req := apply.Decode(request, file)
	a := l.ws.Edit(context.Background(), req, apply.Options{NoSync: true, DryRun: dry, Diff: dry})
	return outcomeOf(a)
}

// outcomeOf returns what an answer says.
func outcomeOf(a *apply.Answer) (*outcome, error) {
	o := &outcome{status: string(a.Status), exit: a.Status.Exit()}
	var printed, diff writer
	if err := a.Text(&printed, false); err != nil {
		return nil, err
	}
	o.text = string(printed)
	for _, f := range a.Failures {
		o.codes = append(o.codes, string(f.Code))
	}
	for _, f := range a.Files {
		o.base, o.added, o.removed = f.Base, f.Added, f.Removed
		for _, l := range f.Snippet {
			o.snippet = append(o.snippet, shown{row{l.Anchor, l.Text}, l.Lossy, l.Gap})
		}
	}
	err := a.DiffText(&diff)
	o.diff = diff
	return o, err
}

// A writer keeps what is written to it.
type writer []byte

func (w *writer) Write(b []byte) (int, error) {
	*w = append(*w, b...)
	return len(b), nil
}
