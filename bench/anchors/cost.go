package main

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
	"github.com/tiktoken-go/tokenizer"
)

// A cost is what a row takes.
type cost struct {
	linesRead float64       // hashed to check one anchor, on average
	one       time.Duration // to check one anchor in a parsed file
	perLine   time.Duration // to make all anchors of a text, by line
	tokens    float64       // a line, above the text alone
}

// costs measures every row. It is not run beside other work. plain is the tokens
// a line of the text alone, hashing the time of hashing each line once.
func costs(c *corpus, rows []row, seed uint64, tokenLines int) (list []cost, plain float64, hashing time.Duration, err error) {
	list = make([]cost, len(rows))
	for r := range rows {
		list[r].linesRead = linesRead(c, &rows[r])
	}
	if hashing, err = timeRows(c, rows, seed, list); err != nil {
		return nil, 0, 0, err
	}
	plain, err = countTokens(c, rows, seed, tokenLines, list)
	return list, plain, hashing, err
}

func linesRead(c *corpus, r *row) float64 {
	var sum int64
	for _, f := range c.files {
		for i := range f {
			start, end := r.window(i, len(f))
			sum += int64(end - start)
		}
	}
	return part(sum, int64(c.lines))
}

// timeRows takes the fastest of some rounds, since other work only adds.
func timeRows(c *corpus, rows []row, seed uint64, list []cost) (time.Duration, error) {
	rng := rand.New(rand.NewPCG(seed, 1<<40))
	files := draw(c, rng, 400_000)
	var all []line
	for _, f := range files {
		all = append(all, f...)
	}
	src := render(nil, all)
	runtime.GC()
	hashing := fastest(func() error {
		for rest := src; len(rest) > 0; {
			n := bytes.IndexByte(rest, '\n')
			xxhash.Sum64(rest[:n])
			rest = rest[n+1:]
		}
		return nil
	})
	if hashing.err != nil {
		return 0, hashing.err
	}
	doc, err := text.Parse(render(nil, all[:min(len(all), 100_000)]), nil)
	if err != nil {
		return 0, err
	}
	for r := range rows {
		row := &rows[r]
		t := fastest(func() error { return row.annotate(src, func([]hashline.Line) error { return nil }) })
		if t.err != nil {
			return 0, t.err
		}
		list[r].perLine = t.best / time.Duration(len(all))
		anchors, err := row.anchors(nil, doc.Body())
		if err != nil {
			return 0, err
		}
		const checks = 2000
		t = fastest(func() error {
			for range checks {
				if err := row.fits(doc, anchors[rng.IntN(len(anchors))]); err != nil {
					return err
				}
			}
			return nil
		})
		if t.err != nil {
			return 0, t.err
		}
		list[r].one = t.best / checks
	}
	return hashing.best / time.Duration(len(all)), nil
}

type timing struct {
	best time.Duration
	err  error
}

func fastest(f func() error) timing {
	t := timing{best: time.Hour}
	for range 7 {
		start := time.Now()
		if t.err = f(); t.err != nil {
			break
		}
		t.best = min(t.best, time.Since(start))
	}
	return t
}

// draw returns random files of c with about n lines together.
func draw(c *corpus, rng *rand.Rand, n int) (files [][]line) {
	for _, i := range rng.Perm(len(c.files)) {
		if n <= 0 {
			break
		}
		files = append(files, c.files[i])
		n -= len(c.files[i])
	}
	return files
}

// countTokens counts the tokens of some files, plain and behind anchors.
func countTokens(c *corpus, rows []row, seed uint64, lines int, list []cost) (plain float64, err error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return 0, err
	}
	rng := rand.New(rand.NewPCG(seed, 2<<40))
	var total, tokens int64
	views := make([]int64, len(rows))
	for _, f := range draw(c, rng, lines) {
		total += int64(len(f))
		src := render(nil, f)
		n, err := codec.Count(string(src))
		if err != nil {
			return 0, err
		}
		tokens += int64(n)
		for r := range rows {
			var view []byte
			printer := rows[r].format.Printer(nil)
			err := rows[r].annotate(src, func(lines []hashline.Line) error {
				for i := range lines {
					view = printer.AppendLine(view, &lines[i])
				}
				return nil
			})
			if err != nil {
				return 0, err
			}
			if n, err = codec.Count(string(view)); err != nil {
				return 0, err
			}
			views[r] += int64(n)
		}
	}
	for r := range rows {
		list[r].tokens = part(views[r]-tokens, total)
	}
	return part(tokens, total), nil
}
