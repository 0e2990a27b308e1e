package main

import (
	"fmt"
	"math"
)

// A claim is something that the format promises, and what was measured of it.
type claim struct {
	says     string
	measured string
	holds    bool
}

const (
	enough = 100_000_000 // stale checks that rates per 100 million need
	inside = 0.999
)

// claims judges res by what the format promises. In a sample too small for a
// rate to show, a claim holds while its count is one that the rate would give in
// all but one of two thousand samples.
func claims(res *results, rows []row) []claim {
	var list []claim
	for r, row := range rows {
		if !row.isDefault() {
			continue
		}
		c := &res.shifted[r]
		list = append(list, claim{
			row.name + ": different text is accepted at most twice in 100 million stale checks",
			counted(c.accepted[differs], c.checked[differs]),
			c.accepted[differs] <= most(2e-8, c.checked[differs]),
		})
		stale, _ := c.stale()
		if row.name == chunkName {
			list = append(list, claim{
				row.name + ": equal text, another line, window differs: at most 0.15 per million stale checks",
				counted(c.accepted[other], stale),
				c.accepted[other] <= most(0.15e-6, stale),
			})
		} else {
			limit := int64(0)
			if stale < enough {
				limit = most(1e-8, stale)
			}
			list = append(list, claim{
				row.name + ": equal text, another line, window differs: none in 100 million stale checks",
				counted(c.accepted[other], stale),
				c.accepted[other] <= limit,
			})
		}
	}
	list = append(list, pairClaims(res, rows)...)
	return append(list, recoveryClaims(res, rows)...)
}

func counted(n, of int64) string { return fmt.Sprintf("%s of %s", group(n), group(of)) }

// most returns the largest count out of n that agrees with a rate.
func most(rate float64, n int64) int64 {
	mean := rate * float64(n)
	if n >= enough {
		return int64(mean)
	}
	_, high := poissonInterval(mean, inside)
	return high
}

// pairClaims judges the rows whose code is checked against a changed chunk
// alone: the letters of the line are equal.
func pairClaims(res *results, rows []row) []claim {
	var list []claim
	p := &res.pairs
	for bit, r := range p.rows {
		rate := pairRate(&rows[r])
		low, high := poissonInterval(rate*float64(p.pairs), inside)
		list = append(list, claim{
			fmt.Sprintf("%s: the very line, its chunk changed: %.3g per million distinct pairs, in the %.1f %% Poisson interval", rows[r].name, rate*1e6, inside*100),
			fmt.Sprintf("%s; interval %d to %d", counted(p.accepted[bit], p.pairs), low, high),
			p.accepted[bit] >= low && p.accepted[bit] <= high,
		})
	}
	return list
}

// pairRate is how often the letters that depend on the chunk must collide.
func pairRate(r *row) float64 {
	letters := r.format.ChunkLetters
	if letters == 0 {
		letters = r.format.SealLetters
	}
	return math.Pow(26, -float64(letters))
}

// recoveryClaims judges recovery after one insert, delete or rewrite.
func recoveryClaims(res *results, rows []row) []claim {
	var list []claim
	for r, row := range rows {
		if !row.isDefault() {
			continue
		}
		every := everyKind(res.kinds[r])
		c := oneChange(res.kinds[r])
		all, whole := c.moved(), c.whole
		list = append(list,
			claim{row.name + ": where line and window stand, none is refused",
				counted(every.checked[stands]-every.accepted[stands], every.checked[stands]), every.checked[stands] == every.accepted[stands]},
			claim{row.name + ": after one change, of all moved lines at least 94.5 % are found",
				rated(all.right, all.all), atLeast(0.945, all.right, all.all)},
			claim{row.name + ": after one change, of all moved lines at most 0.01 % are named wrongly",
				rated(all.wrong, all.all), all.wrong <= mostTogether(0.0001, all.all)},
			claim{row.name + ": where the change does not cut the chunk, at least 98 % are found",
				rated(whole.right, whole.all), atLeast(0.98, whole.right, whole.all)},
			claim{row.name + ": where it does not, none is named wrongly (by construction: the line itself fits)",
				counted(whole.wrong, whole.all), whole.wrong == 0})
	}
	return list
}

// settled is how many moved lines there must be for their rates to be those of the
// corpus, and not those of some files.
const settled = 500_000

// atLeast reports whether the part n of all is at least as large as least, or, in
// a sample, at most two points less.
func atLeast(least float64, n, all int64) bool {
	if all < settled {
		least -= 0.02
	}
	return part(n, all) >= least
}

// mostTogether is most for what befalls the lines of a chunk together.
func mostTogether(rate float64, n int64) int64 {
	if n >= settled {
		return int64(rate * float64(n))
	}
	return pairLines * most(rate, n/pairLines)
}

func rated(n, of int64) string {
	return fmt.Sprintf("%.4f %% (%s)", 100*part(n, of), counted(n, of))
}

// oneChange adds up the kinds that are ONE insert, delete or rewrite.
func oneChange(byKind []counts) *counts {
	sum := &counts{}
	for k, kind := range kinds() {
		if kind.one {
			sum.add(&byKind[k])
		}
	}
	return sum
}

// everyKind adds up all kinds.
func everyKind(byKind []counts) *counts {
	sum := &counts{}
	for k := range byKind {
		sum.add(&byKind[k])
	}
	return sum
}

// ofKind returns the counts of the kind with that name.
func ofKind(byKind []counts, name string) *counts {
	for k, kind := range kinds() {
		if kind.name == name {
			return &byKind[k]
		}
	}
	return &counts{}
}
