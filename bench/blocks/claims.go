package main

import (
	"fmt"
	"math"
	"strings"
)

// A claim is a bound, and what was measured of it.
type claim struct {
	says     string
	measured string
	holds    bool
}

const (
	enough       = 1000 // stale blocks of a damage and length that a rate needs
	enoughSample = 100  // … in a run of less than fullRun

	// settled is how many blocks there must be for a rate to be that of the corpus,
	// and not that of some files.
	settled = 20_000

	// fullRun is the quota of a run whose rates are what they are.
	fullRun = 100_000
)

// claims judges res by the bounds of the promise.
func claims(res *results) []claim {
	var list []claim
	for i, name := range res.presets {
		switch name {
		case "default":
			list = append(list, wrongClaims(res, i)...)
			list = append(list, solvedClaims(res, i)...)
			list = append(list, refusedClaims(res, i)...)
		case "strict":
			for st := range states {
				c := res.sum(func(k *key) bool { return k.preset == i && k.state == st })
				list = append(list, claim{
					fmt.Sprintf("strict, target %s: 0 wrong", stateNames[st]),
					counted(c.plain.wrong, c.plain.all), c.plain.wrong == 0,
				})
			}
		}
	}
	return list
}

func counted(n, of int64) string { return fmt.Sprintf("%s of %s", group(n), group(of)) }

func rated(n, of int64) string {
	return fmt.Sprintf("%s %% (%s)", percent(n, of, 3), counted(n, of))
}

// unlikely is how seldom chance alone may make a count for it to be held against a
// bound, where there are too few blocks for a rate.
const unlikely = 0.01

// atMost reports whether n of all agrees with a rate: it is no higher, or, of fewer
// than settled, as many would come by chance at that rate (Poisson).
func atMost(rate float64, n, all int64) bool {
	mean := rate * float64(all)
	if all >= settled || float64(n) <= mean {
		return float64(n) <= mean
	}
	fewer, term := 0.0, math.Exp(-mean)
	for k := range n {
		fewer += term
		term *= mean / float64(k+1)
	}
	return 1-fewer >= unlikely
}

func atLeast(rate float64, n, all int64) bool { return atMost(1-rate, all-n, all) }

func wrongClaims(res *results, preset int) []claim {
	c := res.sum(func(k *key) bool { return k.preset == preset && k.state == there })
	least := int64(enough)
	if res.quota < fullRun {
		least = enoughSample
	}
	list := []claim{{"default, target there: 0 wrong", counted(c.plain.wrong, c.plain.all), c.plain.wrong == 0}}
	for _, st := range []state{changed, gone} {
		worst, where, over, holds := 0.0, "", []string(nil), true
		for d := range res.damages {
			for l, c := range res.byLength(preset, d, st) {
				if c.plain.all < least {
					continue
				}
				rate := float64(c.plain.wrong) / float64(c.plain.all)
				cell := fmt.Sprintf("%s, length %s: %s", res.damages[d].name, lengthNames()[l], rated(c.plain.wrong, c.plain.all))
				if rate > worst {
					worst, where = rate, cell
				}
				limit := 0.003
				if res.damages[d].name == "indentation removed" && l == 2 {
					limit = 0.006
				}
				holds = holds && atMost(limit, c.plain.wrong, c.plain.all)
				if rate > limit {
					over = append(over, cell)
				}
			}
		}
		measured := "the worst is " + where
		if worst == 0 {
			measured = "none"
		}
		if len(over) > 0 {
			measured = "over it: " + strings.Join(over, "; ")
			holds = holds && res.quota < fullRun
		}
		list = append(list, claim{
			fmt.Sprintf("default, target %s: at most 0.3 %% wrong of every damage at every length with %s blocks or more", stateNames[st], group(least)),
			measured, holds,
		})
		c := res.sum(func(k *key) bool {
			return k.preset == preset && k.state == st && k.outdent && res.damages[k.damage].name == "indentation removed" && lengthOf(k.lines) == 2
		})
		list = append(list, claim{
			fmt.Sprintf("default, target %s: at most 0.6 %% of wholly outdented blocks of 3 to 5 lines", stateNames[st]),
			rated(c.plain.wrong, c.plain.all), atMost(0.006, c.plain.wrong, c.plain.all),
		})
	}
	return list
}

