// Command anchors measures what anchors are worth: how often one that is stale
// is accepted, and how often the line of one that is refused is found again. It
// changes Go's own sources in ways whose truth is known, and asks the library. An
// interrupt ends it early, with what was measured by then.
//
//	go run ./anchors -seed 1 >anchors/RESULTS.md
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"time"
)

func main() {
	var set settings
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	sample := flag.Float64("sample", 1, "part of the files to measure on")
	list := flag.String("rows", "", `rows whose name holds one of these, with ";" between; all of them for ""`)
	flag.IntVar(&set.rounds, "rounds", 1, "rounds of every kind of change on every file")
	flag.IntVar(&set.shifts, "shifts", 20, "most lines that whole files are shifted by, both ways")
	flag.IntVar(&set.pairs, "pairs", 36, "most lines that chunks are shifted by, both ways")
	flag.Float64Var(&set.draw, "draw", 0.1, "part of the anchors whose lines are looked for")
	flag.IntVar(&set.thin, "thin", 5, "of rows that are no defaults, one shift and one change in so many")
	flag.IntVar(&set.jobs, "jobs", runtime.GOMAXPROCS(0), "files measured at a time")
	tokens := flag.Int("tokens", 20_000, "lines to count tokens of")
	root := flag.String("corpus", "", `directory with the .go files; "" for the sources of the go command`)
	flag.Parse()
	set.seed, set.thin = *seed, max(set.thin, 1)
	// Little is live and much is thrown away: collect only when there is a heap of it.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(2 << 30)
	rows, err := selectRows(*list)
	if err == nil {
		set.rows = rows
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = run(ctx, os.Stdout, *root, *sample, *tokens, set)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "anchors:", err)
		os.Exit(1)
	}
}

// run measures, and prints what RESULTS.md holds.
func run(ctx context.Context, w io.Writer, root string, sample float64, tokens int, set settings) error {
	start := time.Now()
	progress := func(what string) {
		fmt.Fprintf(os.Stderr, "anchors: %s after %s\n", what, time.Since(start).Round(time.Second))
	}
	c, err := loadCorpus(root, sample, set.seed)
	if err != nil {
		return err
	}
	progress(fmt.Sprintf("%d files with %d lines read", len(c.files), c.lines))
	res, err := measure(ctx, c, set)
	if err != nil {
		return err
	}
	progress("anchors measured")
	list, plain, hashing, err := costs(c, set.rows, set.seed, tokens)
	if err != nil {
		return err
	}
	progress("costs measured")
	p := &report{w: w}
	p.opening(c, res, sample, set)
	p.body(res, set.rows)
	p.printf(costsText)
	p.costTable(set.rows, list, plain, hashing.Nanoseconds())
	return p.err
}
