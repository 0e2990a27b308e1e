//go:build fire

package realedits

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hlkit/hlkit/hashline"
)

// plan turns what is between the two versions into entries of a request.
func (v *version) plan(door door) error {
	v.byPath, v.touched, v.mode = map[string]*entry{}, map[string]bool{}, map[string]fs.FileMode{}
	rng := rngOf(fmt.Sprintf("%s@%s..%s", v.module, v.from, v.to))
	fresh, err := freshMode(v.dir)
	if err != nil {
		return err
	}
	var gone, come []string
	for _, name := range names(v.old) {
		if content, ok := v.new[name]; !ok {
			gone = append(gone, name)
		} else if string(content) != string(v.old[name]) {
			if err := v.changed(rng, door, name, name); err != nil {
				return err
			}
		}
	}
	for _, name := range names(v.new) {
		if _, ok := v.old[name]; !ok {
			come = append(come, name)
		}
	}
	renamed := v.renames(gone, come)
	for _, from := range gone {
		if to, ok := renamed[from]; ok {
			v.mode[to] = modeOf(from)
			if err := v.changed(rng, door, from, to); err != nil {
				return err
			}
		} else if seen, err := door.read(from, hashline.Chunk, ""); err != nil {
			v.leave(from, "removed, and no text")
		} else {
			v.add(&entry{path: from, base: seen.base, ops: []object{{"op": "remove"}}})
		}
	}
	for _, name := range come {
		content := v.new[name]
		switch {
		case slices.Contains(valuesOf(renamed), name):
		case !utf8.Valid(content) || hasNUL(content):
			v.leave(name, "added, and no text")
		default:
			v.mode[name] = fresh
			v.add(&entry{path: name, ops: []object{{"op": "create", "content": string(content)}}})
		}
	}
	v.moves()
	rng.Shuffle(len(v.entries), func(i, j int) { v.entries[i], v.entries[j] = v.entries[j], v.entries[i] })
	return nil
}

func valuesOf(m map[string]string) []string {
	var list []string
	for _, s := range m {
		list = append(list, s)
	}
	return list
}

func (v *version) add(e *entry) {
	v.entries = append(v.entries, e)
	v.byPath[e.path] = e
}

// leave notes that no request says what becomes of a file.
func (v *version) leave(name, why string) {
	v.touched[name] = true
	v.left = append(v.left, name+": "+why)
	v.n.add("files by hand: " + why)
}

// freshMode returns the mode of a file that is made.
func freshMode(dir string) (fs.FileMode, error) {
	probe := filepath.Join(dir, "probe")
	if err := os.WriteFile(probe, nil, 0o666); err != nil {
		return 0, err
	}
	info, err := os.Stat(probe)
	if err != nil {
		return 0, err
	}
	return info.Mode(), os.Remove(probe)
}

// changed makes the entry of a file that is in both versions, perhaps under two
// names.
func (v *version) changed(rng *rand.Rand, door door, from, to string) error {
	e := &entry{path: from}
	if from != to {
		e.ops = []object{{"op": "rename", "to_path": to}}
	}
	if string(v.old[from]) == string(v.new[to]) {
		v.add(e)
		return nil
	}
	s, err := newSubject(pair{from, from, v.old[from], v.new[to]})
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if s.obstacle != "" && (!s.writable || from != to) {
		v.leave(from, "changed: "+string(s.obstacle))
		if from != to {
			v.touched[to] = true
			delete(v.mode, to)
		}
		return nil
	}
	seen, err := door.read(from, hashline.Chunk, "")
	if err != nil {
		return err
	}
	if s.obstacle != "" {
		e.base = seen.base
		e.ops = []object{{"op": "write", "content": string(v.new[to]), "whole": true}}
		v.add(e)
		return nil
	}
	scheme := hashline.Chunk
	if rng.IntN(4) == 0 {
		scheme = hashline.Scheme(rng.IntN(int(hashline.File) + 1))
		if seen, err = door.read(from, scheme, ""); err != nil {
			return err
		}
	}
	e.planner, e.view = newPlanner(rng, s, scheme), seen
	for _, x := range e.planner.plan() {
		if !x.part {
			e.edits = append(e.edits, x)
		}
	}
	if e.planner.base {
		e.base = seen.base
	}
	v.add(e)
	return nil
}

// leastSimilar is the part of its bytes that a file must share, line by line, with
// one that is gone to be that one under another name.
const leastSimilar = 0.5

