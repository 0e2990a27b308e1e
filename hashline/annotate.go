package hashline

import (
	"io"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/text"
)

// Grid returns how many lines share a chunk or a checkpoint in scheme s: a
// Scanner for Annotate may begin at any line after a multiple of it.
func (f Format) Grid(s Scheme) int { return f.sizes().grid(s) }

// Annotate calls emit with the lines of windows, which are in order and do not
// overlap, in order. s is to read the lines from line first on, 1-based, which
// is 1 or follows a multiple of Grid. Windows past the end of the text are cut.
// A Line is valid until emit returns. The error is that of emit or of s, io.EOF
// aside. Annotate reads no further than the chunk of the last line asked for.
func (f Format) Annotate(s *text.Scanner, enc *text.Encoding, scheme Scheme, first int, windows []Window, emit func(*Line) error) error {
	a := annotator{f: f.sizes(), scan: s, enc: enc, scheme: scheme, emit: emit}
	grid := a.f.grid(scheme)
	next := first // the line that s is at
	for len(windows) > 0 {
		w := windows[0]
		start := (max(w.First, next)-1)/grid*grid + 1
		if start > next {
			if _, err := s.Skip(start - next); err != nil {
				return notEOF(err)
			}
			next = start
		}
		err := a.readGroup(next, grid)
		if err != nil && err != io.EOF {
			return err
		}
		emitted, emitErr := a.emitGroup(next, windows)
		if emitErr != nil || err == io.EOF {
			return emitErr
		}
		next += grid
		windows = windows[emitted:]
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
	emit   func(*Line) error
	summer summer

	hashes []uint64   // h of each line
	lines  []heldLine // where each line is in held
	held   []byte     // the lines' beginnings
	digest *xxhash.Digest
}

// A heldLine is one line of the group.
type heldLine struct {
	start, end int // in held: the line, or more than CutAt bytes of it
	size       int // bytes of the line
}

// readGroup reads the next n lines, fewer at the end with io.EOF.
func (a *annotator) readGroup(first, n int) error {
	a.hashes, a.lines, a.held = a.hashes[:0], a.lines[:0], a.held[:0]
	for range n {
		part, last, _, err := a.scan.Part()
		if err != nil {
			return err
		}
		line := heldLine{start: len(a.held)}
		var h uint64
		if last {
			h = hashLine(part)
			line.size = len(part)
			a.hold(part, len(part))
		} else if h, line.size, err = a.longLine(part); err != nil {
			return err
		}
		line.end = len(a.held)
		a.lines = append(a.lines, line)
		a.hashes = append(a.hashes, h)
	}
	return nil
}

// hold keeps the first room bytes of part at most, and no more than a view
// needs.
func (a *annotator) hold(part []byte, room int) {
	// A few bytes more than CutAt tell whether a character ends there.
	const enough = CutAt + 8
	a.held = append(a.held, part[:min(len(part), room, enough)]...)
}

// longLine reads the rest of a line that begins with part and is larger than the
// Scanner's buffer.
func (a *annotator) longLine(part []byte) (h uint64, size int, err error) {
	if a.digest == nil {
		a.digest = xxhash.New()
	}
	a.digest.Reset()
	a.hold(part, len(part)) // the buffer is larger than a view of a line
	for last := false; ; {
		a.digest.Write(part)
		size += len(part)
		if last {
			return a.digest.Sum64(), size, nil
		}
		if part, last, _, err = a.scan.Part(); err != nil {
			return 0, 0, err
		}
	}
}

// emitGroup emits those of the held lines, the first of which is line first,
// that are in windows. It returns how many windows end in the group.
func (a *annotator) emitGroup(first int, windows []Window) (ended int, err error) {
	var chunk uint64
	if a.scheme == Chunk || a.scheme == Seal {
		chunk = a.summer.sum(a.hashes...)
	}
	line := Line{}
	for i, held := range a.lines {
		number := first + i
		for ended < len(windows) && windows[ended].Last < number {
			ended++
		}
		if ended == len(windows) {
			break
		}
		if number < windows[ended].First {
			continue
		}
		line.Anchor = a.anchor(number, i, chunk)
		line.Text, line.Cut = cutLine(a.enc, a.held[held.start:held.end], held.size)
		if err := a.emit(&line); err != nil {
			return ended, err
		}
	}
	for ended < len(windows) && windows[ended].Last < first+len(a.lines) {
		ended++
	}
	return ended, nil
}

// anchor returns the anchor of the i-th line of the group, which is line number
// of the text.
func (a *annotator) anchor(number, i int, chunk uint64) Anchor {
	an := Anchor{Scheme: a.scheme, Line: number}
	if a.scheme == Chain {
		chunk = a.summer.sum(a.hashes[:i+1]...)
	}
	an.Own, an.Window = a.f.codes(&a.summer, a.scheme, a.hashes[i], chunk)
	return an
}

// codes returns the letters of an anchor, as numbers: h is the line's hash, sum
// that of the chunk or chain, where the scheme has one.
func (f *Format) codes(s *summer, scheme Scheme, h, sum uint64) (own, window uint64) {
	switch scheme {
	case Chunk:
		return code(h, f.LineLetters), code(sum, f.ChunkLetters)
	case Seal:
		return code(s.sum(h, sum), f.SealLetters), 0
	case Chain:
		return code(h, f.LineLetters), code(sum, f.ChainLetters)
	case Content:
		return code(h, f.ContentLetters), 0
	}
	return 0, 0
}
