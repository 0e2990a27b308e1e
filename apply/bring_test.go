package apply

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/htmlindex"
)

// Moves and copies within a file, as byteOps has the other edits. {t} is what ends
// a line that comes behind the last one, if it is not the last itself.
var bringOps = []struct {
	name, edit, want string
}{
	{"move down one", `{"op":"move","anchor":"«2»","to":"«3»"}`, "{1}{3}{l2}{e3}{4}"},
	{"move up before the first", `{"op":"move","anchor":"«3»","to":"«1»","place":"before"}`, "{l3}{n1}{1}{2}{4}"},
	{"move to the top", `{"op":"move","anchor":"«3»","to":"0:"}`, "{l3}{n1}{1}{2}{4}"},
	{"move to the bottom", `{"op":"move","anchor":"«2»","to":"EOF"}`, "{1}{3}{t4}{l2}{e4}"},
	{"move behind the last", `{"op":"move","anchor":"«2»","to":"«4»"}`, "{1}{3}{t4}{l2}{e4}"},
	{"move before the last", `{"op":"move","anchor":"«1»","to":"«4»","place":"before"}`, "{2}{3}{l1}{e3}{4}"},
	{"move the last to the top", `{"op":"move","anchor":"«4»","to":"0:"}`, "{l4}{n1}{1}{2}{3}"},
	{"move the last up", `{"op":"move","anchor":"«4»","to":"«1»"}`, "{1}{l4}{e1}{2}{3}"},
	{"move two down", `{"op":"move","anchor":"«1»","end_anchor":"«2»","to":"«3»"}`, "{3}{l1}{e3}{l2}{e3}{4}"},
	{"move three to the bottom", `{"op":"move","anchor":"«1»","end_anchor":"«3»","to":"EOF"}`, "{t4}{l1}{t}{l2}{t}{l3}{e4}"},
	{"move to where they are", `{"op":"move","anchor":"«2»","end_anchor":"«3»","to":"«1»"}`, "{1}{l2}{e1}{l3}{e1}{4}"},
	{"copy below", `{"op":"copy","anchor":"«2»","to":"«2»"}`, "{1}{2}{l2}{e2}{3}{4}"},
	{"copy the last to the top", `{"op":"copy","anchor":"«4»","to":"0:"}`, "{l4}{n1}{1}{2}{3}{4}"},
	{"copy all to the bottom", `{"op":"copy","anchor":"«1»","end_anchor":"«4»","to":"EOF"}`, "{1}{2}{3}{t4}{l1}{t}{l2}{t}{l3}{t}{l4}{e4}"},
	{"copy a line that is replaced", `{"op":"copy","anchor":"«2»","to":"«3»"},{"op":"replace","anchor":"«2»","content":"X"}`, "{1}X{e2}{3}{l2}{e3}{4}"},
	{"copy one into itself", `{"op":"copy","anchor":"«1»","end_anchor":"«4»","to":"«2»"}`, "{1}{2}{l1}{e2}{l2}{e2}{l3}{e2}{l4}{e2}{3}{4}"},
	{"swap", `{"op":"move","anchor":"«2»","to":"«3»"},{"op":"move","anchor":"«3»","to":"«1»"}`, "{1}{l3}{e1}{l2}{e3}{4}"},
}

// fillBring is fill for the patterns of bringOps.
func (f *byteFile) fillBring(pattern string) string {
	tail := f.endings[3]
	if tail == "" {
		tail = f.endings[2]
	}
	pairs := []string{"{t}", tail}
	for i, l := range f.lines {
		pairs = append(pairs, fmt.Sprintf("{l%d}", i+1), l)
	}
	return f.fill(strings.NewReplacer(pairs...).Replace(pattern))
}

func TestMovedAndCopiedLinesKeepTheirBytesAndTakeTheEndingsOfTheirPlace(t *testing.T) {
	for _, f := range byteFiles {
		for _, op := range bringOps {
			t.Run(f.name+"/"+op.name, func(t *testing.T) {
				dir, name := tempFile(t, f.build(f.fill("{1}{2}{3}{4}")))
				s := look(t, dir, name, ReadOptions{Windows: allLines, Encoding: f.encoding})
				edit := op.edit
				for i, a := range s.anchors {
					edit = strings.ReplaceAll(edit, fmt.Sprintf("«%d»", i+1), a)
				}
				opt := quick
				opt.Encoding = f.encoding
				a := ask(t, dir, "", `{"path":"f.txt","edits":[`+edit+`]}`, opt)
				if f.name == "lone CR" && (strings.Contains(op.want, "{t4}") || strings.Contains(op.want, "{l4}")) {
					// The ending would take in the last line's carriage return.
					require.Equal(t, []Code{InvalidInput}, codes(a), textOf(a))
					return
				}
				require.Equal(t, 0, a.Status.Exit(), textOf(a))
				require.Equal(t, f.build(f.fillBring(op.want)), readFile(t, filepath.Join(dir, name)))
			})
		}
	}
}

