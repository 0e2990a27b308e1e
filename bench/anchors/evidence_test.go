package main

import (
	"io"
	"testing"
)

func sample(t *testing.T, part float64) *corpus {
	t.Helper()
	c, err := loadCorpus("", part, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEvidence measures a sample and holds it to the promises of the format. The
// bounds are wider than those of RESULTS.md, by what so small a sample may differ.
func TestEvidence(t *testing.T) {
	set := settings{seed: 1, rows: allRows(), rounds: 1, shifts: 16, pairs: 45, draw: 0.1, thin: 4, jobs: 2, quiet: true}
	res, err := measure(t.Context(), sample(t, 0.01), set)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims(res, set.rows) {
		t.Logf("%s: %s", c.says, c.measured)
		if !c.holds {
			t.Errorf("does not hold: %s: %s", c.says, c.measured)
		}
	}
	for r, row := range set.rows {
		every := everyKind(res.kinds[r])
		if n := every.checked[stands]; n == 0 || every.accepted[stands] != n {
			t.Errorf("%s: of %d anchors whose line and window stand, %d fit", row.name, n, every.accepted[stands])
		}
		if every.accepted[twin] != every.checked[twin] {
			t.Errorf("%s: of %d twins %d fit: the window compared is not the one hashed", row.name, every.checked[twin], every.accepted[twin])
		}
		if every.whole.wrong > 0 {
			t.Errorf("%s: %d lines that moved in one piece are named wrongly; they fit where they are", row.name, every.whole.wrong)
		}
	}
	p := &report{w: io.Discard}
	p.body(res, set.rows)
	if p.err != nil {
		t.Error(p.err)
	}
}

// TestSameSeed measures twice: the results depend on the seed alone, not on which
// worker takes a file.
func TestSameSeed(t *testing.T) {
	c := sample(t, 0.002)
	rows, err := selectRows("chunk 2+4, 16; seal 6, 16")
	if err != nil {
		t.Fatal(err)
	}
	var before []counts
	for _, jobs := range []int{1, 3} {
		res, err := measure(t.Context(), c, settings{seed: 5, rows: rows, rounds: 1, shifts: 3, pairs: 3, draw: 0.5, thin: 2, jobs: jobs, quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		var now []counts
		for r := range rows {
			now = append(append(now, res.shifted[r]), res.kinds[r]...)
		}
		for i := range before {
			if before[i] != now[i] {
				t.Fatalf("counts differ: %+v and %+v", before[i], now[i])
			}
		}
		before = now
	}
}
