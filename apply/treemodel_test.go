package apply

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// A modelTree is a directory, told naively and without any code of this package:
// what a request should come to is worked out from SPEC.md line by line.
type modelTree struct {
	files map[string]modelFile
	dirs  map[string]bool
	fresh fs.FileMode // of a file that is made
}

type modelFile struct {
	lines []modelLine
	mode  fs.FileMode
}

type modelLine struct{ text, end string }

// A wish is one entry of a request, and a wishEdit one edit of it, as JSON has
// them.
type wish struct {
	Path  string     `json:"path"`
	Base  string     `json:"base,omitzero"`
	Edits []wishEdit `json:"edits"`
}

type wishEdit struct {
	Op      string  `json:"op"`
	Anchor  string  `json:"anchor,omitzero"`
	End     string  `json:"end_anchor,omitzero"`
	Content any     `json:"content,omitzero"` // a string or a list
	Search  *string `json:"search,omitzero"`
	Replace *string `json:"replace,omitzero"`
	Expect  int     `json:"expect,omitzero"`
	Blind   bool    `json:"blind,omitzero"`
	To      string  `json:"to,omitzero"`
	Place   string  `json:"place,omitzero"`
	ToPath  string  `json:"to_path,omitzero"`
}

func modelLines(s string) []modelLine {
	var lines []modelLine
	for line := range strings.Lines(s) {
		text, end := strings.TrimSuffix(line, "\n"), ""
		if text != line {
			end = "\n"
			if cut := strings.TrimSuffix(text, "\r"); cut != text {
				text, end = cut, "\r\n"
			}
		}
		lines = append(lines, modelLine{text, end})
	}
	return lines
}

func (f modelFile) String() string {
	var b strings.Builder
	for _, l := range f.lines {
		b.WriteString(l.text + l.end)
	}
	return b.String()
}

func (f modelFile) tag() string { return fmt.Sprintf("%016x", xxhash.Sum64String(f.String())) }

// anchor returns the anchor of line n, 1-based.
func (f modelFile) anchor(n int) string {
	letters := func(x uint64, count int) string {
		var s []byte
		for range count {
			s = append(s, byte('a'+x%26))
			x /= 26
		}
		slices.Reverse(s)
		return string(s)
	}
	var all []byte
	chunk := (n - 1) / 16 * 16
	for _, l := range f.lines[chunk:min(chunk+16, len(f.lines))] {
		all = binary.LittleEndian.AppendUint64(all, xxhash.Sum64String(l.text))
	}
	return fmt.Sprintf("%d:%s:%s", n, letters(xxhash.Sum64String(f.lines[n-1].text), 2), letters(xxhash.Sum64(all), 4))
}

// A modelRun works out one request.
type modelRun struct {
	tree           *modelTree
	refused, stale bool
	names          map[string]*modelName
	order          []string
}

// A modelName is what the request is about, by its one name.
type modelName struct {
	base  string
	takes []*modelOp // remove, or rename from it
	makes []*modelOp // write, create, or rename to it
	lines []*modelOp
	parts []modelPart
}

type modelOp struct {
	wishEdit
	path, to string
}

// A modelPart is a change of the lines start ≤ i < end of a file.
type modelPart struct {
	start, end int
	lines      []string
	bring      *modelOp // the lines are those that it moves or copies
	keeps      bool     // the lines stay: those of a copy
}

// carryOut returns the status of a request, and the tree afterwards.
func (t *modelTree) carryOut(wishes []wish) (string, *modelTree) {
	r := &modelRun{tree: t, names: map[string]*modelName{}}
	for i := range wishes {
		r.sort(&wishes[i])
	}
	for _, name := range r.order {
		r.check(name)
	}
	if r.refused {
		return "refused", t
	}
	for _, name := range r.order {
		r.locate(name)
	}
	switch {
	case r.refused:
		return "refused", t
	case r.stale:
		return "not_applied", t
	}
	after := r.build()
	if after.equal(t) && !slices.ContainsFunc(r.order, func(name string) bool { return len(r.names[name].takes) > 0 }) {
		return "unchanged", t
	}
	return "applied", after
}

func (t *modelTree) equal(u *modelTree) bool {
	return maps.Equal(t.dirs, u.dirs) && maps.EqualFunc(t.files, u.files, func(a, b modelFile) bool {
		return a.mode == b.mode && slices.Equal(a.lines, b.lines)
	})
}

