package apply

import (
	"errors"
	"io"
	"math"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// Lines calls emit with the lines of the view, in order, a few at a time; they are
// valid until emit returns. If the file is not what it was when the view was made,
// Lines fails with FileChanged, when emit may have seen some or all of the lines.
// Otherwise the error is that of emit or of the system. It can be called once.
func (v *View) Lines(emit func([]hashline.Line) error) error {
	emitted, want := 0, 0
	for _, w := range v.Windows {
		want += w.Last - w.First + 1
	}
	count := func(lines []hashline.Line) error {
		emitted += len(lines)
		return emit(lines)
	}
	var err error
	switch {
	case v.HasBase && v.file != nil:
		err = v.whole(count)
	case v.starts == nil:
		var scan *text.Scanner
		if scan, err = text.NewScanner(v.from(0), v.enc); err == nil {
			err = hashline.Format{}.Annotate(scan, v.enc, v.scheme, 1, v.Windows, count)
		}
	default:
		for i := range v.Windows {
			scan := text.ScanFrom(v.from(v.starts[i].at))
			err = hashline.Format{}.Annotate(scan, v.enc, v.scheme, v.starts[i].line, v.Windows[i:i+1], count)
			if err != nil {
				break
			}
		}
	}
	switch {
	case err != nil:
		return textError(err)
	case emitted != want || !v.HasBase && v.touched():
		return changedInRead()
	}
	return nil
}

// touched reports whether a file that is not held was written to since it was
// surveyed. It may be that lines were added at its end only; nobody can tell.
func (v *View) touched() bool {
	if v.file == nil {
		return false
	}
	now, err := v.file.Stat()
	return err != nil || now.Size() != v.info.Size() || !now.ModTime().Equal(v.info.ModTime())
}

func changedInRead() error {
	return refuse(FileChanged, "the file changed while it was read; read it again")
}

// whole shows a whole file and makes sure that its tag is that of what was shown.
func (v *View) whole(emit func([]hashline.Line) error) error {
	digest := xxhash.New()
	scan, err := text.NewScanner(io.TeeReader(v.from(0), digest), v.enc)
	if err != nil {
		return err
	}
	if err := (hashline.Format{}).Annotate(scan, v.enc, v.scheme, 1, v.Windows, emit); err != nil {
		return err
	}
	if _, err := scan.Skip(math.MaxInt); err != io.EOF {
		return err
	}
	if hashline.Tag(digest.Sum64()) != v.Base {
		return changedInRead()
	}
	return nil
}

// Text writes the view: its header, a line for each line, and a footer if the
// file goes on. Between windows stands a line with the number of lines left out.
// It writes in large pieces.
func (v *View) Text(w io.Writer) error {
	const piece = 64 << 10
	printer := hashline.Format{}.Printer(v.enc)
	buf := append([]byte(v.Header.String()), '\n')
	if v.segments != nil {
		if _, err := w.Write(buf); err != nil {
			return err
		}
		return v.segmentsText(w)
	}
	last := 0
	err := v.Lines(func(lines []hashline.Line) error {
		if gap := lines[0].Anchor.Line - last - 1; last > 0 && gap > 0 {
			buf = hashline.AppendGap(buf, gap)
		}
		for i := range lines {
			buf = printer.AppendLine(buf, &lines[i])
		}
		last = lines[len(lines)-1].Anchor.Line
		if len(buf) < piece {
			return nil
		}
		_, err := w.Write(buf)
		buf = buf[:0]
		return err
	})
	if err == nil && v.More > 0 {
		buf = hashline.AppendMore(buf, v.More)
	}
	_, writeErr := w.Write(buf)
	return errors.Join(err, writeErr)
}

// Plain writes the text of the view's lines with their endings, whole.
func (v *View) Plain(w io.Writer) error {
	if v.enc != nil {
		dec := v.enc.DecodingWriter(w)
		defer dec.Close()
		w = dec
	}
	var scan *text.Scanner
	at := 0
	for i, window := range v.Windows {
		switch {
		case v.starts != nil:
			scan, at = text.ScanFrom(v.from(v.starts[i].at)), v.starts[i].line-1
		case scan == nil:
			var err error
			if scan, err = text.NewScanner(v.from(0), nil); err != nil {
				return textError(err)
			}
		}
		if _, err := scan.Skip(window.First - 1 - at); err != nil && err != io.EOF {
			return textError(err)
		}
		lines, err := scan.Copy(w, window.Last-window.First+1)
		switch {
		case err != nil && err != io.EOF:
			return textError(err)
		case lines < window.Last-window.First+1:
			return changedInRead()
		}
		at = window.Last
	}
	if v.touched() {
		return changedInRead()
	}
	return nil
}

// JSON writes the view as an object: path, base (absent where there is none),
// windows (first and last of each, 1-based and inclusive), total (null if
// unknown), lines, more, the line to read on at (absent at the end), and warnings
// (absent without any).
func (v *View) JSON(enc *jsontext.Encoder) error {
	type window struct {
		First int `json:"first"`
		Last  int `json:"last"`
	}
	windows := []window{}
	for _, w := range v.Windows {
		windows = append(windows, window{w.First, w.Last})
	}
	enc.WriteToken(jsontext.BeginObject)
	member := func(name string, value any) {
		enc.WriteToken(jsontext.String(name))
		json.MarshalEncode(enc, value) // the Encoder keeps the first error of its writer
	}
	member("path", v.Path)
	if v.HasBase {
		member("base", v.Base.String())
	}
	member("windows", windows)
	if v.Total >= 0 {
		member("total", v.Total)
	} else {
		member("total", nil)
	}
	enc.WriteToken(jsontext.String("lines"))
	enc.WriteToken(jsontext.BeginArray)
	linesErr := v.Lines(func(lines []hashline.Line) error {
		for i := range lines {
			if err := json.MarshalEncode(enc, lineOf(&lines[i], v.enc)); err != nil {
				return err
			}
		}
		return nil
	})
	enc.WriteToken(jsontext.EndArray)
	if linesErr == nil && v.More > 0 {
		member("more", v.More)
	}
	if len(v.Warnings) > 0 {
		member("warnings", v.Warnings)
	}
	if err := enc.WriteToken(jsontext.EndObject); err != nil {
		return err
	}
	return linesErr
}
