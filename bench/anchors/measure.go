package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"

	"github.com/hlkit/hlkit/text"
)

// Settings say how much to measure.
type settings struct {
	seed   uint64
	rows   []row
	rounds int     // of every kind of change, on every file
	shifts int     // the most lines that whole files are shifted by, both ways
	pairs  int     // the most lines that chunks are shifted by, both ways
	draw   float64 // the part of the anchors whose lines are looked for
	thin   int     // of the rows that are no defaults, one shift and one change in so many
	jobs   int     // files measured at a time
	quiet  bool    // print no progress
}

// Results are what was counted.
type results struct {
	kinds   [][]counts // by row and kind
	shifted []counts   // by row: whole files shifted
	pairs   pairCounts
	files   int // measured
	lines   int // of these files
}

// measure runs everything that is counted over the files of c, in random order. If
// ctx is done it stops with those that were measured by then.
func measure(ctx context.Context, c *corpus, set settings) (*results, error) {
	list := kinds()
	res := &results{kinds: make([][]counts, len(set.rows)), shifted: make([]counts, len(set.rows))}
	for r := range res.kinds {
		res.kinds[r] = make([]counts, len(list))
	}
	res.pairs = newPairCounts(set.rows)
	seen := newPairSet()
	var mu sync.Mutex // of res and seen
	work := func(files <-chan int) error {
		s := &subject{rows: set.rows}
		for file := range files {
			if err := s.read(c.files[file]); err != nil {
				return err
			}
			own := &results{kinds: make([][]counts, len(set.rows)), shifted: make([]counts, len(set.rows))}
			for r := range own.kinds {
				own.kinds[r] = make([]counts, len(list))
			}
			// Every file has its own random numbers, so that it does not matter which
			// worker takes it.
			m := &mutator{rng: rand.New(rand.NewPCG(set.seed, uint64(file)+1)), corpus: c}
			if err := s.mutate(m, list, set, own.kinds); err != nil {
				return err
			}
			if err := s.shift(m, set, own.shifted); err != nil {
				return err
			}
			found, err := s.pair(m, set.pairs)
			if err != nil {
				return err
			}
			mu.Lock()
			for r := range own.kinds {
				for k := range list {
					res.kinds[r][k].add(&own.kinds[r][k])
				}
				res.shifted[r].add(&own.shifted[r])
			}
			res.pairs.add(found, seen)
			res.files++
			res.lines += len(s.lines)
			if !set.quiet && res.files%max(len(c.files)/20, 1) == 0 {
				fmt.Fprintf(os.Stderr, "anchors: %d files with %d lines measured\n", res.files, res.lines)
			}
			mu.Unlock()
		}
		return nil
	}
	order := rand.New(rand.NewPCG(set.seed, 0)).Perm(len(c.files))
	err := share(ctx, order, set.jobs, work)
	return res, err
}

// share runs work in jobs goroutines, which take numbers from a channel until ctx
// is done, and returns the first error.
func share(ctx context.Context, numbers []int, jobs int, work func(<-chan int) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ch := make(chan int)
	errs := make([]error, jobs)
	var wg sync.WaitGroup
	for j := range jobs {
		wg.Go(func() {
			if errs[j] = work(ch); errs[j] != nil {
				stop()
			}
		})
	}
feed:
	for _, n := range numbers {
		select {
		case ch <- n:
		case <-ctx.Done():
			break feed
		}
	}
	close(ch)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// mutate makes every kind of change to the file, each on the text as it was read.
func (s *subject) mutate(m *mutator, list []kind, set settings, into [][]counts) error {
	for range set.rounds {
		for k, kind := range list {
			s.change(kind.apply(m, s.lines))
			doc, err := text.Parse(s.new.src, nil)
			if err != nil {
				return err
			}
			thick := m.rng.IntN(set.thin) == 0
			for r := range s.rows {
				if !thick && !s.rows[r].isDefault() {
					continue
				}
				if err := s.check(r, &into[r][k]); err != nil {
					return err
				}
				if err := s.recover(r, doc, set.draw, m.rng, &into[r][k]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// shift inserts 1 line and more at the top of the file, and deletes as many, and
// checks all anchors. No two of these checks are of the same two chunks, but for
// files that repeat themselves.
func (s *subject) shift(m *mutator, set settings, into []counts) error {
	for by := 1; by <= set.shifts; by++ {
		thick := by%set.thin == 1%set.thin
		s.change(replace(s.lines, 0, 0, m.fresh(by)))
		if err := s.checkAll(into, thick); err != nil {
			return err
		}
		if by >= len(s.lines) {
			continue
		}
		s.change(s.lines[by:])
		if err := s.checkAll(into, thick); err != nil {
			return err
		}
	}
	return nil
}

// checkAll checks the anchors of every row, or of the defaults alone.
func (s *subject) checkAll(into []counts, thick bool) error {
	for r := range s.rows {
		if !thick && !s.rows[r].isDefault() {
			continue
		}
		if err := s.check(r, &into[r]); err != nil {
			return err
		}
	}
	return nil
}
