package apply

import (
	"slices"
	"strconv"

	"github.com/hlkit/hlkit/searchreplace"
)

// mostLooks is how many blocks are looked for in how many files, one times the other:
// each look is one over a whole file.
const mostLooks = 10_000

// rescue looks for blocks that stand nowhere in their file in the other files of
// the request. One that stands in exactly one of them, to the byte, belongs there:
// that is said, and with Options.Rescue it is taken for that file's. rescue reports
// whether one was. Of very many blocks none is looked for.
func (j *job) rescue() bool {
	var nowhere []*Failure
	for _, list := range [][]Failure{j.failures, j.left} {
		for i := range list {
			if f := &list[i]; f.block != nil && f.Code == NoMatch {
				nowhere = append(nowhere, f)
			}
		}
	}
	if len(nowhere)*len(j.files) > mostLooks {
		return false
	}
	strict, _ := searchreplace.Preset("strict")
	moved := false
	for _, failure := range nowhere {
		var at *file
		line, places := 0, 0
		for _, f := range j.files {
			if f.doc == nil || f.path == failure.File {
				continue
			}
			res := searchreplace.Resolve(f.doc, []searchreplace.Block{*failure.block}, searchreplace.Options{Ladder: strict})
			switch {
			case len(res.Failures) > 0 && res.Failures[0].Code == searchreplace.MultipleMatches:
				places += 2
			case len(res.Failures) == 0 && len(res.Results[0].Places) > 0:
				at, line, places = f, res.Results[0].Places[0].Start+1, places+1
			}
		}
		if places != 1 {
			continue
		}
		failure.Message += "; it stands in " + quotePath(at.path) + ", line " + strconv.Itoa(line) + ": name that file, or use --rescue"
		if !j.opt.Rescue {
			continue
		}
		for _, o := range j.ops {
			if o.block != failure.block {
				continue
			}
			from := o.file
			from.lines = slices.DeleteFunc(from.lines, func(l *op) bool { return l == o })
			from.emptied = len(from.lines) == 0 && from.arrives == nil && from.leaves == nil
			o.file, o.dest, o.failed, o.rescued = at, at, false, true
			at.lines, at.emptied = append(at.lines, o), false
			moved = true
		}
	}
	return moved
}
