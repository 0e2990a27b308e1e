package apply

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

const (
	// A read without windows shows the beginning of a file, up to one of these.
	defaultLines = 2000
	defaultBytes = 256 << 10

	// A file up to holdSize is read at once, so that it is seen as it was at one
	// moment. A larger one is read twice, in constant memory.
	holdSize = 1 << 20

	// countSize is the size up to which a file is read to its end to count its
	// lines, though the window ends before.
	countSize = 16 << 20
)

// ReadOptions are what of a file to read, and how to show it.
type ReadOptions struct {
	Windows  []hashline.Window // in any order; none for the beginning, up to 2,000 lines or 256 KiB
	Scheme   hashline.Scheme
	Encoding string // of files that are not UTF-8

	LockTimeout time.Duration // how long to wait for others that edit the file; 0 for 10 s
}

// A View is a part of a file, about to be shown.
type View struct {
	hashline.Header
	More     int       // the line to read on at; 0 if the view ends with the file
	Warnings []Warning // cut_off: the file may hold half of a request

	scheme hashline.Scheme
	enc    *text.Encoding
	file   *os.File // nil if the file is held
	info   fs.FileInfo
	source io.ReaderAt
	size   int64
	starts []start // where to begin to read for each window; nil for UTF-16

	segments []segment // if all of a large file is shown as text
}

// A start is a place in a file at which the line begins that has the number.
type start struct {
	at   int64
	line int // 1-based
}

// Read finds out what there is to show of the file that the caller calls name.
// The view is to be closed. The error of a view that cannot be had is a refusal
// with its code; see [CodeOf].
//
// No view shows what a request for several files did in part. One that is under way
// is waited for, and one that was cut off is completed or undone first. Only where
// that cannot be done is the file shown as it is, and Warnings says so.
func (w *Workspace) Read(ctx context.Context, name string, opt ReadOptions) (*View, error) {
	v := &View{scheme: opt.Scheme}
	if opt.Scheme < hashline.Chunk || opt.Scheme > hashline.File {
		return nil, refuse(InvalidInput, "there is no scheme %d to read in; use hashline.Chunk to hashline.File", opt.Scheme)
	}
	if opt.Windows = hashline.MergeWindows(opt.Windows); len(opt.Windows) > 0 && opt.Windows[0].First < 1 {
		return nil, refuse(InvalidInput, "lines count from 1, and a window begins at %d", opt.Windows[0].First)
	}
	v.Path = name
	if opt.Encoding != "" {
		enc, err := text.LookupEncoding(opt.Encoding)
		if err != nil {
			return nil, textError(err)
		}
		v.enc = enc
	}
	f, info, warnings, err := w.openToRead(ctx, name, opt.LockTimeout)
	if err != nil {
		return nil, err
	}
	v.file, v.info, v.source, v.size, v.Warnings = f, info, f, math.MaxInt64, warnings
	if info.Size() <= holdSize {
		err = v.hold(info.Size())
	}
	if err == nil {
		err = v.survey(opt, info.Size())
	}
	if err != nil {
		v.Close()
		return nil, textError(err)
	}
	return v, nil
}

// Close releases the file.
func (v *View) Close() error {
	if v.file == nil {
		return nil
	}
	return v.file.Close()
}

// hold reads the whole file, unless it grows past what is held.
func (v *View) hold(size int64) error {
	src, err := readAll(v.file, size, holdSize)
	if code, ok := CodeOf(err); ok && code == TooLarge {
		return nil
	}
	if err != nil {
		return err
	}
	v.file.Close()
	v.file = nil
	v.source, v.size = bytes.NewReader(src), int64(len(src))
	return nil
}

// from reads the file from an offset on.
func (v *View) from(at int64) io.Reader { return io.NewSectionReader(v.source, at, v.size-at) }

