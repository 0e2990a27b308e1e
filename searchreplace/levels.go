package searchreplace

import (
	"slices"
	"strings"
)

// findLevels returns the shift between a block that indents by blanks and a file
// that indents by tabs, or the other way round: so many blanks to a tab, the same
// for every line, the block so many levels deeper than the file. Nil if the lines
// are not so.
//
// Two levels or more tell how many blanks a tab is. Of one, unitOf has to. Blanks
// after a file's tabs are alignment: they stay, and count for no level.
func findLevels(pairs []pair, step func(inFile bool) int) *shift {
	sh := &shift{kind: levels, table: map[string]string{}}
	switch {
	case all(pairs, func(p pair) bool { return onlySpaces(p.search) && tabbed(p.file) }):
		sh.tabs = true
	case all(pairs, func(p pair) bool { return tabbed(p.search) && onlySpaces(p.file) }):
	default:
		return nil
	}
	// One side as tabs and a rest of blanks, the other as a width: width = unit *
	// (tabs + depth) + rest, where depth counts levels from the tabs to the width.
	type point struct{ tabs, width int }
	var seen []point
	for _, p := range pairs {
		if was, ok := sh.table[p.search]; ok && was != p.file {
			return nil
		}
		sh.table[p.search] = p.file
		tabSide, blankSide := p.file, p.search
		if !sh.tabs {
			tabSide, blankSide = p.search, p.file
		}
		tabs := strings.Count(tabSide, "\t")
		rest := len(tabSide) - tabs
		seen = append(seen, point{tabs, len(blankSide) - rest})
	}
	for _, pt := range seen[1:] {
		if d := pt.tabs - seen[0].tabs; d != 0 {
			sh.unit = (pt.width - seen[0].width) / d
			break
		}
	}
	if sh.unit == 0 {
		sh.unit = unitOf(seen[0].tabs, seen[0].width, sh.tabs, step)
	}
	if sh.unit < 1 || sh.unit > 8 {
		return nil
	}
	for _, pt := range seen {
		if pt.width < 0 || pt.width%sh.unit != 0 || pt.width/sh.unit-pt.tabs != seen[0].width/sh.unit-seen[0].tabs {
			return nil
		}
	}
	sh.depth = seen[0].width/sh.unit - seen[0].tabs
	if !sh.tabs {
		sh.depth = -sh.depth
	}
	if sh.depth > mostLevels {
		return nil
	}
	return sh
}

// unitOf returns how many blanks a tab is where only one level is shown, as so many
// tabs and so many blanks. The file is asked first if it has the blanks. If the block
// has them, what is usual counts unless it makes another depth of the level, and what
// the block's other indentations say tells better.
func unitOf(tabs, width int, block bool, step func(inFile bool) int) int {
	unit := usualUnit(width)
	if block && width == unit*tabs {
		return unit
	}
	if n := step(!block); n > 1 && (!block || n == 2 || n == 4 || n == 8) && width%n == 0 {
		return n
	}
	return unit
}

// step returns the least difference between two indentations of a block that are
// blanks alone, those of no width aside; or how much deeper than the line before
// most lines of the file are that are deeper. 0 if there is nothing to tell.
func (r *resolver) step(w *want) func(inFile bool) int {
	return func(inFile bool) int {
		if inFile {
			return r.fileStep()
		}
		return blockStep(w)
	}
}

func blockStep(w *want) int {
	var widths []int
	for _, side := range [][]string{w.search, w.replace} {
		for _, s := range side {
			if indent := indentOf(s); !blankLine(s) && indent != "" && onlySpaces(indent) {
				widths = append(widths, len(indent))
			}
		}
	}
	slices.Sort(widths)
	step := 0
	for i := 1; i < len(widths); i++ {
		if d := widths[i] - widths[i-1]; d > 0 && (step == 0 || d < step) {
			step = d
		}
	}
	return step
}

func (r *resolver) fileStep() int {
	if r.unit == 0 {
		r.unit = -1
		var seen [9]int
		before := 0
		for _, width := range r.indents() {
			if width < 0 {
				continue
			}
			if d := width - before; d > 0 && d < len(seen) {
				if seen[d]++; r.unit < 0 || seen[d] > seen[r.unit] {
					r.unit = d
				}
			}
			before = width
		}
	}
	return max(r.unit, 0)
}

// level turns one indentation of the block into the file's manner. What the search
// shows is known; any other must be whole levels, and not become less than none.
func (sh *shift) level(old string) (indent string, ok bool) {
	if indent, ok := sh.table[old]; ok {
		return indent, true
	}
	var n int
	switch {
	case sh.tabs && onlySpaces(old) && len(old)%sh.unit == 0:
		n = len(old)/sh.unit - sh.depth
	case !sh.tabs && onlyTabs(old):
		n = len(old) - sh.depth
	default:
		return "", false
	}
	if n < 0 {
		return "", false
	}
	if sh.tabs {
		return strings.Repeat("\t", n), true
	}
	return strings.Repeat(" ", n*sh.unit), true
}

// tabbed reports whether s is tabs and then blanks.
func tabbed(s string) bool { return onlySpaces(strings.TrimLeft(s, "\t")) }
