//go:build fire

package realedits

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hlkit/hlkit/hashline"
)

// A trial is a pair, a directory for it, and a door to that.
type trial struct {
	*subject
	dir  string
	door door
	mode fs.FileMode
}

// begin puts the older version, alone, into the directory.
func (t *trial) begin() error { return plant(t.dir, t.path, t.old, t.mode) }

// plant makes dir a directory that holds one file.
func plant(dir, path string, content []byte, mode fs.FileMode) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return err
	}
	return os.Chmod(file, mode)
}

// holds reports, as an error, a directory that is not the one file with content
// and mode.
func holds(dir, path string, content []byte, mode fs.FileMode) error {
	file := filepath.Join(dir, filepath.FromSlash(path))
	got, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, content) {
		return fmt.Errorf("the bytes differ: %s", firstDifference(got, content))
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name != file {
			return fmt.Errorf("%s was left behind", name)
		}
		info, err := d.Info()
		if err == nil && info.Mode() != mode {
			return fmt.Errorf("the mode is %v, not %v", info.Mode(), mode)
		}
		return err
	})
}

func firstDifference(got, want []byte) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	around := func(b []byte) []byte { return b[max(0, min(i-40, len(b))):min(len(b), i+40)] }
	return fmt.Sprintf("at byte %d of %d and %d: got %q, want %q", i, len(got), len(want), around(got), around(want))
}

// read returns the view of the older version, once its texts are those of the file.
func (t *trial) read(scheme hashline.Scheme) (*view, error) {
	v, err := t.door.read(t.path, scheme, t.encoding)
	if err != nil {
		return nil, err
	}
	if want := hashline.TagOf(t.old).String(); v.base != want {
		return nil, fmt.Errorf("base %s, not %s", v.base, want)
	}
	if len(v.rows) != len(t.lines) {
		return nil, fmt.Errorf("a view of %d lines, not %d", len(v.rows), len(t.lines))
	}
	for i, r := range v.rows {
		if want := t.lines[i].text; r.text != want && len(want) <= hashline.CutAt {
			return nil, fmt.Errorf("line %d is shown as %q, not %q", i+1, r.text, want)
		}
	}
	return v, nil
}

// applied checks that the newer version is there and the answer says so. scheme is
// that of the anchors in the snippet; base tells whether the answer is to give the
// new tag.
func (t *trial) applied(o *outcome, scheme hashline.Scheme, base bool) error {
	if o.status != "applied" || o.exit != 0 {
		return fmt.Errorf("not applied: %s", o.text)
	}
	if err := holds(t.dir, t.path, t.new, t.mode); err != nil {
		return err
	}
	if err := t.answered(o, base); err != nil {
		return err
	}
	fresh, err := t.door.read(t.path, scheme, t.encoding)
	if err != nil {
		return err
	}
	return sameRows(o.snippet, fresh.rows)
}

// answered checks what an answer says of the new file as a whole.
func (t *trial) answered(o *outcome, base bool) error {
	want := ""
	if base {
		want = hashline.TagOf(t.new).String()
	}
	if o.base != want {
		return fmt.Errorf("the answer gives base %q, not %q", o.base, want)
	}
	if got, want := o.added-o.removed, t.newLines-len(t.lines); got != want {
		return fmt.Errorf("the answer adds %d and removes %d lines; the difference should be %d", o.added, o.removed, want)
	}
	return nil
}

// sameRows checks that a snippet shows rows as a read of the new file does.
func sameRows(snippet []shown, rows []row) error {
	at := 0 // the line below the last one shown; 0: none is
	for _, s := range snippet {
		if s.gap > 0 {
			at += s.gap
			continue
		}
		ref, err := hashline.Format{}.Parse(s.anchor)
		if err != nil {
			return fmt.Errorf("the snippet has the anchor %q: %w", s.anchor, err)
		}
		n := ref.Anchor.Line
		switch {
		case n > len(rows):
			return fmt.Errorf("the snippet shows line %d of %d", n, len(rows))
		case at > 0 && n != at:
			return fmt.Errorf("the snippet shows line %d where line %d should be", n, at)
		case s.anchor != rows[n-1].anchor:
			return fmt.Errorf("the snippet has the anchor %s, a new read %s", s.anchor, rows[n-1].anchor)
		case !s.lossy && s.text != strings.ToValidUTF8(rows[n-1].text, "\uFFFD") && s.text != rows[n-1].text:
			return fmt.Errorf("the snippet shows line %d as %q, a new read as %q", n, s.text, rows[n-1].text)
		}
		at = n + 1
	}
	if len(snippet) == 0 && len(rows) > 0 {
		return fmt.Errorf("the answer has no snippet")
	}
	return nil
}
