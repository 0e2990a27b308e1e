package apply

import (
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/text"
)

// DefaultMaxSize is the largest file in bytes that is read to be edited.
const DefaultMaxSize = 1 << 30

// A snapshot is a file as it was when it was read.
type snapshot struct {
	info fs.FileInfo // nil if the file did not exist
	src  []byte
	tag  hashline.Tag
}

// open opens t for reading, if it is a regular file.
func (t *target) open() (*os.File, fs.FileInfo, error) {
	if t.missing {
		return nil, nil, refuse(FileNotFound, "the file does not exist")
	}
	return openRegular(t.dir, t.base)
}

// openRegular opens the file of dir for reading, if it is a regular file.
func openRegular(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	// Look first: opening a device can have effects. O_NONBLOCK: what was a file
	// may be a FIFO by now, and opening one would wait for a writer.
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, nil, ioError("reading", err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, notRegular(info)
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, ioError("reading", err)
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, ioError("reading", err)
	}
	return f, info, nil
}

func notRegular(info fs.FileInfo) error {
	kind := "a device"
	switch mode := info.Mode(); {
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeSymlink != 0:
		kind = "a symbolic link"
	}
	return refuse(NotRegular, "it is %s; name a regular file", kind)
}

// read reads t whole, to be edited.
func (t *target) read(opt *Options) (*snapshot, error) {
	// Look before opening, too: a file that may not be read has a better reason.
	if !t.missing {
		if info, err := t.dir.Lstat(t.base); err == nil && info.Mode().IsRegular() {
			if err := editable(info, opt); err != nil {
				return nil, err
			}
		}
	}
	f, info, err := t.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := editable(info, opt); err != nil {
		return nil, err
	}
	src, err := readAll(f, info.Size(), opt.MaxSize)
	if err != nil {
		return nil, err
	}
	return &snapshot{info: info, src: src, tag: hashline.TagOf(src)}, nil
}

// editable refuses a regular file that is not to be replaced.
func editable(info fs.FileInfo, opt *Options) error {
	switch {
	case linkCount(info) > 1 && !opt.BreakHardlinks:
		return refuse(HardLinked, "the file has %d hard links, and replacing it would part them; if that is wanted, use --break-hardlinks", linkCount(info))
	case info.Mode().Perm()&0o222 == 0:
		return refuse(ReadOnly, "the file is read-only; change its mode first if it is to be edited")
	case info.Size() > opt.MaxSize:
		return refuse(TooLarge, "the file has %d bytes, over the limit of %d; raise it with --max-size", info.Size(), opt.MaxSize)
	}
	return nil
}

// firstByte is how long a file may have nothing to say, but not be at its end.
const firstByte = 200 * time.Millisecond

// readAll reads f, which has size bytes unless it is growing.
func readAll(f *os.File, size, maxSize int64) ([]byte, error) {
	if size == 0 {
		// Some files of the kernel call themselves regular, and wait until there is
		// something to read. Others know no deadline, and do not need one.
		f.SetReadDeadline(time.Now().Add(firstByte))
		defer f.SetReadDeadline(time.Time{})
	}
	src := make([]byte, size+1) // one more, to see the end without growing
	n := 0
	for {
		got, err := f.Read(src[n:])
		n += got
		switch {
		case err == io.EOF:
			return src[:n:n], nil
		case err != nil:
			return nil, ioError("reading", err)
		case int64(n) > maxSize:
			return nil, refuse(TooLarge, "the file is growing past the limit of %d bytes; raise it with --max-size", maxSize)
		case n == len(src):
			src = append(src, make([]byte, max(n/4, 4096))...)
		}
	}
}

// parse returns the document of src, or a refusal.
func parse(src []byte, enc *text.Encoding) (*text.Document, error) {
	doc, err := text.Parse(src, enc)
	return doc, textError(err)
}
