package searchreplace

import (
	"fmt"
	"slices"
	"strings"
)

// rebased puts the replacement into a place whose lines are those of the search
// but for blanks, with the indentation of the place. There is no hit where one
// rule does not explain the indentation of all lines, or cannot be applied to
// every line that the replacement changes. Blank lines stay as they are given.
func (r *resolver) rebased(w *want, start int) fitting {
	return r.rebasedBy(w, start, func(int) bool { return true })
}

// rebasedBy is rebased, going by the lines of the search that count.
func (r *resolver) rebasedBy(w *want, start int, counts func(i int) bool) fitting {
	var pairs []pair
	for i, s := range w.search {
		if !blankLine(s) && counts(i) {
			pairs = append(pairs, pair{i, indentOf(s), string(indentOf(r.index.line(start + i)))})
		}
	}
	sh := findShift(pairs, r.step(w))
	if sh == nil {
		return fitting{why: "the lines are indented otherwise than the search, and not by one rule"}
	}
	if sh.kind != unshifted && sh.reindents(w) {
		// What was found is the search in another indentation, and so would be the
		// replacement: applied twice, the block would indent twice.
		if r.index.stands(foldNone, w.replace, start) {
			return fitting{ok: true, line: func(i int) (string, bool) { return w.replace[i], true }}
		}
		return fitting{why: "the block changes nothing but indentation, and they have neither the search's nor the replacement's"}
	}
	fit := fitting{note: sh.note(), shifted: sh.kind != unshifted, moved: sh.moved(), line: func(i int) (string, bool) {
		s := w.replace[i]
		if blankLine(s) {
			return s, true
		}
		old := indentOf(s)
		indent, ok := sh.indent(i, old)
		return indent + s[len(old):], ok
	}}
	if sh.kind == added && asDeep(w, sh.blank) {
		// Either the search alone lost its indentation, or the block is to move its lines.
		return fitting{why: "the replacement is indented as they are and the search is not; indent both as the file is"}
	}
	sh.learn(w)
	if !r.fill(&fit, w, start) {
		return fitting{why: "a line of the replacement has an indentation that the lines of the search do not explain"}
	}
	if sh.kind == firstLine && slices.Contains(w.search[1:], w.search[0]) {
		// A line of the replacement that is equal to both of them in the block is so to
		// one of them in the file.
		apart := fitting{line: fit.line}
		if !r.fill(&apart, w.firstApart(), start) || !slices.Equal(r.after(fit.edits, start, len(w.search)), r.after(apart.edits, start, len(w.search))) {
			return fitting{why: "the first line is indented otherwise than the search, which has another line like it, and the replacement does not say which of the two is which"}
		}
	}
	fit.why = sh.tooLittle(w.search)
	fit.ok = fit.why == ""
	fit.tooLittle = !fit.ok
	return fit
}

// reindents reports whether w changes nothing but indentation, and no line that is
// not changed would tell, by the same shift, that it has been done. Of levels it takes
// lines of two: one level goes with any number of blanks to a tab.
func (sh *shift) reindents(w *want) bool {
	if len(w.search) != len(w.replace) || w.same() {
		return false
	}
	kept := map[int]bool{} // levels of lines that are not changed
	for i, s := range w.search {
		if strings.Trim(s, blanks) != strings.Trim(w.replace[i], blanks) {
			return false
		}
		if s == w.replace[i] && !blankLine(s) {
			if sh.kind != levels {
				return false
			}
			indent := indentOf(s)
			kept[max(strings.Count(indent, "\t"), strings.Count(sh.table[indent], "\t"))] = true
		}
	}
	return len(kept) < 2
}

// A pair is the indentation of one line, in the search and in the file.
type pair struct {
	line         int
	search, file string
}

// A shift is a rule that turns the indentation of a block into that of the file.
type shift struct {
	kind  shiftKind
	blank string            // of added and removed
	table map[string]string // of levels: indentations that the search shows
	unit  int               // of levels, and of added once learned: blanks to a tab; 0 if there is nothing to tell it
	depth int               // levels that the block is deeper than the file, by levels
	first string            // of firstLine: what the search's first line has
	tabs  bool              // of levels: the file has the tabs
}

type shiftKind int

const (
	unshifted shiftKind = iota
	added               // the file has blank in front
	removed             // the search has blank in front
	firstLine           // only the first line differs: the file has blank
	levels              // tabs for blanks, or blanks for tabs
)

// mostLevels is how many levels of indentation a replacement may lose. A block
// that is deeper than that was not written for this place.
const mostLevels = 4

