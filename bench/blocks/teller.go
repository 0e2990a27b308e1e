package main

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

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
