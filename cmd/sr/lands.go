package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hlkit/hlkit/apply"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/searchreplace"
)

// A matcher says where each of some blocks lands.
type matcher func([]*searchreplace.Block) []string

// lands says where blocks would be applied now, each file in one dry run.
func (a *applying) lands(file string) matcher {
	return func(blocks []*searchreplace.Block) []string {
		states := make([]string, len(blocks))
		ws, err := cli.OpenWorkspace(a.Root, file)
		if err != nil {
			for i := range states {
				states[i] = err.Error()
			}
			return states
		}
		defer ws.Close()
		opt := a.Options
		opt.DryRun, opt.Diff, opt.Partial, opt.Rescue = true, false, true, false
		of := map[string][]int{}
		for i, b := range blocks {
			of[b.Path] = append(of[b.Path], i)
		}
		// look notes the states of the blocks in list, and returns those of which nothing
		// is said, since all others failed.
		look := func(list []int) (rest []int) {
			reply := &searchreplace.Reply{}
			for _, i := range list {
				reply.Blocks = append(reply.Blocks, *blocks[i])
			}
			known := statesOf(ws.Edit(context.Background(), apply.RequestOf(reply, file), opt))
			for ordinal, i := range list {
				if states[i] = known[ordinal]; states[i] == "" {
					states[i] = known[noBlock]
					rest = append(rest, i)
				}
			}
			if len(rest) == len(list) || known[noBlock] != string(apply.NotApplied) {
				return nil
			}
			return rest
		}
		for _, list := range of {
			for len(list) > 0 {
				list = look(list)
			}
		}
		return states
	}
}

// noBlock stands for the whole request among ordinals.
const noBlock = -1

// statesOf returns what an answer says of each block, by its ordinal, and of those
// that it says nothing of.
func statesOf(answer *apply.Answer) map[int]string {
	states := map[int]string{noBlock: string(answer.Status)}
	for _, f := range answer.Files {
		for _, e := range f.Edits {
			switch {
			case f.Change != "" && f.Change != "unchanged":
				states[e.Edit] = f.Change
			case answer.Status == apply.Unchanged, slices.ContainsFunc(e.Notes, func(n string) bool { return strings.HasPrefix(n, "unchanged: ") }):
				states[e.Edit] = "already so"
			case e.Last > e.First:
				states[e.Edit] = fmt.Sprintf("lines %d-%d, %s", e.First, e.Last, e.Tier)
			default:
				states[e.Edit] = fmt.Sprintf("line %d, %s", e.First, e.Tier)
			}
		}
	}
	for _, f := range slices.Backward(answer.Failures) { // the first one is shown
		ordinal := noBlock
		if f.Edit != nil {
			ordinal = *f.Edit
		}
		states[ordinal] = string(f.Code) + ": " + f.Message
	}
	return states
}