// findShift returns the rule by which all pairs differ; nil if there is none. step
// is that of the block, for findLevels.
func findShift(pairs []pair, step func(inFile bool) int) *shift {
	if len(pairs) == 0 {
		return &shift{}
	}
	p := pairs[0]
	if all(pairs, func(q pair) bool { return q.search == q.file }) {
		return &shift{}
	}
	if blank, ok := strings.CutSuffix(p.file, p.search); ok && blank != "" {
		if all(pairs, func(q pair) bool { return q.file == blank+q.search }) {
			return &shift{kind: added, blank: blank}
		}
	}
	if blank, ok := strings.CutSuffix(p.search, p.file); ok && blank != "" {
		if all(pairs, func(q pair) bool { return q.search == blank+q.file }) {
			if levelsIn(blank, pairs) > mostLevels {
				return nil
			}
			return &shift{kind: removed, blank: blank}
		}
	}
	// Where no other line is indented, the first may as well follow a rule of levels.
	told := p.search == "" || p.file == "" || !all(pairs[1:], func(q pair) bool { return q.search == "" })
	if p.line == 0 && told && all(pairs[1:], func(q pair) bool { return q.search == q.file }) &&
		(strings.HasPrefix(p.file, p.search) || strings.HasPrefix(p.search, p.file)) {
		return &shift{kind: firstLine, first: p.search, blank: p.file}
	}
	return findLevels(pairs, step)
}

func all(pairs []pair, holds func(pair) bool) bool {
	for _, p := range pairs {
		if !holds(p) {
			return false
		}
	}
	return true
}

// levelsIn returns how many levels of the block's indentation blank is: a tab is
// one; of blanks the smallest step between two lines, or what usualUnit says. A step
// of one blank is alignment, as in comments whose lines begin with " *".
func levelsIn(blank string, pairs []pair) int {
	tabs := strings.Count(blank, "\t")
	width := len(blank) - tabs
	step := 0
	for _, p := range pairs {
		if d := len(p.search) - len(pairs[0].search); max(d, -d) > 1 && (step == 0 || max(d, -d) < step) {
			step = max(d, -d)
		}
	}
	if step == 0 || tabs > 0 {
		step = max(usualUnit(width), 1)
	}
	return tabs + (width+step-1)/step
}

// usualUnit returns how many blanks are a level where a block shows only one: four,
// or two if width is no multiple of four; 0 if it is odd.
func usualUnit(width int) int {
	switch {
	case width%4 == 0:
		return 4
	case width%2 == 0:
		return 2
	}
	return 0
}

// indent returns what line i of the replacement is indented by in the file, which
// the block indents by old. ok is false if the shift does not say.
func (sh *shift) indent(i int, old string) (indent string, ok bool) {
	switch sh.kind {
	case added:
		return sh.deepen(old)
	case removed:
		return strings.CutPrefix(old, sh.blank)
	case firstLine:
		if i > 0 {
			return old, true
		}
		return sh.blank, old == sh.first
	case levels:
		return sh.level(old)
	}
	return old, true
}

// deepen puts the added blanks before old. Where the file adds tabs to lines
// without indentation, and the replacement indents by blanks, or the other way
// round, levels are turned into levels: mixed they would be no level of either.
func (sh *shift) deepen(old string) (indent string, ok bool) {
	mixed := old != "" && sh.table == nil && (onlyTabs(sh.blank) && onlySpaces(old) || onlySpaces(sh.blank) && onlyTabs(old))
	if !mixed {
		return sh.blank + old, true
	}
	if sh.unit == 0 {
		return "", false
	}
	if onlyTabs(old) {
		return sh.blank + strings.Repeat(" ", sh.unit*len(old)), true
	}
	return sh.blank + strings.Repeat("\t", len(old)/sh.unit), len(old)%sh.unit == 0
}

// learn finds out what an added shift needs of the block as a whole: whether the
// search shows indentation under the added one, which then is the file's manner,
// and if not, how many blanks are a level.
func (sh *shift) learn(w *want) {
	if sh.kind != added {
		return
	}
	for _, s := range w.search {
		if !blankLine(s) && indentOf(s) != "" {
			sh.table = map[string]string{}
			return
		}
	}
	if onlySpaces(sh.blank) {
		sh.unit = usualUnit(len(sh.blank))
		return
	}
	sh.unit = 4
	for _, s := range w.replace {
		if old := indentOf(s); !blankLine(s) && onlySpaces(old) {
			sh.unit = min(sh.unit, usualUnit(len(old)))
		}
	}
}

func onlyTabs(s string) bool   { return strings.Trim(s, "\t") == "" }
func onlySpaces(s string) bool { return strings.Trim(s, " ") == "" }

// note says in one line how the replacement is indented; "" if as it is given.
func (sh *shift) note() string {
	switch sh.kind {
	case added:
		return "the file indents these lines by " + blankName(sh.blank) + " more; so was the replacement"
	case removed:
		return "the file indents these lines by " + blankName(sh.blank) + " less; so was the replacement"
	case firstLine:
		return "the file indents the first line by " + blankName(sh.blank) + "; so was the replacement's"
	case levels:
		manner := "blanks for tabs"
		if sh.tabs {
			manner = "tabs for blanks"
		}
		if sh.depth == 0 {
			return "the file has " + manner + "; so has the replacement"
		}
		return fmt.Sprintf("the file has %s, and another depth (%+d); so has the replacement", manner, -sh.depth)
	}
	return ""
}

// blankName spells blanks and tabs.
func blankName(s string) string {
	if s == "" {
		return "nothing"
	}
	tabs := strings.Count(s, "\t")
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{tabs, "tab"}, {len(s) - tabs, "blank"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.noun)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.noun))
		}
	}
	return strings.Join(parts, " and ")
}