// brought returns a line of f as dest is to have it; not if that is to be refused.
func (f *byteFile) brought(line string, dest *byteFile) (string, bool) {
	all := func(f *byteFile) string { return strings.Join(f.lines[:], "\n") }
	ascii := func(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 }
	kind := func(f *byteFile) string {
		if f.encode != nil {
			return "UTF-16"
		}
		return f.encoding
	}
	switch {
	case ascii(line):
		return line, true
	case kind(f) == kind(dest) && kind(f) != "":
		return line, true
	case kind(f) == kind(dest) && utf8.ValidString(line):
		return line, !utf8.ValidString(all(f)) || utf8.ValidString(all(dest))
	case kind(f) == kind(dest):
		return line, !utf8.ValidString(all(dest)) || ascii(all(dest))
	}
	if f.encoding != "" {
		enc, err := htmlindex.Get(f.encoding)
		if err != nil {
			panic(err)
		}
		s, err := enc.NewDecoder().String(line)
		if err != nil {
			panic(err)
		}
		line = s
	}
	if !utf8.ValidString(line) || strings.ContainsRune(line, utf8.RuneError) {
		return "", false
	}
	if dest.encoding == "" {
		return line, dest.encode != nil || utf8.ValidString(all(dest))
	}
	enc, err := htmlindex.Get(dest.encoding)
	if err != nil {
		panic(err)
	}
	s, err := enc.NewEncoder().String(line)
	return s, err == nil
}

var everyWay = flag.Bool("every", false, "bring lines in every way between every two kinds of file")

func TestLinesAreBroughtFromEveryKindOfFileIntoEveryKind(t *testing.T) {
	ways := []struct {
		op       string
		line     int // the first of two
		to, want string
	}{
		{"move", 2, "«1»", "Z{n1}{1}{x}{e1}{y}{e1}{2}{3}{4}"},
		{"copy", 1, "0:", "Z{n1}{x}{n1}{y}{n1}{1}{2}{3}{4}"},
		{"move", 3, "EOF", "Z{n1}{1}{2}{3}{t4}{x}{t}{y}{e4}"},
	}
	for i, from := range byteFiles {
		for k, to := range byteFiles {
			for n, way := range ways {
				if !*everyWay && (i+k)%len(ways) != n {
					continue
				}
				t.Run(from.name+"/"+to.name+"/"+way.op+" to "+way.to, func(t *testing.T) {
					before := map[string]string{"from": from.build(from.fill("{1}{2}{3}{4}")), "to": to.build(to.fill("{1}{2}{3}{4}"))}
					dir := tempTree(t, before)
					s := look(t, dir, "from", ReadOptions{Windows: allLines, Encoding: from.encoding})
					d := look(t, dir, "to", ReadOptions{Windows: allLines, Encoding: to.encoding})
					place := strings.ReplaceAll(way.to, "«1»", d.at(1))
					files := []map[string]any{
						{"path": "to", "edits": map[string]any{"op": "insert_before", "anchor": "0:", "content": "Z"}},
						{"path": "from", "edits": map[string]any{"op": way.op, "anchor": s.at(way.line), "end_anchor": s.at(way.line + 1), "to": place, "to_path": "to"}},
					}
					for i, f := range []byteFile{to, from} {
						if f.encoding != "" {
							files[i]["encoding"] = f.encoding
						}
					}
					a := ask(t, dir, "", quote(map[string]any{"files": files}), quick)
					x, ok1 := from.brought(from.lines[way.line-1], &to)
					y, ok2 := from.brought(from.lines[way.line], &to)
					want := strings.NewReplacer("{x}", x, "{y}", y).Replace(way.want)
					// An ending would take in a carriage return at the end of the line.
					returns := way.to == "EOF" && (from.name == "lone CR" && to.endings[3] == "\n" || to.name == "lone CR")
					if !ok1 || !ok2 || returns {
						require.Equal(t, Refused, a.Status, textOf(a))
						require.Equal(t, before, contents(t, dir))
						return
					}
					require.Equal(t, Applied, a.Status, textOf(a))
					after := map[string]string{"from": before["from"], "to": to.build(to.fillBring(want))}
					if way.op == "move" {
						rest := ""
						for i := range 4 {
							if i+1 != way.line && i != way.line {
								rest += fmt.Sprintf("{%d}", i+1)
							}
						}
						after["from"] = from.build(from.fill(rest))
					}
					require.Equal(t, after, contents(t, dir))
				})
			}
		}
	}
}