// name returns what the request says of a path.
func (r *modelRun) name(p string) (*modelName, string) {
	p = path.Clean(p)
	if r.names[p] == nil {
		r.names[p] = &modelName{}
		r.order = append(r.order, p)
	}
	return r.names[p], p
}

// sort sorts an entry of the request by the names it is about.
func (r *modelRun) sort(w *wish) {
	n, p := r.name(w.Path)
	if w.Base != "" {
		if n.base != "" && n.base != w.Base {
			r.refused = true
		}
		n.base = w.Base
	}
	for _, e := range w.Edits {
		o := &modelOp{e, p, p}
		if e.ToPath != "" {
			_, o.to = r.name(e.ToPath)
		}
		dest := r.names[o.to]
		switch e.Op {
		case "remove":
			n.takes = append(n.takes, o)
		case "rename":
			n.takes, dest.makes = append(n.takes, o), append(dest.makes, o)
			r.refused = r.refused || o.to == p
		case "create", "write":
			n.makes = append(n.makes, o)
			r.refused = r.refused || e.Op == "create" && w.Base != ""
		default:
			n.lines = append(n.lines, o)
			if o.to != p {
				dest.lines = append(dest.lines, o)
			}
		}
		if slices.Contains([]string{"remove", "create", "write"}, e.Op) && len(w.Edits) > 1 {
			r.refused = true
		}
	}
}

// check refuses what cannot go together, and names that can be none.
func (r *modelRun) check(name string) {
	n := r.names[name]
	_, exists := r.tree.files[name]
	removed, made := false, len(n.makes) > 0
	for _, o := range n.takes {
		removed = removed || o.Op == "remove"
	}
	refused := len(n.takes) > 1 || len(n.makes) > 1 || r.tree.dirs[name]
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, isFile := r.tree.files[dir]; isFile {
			refused = true
		}
		if other := r.names[dir]; other != nil && len(other.makes) > 0 && made {
			refused = true // one of them a directory, the other a file
		}
	}
	if !exists && (!made || len(n.takes) > 0) {
		refused = true
	}
	for _, o := range n.makes {
		switch {
		case o.Op == "write":
			refused = refused || len(n.takes) > 0
		case exists:
			refused = refused || len(n.takes) == 0
		}
	}
	for _, o := range n.lines {
		switch {
		case removed:
			refused = true
		case !made:
		case len(n.takes) > 0:
			refused = refused || o.path != name && (o.To == "0:" || o.To == "EOF")
		default:
			refused = refused || n.makes[0].Op != "create" || o.path == name || o.To != "0:" && o.To != "EOF"
		}
	}
	r.refused = r.refused || refused
}

// locate finds the lines that the edits of a file are about.
func (r *modelRun) locate(name string) {
	n, f := r.names[name], r.tree.files[name]
	_, exists := r.tree.files[name]
	for _, o := range n.takes {
		if o.Op == "remove" {
			r.needsBase(n, f)
		}
	}
	for _, o := range n.makes {
		switch {
		case o.Op == "write" && o.Blind:
		case o.Op == "write" && exists:
			if contentOfModel(o.Content, &f) != f.String() {
				r.needsBase(n, f)
			}
		case o.Op == "write" && n.base != "":
			r.stale = true // it names a file that is gone
		case o.Op == "create" && len(n.takes) == 0:
			f = modelFile{lines: modelLines(contentOfModel(o.Content, nil))}
		}
	}
	for _, o := range n.lines {
		if o.path == name {
			part, ok := r.source(o, n, f)
			switch {
			case !ok:
			case o.Op == "search_replace":
				n.parts = append(n.parts, r.search(o, part, f)...)
			default:
				n.parts = append(n.parts, part)
			}
		}
		if o.To != "" && o.to == name {
			if at, ok := r.place(o, n, f); ok {
				n.parts = append(n.parts, modelPart{start: at, end: at, bring: o})
			}
		}
	}
	for i, a := range n.parts {
		for _, b := range n.parts[:i] {
			switch {
			case a.keeps || b.keeps:
			case a.start == a.end:
				r.refused = r.refused || b.start < a.start && a.start < b.end
			case b.start == b.end:
				r.refused = r.refused || a.start < b.start && b.start < a.end
			case a.start < b.end && b.start < a.end:
				r.refused = true
			}
		}
	}
}

