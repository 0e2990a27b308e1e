//go:build fire

package realedits

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "run all pairs, not a sample, and demand the full counts")

// mostErrors is how many failures are told. One fault can fail every pair.
const mostErrors = 20

func TestRequestsForRealEditsGiveTheNewerVersionByteForByte(t *testing.T) {
	todo := steps(pins, *all)
	dirs := fetch(t, todo)
	hl := buildBinary(t)
	var total counts
	jobs := make(chan job)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		w := newWorker(t, hl, &total)
		workers.Go(func() {
			for j := range jobs {
				w.do(t, j)
			}
		})
	}
	next := 0
	for _, s := range todo {
		pairs, err := pairsOf(s, dirs[s.module+"@"+s.from], dirs[s.module+"@"+s.to])
		require.NoError(t, err)
		for _, p := range pairs {
			jobs <- job{p, next}
			next++
		}
	}
	close(jobs)
	workers.Wait()
	t.Logf("counts:\n%s", &total)
	for _, lack := range total.missing(*all) {
		t.Errorf("too few %s", lack)
	}
}

// A job is a pair and its number, which decides what is done with it beside the
// requests that all pairs get.
type job struct {
	pair
	number int
}

// A worker does jobs in its own directory.
type worker struct {
	dir      string
	door     door
	binary   command
	patchers *patchers
	total    *counts
}

func newWorker(t *testing.T, hl string, total *counts) *worker {
	dir := t.TempDir()
	door, err := openLibrary(dir)
	require.NoError(t, err)
	t.Cleanup(door.close)
	return &worker{dir, door, command{hl: hl, dir: dir}, newPatchers(t), total}
}

// do does a job and counts it, all of it or, if it fails, nothing of it.
func (w *worker) do(t *testing.T, j job) {
	n := &counts{}
	if err := w.pair(j, n); err != nil {
		w.total.add("failures")
		if w.total.get("failures") <= mostErrors {
			t.Errorf("%s: %v", j.name, err)
		}
		return
	}
	w.total.merge(n)
}

// modes are what files have, in turn.
var modes = []fs.FileMode{0o644, 0o600, 0o755, 0o640}

func (w *worker) pair(j job, n *counts) error {
	s, err := newSubject(j.pair)
	if err != nil {
		return err
	}
	n.add(pairCount)
	rng := rngOf(j.name)
	tr := &trial{subject: s, dir: w.dir, door: w.door, mode: modes[j.number%len(modes)]}
	if s.obstacle != "" {
		n.add(s.fate())
	}
	if s.obstacle != "" && !s.writable {
		return tr.refused()
	}
	patched := w.patchersFor(j.number, n)
	if s.obstacle == "" {
		for scheme := hashline.Chunk; scheme <= hashline.File; scheme++ {
			if err := tr.byLines(rng, scheme, patched, n); err != nil {
				return err
			}
			patched = nil // one diff is enough
		}
	}
	if s.writable {
		for _, asList := range []bool{false, true} {
			if _, err := tr.byWrite(rng, asList, patched, n); err != nil {
				return err
			}
			patched = nil
		}
	}
	if j.number%8 == 3 {
		if err := w.throughBinary(tr, j.number, rng, n); err != nil {
			return fmt.Errorf("through the binary: %w", err)
		}
	}
	if err := w.asRecoded(s, j.number, n); err != nil {
		return err
	}
	if crlf, ok := withCRLF(j.pair); ok && s.obstacle == "" && j.number%5 == 0 {
		return w.asCRLF(crlf, j.number, n)
	}
	return nil
}

// fate says what becomes of a pair that edits of lines do not express.
func (s *subject) fate() string {
	if s.writable {
		return "pairs by write only: " + string(s.obstacle)
	}
	return "pairs not expressible: " + string(s.obstacle)
}

// patchersFor returns the patchers for every sixth pair.
func (w *worker) patchersFor(number int, n *counts) *patchers {
	if number%6 != 1 {
		return nil
	}
	n.add(patchCount)
	return w.patchers
}

// throughBinary does with hl what was done with the library, in one scheme.
func (w *worker) throughBinary(tr *trial, number int, rng *rand.Rand, n *counts) error {
	n.add(binaryCount)
	through := *tr
	b := w.binary
	b.json = rng.IntN(2) == 0
	through.door = b
	patched := w.patchersFor(number/8, n)
	scheme := hashline.Scheme(number / 8 % 5)
	if tr.obstacle == "" {
		if err := through.byLines(rng, scheme, patched, n); err != nil {
			return err
		}
		patched = nil
	}
	if !tr.writable {
		return nil
	}
	_, err := through.byWrite(rng, false, patched, n)
	return err
}

// asCRLF does a pair again as files with CRLF: hardly any module has such.
func (w *worker) asCRLF(p pair, number int, n *counts) error {
	s, err := newSubject(p)
	if err != nil {
		return err
	}
	n.add("pairs again with CRLF")
	tr := &trial{subject: s, dir: w.dir, door: w.door, mode: 0o644}
	rng := rngOf(p.name)
	patched := w.patchersFor(number/5, n)
	if err := tr.byLines(rng, hashline.Scheme(number/5%5), patched, n); err != nil {
		return fmt.Errorf("with CRLF: %w", err)
	}
	if !s.writable {
		return nil
	}
	if _, err := tr.byWrite(rng, true, nil, n); err != nil {
		return fmt.Errorf("with CRLF: %w", err)
	}
	return nil
}

// asRecoded does a pair again in another encoding, through both doors in turn.
func (w *worker) asRecoded(s *subject, number int, n *counts) error {
	if s.obstacle != "" {
		return nil
	}
	for i, name := range recodings {
		r, ok := recoded(s, name)
		if !ok {
			continue
		}
		n.add("pairs again in " + name)
		tr := &trial{subject: r, dir: w.dir, door: w.door, mode: 0o644}
		if (number+i)%8 == 0 {
			tr.door = w.binary
		}
		if err := tr.byLines(rngOf(r.name), hashline.Scheme((number+i)%5), nil, n); err != nil {
			return fmt.Errorf("in %s: %w", name, err)
		}
	}
	return nil
}

// rngOf returns the generator for a pair: always the same, whatever other pairs
// there are.
func rngOf(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}
