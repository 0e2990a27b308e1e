package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// Settings say how much to measure.
type settings struct {
	seed     uint64
	presets  []string
	quota    int // of blocks of every kind and state
	thin     int // of presets other than default and strict, one block in so many
	rounds   int
	jobs     int
	examples int
	miss     string
	only     string
	progress func(format string, args ...any)
}

// presetNames are the ladders that are measured, the two with promises first.
var presetNames = []string{"default", "strict", "cline", "avante", "aider", "grok"}

// Results are what was counted.
type results struct {
	counts  map[key]*counts
	rounds  int
	damages []damage
	presets []string
	quota   int
	drawn   map[window]bool // the blocks before damage
}

// A window is the place of a block before damage.
type window struct{ pair, start, lines int }

// filled returns for each damage and state how many blocks there are.
func (r *results) filled() [][states]int64 {
	n := make([][states]int64, len(r.damages))
	for k, c := range r.counts {
		if k.preset == 0 {
			n[k.damage][k.state] += c.all()
		}
	}
	return n
}

// drawsPerPair is how many blocks are drawn from a file in one round, at most.
const drawsPerPair = 4

// measure draws blocks until there are enough of every kind, in rounds over all
// files. A kind that is full is left out from the next round on: what is measured
// depends on the seed alone, and not on which worker takes a file.
func measure(ctx context.Context, c *corpus, set settings) (*results, error) {
	res := &results{counts: map[key]*counts{}, damages: damages(), presets: set.presets, quota: set.quota, drawn: map[window]bool{}}
	var ladders []searchreplace.Ladder
	for _, name := range set.presets {
		l, err := searchreplace.ParseLadder(name)
		if err != nil {
			return nil, err
		}
		ladders = append(ladders, l)
	}
	told := &teller{left: map[string]int{}, most: set.examples, miss: set.miss}
	for ; res.rounds < set.rounds && ctx.Err() == nil; res.rounds++ {
		open, any := make([][states]bool, len(res.damages)), false
		for d, n := range res.filled() {
			for st := range states {
				open[d][st] = strings.HasPrefix(res.damages[d].name, set.only) && n[st] < int64(set.quota) && (st == there || !res.damages[d].there)
				any = any || open[d][st]
			}
		}
		if !any {
			break
		}
		numbers := make(chan int)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range set.jobs {
			wg.Go(func() {
				for i := range numbers {
					w := &worker{rng: rand.New(rand.NewPCG(set.seed, uint64(i)<<16|uint64(res.rounds))), set: &set, ladders: ladders, damages: res.damages, open: open, told: told, counts: map[key]*counts{}}
					w.pair(c.pairs[i])
					mu.Lock()
					for _, s := range w.drawn {
						res.drawn[window{i, s.start, len(s.clean)}] = true
					}
					for k, c := range w.counts {
						if res.counts[k] == nil {
							res.counts[k] = &counts{}
						}
						res.counts[k].add(c)
					}
					mu.Unlock()
				}
			})
		}
		for i := range c.pairs {
			if ctx.Err() != nil {
				break
			}
			numbers <- i
		}
		close(numbers)
		wg.Wait()
		if set.progress != nil {
			least, most := res.extremes()
			set.progress("round %d: %d to %d blocks of a kind", res.rounds+1, least, most)
		}
	}
	return res, nil
}

