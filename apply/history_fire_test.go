//go:build fire && linux

package apply

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A deed is what one process did to the file at one time: it read it, or tried to
// replace it, given that its tag was Base.
type deed struct {
	Call, Return int64 // on the clock that all processes have
	Edit         bool
	Base         string // of an edit
	Applied      bool   // of an edit
	Tag          string // read, or of the file as it was written
}

func init() {
	roles["make history"] = func(args []string) any { // DIR WHO OPERATIONS FILE…
		ws, err := Open(args[0])
		check(err)
		n := atoi(args[2])[0]
		var all [][]deed
		for _, file := range args[3:] {
			check(os.WriteFile(filepath.Join(args[0], file+".at."+args[1]), nil, 0o666))
			await(filepath.Join(args[0], file))
			var deeds []deed
			known := "" // a tag, perhaps an old one
			for i := range n {
				if known == "" || rand.N(3) == 0 {
					d := deed{Call: now()}
					v, err := ws.Read(context.Background(), file, ReadOptions{})
					check(err)
					d.Return, d.Tag = now(), v.Base.String()
					check(v.Close())
					deeds, known = append(deeds, d), d.Tag
					continue
				}
				line := fmt.Sprintf("%s was here, at %d", args[1], i)
				edit := Edit{Op: "write", Content: Text(line + "\n")}
				if i%2 == 0 {
					edit = Edit{Op: "replace", Anchor: "1", Content: Text(line)}
				}
				d := deed{Call: now(), Edit: true, Base: known, Tag: hashline.TagOf([]byte(line + "\n")).String()}
				a := ws.Edit(context.Background(), &Request{Files: []FileRequest{{Path: file, Base: known, Edits: []Edit{edit}}}}, quick)
				d.Return, d.Applied = now(), a.Status == Applied
				if a.Status == Applied && a.Files[0].Base != d.Tag || !d.Applied && codes(a)[0] != FileChanged && codes(a)[0] != BaseRequired {
					check(fmt.Errorf("%s", textOf(a)))
				}
				if deeds = append(deeds, d); d.Applied {
					known = d.Tag
				} else if rand.N(2) == 0 {
					known = ""
				}
				time.Sleep(rand.N(200 * time.Microsecond)) // for the others
			}
			all = append(all, deeds)
		}
		return all
	}
}

// now is the time on a clock that is the same for all processes.
func now() int64 {
	var ts unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts))
	return ts.Nano()
}

// await waits for a file.
func await(file string) {
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Microsecond) {
		if _, err := os.Stat(file); err == nil {
			return
		} else if time.Now().After(end) {
			check(err)
		}
	}
}

// register is a file as its users are to see it: a tag, compared and set in one
// step.
func register(first string) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return first },
		Step: func(state, input, _ any) (bool, any) {
			d := input.(deed)
			switch {
			case !d.Edit:
				return d.Tag == state, state
			case d.Applied:
				return d.Base == state, d.Tag
			}
			return d.Base != state, state
		},
	}
}

func TestUnderFireHistoriesAreLinearizable(t *testing.T) {
	const processes, histories, operations = 4, 20, 150
	dir := inMemory(t)
	const first = "nobody was here\n"
	args := []string{fmt.Sprint(operations)}
	for i := range histories {
		args = append(args, fmt.Sprint("f", i))
	}
	var all []*process
	for p := range processes {
		all = append(all, spawn(t, "make history", append([]string{dir, fmt.Sprint(p)}, args...)...))
	}
	for i := range histories {
		file := filepath.Join(dir, fmt.Sprint("f", i))
		for p := range processes { // so that they begin together
			await(fmt.Sprint(file, ".at.", p))
		}
		writeFile(t, file+".new", first)
		require.NoError(t, os.Rename(file+".new", file))
	}
	history := make([][]porcupine.Operation, histories)
	for p := range processes {
		for i, deeds := range result[[][]deed](t, all[p]) {
			for _, d := range deeds {
				history[i] = append(history[i], porcupine.Operation{ClientId: p, Input: d, Call: d.Call, Return: d.Return})
			}
		}
	}
	model := register(hashline.TagOf([]byte(first)).String())
	applied, refused, overlaps := 0, 0, 0
	for i, h := range history {
		require.GreaterOrEqual(t, len(h), 500)
		require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(model, h, time.Minute), "history %d", i)
		for _, op := range h {
			switch d := op.Input.(deed); {
			case d.Applied:
				applied++
			case d.Edit:
				refused++
			}
			for _, other := range h {
				if other.ClientId > op.ClientId && other.Call < op.Return && op.Call < other.Return {
					overlaps++
				}
			}
		}
	}
	t.Logf("%d histories of %d operations: %d edits applied, %d refused; %d pairs at one time", histories, processes*operations, applied, refused, overlaps)
	require.Greater(t, applied, 1000)
	require.Greater(t, refused, 500)
	require.Greater(t, overlaps, 1000)

	// What must not be is found.
	for name, spoil := range map[string]func(d *deed) bool{
		"a refused edit was made":        func(d *deed) bool { return spoilIf(d.Edit && !d.Applied, func() { d.Applied = true }) },
		"an edit that applied was not":   func(d *deed) bool { return spoilIf(d.Applied, func() { d.Applied = false }) },
		"a reader saw what never was":    func(d *deed) bool { return spoilIf(!d.Edit, func() { d.Tag = "0000000000000000" }) },
		"a reader saw the beginning":     func(d *deed) bool { return spoilIf(!d.Edit, func() { d.Tag = hashline.TagOf([]byte(first)).String() }) },
		"an edit came before all others": func(d *deed) bool { return spoilIf(d.Applied, func() { d.Call, d.Return = 0, 1 }) },
	} {
		t.Run(name, func(t *testing.T) {
			h := append([]porcupine.Operation(nil), history[0]...)
			for i := len(h) - 1; ; i-- { // the last that it can be done to
				d := h[i].Input.(deed)
				if spoil(&d) {
					h[i].Input, h[i].Call, h[i].Return = d, d.Call, d.Return
					break
				}
			}
			require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(model, h, time.Minute))
		})
	}
}

func spoilIf(can bool, do func()) bool {
	if can {
		do()
	}
	return can
}
