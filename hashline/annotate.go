package hashline

import (
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/text"
)

// Grid returns how many lines share a chunk or a checkpoint in scheme s: a
// Scanner for Annotate may begin at any line after a multiple of it.
func (f Format) Grid(s Scheme) int { return f.sizes().grid(s) }

// Annotate calls emit with the lines of windows, which are in order and do not
// overlap, in order, a few at a time. s is to read the lines from line first on,
// 1-based, which is 1 or follows a multiple of Grid. Windows past the end of the
// text are cut. Lines are valid until emit returns. The error is that of emit or
// of s, io.EOF aside. Annotate reads no further than some lines behind the last
// one asked for.
func (f Format) Annotate(s *text.Scanner, enc *text.Encoding, scheme Scheme, first int, windows []Window, emit func([]Line) error) error {
	a := annotator{f: f.sizes(), scan: s, enc: enc, scheme: scheme}
	grid := a.f.grid(scheme)
	group := grid
	if grid == 1 {
		group = 16 // no line needs another, but one by one they are slow
	}
	next := first // the line that s is at
	for len(windows) > 0 {
		start := (max(windows[0].First, next)-1)/grid*grid + 1
		if start > next {
			if _, err := s.Skip(start - next); err != nil {
				return notEOF(err)
			}
			next = start
		}
		err := a.readGroup(group)
		if err != nil && err != io.EOF {
			return err
		}
		if len(a.lines) == 0 {
			return nil // the text ended with the last group
		}
		a.fingerprint(next)
		next += len(a.lines)
		for len(windows) > 0 && windows[0].First < next {
			from := max(windows[0].First-a.group[0].Anchor.Line, 0)
			to := min(windows[0].Last, next-1) - a.group[0].Anchor.Line + 1
			if from < to {
				if err := emit(a.group[from:to]); err != nil {
					return err
				}
			}
			if windows[0].Last >= next {
				break
			}
			windows = windows[1:]
		}
		if err == io.EOF {
			return nil
		}
	}
	return nil
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// An annotator holds the lines of one chunk, or of one checkpoint's lines.
type annotator struct {
	f      Format
	scan   *text.Scanner
	enc    *text.Encoding
	scheme Scheme
	summer summer

	lines  [][]byte // each line, or more than CutAt bytes of it
	sizes  []int    // the bytes of each line, if it is not in lines whole
	hashes []uint64 // h of each line
	held   []byte   // what lines are parts of, if the Scanner does not hold them
	digest *xxhash.Digest
	group  []Line // the lines as they are emitted
}

// readGroup reads the next n lines, fewer at the end with io.EOF.
func (a *annotator) readGroup(n int) error {
	if cap(a.lines) < n {
		a.lines, a.sizes, a.hashes = make([][]byte, n), make([]int, n), make([]uint64, n)
	}
	a.lines, a.sizes, a.hashes = a.lines[:n], a.sizes[:n], a.hashes[:n]
	if a.scan.Batch(a.lines) {
		for i, line := range a.lines {
			a.hashes[i] = hashLine(line)
			a.sizes[i] = len(line)
		}
		return nil
	}
	// One by one. Each needs a copy: reading the next may move it.
	a.held = slices.Grow(a.held[:0], n*(CutAt+slack))
	for i := range n {
		start := len(a.held)
		if err := a.readLine(i); err != nil {
			a.lines, a.sizes, a.hashes = a.lines[:i], a.sizes[:i], a.hashes[:i]
			return err
		}
		a.lines[i] = a.held[start:]
	}
	return nil
}

// slack is how many bytes more than CutAt tell whether a character ends there.
const slack = 8

// readLine reads the i-th line of the group into held.
func (a *annotator) readLine(i int) error {
	part, last, err := a.scan.Part()
	if err != nil {
		return err
	}
	// The Scanner's buffer is larger than the view of a line.
	a.held = append(a.held, part[:min(len(part), CutAt+slack)]...)
	a.sizes[i] = len(part)
	if last {
		a.hashes[i] = hashLine(part)
		return nil
	}
	if a.digest == nil {
		a.digest = xxhash.New()
	}
	a.digest.Reset()
	a.digest.Write(part)
	for !last {
		if part, last, err = a.scan.Part(); err != nil {
			return err
		}
		a.digest.Write(part)
		a.sizes[i] += len(part)
	}
	a.hashes[i] = a.digest.Sum64()
	return nil
}

// fingerprint sets group to the lines read, the first of which is line first.
func (a *annotator) fingerprint(first int) {
	a.group = slices.Grow(a.group[:0], len(a.lines))[:len(a.lines)]
	var sum, window uint64
	if a.scheme == Chunk || a.scheme == Seal {
		sum = a.summer.sum(a.hashes...)
		window = a.f.window(a.scheme, sum)
	}
	for i := range a.group {
		if a.scheme == Chain {
			window = a.f.window(a.scheme, a.summer.sum(a.hashes[:i+1]...))
		}
		l := &a.group[i]
		l.Anchor.Scheme = a.scheme
		l.Anchor.Line = first + i
		l.Anchor.Own = a.f.own(&a.summer, a.scheme, a.hashes[i], sum)
		l.Anchor.Window = window
		l.Text, l.Cut = a.lines[i], 0
		if a.sizes[i] > CutAt {
			l.Text, l.Cut = cutLine(a.enc, l.Text, a.sizes[i])
		}
	}
}
