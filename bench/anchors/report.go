package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
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
	return strconv.FormatFloat(100*part(n, of), 'f', digits, 64)
}

func perMillion(n, of int64) string {
	rate := 1e6 * part(n, of)
	if rate >= 100 {
		return strconv.FormatFloat(rate, 'f', 0, 64)
	}
	return strconv.FormatFloat(rate, 'g', 3, 64)
}

// staleTable is about anchors checked at their old number.
func (p *report) staleTable(rows []row, by func(r int) *counts) {
	p.table("scheme", "checks, M", "stale, M", "accepted, different text", "accepted, equal text, window differs", "the same, per M stale", "twins, per M stale", "refused, all stands", "past the end")
	for r, row := range rows {
		c := by(r)
		stale, _ := c.stale()
		checks := stale + c.checked[very] + c.checked[stands]
		p.row(row.name,
			millions(checks), millions(stale),
			fmt.Sprintf("%s of %sM", group(c.accepted[differs]), millions(c.checked[differs])),
			counted(c.accepted[other], c.checked[other]),
			perMillion(c.accepted[other], stale),
			perMillion(c.checked[twin], stale),
			counted(c.checked[stands]-c.accepted[stands], c.checked[stands]),
			group(c.past))
	}
}

func millions(n int64) string { return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) }

// judgeTable is about staleness as a judgement, and survival.
func (p *report) judgeTable(res *results, rows []row) {
	p.table("scheme", "precision, one change, %", "recall, one change, %", "precision, all kinds, %", "recall, all kinds, %", "the very line, window changed: accepted", "the chain: lines alive, %", "anchors that fit, %", "fit or found, %")
	for r, row := range rows {
		one, all := oneChange(res.kinds[r]), everyKind(res.kinds[r])
		chain := ofKind(res.kinds[r], chainName)
		p.row(row.name,
			fmt.Sprintf("%.2f", 100*one.precision()), fmt.Sprintf("%.4f", 100*one.recall()),
			fmt.Sprintf("%.2f", 100*all.precision()), fmt.Sprintf("%.4f", 100*all.recall()),
			counted(all.accepted[very], all.checked[very]),
			percent(chain.alive, chain.drawn, 1), percent(chain.inPlace, chain.drawn, 1),
			fmt.Sprintf("%.1f", 100*chain.survived()))
	}
}

func (p *report) pairTable(res *results, rows []row) {
	p.table("scheme", "distinct pairs", "accepted", "per million", "by construction", "99.9 % interval of the count")
	pairs := &res.pairs
	for bit, r := range pairs.rows {
		rate := pairRate(&rows[r])
		low, high := poissonInterval(rate*float64(pairs.pairs), inside)
		p.row(rows[r].name, group(pairs.pairs), group(pairs.accepted[bit]), perMillion(pairs.accepted[bit], pairs.pairs),
			fmt.Sprintf("%.3g", rate*1e6), fmt.Sprintf("%d to %d", low, high))
	}
}

// recoveryTable is about lines that moved, one row for each of names.
func (p *report) recoveryTable(first string, names []string, by func(i int) *counts) {
	p.table(first, "moved lines", "right, %", "wrong, %", "ambiguous, %", "none, %", "accepted where they were, %", "not cut", "not cut: right, %", "not cut: ambiguous, %", "not cut: wrong")
	for i, name := range names {
		c := by(i)
		all, whole := c.moved(), c.whole
		p.row(name, group(all.all),
			percent(all.right, all.all, 2), percent(all.wrong, all.all, 4), percent(all.ambiguous, all.all, 2), percent(all.none, all.all, 2), percent(all.taken, all.all, 4),
			group(whole.all), percent(whole.right, whole.all, 2), percent(whole.ambiguous, whole.all, 2), group(whole.wrong))
	}
}

// relocateTable is about every refused anchor, whatever became of its line.
func (p *report) relocateTable(first string, names []string, by func(i int) *counts) {
	p.table(first, "followed", "to a wrong line", "per M followed", "of these to an equal line in an equal window", "the line had moved", "had stayed", "was deleted or edited")
	for i, name := range names {
		c := by(i)
		right, wrong, equal := c.relocated()
		moved := c.moved()
		p.row(name, group(right+wrong), group(wrong), perMillion(wrong, right+wrong), group(equal),
			group(moved.wrong), group(c.stayed.wrong), group(c.gone.wrong))
	}
}

func (p *report) costTable(rows []row, list []cost, plain float64, hashingNs int64) {
	p.table("scheme", "lines read per check", "ns to check one anchor", "ns a line to make all", "tokens a line", "of the plain text, %")
	for r, row := range rows {
		c := &list[r]
		p.row(row.name, fmt.Sprintf("%.1f", c.linesRead), group(c.one.Nanoseconds()), group(c.perLine.Nanoseconds()),
			fmt.Sprintf("%.2f", c.tokens), fmt.Sprintf("+%.0f", 100*c.tokens/plain))
	}
	p.printf("\nThe text alone: %.2f tokens a line; to find each line's end and hash it once: %d ns.\n", plain, hashingNs)
}

func (p *report) claimTable(list []claim) {
	p.printf("| claim | measured | holds |\n|---|---|---|\n")
	for _, c := range list {
		holds := "yes"
		if !c.holds {
			holds = "**no**"
		}
		p.row(c.says, c.measured, holds)
	}
}