// needsBase checks that the caller knows the file that is to go.
func (r *modelRun) needsBase(n *modelName, f modelFile) {
	switch {
	case n.base == "" && f.String() != "":
		r.refused = true
	case n.base != "" && n.base != f.tag():
		r.stale = true
	}
}

// line returns the line that an anchor names, 1-based.
func (r *modelRun) line(anchor string, n *modelName, f modelFile) (int, bool) {
	number, letters, _ := strings.Cut(anchor, ":")
	at, _ := strconv.Atoi(number)
	switch {
	case letters == "" && n.base == "":
		r.refused = true
		return at, false
	case letters == "" && n.base != f.tag(), at > len(f.lines), letters != "" && f.anchor(at) != anchor:
		r.stale = true
		return at, false
	}
	return at, true
}

// source returns the lines that o is about.
func (r *modelRun) source(o *modelOp, n *modelName, f modelFile) (p modelPart, ok bool) {
	p = modelPart{end: len(f.lines)}
	switch {
	case o.Anchor == "0:":
		p.end = 0
		ok = true
	case o.Anchor == "EOF":
		p.start = p.end
		ok = true
	case o.Anchor == "":
		ok = true
	default:
		if o.End != "" && lineNumber(o.End) < lineNumber(o.Anchor) {
			r.refused = true
			return p, false
		}
		var first, last int
		first, ok = r.line(o.Anchor, n, f)
		last = first
		if o.End != "" {
			var okEnd bool
			last, okEnd = r.line(o.End, n, f)
			ok = ok && okEnd
		}
		p.start, p.end = first-1, last
		if ok && n.base != f.tag() && (last-1)/16-(first-1)/16 > 1 {
			r.stale, ok = true, false // nothing proves the lines between
		}
	}
	switch o.Op {
	case "insert_after":
		if o.Anchor != "0:" && o.Anchor != "EOF" {
			p.start = p.end
		}
		p.lines = listOf(o.Content)
	case "insert_before":
		if o.Anchor != "0:" && o.Anchor != "EOF" {
			p.end = p.start
		}
		p.lines = listOf(o.Content)
	case "replace":
		p.lines = listOf(o.Content)
	case "copy":
		p.keeps = true
	}
	if strings.HasPrefix(o.Op, "insert") && len(p.lines) == 0 {
		p.lines = []string{""}
	}
	return p, ok
}

// place returns behind how many lines o's lines come.
func (r *modelRun) place(o *modelOp, n *modelName, f modelFile) (int, bool) {
	switch o.To {
	case "0:":
		return 0, true
	case "EOF":
		return len(f.lines), true
	}
	at, ok := r.line(o.To, n, f)
	if o.Place == "before" {
		at--
	}
	return at, ok
}

// search returns a part for each line of p that a search changes.
func (r *modelRun) search(o *modelOp, p modelPart, f modelFile) []modelPart {
	var parts []modelPart
	hits := 0
	for i := p.start; i < p.end; i++ {
		if count := strings.Count(f.lines[i].text, *o.Search); count > 0 {
			hits += count
			part := modelPart{start: i, end: i + 1}
			// Of a last line without an ending nothing may be left.
			if text := strings.ReplaceAll(f.lines[i].text, *o.Search, *o.Replace); text+f.lines[i].end != "" {
				part.lines = []string{text}
			}
			parts = append(parts, part)
		}
	}
	if hits == 0 || o.Expect > 0 && hits != o.Expect {
		r.stale = true
		return nil
	}
	return parts
}

func lineNumber(anchor string) int {
	number, _, _ := strings.Cut(anchor, ":")
	n, _ := strconv.Atoi(number)
	return n
}

// listOf returns content as lines.
func listOf(content any) []string {
	switch c := content.(type) {
	case string:
		var lines []string
		for _, l := range modelLines(c) {
			lines = append(lines, l.text)
		}
		return lines
	case []string:
		return c
	}
	return nil
}