// solvedClaims judges how much is solved.
func solvedClaims(res *results, preset int) []claim {
	var list []claim
	for _, b := range []struct {
		says string
		rate float64
		fits func(name string, k *key) bool
	}{
		{"trailing blanks", 0.999, func(n string, k *key) bool { return n == "trailing blanks" }},
		{"CRLF", 0.999, func(n string, k *key) bool { return n == "CRLF" }},
		{reordered, 0.999, func(n string, k *key) bool { return n == reordered }},
		{"blank edges at both ends, of both sides, two lines and more that are not blank", 0.97, func(n string, k *key) bool { return n == bothEdges && k.full >= 2 }},
		{"blank edges at both ends, of both sides, three lines and more that are not blank", 0.99, func(n string, k *key) bool { return n == bothEdges && k.full >= 3 }},
		{"blank edges at both ends, of both sides, two lines and more, blank ones counted", 0.97, func(n string, k *key) bool { return n == bothEdges && k.lines >= 2 }},
		{"blank edges at both ends, of both sides, three lines and more, blank ones counted", 0.99, func(n string, k *key) bool { return n == bothEdges && k.lines >= 3 }},
		{"blank edges of every kind, two lines and more that are not blank", 0.97, func(n string, k *key) bool { return strings.HasPrefix(n, "blank edge") && k.full >= 2 }},
		{"blank edges of every kind, three lines and more that are not blank", 0.99, func(n string, k *key) bool { return strings.HasPrefix(n, "blank edge") && k.full >= 3 }},
		{"first line only, three lines and more", 0.985, func(n string, k *key) bool { return n == "first line only" && k.lines >= 3 }},
		{"tabs as 4 blanks, 1 line", 0.95, func(n string, k *key) bool { return n == "tabs as 4 blanks" && k.lines == 1 }},
		{"tabs as 4 blanks, 2 lines", 0.97, func(n string, k *key) bool { return n == "tabs as 4 blanks" && k.lines == 2 }},
		{"tabs as 4 blanks, 3 lines and more", 0.99, func(n string, k *key) bool { return n == "tabs as 4 blanks" && k.lines >= 3 }},
		{"tabs as 2 or 8 blanks, unit known, 1 line", 0.95, func(n string, k *key) bool { return n == "tabs as 2 or 8 blanks" && k.lines == 1 }},
		{"tabs as 2 or 8 blanks, unit known, 2 lines", 0.97, func(n string, k *key) bool { return n == "tabs as 2 or 8 blanks" && k.lines == 2 }},
		{"tabs as 2 or 8 blanks, unit known, 3 lines and more", 0.99, func(n string, k *key) bool { return n == "tabs as 2 or 8 blanks" && k.lines >= 3 }},
		{"blanks as tabs, 1 line", 0.95, func(n string, k *key) bool { return n == "blanks as tabs" && k.lines == 1 }},
		{"blanks as tabs, 2 lines", 0.97, func(n string, k *key) bool { return n == "blanks as tabs" && k.lines == 2 }},
		{"blanks as tabs, 3 lines and more", 0.99, func(n string, k *key) bool { return n == "blanks as tabs" && k.lines >= 3 }},
		{"a shift of depth, six lines and more that are not blank", 0.99, func(n string, k *key) bool { return res.damages[k.damage].shift && k.full >= 6 }},
		{"wholly outdented, 3 to 5 lines", 0.75, func(n string, k *key) bool { return n == "indentation removed" && k.outdent && lengthOf(k.lines) == 2 }},
		{"wholly outdented, six lines and more", 0.99, func(n string, k *key) bool { return n == "indentation removed" && k.outdent && k.lines >= 6 }},
	} {
		c := res.sum(func(k *key) bool {
			return k.preset == preset && k.state == there && b.fits(res.damages[k.damage].name, k)
		})
		if c.plain.all == 0 {
			continue
		}
		list = append(list, claim{
			fmt.Sprintf("default, solved of %s: at least %g %%", b.says, 100*b.rate),
			rated(c.plain.solved, c.plain.all), atLeast(b.rate, c.plain.solved, c.plain.all),
		})
	}
	return list
}

const bothEdges = "blank edges at both ends, of both sides"

// refusedClaims judges what must be refused, and how.
func refusedClaims(res *results, preset int) []claim {
	c := res.sum(func(k *key) bool { return k.preset == preset && k.state == there })
	short := res.sum(func(k *key) bool { return k.preset == preset && k.state == there && res.damages[k.damage].shift })
	return []claim{
		{"default: every ambiguous block is refused", counted(c.ambiguous.refused, c.ambiguous.all) + " refused", c.ambiguous.refused == c.ambiguous.all},
		{"default: every block refused for too little evidence is shown with its place, and sent so is right",
			fmt.Sprintf("%s shown, %s of them right", group(c.plain.shown+c.plain.misshown), group(c.plain.shown)), c.plain.misshown == 0},
		{"default: of shifts of depth that are refused, those shown so (the rest could not be re-based)",
			counted(short.plain.shown, short.plain.refused), true},
	}
}