// renames pairs files that are gone with files that have come: first those that
// are the same, then the most similar.
func (v *version) renames(gone, come []string) map[string]string {
	renamed, taken := map[string]string{}, map[string]bool{}
	byContent := map[string][]string{}
	for _, name := range come {
		byContent[string(v.new[name])] = append(byContent[string(v.new[name])], name)
	}
	for _, from := range gone {
		for _, to := range byContent[string(v.old[from])] {
			if !taken[to] && renamed[from] == "" {
				renamed[from], taken[to] = to, true
			}
		}
	}
	bags := map[string]map[string]int{}
	bagOf := func(content []byte) map[string]int {
		bag := map[string]int{}
		for line := range strings.Lines(string(content)) {
			bag[line]++
		}
		return bag
	}
	for _, from := range gone {
		if renamed[from] != "" || hasNUL(v.old[from]) {
			continue
		}
		best, bestOf := leastSimilar, ""
		old := bagOf(v.old[from])
		for _, to := range come {
			a, b := len(v.old[from]), len(v.new[to])
			if taken[to] || path.Ext(from) != path.Ext(to) || float64(min(a, b)) < best*float64(max(a, b)) || hasNUL(v.new[to]) {
				continue
			}
			if bags[to] == nil {
				bags[to] = bagOf(v.new[to])
			}
			shared := 0
			for line, count := range old {
				shared += len(line) * min(count, bags[to][line])
			}
			if similar := float64(shared) / float64(max(a, b)); similar > best {
				best, bestOf = similar, to
			}
		}
		if bestOf != "" {
			renamed[from], taken[bestOf] = bestOf, true
		}
	}
	return renamed
}

// Of blocks of fewer lines nobody would say that they were moved or copied.
const (
	leastMoved  = 3
	leastCopied = 4
)

// moves finds inserts of lines that are deleted elsewhere, or that stand elsewhere
// in the file, and makes them moves and copies.
func (v *version) moves() {
	type place struct {
		e *entry
		i int // of e.edits
	}
	deleted := map[string]place{}
	for _, e := range v.entries {
		for i, x := range e.edits {
			if len(x.lines) == 0 && x.search == "" && x.end-x.start >= leastMoved && e.planner.encoding == "" {
				deleted[e.planner.textOf(x.start, x.end)] = place{e, i}
			}
		}
	}
	dropped := map[*entry][]int{}
	for _, e := range v.entries {
		if len(e.ops) == 1 && e.ops[0]["op"] == "create" {
			v.moveTo(e, func(text string) (*entry, edit, bool) {
				d, ok := deleted[text]
				if !ok || slices.Contains(dropped[d.e], d.i) {
					return nil, edit{}, false
				}
				dropped[d.e] = append(dropped[d.e], d.i)
				return d.e, d.e.edits[d.i], true
			})
			continue
		}
		for i, x := range e.edits {
			// Other anchors need the base, which a file has only in an entry of its own.
			if x.start != x.end || len(x.lines) < leastMoved || e.planner.scheme > hashline.Chain {
				continue
			}
			text := strings.Join(x.lines, "\n") + "\n"
			to, where := e.target(x)
			d, ok := deleted[text]
			switch {
			case ok && !slices.Contains(dropped[d.e], d.i):
				dropped[d.e] = append(dropped[d.e], d.i)
				d.e.bring("move", d.e.edits[d.i].start, d.e.edits[d.i].end, to, where, e)
			case len(x.lines) >= leastCopied && strings.Contains("\n"+e.planner.text, "\n"+text):
				at := strings.Index("\n"+e.planner.text, "\n"+text)
				start := strings.Count(e.planner.text[:at], "\n")
				e.bring("copy", start, start+len(x.lines), to, where, e)
			default:
				continue
			}
			dropped[e] = append(dropped[e], i)
		}
	}
	for e, gone := range dropped {
		var kept []edit
		for i, x := range e.edits {
			if !slices.Contains(gone, i) {
				kept = append(kept, x)
			}
		}
		e.edits = kept
	}
}

// target returns where an insert puts its lines, as move and copy say it.
func (e *entry) target(x edit) (anchor any, place string) {
	at := x.start
	if x.op == "insert_after" {
		at--
		place = "after"
	} else {
		place = "before"
	}
	if x.place != "" {
		return x.place, place
	}
	return e.view.rows[at].anchor, place
}

// bring adds an op that takes lines of e to a place in the file of dest.
func (e *entry) bring(op string, start, end int, to any, place string, dest *entry) {
	o := object{"op": op, "anchor": e.view.rows[start].anchor, "end_anchor": e.view.rows[end-1].anchor, "to": to, "place": place}
	if dest != e {
		o["to_path"] = dest.path
	}
	e.ops = append(e.ops, o)
	e.base = e.view.base
}

// moveTo makes the end of a new file of lines that are deleted elsewhere.
func (v *version) moveTo(e *entry, take func(text string) (*entry, edit, bool)) {
	content := e.ops[0]["content"].(string)
	if strings.Contains(content, "\r") || !strings.HasSuffix(content, "\n") {
		return
	}
	lines := strings.SplitAfter(content, "\n")
	lines = lines[:len(lines)-1]
	for i := 0; i+leastMoved <= len(lines); i++ {
		d, x, ok := take(strings.Join(lines[i:], ""))
		if !ok {
			continue
		}
		e.ops[0]["content"] = strings.Join(lines[:i], "")
		d.bring("move", x.start, x.end, "EOF", "after", e)
		v.n.add("files made of moved lines")
		return
	}
}
