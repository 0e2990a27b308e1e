package main

import (
	"fmt"
	"io"
)

type report struct {
	w   io.Writer
	err error
}

func (p *report) opening(c *corpus, res *results, set settings) {}
func (p *report) body(res *results) {
	for d, dm := range res.damages {
		for st := range states {
			for l := range lengths {
				c := res.sum(func(k *key) bool { return k.preset == 0 && k.damage == d && k.state == st && lengthOf(k.lines) == l })
				if c.all() == 0 {
					continue
				}
				p.printf("%-40s %-8s %2d+ plain %6d solved %6.2f%% merged %d refused %d (shown %d mis %d) unch %d WRONG %d (%.3f%%) | amb %d not refused %d | apart %d wrong %d\n", dm.name, stateNames[st], lengths[l].first, c.plain.all, 100*float64(c.plain.solved)/float64(max(1, c.plain.all)), c.plain.merged, c.plain.refused, c.plain.shown, c.plain.misshown, c.plain.unchanged, c.plain.wrong, 100*float64(c.plain.wrong)/float64(max(1, c.plain.all)), c.ambiguous.all, c.ambiguous.solved+c.ambiguous.wrong, c.apart.all, c.apart.wrong)
			}
		}
	}
}

func (p *report) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
