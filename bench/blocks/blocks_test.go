package main

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func sampleCorpus(t *testing.T) *corpus {
	t.Helper()
	c, err := loadCorpus(t.Context(), fewModules)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNoWrongWrite measures a fixed sample and holds it to the bounds of the
// promise. Below 20,000 blocks a bound is held to be broken by a count that chance would
// make of it in less than one of a hundred samples; where it is none, by one. The sample
// is the same every time: what breaks it is a change of the ladder.
func TestNoWrongWrite(t *testing.T) {
	hold(t, settings{seed: 1, presets: []string{"default", "strict"}, quota: 900, thin: 1, rounds: 2, jobs: 2})
}

// TestNoWrongWriteAtAnotherDepth is TestNoWrongWrite with more blocks of the damages
// that evidence is asked for: of short blocks whose target is stale up to one in a
// hundred has a lookalike at another depth.
func TestNoWrongWriteAtAnotherDepth(t *testing.T) {
	hold(t, settings{seed: 2, presets: []string{"default"}, quota: 8000, thin: 1, rounds: 8, jobs: 2, only: "indentation"})
}

func hold(t *testing.T, set settings) {
	t.Helper()
	res, err := measure(t.Context(), sampleCorpus(t), set)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims(res) {
		t.Logf("%s: %s", c.says, c.measured)
		if !c.holds {
			t.Errorf("does not hold: %s: %s", c.says, c.measured)
		}
	}
	for d, n := range res.filled() {
		if strings.HasPrefix(res.damages[d].name, set.only) && n[there] == 0 {
			t.Errorf("no blocks of %q", res.damages[d].name)
		}
	}
	p := &report{w: io.Discard}
	p.body(res)
	if p.err != nil {
		t.Error(p.err)
	}
}

// TestSameSeed measures twice: the results depend on the seed alone, not on which
// worker takes a file.
func TestSameSeed(t *testing.T) {
	c := sampleCorpus(t)
	c.pairs = c.pairs[:min(len(c.pairs), 20)]
	var before map[key]*counts
	for _, jobs := range []int{1, 3} {
		res, err := measure(t.Context(), c, settings{seed: 5, presets: []string{"default", "cline"}, quota: 30, thin: 2, rounds: 2, jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !reflect.DeepEqual(before, res.counts) {
			t.Fatal("counts differ")
		}
		before = res.counts
	}
}

// TestHunks makes the newer version of each file of its older one.
func TestHunks(t *testing.T) {
	for _, p := range sampleCorpus(t).pairs {
		var made []string
		at := 0
		for _, h := range p.hunks {
			made = append(append(made, p.old[at:h.s0]...), p.new[h.r0:h.r1]...)
			at = h.s1
		}
		if !slices.Equal(append(made, p.old[at:]...), p.new) {
			t.Errorf("%s: the hunks do not lead to the newer version", p.name)
		}
	}
}