// contentOfModel returns the bytes of a whole file. The endings of a list are
// those of the file that it replaces, if they are all CRLF.
func contentOfModel(content any, old *modelFile) string {
	if s, ok := content.(string); ok {
		return s
	}
	end, seen := "\r\n", false
	if old != nil {
		for _, l := range old.lines {
			if l.end == "\n" {
				end = "\n"
			}
			seen = seen || l.end != ""
		}
	}
	if !seen {
		end = "\n"
	}
	var b strings.Builder
	for _, line := range content.([]string) {
		b.WriteString(line + end)
	}
	return b.String()
}

// build makes the tree that the request asks for.
func (r *modelRun) build() *modelTree {
	after := &modelTree{files: maps.Clone(r.tree.files), dirs: maps.Clone(r.tree.dirs), fresh: r.tree.fresh}
	edited := map[string]modelFile{}
	for _, name := range r.order {
		n, f := r.names[name], r.tree.files[name]
		if len(n.makes) > 0 && n.makes[0].Op == "create" && len(n.takes) == 0 {
			f = modelFile{modelLines(contentOfModel(n.makes[0].Content, nil)), r.tree.fresh}
		}
		f.lines = r.splice(f.lines, n.parts)
		edited[name] = f
		if len(n.takes) > 0 {
			delete(after.files, name)
		}
	}
	for _, name := range r.order {
		n := r.names[name]
		switch {
		case len(n.makes) == 0 && len(n.takes) == 0, len(n.makes) > 0 && n.makes[0].Op == "create" && len(n.takes) == 0:
			after.files[name] = edited[name]
		case len(n.makes) == 0:
		case n.makes[0].Op == "rename":
			after.files[name] = edited[n.makes[0].path]
		case n.makes[0].Op == "create":
			after.files[name] = modelFile{modelLines(contentOfModel(n.makes[0].Content, nil)), r.tree.fresh}
		default:
			old, exists := r.tree.files[name]
			f := modelFile{modelLines(contentOfModel(n.makes[0].Content, &old)), r.tree.fresh}
			if exists {
				f.mode = old.mode
			}
			after.files[name] = f
		}
		if len(n.makes) > 0 {
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				after.dirs[dir] = true
			}
		}
	}
	return after
}

// splice makes the parts in the lines of a file.
func (r *modelRun) splice(old []modelLine, parts []modelPart) []modelLine {
	// endingNear returns the ending of a line that takes no line's place, where the
	// lines before it end at i.
	endingNear := func(i int) string {
		for k := i - 1; k >= 0; k-- {
			if old[k].end != "" {
				return old[k].end
			}
		}
		if i < len(old) && old[i].end != "" {
			return old[i].end
		}
		return "\n"
	}
	bare := len(old) > 0 && old[len(old)-1].end == "" // the last line has no ending
	var out []modelLine
	add := func(p modelPart) {
		for i, text := range r.newLines(p) {
			end := endingNear(p.end)
			if p.start+i < p.end && old[p.start+i].end != "" {
				end = old[p.start+i].end
			}
			out = append(out, modelLine{text, end})
		}
	}
	at := 0
	lowest := 0 // how many lines the lowest change at the end of the file writes
	for at <= len(old) {
		for _, p := range parts {
			if !p.keeps && p.start == at && p.end == at {
				if at == len(old) {
					if len(out) > 0 && out[len(out)-1].end == "" {
						out[len(out)-1].end = endingNear(at)
					}
					lowest = len(r.newLines(p))
				}
				add(p)
			}
		}
		next := at + 1
		replaced := false
		for _, p := range parts {
			if !p.keeps && p.start == at && p.end > at {
				add(p)
				next, replaced = p.end, true
				if p.end == len(old) {
					lowest = len(r.newLines(p))
				}
			}
		}
		if !replaced && at < len(old) {
			out = append(out, old[at])
		}
		at = next
	}
	if bare && lowest > 0 && out[len(out)-1].text != "" {
		out[len(out)-1].end = ""
	}
	return out
}

// newLines returns the lines that a part puts in place.
func (r *modelRun) newLines(p modelPart) []string {
	if p.bring == nil {
		return p.lines
	}
	o := p.bring
	f, n := r.tree.files[o.path], r.names[o.path]
	source, _ := r.source(o, n, f)
	var lines []string
	for _, l := range f.lines[source.start:source.end] {
		lines = append(lines, l.text)
	}
	return lines
}
