//go:build fire

package realedits

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hlkit/hlkit/hashline"
)

// byLines makes the changes by edits on anchors of a scheme. With patched the
// diff of a dry run is given to git and patch first.
func (t *trial) byLines(rng *rand.Rand, scheme hashline.Scheme, patched *patchers, n *counts) error {
	if err := t.begin(); err != nil {
		return err
	}
	v, err := t.read(scheme)
	if err != nil {
		return err
	}
	p := newPlanner(rng, t.subject, scheme)
	edits := p.plan()
	named := p.one(2)
	request := p.request(t.path, edits, v, named, n)
	fresh, bare := hashline.Chunk, false
	for _, e := range edits {
		if e.place == "" && !e.everywhere {
			fresh, bare = scheme, scheme == hashline.File
		}
	}
	if fresh == hashline.File {
		fresh = hashline.Chunk // a bare number would not do without a base
	}
	// Where the caller may go by bare numbers that the edits made wrong, the new tag
	// is no proof that it knows the lines.
	lettered := !bare && slices.ContainsFunc(edits, func(e edit) bool { return e.place == "" && !e.everywhere })
	moved := slices.ContainsFunc(edits, func(e edit) bool {
		return len(e.lines) != e.end-e.start && (bare || e.end < len(t.lines))
	})
	base := p.base && (lettered || !moved)
	if err := t.ask(request, named, fresh, base, patched); err != nil {
		return fmt.Errorf("%s: %w\nrequest: %.3000s", scheme, err, request)
	}
	return nil
}

// byWrite writes the newer version whole: as a string, or as a list of lines, if
// that comes to the same bytes. done is false if it does not.
func (t *trial) byWrite(rng *rand.Rand, asList bool, patched *patchers, n *counts) (done bool, err error) {
	o := object{"op": "write", "content": string(t.new)}
	if asList {
		lines, ok := t.writtenAsList()
		if !ok {
			return false, nil
		}
		o["content"] = lines
		n.add("requests that write a list")
	}
	if err := t.begin(); err != nil {
		return false, err
	}
	v, err := t.read(hashline.Chunk)
	if err != nil {
		return false, err
	}
	for _, l := range t.lines {
		if len(l.text) > hashline.CutAt {
			o["whole"] = true
		}
	}
	file := object{"path": t.path, "edits": []object{o}}
	if rng.IntN(8) == 0 {
		o["blind"] = true
	} else {
		file["base"] = v.base
	}
	n.add("op write")
	request := marshal(file)
	if err := t.ask(request, rng.IntN(2) == 0, hashline.Chunk, true, patched); err != nil {
		return false, fmt.Errorf("write: %w\nrequest: %.3000s", err, request)
	}
	return true, nil
}

// writtenAsList returns the lines of the newer version, if a list of them keeps
// their endings: each gets CRLF if the older version has nothing else, else "\n".
func (t *trial) writtenAsList() ([]string, bool) {
	mark, fresh := "", string(t.new)
	if len(t.old) >= len(bom) && string(t.old[:len(bom)]) == bom {
		mark = bom
		if len(fresh) < len(bom) || fresh[:len(bom)] != bom {
			return nil, false
		}
		fresh = fresh[len(bom):]
	}
	ending := "\r\n"
	for _, l := range t.lines {
		if l.ending == "\n" {
			ending = "\n"
		}
	}
	if len(t.lines) == 0 || t.lines[0].ending == "" {
		ending = "\n"
	}
	lines := textsOf(linesOf([]byte(fresh)))
	var would []line
	for _, l := range lines {
		if endsInCR(l) {
			return nil, false
		}
		would = append(would, line{l, ending})
	}
	if lines == nil {
		lines = []string{}
	}
	return lines, mark+string(bytesOf(would)) == string(t.new)
}

// ask sends a request and checks everything there is to check of the answer.
func (t *trial) ask(request []byte, named bool, fresh hashline.Scheme, base bool, patched *patchers) error {
	if patched != nil {
		dry, err := t.door.edit(t.path, request, named, true)
		if err != nil {
			return err
		}
		if dry.status != "applied" || dry.exit != 0 {
			return fmt.Errorf("dry run: %s", dry.text)
		}
		if err := holds(t.dir, t.path, t.old, t.mode); err != nil {
			return fmt.Errorf("dry run: %w", err)
		}
		if err := t.answered(dry, base); err != nil {
			return fmt.Errorf("dry run: %w", err)
		}
		if err := patched.check(t.pair, dry.diff); err != nil {
			return err
		}
	}
	o, err := t.door.edit(t.path, request, named, false)
	if err != nil {
		return err
	}
	return t.applied(o, fresh, base)
}
