package main

import (
	"math/rand/v2"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// A worker measures the blocks of one file in one round.
type worker struct {
	rng     *rand.Rand
	set     *settings
	ladders []searchreplace.Ladder
	damages []damage
	open    [][states]bool
	told    *teller
	counts  map[key]*counts
	thick   bool // for all presets
	drawn   []*sample
}

func (w *worker) pair(p *pair) {
	w.thick = w.rng.IntN(w.set.thin) == 0
	var bases []*sample
	for range min(drawsPerPair, len(p.hunks)) {
		if s := draw(w.rng, p, drawLength(w.rng)); s != nil {
			bases = append(bases, s)
		}
	}
	w.drawn = bases
	var tasks []*task
	for st := range states {
		for _, base := range bases {
			s := base
			switch {
			case st == changed && w.rng.IntN(2) == 0:
				if s = drawStale(w.rng, p, len(base.clean)); s == nil {
					continue
				}
			case st == changed:
				if s = base.clone(); !s.leave(w.rng) {
					continue
				}
			case st == gone:
				if s = base.clone(); len(s.clean) == len(s.lines) {
					continue
				}
				s.remove()
			}
			for d := range w.damages {
				if w.damages[d].apply == nil || !w.open[d][st] {
					continue
				}
				if c := s.clone(); w.damages[d].apply(w.rng, c) && !c.hides() {
					tasks = append(tasks, &task{d: d, st: st, s: c})
				}
			}
		}
	}
	w.run(tasks)
	for d := range w.damages {
		if w.damages[d].apply == nil && w.open[d][there] {
			w.several(d, p)
		}
	}
}

// A task is a block to be resolved on its own.
type task struct {
	d     int
	st    state
	s     *sample
	kind  class
	block searchreplace.Block
}

// run resolves each task as if it were alone. Blocks do not depend on each other
// but where they overlap, so those of one file are given together, to save the time
// for what is made once for a file, and only those that are refused for an overlap
// again in smaller lots.
func (w *worker) run(tasks []*task) {
	type file struct {
		first *string
		n     int
		crlf  bool
	}
	lots := map[file][]*task{}
	var order []file
	for _, t := range tasks {
		t.kind, t.block = t.s.classOf(), t.s.block()
		f := file{&t.s.lines[0], len(t.s.lines), t.s.crlf}
		if lots[f] == nil {
			order = append(order, f)
		}
		lots[f] = append(lots[f], t)
	}
	for _, f := range order {
		lot := lots[f]
		doc, err := text.Parse([]byte(lot[0].s.join(lot[0].s.lines)), nil)
		if err != nil {
			continue
		}
		for preset := range w.ladders {
			if preset > 0 && !w.thick {
				continue
			}
			rest := w.together(preset, doc, lot)
			byDamage := map[int][]*task{}
			for _, t := range rest {
				byDamage[t.d] = append(byDamage[t.d], t)
			}
			for d := range w.damages {
				for _, t := range w.together(preset, doc, byDamage[d]) {
					w.together(preset, doc, []*task{t})
				}
			}
		}
	}
}

// together resolves tasks in one request, and returns those that are to be done
// again because they overlap.
func (w *worker) together(preset int, doc *text.Document, lot []*task) (again []*task) {
	if len(lot) == 0 {
		return nil
	}
	blocks := make([]searchreplace.Block, len(lot))
	for i, t := range lot {
		blocks[i] = t.block
	}
	r := searchreplace.Resolve(doc, blocks, searchreplace.Options{Ladder: w.ladders[preset], Partial: true, AllowPlaceholder: true})
	failures := make([]*searchreplace.Failure, len(lot))
	for _, f := range r.Failures {
		failures[f.Block] = f
	}
	edits := make([][]text.Edit, len(lot))
	for i, e := range r.Edits {
		for _, b := range r.Owners[i] {
			edits[b] = append(edits[b], e)
		}
	}
	for i, t := range lot {
		if f := failures[i]; f != nil && f.Code == searchreplace.EditsOverlap && len(lot) > 1 {
			again = append(again, t)
			continue
		}
		o := t.judge(doc, failures[i], &r.Results[i], edits[i])
		w.count(key{preset: preset, damage: t.d, state: t.st, lines: len(t.s.clean), full: full(t.s.clean), outdent: t.s.whole}, t.kind, o)
		if preset == 0 && w.told.most > 0 {
			w.told.tell(w.damages[t.d].name, t.st, t.kind, o, t.s, failures[i], &r.Results[i], edits[i])
		}
	}
	return again
}

// judge says what became of a task.
func (t *task) judge(doc *text.Document, f *searchreplace.Failure, r *searchreplace.Result, edits []text.Edit) *outcomes {
	o := &outcomes{all: 1}
	switch {
	case f != nil:
		o.refused = 1
		switch {
		case !f.TooLittle || t.st != there || t.s.meant != nil: // else the target is no hit, and what was refused is a lookalike
		case len(f.Places) == 1 && t.s.right(made(doc, f.Places[0].Edits)):
			o.shown = 1
		default:
			o.misshown = 1
		}
	case r.Unchanged:
		o.unchanged = 1
	default:
		switch got := made(doc, edits); {
		case t.st == there && t.s.right(got):
			o.solved = 1
		case t.s.merged != nil && got == t.s.join(t.s.merged):
			o.merged = 1
		default:
			o.wrong = 1
		}
	}
	return o
}

func (w *worker) count(k key, kind class, o *outcomes) {
	if w.counts[k] == nil {
		w.counts[k] = &counts{}
	}
	w.counts[k].of(kind).add(o)
}

func full(lines []string) int {
	n := 0
	for _, l := range lines {
		if !blankLine(l) {
			n++
		}
	}
	return n
}

// made returns the file with edits made.
func made(doc *text.Document, edits []text.Edit) string {
	s, err := text.Splice(doc, edits)
	if err != nil {
		return ""
	}
	return string(s.Bytes())
}
