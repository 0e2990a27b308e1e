package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/searchreplace"
)

const (
	defaultThrottle = 100 * time.Millisecond

	mostDrawn = 10 // blocks in a picture
	drawWidth = 79 // columns; a longer line would take two
)

// A preview shows where each block of a reply lands while the reply is coming.
// Nothing is written by it. A complete block is matched once.
type preview struct {
	throttle time.Duration

	rows    []row
	lines   int  // of the reply's new text in the block that is coming
	changed bool // since the last picture
	drawn   int  // rows of the last picture
}

// A row is what is shown of one block.
type row struct {
	path, state string
}

// read reads the whole reply and returns it. match says where a block lands.
func (p *preview) read(in io.Reader, terminal io.Writer, redraw bool, opt searchreplace.DecodeOptions, match func(*searchreplace.Block) string) (*searchreplace.Reply, error) {
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
			p.events(d.Feed(got.data), match)
			if got.err == nil {
				continue
			}
			if got.err != io.EOF {
				return nil, got.err
			}
			p.events(d.Close(), match)
			p.draw(terminal, redraw)
			return searchreplace.Decode(all, opt), nil
		case <-tick.C:
			if redraw {
				p.draw(terminal, redraw)
			}
		}
	}
}

// events takes in what the decoder saw.
func (p *preview) events(events []searchreplace.Event, match func(*searchreplace.Block) string) {
	for i := range events {
		e := &events[i]
		last := len(p.rows) - 1
		switch e.Kind {
		case searchreplace.Begun:
			p.lines = 0
			p.rows = append(p.rows, row{e.Block.Path, "coming"})
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
			p.rows[last] = row{e.Block.Path, match(e.Block)}
		case searchreplace.Failed:
			p.rows = append(p.rows, row{e.Problem.Path, "cannot be read: " + e.Problem.Message})
		default:
			continue
		}
		p.changed = true
	}
}

// draw draws the picture over the last one, if something changed; or below it,
// where that cannot be drawn over.
func (p *preview) draw(w io.Writer, redraw bool) {
	if !p.changed {
		return
	}
	p.changed = false
	var b strings.Builder
	if redraw && p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\x1b[J", p.drawn) // up, and all below away
	}
	rows := p.rows
	p.drawn = 0
	if over := len(rows) - mostDrawn; over > 0 && redraw {
		fmt.Fprintf(&b, "… %d blocks above\n", over)
		rows = rows[over:]
		p.drawn++
	}
	for i, r := range rows {
		path := ""
		if r.path != "" {
			path = " " + hashline.QuotePath(r.path)
		}
		line := fmt.Sprintf("block %d%s: %s", len(p.rows)-len(rows)+i+1, path, r.state)
		if runes := []rune(line); redraw && len(runes) > drawWidth {
			line = string(runes[:drawWidth-1]) + "…"
		}
		b.WriteString(line + "\n")
		p.drawn++
	}
	io.WriteString(w, b.String())
}

// isTerminal reports whether w shows control sequences.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// lands says where a block would be applied now.
func (a *applying) lands(file string) func(*searchreplace.Block) string {
	return func(b *searchreplace.Block) string {
		ws, err := cli.OpenWorkspace(a.Root, file)
		if err != nil {
			return err.Error()
		}
		defer ws.Close()
		opt := a.Options
		opt.DryRun, opt.Diff, opt.Partial, opt.Rescue = true, false, false, false
		answer := ws.Edit(context.Background(), apply.RequestOf(&searchreplace.Reply{Blocks: []searchreplace.Block{*b}}, file), opt)
		if len(answer.Failures) > 0 {
			return string(answer.Failures[0].Code) + ": " + answer.Failures[0].Message
		}
		if len(answer.Files) == 0 || len(answer.Files[0].Edits) == 0 {
			return string(answer.Status)
		}
		f := answer.Files[0]
		switch e := f.Edits[0]; {
		case f.Change != "" && f.Change != "unchanged":
			return f.Change
		case answer.Status == apply.Unchanged:
			return "already so"
		case e.Last > e.First:
			return fmt.Sprintf("lines %d-%d, %s", e.First, e.Last, e.Tier)
		default:
			return fmt.Sprintf("line %d, %s", e.First, e.Tier)
		}
	}
}
