// Command blocks measures what the ladder makes of search/replace blocks as models
// write them. Blocks are made of real edits, the differences of consecutive
// versions of Go modules, and damaged in ways that can be undone; the file is as
// the block takes it, or its target has changed or is gone. Each block is solved,
// refused, or makes a wrong write, for every preset.
//
//	go run ./blocks >blocks/RESULTS.md
//	go run ./blocks -corpus held-out -presets default,strict -quota 40000 >blocks/HELDOUT.md
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
	"strings"
	"time"
)

func main() {
	set := settings{presets: presetNames}
	flag.Uint64Var(&set.seed, "seed", 1, "seed of the random numbers")
	flag.IntVar(&set.quota, "quota", 100_000, "blocks of every kind, with the file in each of its states")
	flag.IntVar(&set.thin, "thin", 16, "for presets other than the first, of the rounds of a file one in so many")
	flag.IntVar(&set.rounds, "rounds", 2000, "most rounds over all files")
	flag.IntVar(&set.jobs, "jobs", runtime.GOMAXPROCS(0), "files measured at a time")
	flag.IntVar(&set.examples, "examples", 0, "wrong writes of default to print to stderr, of every kind")
	flag.StringVar(&set.miss, "miss", "", "print examples of blocks of this kind that default refuses, too")
	flag.StringVar(&set.only, "only", "", "damages whose names begin so; all of them for \"\"")
	presets := flag.String("presets", "", `presets to measure, with "," between; all of them for ""`)
	name := flag.String("corpus", string(allModules), "modules to take the edits from: all; sample, a few of these; held-out, others, that no rule of the ladder was made by")
	flag.Parse()
	if *presets != "" {
		set.presets = strings.Split(*presets, ",")
	}
	// Little is live and much is thrown away: collect only when there is a heap of it.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, corpusName(*name), set)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "blocks:", err)
		os.Exit(1)
	}
}

// run measures, and prints what RESULTS.md holds.
func run(ctx context.Context, w io.Writer, name corpusName, set settings) error {
	start := time.Now()
	set.progress = func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "blocks: %s after %s\n", fmt.Sprintf(format, args...), time.Since(start).Round(time.Second))
	}
	c, err := loadCorpus(ctx, name)
	if err != nil {
		return err
	}
	set.progress("%d pairs of files with %d hunks read", len(c.pairs), c.hunks)
	res, err := measure(ctx, c, set)
	if err != nil {
		return err
	}
	set.progress("measured")
	p := &report{w: w}
	p.opening(c, res, set)
	p.body(res)
	return p.err
}