func (r *results) extremes() (least, most int64) {
	least = -1
	for d, n := range r.filled() {
		for st := range states {
			if r.damages[d].there && st != there {
				continue
			}
			if least < 0 || n[st] < least {
				least = n[st]
			}
			most = max(most, n[st])
		}
	}
	return least, most
}

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
			if preset > 1 && !w.thick {
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

// several measures blocks of one request, which are not in the order of the file.
func (w *worker) several(d int, p *pair) {
	var list []*sample
	for range 8 {
		s := draw(w.rng, p, drawLength(w.rng))
		if s == nil || len(list) == 5 {
			continue
		}
		if !slices.ContainsFunc(list, func(o *sample) bool {
			return s.start <= o.start+len(o.clean) && o.start <= s.start+len(s.clean)
		}) {
			list = append(list, s)
		}
	}
	if len(list) < 2 {
		return
	}
	slices.SortFunc(list, func(a, b *sample) int { return b.start - a.start })
	if w.rng.IntN(2) == 0 {
		w.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	var blocks []searchreplace.Block
	for _, s := range list {
		blocks = append(blocks, s.block())
	}
	doc, err := text.Parse([]byte(list[0].join(p.old)), nil)
	if err != nil {
		return
	}
	for preset, l := range w.ladders {
		r := searchreplace.Resolve(doc, blocks, searchreplace.Options{Ladder: l, Partial: true, AllowPlaceholder: true})
		failed, idle := map[int]bool{}, map[int]bool{}
		for _, f := range r.Failures {
			failed[f.Block] = true
		}
		// From the bottom, so that places stay where they are.
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return list[b].start - list[a].start })
		want := slices.Clone(p.old)
		for _, i := range order {
			s := list[i]
			if failed[i] {
				continue
			}
			if idle[i] = r.Results[i].Unchanged; !idle[i] {
				want = slices.Concat(want[:s.start], s.wants, want[s.start+len(s.clean):])
			}
		}
		right := r.Spliced != nil && string(r.Spliced.Bytes()) == list[0].join(want)
		for i, s := range list {
			o := outcomes{all: 1}
			switch {
			case failed[i]:
				o.refused = 1
			case idle[i]:
				o.unchanged = 1
			case right:
				o.solved = 1
			default:
				o.wrong = 1
			}
			kind := s.classOf()
			w.count(key{preset: preset, damage: d, lines: len(s.clean), full: full(s.clean)}, kind, &o)
			if preset == 0 && w.told.most > 0 {
				w.told.tell(w.damages[d].name, there, kind, &o, s, nil, &r.Results[i], r.Edits)
			}
		}
	}
}

// A teller prints examples.
type teller struct {
	mu   sync.Mutex
	left map[string]int
	most int
	miss string
}

func (t *teller) tell(name string, st state, kind class, o *outcomes, s *sample, f *searchreplace.Failure, r *searchreplace.Result, edits []text.Edit) {
	what := ""
	switch {
	case kind == ambiguous && o.solved+o.wrong > 0:
		what = "ambiguous, but made"
	case kind == plain && o.wrong > 0:
		what = "wrong"
	case o.misshown > 0:
		what = "shown wrongly"
	case kind == plain && st == there && o.refused > 0 && t.miss != "" && strings.Contains(name, t.miss):
		what = fmt.Sprintf("refused at %d", lengths[lengthOf(len(s.clean))].first)
	default:
		return
	}
	id := fmt.Sprintf("%s, %s, %s", what, name, stateNames[st])
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left[id]++; t.left[id] > t.most {
		return
	}
	fmt.Fprintf(os.Stderr, "==== %s: %s\n-- file from line %d --\n", id, s.pair.name, max(0, s.start-2)+1)
	if s.start >= 0 {
		quoteLines(s.lines[max(0, s.start-2):min(len(s.lines), s.start+len(s.clean)+2)])
	}
	fmt.Fprintln(os.Stderr, "-- clean --")
	quoteLines(s.clean)
	fmt.Fprintln(os.Stderr, "-- search --")
	quoteLines(s.search)
	fmt.Fprintln(os.Stderr, "-- replace --")
	quoteLines(s.replace)
	if f != nil {
		fmt.Fprintf(os.Stderr, "-- failure: %v %v\n", f, f.Why)
		for _, p := range f.Places {
			fmt.Fprintf(os.Stderr, "   place %d-%d %+v\n", p.Start+1, p.End, p.Edits)
		}
	}
	fmt.Fprintf(os.Stderr, "-- tier %q notes %v edits %+v\n", r.Tier, r.Notes, edits)
	for _, p := range r.Places {
		fmt.Fprintf(os.Stderr, "-- it went to line %d --\n", p.Start+1)
		quoteLines(s.lines[max(0, p.Start-2):min(len(s.lines), p.End+2)])
	}
}

func quoteLines(lines []string) {
	for _, l := range lines {
		fmt.Fprintf(os.Stderr, "   %q\n", l)
	}
}
