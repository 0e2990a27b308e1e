package searchreplace

import "strings"

// findLevels returns the shift between a block that indents by blanks and a file
// that indents by tabs, or the other way round: so many blanks to a tab, the same
// for every line, the block so many levels deeper than the file. Nil if the lines
// are not so.
//
// Two levels or more tell how many blanks a tab is. Of one, usualUnit has to.
// Blanks after a file's tabs are alignment: they stay, and count for no level.
func findLevels(pairs []pair) *shift {
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
		sh.unit = usualUnit(seen[0].width)
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
