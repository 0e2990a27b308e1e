package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hlkit/hlkit/text"
)

// numbered returns a text of n lines, all different.
func numbered(n int) []line {
	var lines []line
	for i := range n {
		l := newLine(fmt.Appendf(nil, "line %d", i))
		l.from = int32(i)
		lines = append(lines, l)
	}
	return lines
}

// TestKinds checks what each kind of change says about the lines: one that is
// said to be an old one has its text, unless the kind edits lines, and no old line
// is in two places.
func TestKinds(t *testing.T) {
	old := numbered(60)
	m := &mutator{corpus: &corpus{files: [][]line{numbered(500)[100:]}}}
	edits := map[string]bool{"token edit": true, "re-indent 1 to 20": true, "scatter, 5 lines": true, chainName: true}
	for _, k := range kinds() {
		for seed := range uint64(200) {
			m.rng = rand.New(rand.NewPCG(seed, 0))
			seen := map[int32]bool{}
			for _, l := range k.apply(m, old) {
				if l.hash != newLine(l.text).hash {
					t.Fatalf("%s: the hash of %q is not its own", k.name, l.text)
				}
				if l.from < 0 {
					continue
				}
				if seen[l.from] {
					t.Fatalf("%s: line %d is in two places", k.name, l.from)
				}
				seen[l.from] = true
				if l.hash != old[l.from].hash && !edits[k.name] {
					t.Fatalf("%s: %q is said to be line %d", k.name, l.text, l.from)
				}
			}
		}
	}
	for i, l := range old {
		if l.from != int32(i) || string(l.text) != fmt.Sprintf("line %d", i) {
			t.Fatalf("the old text was changed: line %d is %q", i, l.text)
		}
	}
}

// TestMoved inserts a line into the second of three chunks and a half: the first
// chunk stands, the second is cut, the others moved in one piece.
func TestMoved(t *testing.T) {
	old := numbered(56)
	rows, err := selectRows(chunkName)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{rows: rows}
	if err := s.read(old); err != nil {
		t.Fatal(err)
	}
	s.change(replace(old, 20, 20, asNew([]line{newLine([]byte("new"))})))
	var c counts
	if err := s.check(0, &c); err != nil {
		t.Fatal(err)
	}
	doc, err := text.Parse(s.new.src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.recover(0, doc, 1, rand.New(rand.NewPCG(0, 0)), &c); err != nil {
		t.Fatal(err)
	}
	want := counts{drawn: 56, alive: 56, inPlace: 16}
	want.checked[stands], want.accepted[stands] = 16, 16
	want.checked[very], want.checked[differs] = 4, 36
	want.stayed = found{all: 4, none: 4}
	want.cut = found{all: 12, none: 12}
	want.whole = found{all: 24, right: 24}
	if c != want {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestClassOf(t *testing.T) {
	for _, test := range []struct {
		text, line, window bool
		want               class
	}{
		{false, false, false, differs},
		{false, true, false, differs}, // the line was edited
		{true, false, false, other},
		{true, false, true, twin},
		{true, true, false, very},
		{true, true, true, stands},
	} {
		if got := classOf(test.text, test.line, test.window); got != test.want {
			t.Errorf("classOf(%v, %v, %v) = %d, want %d", test.text, test.line, test.window, got, test.want)
		}
	}
}

// TestPairSet compares a pairSet with a map.
func TestPairSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s, m := newPairSet(), map[uint64]bool{}
	for range 300_000 {
		print := 1 + rng.Uint64N(200_000)*0x9e3779b97f4a7c15 // as spread as a hash
		if isNew := s.add(print); isNew == m[print] {
			t.Fatalf("add(%d) = %v", print, isNew)
		}
		m[print] = true
	}
	if s.used != len(m) {
		t.Errorf("%d in use, want %d", s.used, len(m))
	}
}

// TestPoissonInterval compares with sums of the distribution done by hand.
func TestPoissonInterval(t *testing.T) {
	for _, test := range []struct {
		mean      float64
		low, high int64
	}{
		{0, 0, 0},
		{1, 0, 6},    // P(X ≤ 5) = 0.99941, P(X ≤ 6) = 0.99992
		{10, 2, 22},  // P(X ≤ 1) = 0.0004994, P(X ≤ 21) = 0.99930, P(X ≤ 22) = 0.99970
		{32, 15, 52}, // near 32 ± 3.29 √32
	} {
		low, high := poissonInterval(test.mean, 0.999)
		if low != test.low || high != test.high {
			t.Errorf("mean %g: %d to %d, want %d to %d", test.mean, low, high, test.low, test.high)
		}
	}
}

func TestSelectRows(t *testing.T) {
	all, err := selectRows("")
	if err != nil || len(all) < 13 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	two, err := selectRows("seal 5, 16; chain 2+4, 32")
	names := []string{}
	for _, r := range two {
		names = append(names, r.name)
	}
	if err != nil || !slices.Equal(names, []string{"seal 5, 16 lines", "chain 2+4, 32 lines"}) {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := selectRows("no such"); err == nil {
		t.Error("an unknown row is no error")
	}
}
