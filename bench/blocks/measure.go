package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/hlkit/hlkit/searchreplace"
)

// Settings say how much to measure.
type settings struct {
	seed     uint64
	presets  []string
	quota    int // of blocks of every kind and state
	thin     int // of presets other than the first, the blocks of a file in one round of so many
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
	yields  [][]bool        // for each file and damage, whether it had a block
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
// depends on the seed alone, and not on which worker takes a file. When ctx is done,
// the round that is under way is the last.
func measure(ctx context.Context, c *corpus, set settings) (*results, error) {
	yields := make([][]bool, len(c.pairs))
	for i := range yields {
		yields[i] = make([]bool, len(damages()))
	}
	res := &results{yields: yields, counts: map[key]*counts{}, damages: damages(), presets: set.presets, quota: set.quota, drawn: map[window]bool{}}
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
						res.yields[i][k.damage] = true
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
			if res.rounds < barrenRounds || res.worth(i, open) {
				numbers <- i
			}
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

// barrenRounds is after how many rounds a file is left out that has had no block of
// a damage that is still open.
const barrenRounds = 5

// worth reports whether a file has had blocks of a damage that is open.
func (r *results) worth(file int, open [][states]bool) bool {
	for d, had := range r.yields[file] {
		if had && slices.Contains(open[d][:], true) {
			return true
		}
	}
	return false
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
