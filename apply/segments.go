package apply

import (
	"io"
	"runtime"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// A large file that is shown whole is cut into segments, which are rendered side
// by side. A segment begins where no chunk and no checkpoint of another reaches
// in, so it can be annotated alone.

const (
	segmentStep = 1024      // lines; a multiple of every grid
	segmentSize = 512 << 10 // bytes at which a segment ends with the next step
	mostWorkers = 4         // segments rendered at once: more would cost memory
)

// A segment is a part of a file, and the hash of its bytes when it was surveyed.
type segment struct {
	start
	lines int
	size  int64
	sum   uint64
}

// segments passes over the rest of the file and notes its segments. It ends with
// io.EOF, or another error.
func (s *surveyor) segments() error {
	digest := xxhash.New()
	for {
		begin, _ := s.scan.Offset()
		seg := segment{start: start{begin, s.at + 1}}
		digest.Reset()
		for seg.size < segmentSize {
			n, err := s.scan.Copy(digest, segmentStep)
			s.at += n
			seg.lines += n
			now, _ := s.scan.Offset()
			seg.size = now - begin
			if err != nil {
				if seg.lines > 0 {
					seg.sum = digest.Sum64()
					s.view.segments = append(s.view.segments, seg)
				}
				return err
			}
		}
		seg.sum = digest.Sum64()
		s.view.segments = append(s.view.segments, seg)
	}
}

// A rendering is the text of a segment.
type rendering struct {
	text []byte
	err  error
}

// segmentsText writes the lines of all segments, in order.
func (v *View) segmentsText(w io.Writer) error {
	workers := min(runtime.GOMAXPROCS(0), mostWorkers)
	queue := make(chan chan rendering, workers-1) // in the order of the file
	free := make(chan []byte, workers+2)          // buffers to use again
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(queue)
		for _, seg := range v.segments {
			done := make(chan rendering, 1)
			select {
			case <-stop:
				return
			case queue <- done:
			}
			var buf []byte
			select {
			case buf = <-free:
			default:
			}
			go func() { done <- v.render(buf[:0], seg) }()
		}
	}()
	for done := range queue {
		r := <-done
		if r.err != nil {
			return r.err
		}
		if _, err := w.Write(r.text); err != nil {
			return err
		}
		free <- r.text
	}
	return nil
}

// render appends the lines of seg to buf.
func (v *View) render(buf []byte, seg segment) rendering {
	digest := xxhash.New()
	scan := text.ScanFrom(io.TeeReader(io.NewSectionReader(v.source, seg.at, seg.size), digest))
	printer := hashline.Format{}.Printer(v.enc)
	window := []hashline.Window{{First: seg.line, Last: seg.line + seg.lines - 1}}
	err := hashline.Format{}.Annotate(scan, v.enc, v.scheme, seg.line, window, func(lines []hashline.Line) error {
		for i := range lines {
			buf = printer.AppendLine(buf, &lines[i])
		}
		return nil
	})
	if err == nil && !(scan.AtEnd() && digest.Sum64() == seg.sum) {
		err = changedInRead()
	}
	return rendering{buf, textError(err)}
}