// survey sets the header: which of the lines asked for there are, how many there
// are in all, and, if all are asked for, the tag.
func (v *View) survey(opt ReadOptions, size int64) error {
	digest := xxhash.New()
	r := v.from(0)
	hashed := opt.Windows == nil || opt.Windows[0].First == 1 || v.file == nil
	if hashed {
		r = io.TeeReader(r, digest)
	}
	scan, err := text.NewScanner(r, v.enc)
	if err != nil {
		return err
	}
	s := &surveyor{view: v, scan: scan, grid: hashline.Format{}.Grid(opt.Scheme)}
	if opt.Windows == nil {
		err = s.beginning()
	} else {
		err = s.windows(opt.Windows)
	}
	if err == nil && size <= countSize {
		err = s.skip(math.MaxInt - s.at)
	}
	if err == nil && scan.AtEnd() {
		err = s.skip(1)
	}
	switch err {
	case nil: // the end was not reached
		v.Total = -1
	case io.EOF:
		v.Total = s.at
		v.cut()
	default:
		return ioError("reading", err)
	}
	if n := len(v.Windows); n > 0 && (v.Total < 0 || v.Windows[n-1].Last < v.Total) {
		v.More = v.Windows[n-1].Last + 1
	}
	v.HasBase = hashed && v.Total >= 0 && (v.Total == 0 || len(v.Windows) == 1 && v.Windows[0] == hashline.Window{First: 1, Last: v.Total})
	v.Base = hashline.Tag(digest.Sum64())
	if v.scheme == hashline.File && !v.HasBase {
		return refuse(InvalidInput, "scheme file shows whole files only, since bare numbers need the base; use --lines all, or another scheme")
	}
	return nil
}

// cut cuts the windows to the lines that there are.
func (v *View) cut() {
	for n := len(v.Windows); n > 0; n-- {
		w := &v.Windows[n-1]
		if w.First <= v.Total {
			w.Last = min(w.Last, v.Total)
			break
		}
		v.Windows = v.Windows[:n-1]
	}
}

// A surveyor passes over a file once and notes where windows begin.
type surveyor struct {
	view *View
	scan *text.Scanner
	grid int
	at   int // lines passed
}

func (s *surveyor) skip(n int) error {
	skipped, err := s.scan.Skip(n)
	s.at += skipped
	return err
}

// mark notes that what a window needs begins here.
func (s *surveyor) mark(w hashline.Window) {
	s.view.Windows = append(s.view.Windows, w)
	if at, ok := s.scan.Offset(); ok {
		s.view.starts = append(s.view.starts, start{at, s.at + 1})
	}
}

func (s *surveyor) windows(windows []hashline.Window) error {
	for _, w := range windows {
		chunk := (w.First - 1) / s.grid * s.grid
		if chunk < s.at {
			// The window before ends in the same chunk; begin where that began.
			n := len(s.view.Windows) - 1
			s.view.Windows = append(s.view.Windows, w)
			if s.view.starts != nil {
				s.view.starts = append(s.view.starts, s.view.starts[n])
			}
		} else {
			if err := s.skip(chunk - s.at); err != nil {
				return err
			}
			s.mark(w)
		}
		if err := s.pass(w); err != nil {
			return err
		}
	}
	return nil
}

// pass passes over the lines of w, of which s is at the first or behind it.
func (s *surveyor) pass(w hashline.Window) error {
	if whole := (hashline.Window{First: 1, Last: hashline.ToEnd}); w == whole && s.view.starts != nil && s.view.file != nil {
		return s.segments()
	}
	return s.skip(w.Last - s.at)
}

// beginning makes one window of as many lines as are shown unasked.
func (s *surveyor) beginning() error {
	s.mark(hashline.Window{First: 1, Last: hashline.ToEnd})
	w := &s.view.Windows[0]
	shown := 0
	for s.at < defaultLines {
		size := 0
		for last := false; !last; {
			part, ends, err := s.scan.Part()
			if err != nil {
				return err
			}
			size += len(part)
			last = ends
		}
		s.at++
		if shown += min(size, hashline.CutAt); shown > defaultBytes {
			w.Last = s.at - 1
			return nil
		}
	}
	w.Last = s.at
	return nil
}
