package main

import (
	"bufio"

	"github.com/hlkit/hlkit/searchreplace"
)

// An eventJSON is one event of a reply that is coming. Which of the other fields
// are there depends on the event.
type eventJSON struct {
	Event    string       `json:"event"`
	N        int          `json:"n,omitzero"` // of the block, 1-based
	Text     *string      `json:"text,omitzero"`
	Dialect  string       `json:"dialect,omitzero"`
	Path     *string      `json:"path,omitzero"`
	First    int          `json:"first,omitzero"`
	Search   *string      `json:"search,omitzero"`
	Block    *blockJSON   `json:"block,omitzero"`
	Problem  *problemJSON `json:"problem,omitzero"`
	Shell    *shellJSON   `json:"shell,omitzero"`
	Blocks   *int         `json:"blocks,omitzero"`
	Problems *int         `json:"problems,omitzero"`
}

// A follower prints each event on a line of its own, at once.
type follower struct {
	out             *bufio.Writer
	begun           int // blocks
	whole, problems int
}

func (f *follower) events(events []searchreplace.Event) error {
	for i := range events {
		if err := write(f.out, f.event(&events[i])); err != nil {
			return err
		}
	}
	return f.out.Flush()
}

func (f *follower) event(e *searchreplace.Event) *eventJSON {
	switch e.Kind {
	case searchreplace.Prose:
		return &eventJSON{Event: "text", Text: &e.Text}
	case searchreplace.Begun:
		f.begun++
		return &eventJSON{Event: "begun", N: f.begun, Dialect: e.Block.Dialect.String(), Path: &e.Block.Path, First: e.Block.First}
	case searchreplace.SearchDone:
		return &eventJSON{Event: "search", N: f.begun, Search: &e.Block.Search}
	case searchreplace.Line:
		return &eventJSON{Event: "line", N: f.begun, Text: &e.Text}
	case searchreplace.Completed:
		f.whole++
		b := blockOf(e.Block)
		return &eventJSON{Event: "block", N: f.begun, Block: &b}
	case searchreplace.ShellSeen:
		s := shellJSON(*e.Shell)
		return &eventJSON{Event: "shell", Shell: &s}
	}
	f.problems++
	p := problemJSON(*e.Problem)
	return &eventJSON{Event: "problem", Problem: &p}
}

func (f *follower) end() (problems int) {
	write(f.out, &eventJSON{Event: "end", Blocks: &f.whole, Problems: &f.problems})
	return f.problems
}
