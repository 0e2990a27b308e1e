package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
)

const (
	defaultThrottle = 100 * time.Millisecond

	mostDrawn = 10 // blocks in a picture
)

// A preview shows where each block of a reply lands while the reply is coming.
// Nothing is written by it. A complete block is matched once, together with those
// that came since the last picture: each time takes a look at the whole file.
type preview struct {
	throttle time.Duration

	rows    []row
	lines   int  // of the reply's new text in the block that is coming
	changed bool // since the last picture
	drawn   int  // rows of the last picture
	matched int  // rows before this one have no block to match
}

// A row is what is shown of one block.
type row struct {
	path, state string
	block       *searchreplace.Block // complete and still to be matched, or nil
}

// read reads the whole reply and returns it. It draws on out, picture over picture
// if that is a terminal, which has a size, or else once, at the end. match says
// where a block lands.
func (p *preview) read(in io.Reader, out io.Writer, size sizer, opt searchreplace.DecodeOptions, match matcher) (*searchreplace.Reply, error) {
	type piece struct {
		data []byte
		err  error
	}
	pieces := make(chan piece)
	go func() {
		for {
			b := make([]byte, 32<<10)
			n, err := in.Read(b)
			pieces <- piece{b[:n], err}
			if err != nil {
				return
			}
		}
	}()
	d := searchreplace.NewDecoder(opt)
	var all []byte
	tick := time.NewTicker(max(p.throttle, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case got := <-pieces:
			all = append(all, got.data...)
			p.events(d.Feed(got.data))
			if got.err == nil {
				continue
			}
			if got.err != io.EOF {
				return nil, got.err
			}
			p.events(d.Close())
			p.draw(out, size, match)
			return searchreplace.Decode(all, opt), nil
		case <-tick.C:
			if size != nil {
				p.draw(out, size, match)
			}
		}
	}
}

// events takes in what the decoder saw.
func (p *preview) events(events []searchreplace.Event) {
	for i := range events {
		e := &events[i]
		last := len(p.rows) - 1
		switch e.Kind {
		case searchreplace.Begun:
			p.lines = 0
			p.rows = append(p.rows, row{path: e.Block.Path, state: "coming"})
		case searchreplace.Line:
			if last < 0 {
				continue
			}
			p.lines++
			p.rows[last].state = fmt.Sprintf("coming, %d lines", p.lines)
		case searchreplace.Completed:
			if last < 0 {
				continue
			}
			p.rows[last] = row{path: e.Block.Path, block: e.Block}
		case searchreplace.Failed:
			if e.Block != nil && last >= 0 { // it had begun
				p.rows = p.rows[:last]
			}
			p.rows = append(p.rows, row{path: e.Problem.Path, state: "cannot be read: " + e.Problem.Message})
		default:
			continue
		}
		p.changed = true
	}
}

// match matches the blocks that are complete.
func (p *preview) match(match matcher) {
	var blocks []*searchreplace.Block
	var rows []*row
	for i := range p.rows[p.matched:] {
		if r := &p.rows[p.matched+i]; r.block != nil {
			blocks, rows = append(blocks, r.block), append(rows, r)
		}
	}
	if len(blocks) == 0 {
		return
	}
	for i, state := range match(blocks) {
		rows[i].state, rows[i].block = state, nil
	}
	p.matched = len(p.rows) - 1 // the last may still be coming
}

// draw draws the picture over the last one, if something changed. Without a size
// it draws all blocks, whole.
func (p *preview) draw(out io.Writer, size sizer, match matcher) {
	if !p.changed {
		return
	}
	p.changed = false
	p.match(match)
	var b strings.Builder
	rows := p.rows
	columns := math.MaxInt
	if size != nil {
		if p.drawn > 0 {
			fmt.Fprintf(&b, "\x1b[%dA\x1b[J", p.drawn) // up, and all below away
		}
		var height int
		columns, height = size()
		// The line of the cursor and that of the blocks above need a row each.
		if over := len(rows) - max(1, min(mostDrawn, height-2)); over > 0 {
			b.WriteString(fit(fmt.Sprintf("… %d blocks above", over), columns) + "\n")
			rows = rows[over:]
		}
	}
	first := len(p.rows) - len(rows) + 1
	for i, r := range rows {
		path := ""
		if r.path != "" {
			path = " " + hashline.QuotePath(r.path)
		}
		b.WriteString(fit(fmt.Sprintf("block %d%s: %s", first+i, path, r.state), columns) + "\n")
	}
	p.drawn = strings.Count(b.String(), "\n")
	io.WriteString(out, b.String())
}
