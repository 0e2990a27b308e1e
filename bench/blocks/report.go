package main

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A report prints the tables, in Markdown. It keeps the first error of its
// writer.
type report struct {
	w   io.Writer
	err error
}

func (p *report) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *report) table(head ...string) {
	p.row(head...)
	p.printf("|---|%s\n", strings.Repeat("---:|", len(head)-1))
}

func (p *report) row(cells ...string) { p.printf("| %s |\n", strings.Join(cells, " | ")) }

// group prints n with commas.
func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func percent(n, of int64, digits int) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', digits, 64)
}

// body prints what was found.
func (p *report) body(res *results) {
	p.printf("## What is promised\n\n")
	p.claimTable(claims(res))
	p.printf("\n## What was set apart\n\n")
	p.apartTable(res)
	for i, name := range res.presets {
		p.printf("\n## %s: the target is there\n\n", name)
		p.thereTable(res, i)
		p.printf("\n## %s: the target has changed\n\n", name)
		p.staleTable(res, i, changed)
		p.printf("\n## %s: the target is gone\n\n", name)
		p.staleTable(res, i, gone)
	}
}

func (p *report) claimTable(list []claim) {
	p.printf("| bound | measured | holds |\n|---|---|---|\n")
	for _, c := range list {
		holds := "yes"
		if !c.holds {
			holds = "**no**"
		}
		p.row(c.says, c.measured, holds)
	}
}

// apartTable prints how many blocks were judged, and how many were not, for the first
// preset.
func (p *report) apartTable(res *results) {
	p.table(res.presets[0]+", target", "blocks", "ambiguous", "of these refused", "apart", "of these wrong", "unit unknown", "of these wrong", "left", "of these wrong")
	for st := range states {
		c := res.sum(func(k *key) bool { return k.preset == 0 && k.state == st })
		cells := []string{stateNames[st], group(c.all())}
		for _, n := range []int64{c.ambiguous.all, c.ambiguous.refused, c.apart.all, c.apart.wrong, c.unitless.all, c.unitless.wrong, c.plain.all, c.plain.wrong} {
			cells = append(cells, group(n))
		}
		p.row(cells...)
	}
}

// lengthNames are the heads of the lengths.
func lengthNames() []string {
	var list []string
	for _, l := range lengths {
		if l.first == l.last {
			list = append(list, strconv.Itoa(l.first))
		} else {
			list = append(list, fmt.Sprintf("%d-%d", l.first, l.last))
		}
	}
	return list
}

// byLength returns the counts of a damage for each length.
func (r *results) byLength(preset, damage int, st state) []*counts {
	list := make([]*counts, len(lengths))
	for l := range list {
		list[l] = r.sum(func(k *key) bool {
			return k.preset == preset && k.damage == damage && k.state == st && lengthOf(k.lines) == l
		})
	}
	return list
}

func total(list []*counts) *counts {
	sum := &counts{}
	for _, c := range list {
		sum.add(c)
	}
	return sum
}

func (p *report) thereTable(res *results, preset int) {
	head := []string{"damage", "blocks", "ambiguous", "of these refused", "apart", "of these wrong", "unit unknown", "of these solved", "refused", "wrong", "left"}
	for _, n := range lengthNames() {
		head = append(head, "solved, % of "+n)
	}
	p.table(append(head, "refused", "of these shown with their place", "unchanged", "wrong")...)
	for d, dm := range res.damages {
		list := res.byLength(preset, d, there)
		c := total(list)
		if c.all() == 0 {
			continue
		}
		cells := []string{dm.name, group(c.all()),
			group(c.ambiguous.all), group(c.ambiguous.refused), group(c.apart.all), group(c.apart.wrong),
			group(c.unitless.all), group(c.unitless.solved), group(c.unitless.refused), group(c.unitless.wrong), group(c.plain.all)}
		for _, l := range list {
			cells = append(cells, percent(l.plain.solved, l.plain.all, 2))
		}
		p.row(append(cells, group(c.plain.refused), group(c.plain.shown), group(c.plain.unchanged), group(c.plain.wrong))...)
	}
}

func (p *report) staleTable(res *results, preset int, st state) {
	head := []string{"damage", "blocks", "apart", "of these wrong", "unit unknown", "of these wrong", "left"}
	for _, n := range lengthNames() {
		head = append(head, "wrong, % of "+n)
	}
	p.table(append(head, "wrong", "merged", "unchanged", "refused")...)
	for d, dm := range res.damages {
		list := res.byLength(preset, d, st)
		c := total(list)
		if c.all() == 0 {
			continue
		}
		cells := []string{dm.name, group(c.all()), group(c.apart.all), group(c.apart.wrong), group(c.unitless.all), group(c.unitless.wrong), group(c.plain.all)}
		for _, l := range list {
			cells = append(cells, percent(l.plain.wrong, l.plain.all, 3))
		}
		p.row(append(cells, group(c.plain.wrong), group(c.plain.merged), group(c.plain.unchanged), group(c.plain.refused))...)
	}
}

// opening says what was measured, and how.
func (p *report) opening(c *corpus, res *results, set settings) {
	fill := res.extremesByKind()
	flags := ""
	if c.name != allModules {
		flags = " -corpus " + string(c.name)
	}
	p.printf(openingText, flags, time.Now().UTC().Format(time.DateOnly), runtime.Version(), group(int64(len(c.pairs))), group(int64(c.lines)), group(int64(c.hunks)), set.seed, res.rounds, group(int64(set.quota)), set.thin)
	if len(fill) > 0 {
		p.printf("Of these kinds there were fewer: %s.\n\n", strings.Join(fill, "; "))
	}
	one := res.sum(func(k *key) bool { return k.preset == 0 && k.lines <= 2 }).all()
	all := res.sum(func(k *key) bool { return k.preset == 0 }).all()
	p.printf("Of the %s blocks given to %s, %s %% have one or two lines. Before damage\nthey are %s different ones: damage is drawn anew for each.\n\n", group(all), res.presets[0], percent(one, all, 1), group(int64(len(res.drawn))))
	p.printf(termsText)
}

// extremesByKind lists the kinds whose quota was not filled.
func (r *results) extremesByKind() []string {
	var list []string
	for d, n := range r.filled() {
		for st := range states {
			if n[st] < int64(r.quota) && (st == there || !r.damages[d].there) {
				list = append(list, fmt.Sprintf("%s, %s (%s)", r.damages[d].name, stateNames[st], group(n[st])))
			}
		}
	}
	return list
}
