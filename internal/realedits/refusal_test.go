//go:build fire

package realedits

import (
	"fmt"
	"slices"

	"github.com/hlkit/hlkit/hashline"
)

// refused sends what comes nearest to a pair that no request can express, and
// checks that it is refused for the right reason and the file is left alone.
func (t *trial) refused() error {
	if err := t.begin(); err != nil {
		return err
	}
	base := hashline.TagOf(t.old).String()
	// Not by marshal, which would mend what is not UTF-8.
	content := []byte{'"'}
	for _, c := range t.new {
		switch {
		case c < ' ' || c == '"' || c == '\\' || c == 0x7F:
			content = fmt.Appendf(content, `\u%04x`, c)
		default:
			content = append(content, c)
		}
	}
	content = append(content, '"')
	write := fmt.Appendf(nil, `{"path": %s, "base": %q, "edits": [{"op": "write", "whole": true, "content": %s}]}`, marshal(t.path), base, content)
	want := []string{"invalid_input"}
	requests := [][]byte{write}
	if hasNUL(t.old) {
		if _, err := t.door.read(t.path, hashline.Chunk, ""); err == nil {
			return fmt.Errorf("a file with NUL bytes was read")
		}
		want = []string{"binary_file", "invalid_input"}
		insert := object{"path": t.path, "edits": object{"op": "insert_before", "anchor": "0:", "content": "text"}}
		requests = append(requests, marshal(insert))
	}
	for _, request := range requests {
		o, err := t.door.edit(t.path, request, false, false)
		if err != nil {
			return err
		}
		if o.status != "refused" || o.exit != 2 || !slices.ContainsFunc(o.codes, func(c string) bool { return slices.Contains(want, c) }) {
			return fmt.Errorf("it was to be refused as one of %s: %s", want, o.text)
		}
		if err := holds(t.dir, t.path, t.old, t.mode); err != nil {
			return err
		}
	}
	return nil
}
