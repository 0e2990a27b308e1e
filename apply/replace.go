package apply

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
)

// A replacement is a file about to be replaced: the new bytes lie complete
// beside it, and nothing of it has changed yet.
type replacement struct {
	w      *Workspace
	t      *target
	snap   *snapshot
	temp   string       // in t.dir; "" once it is gone
	tag    hashline.Tag // of the new bytes
	sync   bool
	create bool     // the file does not exist yet
	made   []string // directories made for it, the outermost first
}

// step runs one step of the protocol, unless a test makes it fail.
func (w *Workspace) step(name string, do func() error) error {
	if w.fault != nil {
		if err := w.fault(name); err != nil {
			return err
		}
	}
	return do()
}

// prepare writes content beside t, with the mode and owner of snap, and to disk
// if sync is set.
func (w *Workspace) prepare(t *target, snap *snapshot, content io.WriterTo, sync bool) (*replacement, error) {
	r := &replacement{w: w, t: t, snap: snap, sync: sync, create: snap.info == nil}
	if err := r.write(content); err != nil {
		r.discard()
		return nil, ioError("writing the new file", err)
	}
	return r, nil
}

func (r *replacement) write(content io.WriterTo) error {
	if r.t.dir == nil {
		if err := r.makeDirs(); err != nil {
			return err
		}
	}
	if err := r.w.access(r.t, r.snap); err != nil {
		return err
	}
	var f *os.File
	err := r.step("create", func() (err error) {
		// Short, so that a name of any length has room, and not to be guessed.
		var unique [8]byte
		rand.Read(unique[:])
		name := ".hl-" + hex.EncodeToString(unique[:]) + ".tmp"
		mode := fs.FileMode(0o600)
		if r.create {
			mode = 0o666 // less the umask
		}
		if f, err = r.t.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); err == nil {
			r.temp = name
		}
		return err
	})
	if err != nil {
		return err
	}
	err = r.fill(f, content)
	closeErr := r.step("close", f.Close)
	if closeErr != nil {
		f.Close()
	}
	return errors.Join(err, closeErr)
}

func (r *replacement) step(name string, do func() error) error { return r.w.step(name, do) }

// access fails if there is a file that we may not write: a rename would get
// around that.
func (w *Workspace) access(t *target, snap *snapshot) error {
	if snap.info == nil {
		return nil
	}
	return w.step("access", func() error {
		f, err := t.dir.OpenFile(t.base, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case err == nil:
			return f.Close()
		case errors.Is(err, syscall.ETXTBSY): // a running program; it keeps the old file
			return nil
		}
		return err
	})
}

// mayReplace fails if prepare would for want of permission to write the file, or
// to its directory.
func (w *Workspace) mayReplace(t *target, snap *snapshot) error {
	err := w.access(t, snap)
	if err == nil && snap.info != nil {
		err = mayKeepOwner(snap.info)
	}
	if err == nil {
		err = w.dirAccess(t)
	}
	if err != nil {
		return ioError("writing the new file", err)
	}
	return nil
}

// dirAccess fails if we may make no file in t's directory, or in the nearest one
// above it that there is.
func (w *Workspace) dirAccess(t *target) error {
	for dir := filepath.Dir(t.rel); ; dir = filepath.Dir(dir) {
		f, err := w.root.Open(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != "." {
			continue
		}
		if err != nil {
			return err
		}
		defer f.Close()
		return mayWriteIn(f)
	}
}

// fill gives the new file its bytes and attributes.
func (r *replacement) fill(f *os.File, content io.WriterTo) error {
	digest := xxhash.New()
	err := r.step("write", func() error {
		// Large pieces pass the buffer by; it gathers the small ones.
		buffered := bufio.NewWriterSize(f, 64<<10)
		if _, err := content.WriteTo(io.MultiWriter(buffered, digest)); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	r.tag = hashline.Tag(digest.Sum64())
	if !r.create {
		// The owner first: changing it clears the set-user-ID bit.
		if err := r.step("chown", func() error { return keepOwner(f, r.snap.info) }); err != nil {
			return err
		}
		if err := r.step("chmod", func() error { return f.Chmod(r.snap.info.Mode()) }); err != nil {
			return err
		}
	}
	if !r.sync {
		return nil
	}
	return r.step("sync", f.Sync)
}

// commit puts the new file in the place of the old, if that is still the
// snapshot. With an error nothing has happened. durable reports that the new file
// will be there after a power cut.
func (r *replacement) commit() (durable bool, err error) {
	defer r.discard()
	if r.create {
		// A link, unlike a rename, fails if somebody made the file meanwhile.
		err := r.step("link", func() error { return r.t.dir.Link(r.temp, r.t.base) })
		if errors.Is(err, fs.ErrExist) {
			return false, refuse(FileChanged, "somebody made the file meanwhile; read it and decide again")
		}
		if err != nil {
			return false, ioError("naming the new file", err)
		}
		r.t.dir.Remove(r.temp) // if this fails, a stray name of the new file stays
		r.temp = ""
	} else {
		if err := r.unchanged(); err != nil {
			return false, err
		}
		err := r.step("rename", func() error { return r.t.dir.Rename(r.temp, r.t.base) })
		if err != nil {
			return false, ioError("replacing the file", err)
		}
		r.temp = ""
	}
	// From here on the request is applied, whatever else fails.
	made := r.made
	r.made = nil
	if !r.sync {
		return false, nil
	}
	return r.step("syncdir", func() error { return r.syncDirs(made) }) == nil, nil
}

// syncDirs makes the file's name durable, and those of the directories made for
// it.
func (r *replacement) syncDirs(made []string) error {
	err := syncDir(r.t.dir)
	for _, d := range made {
		parent, openErr := r.w.root.OpenRoot(filepath.Dir(d))
		if openErr != nil {
			return openErr
		}
		err = errors.Join(err, syncDir(parent))
		parent.Close()
	}
	return err
}

// unchanged fails unless the file still has the bytes of the snapshot.
func (r *replacement) unchanged() error {
	changed := refuse(FileChanged, "the file changed while the edit was made; read it again and decide again")
	f, info, err := r.t.open()
	if err != nil {
		if refused, ok := errors.AsType[*refusal](err); ok && (refused.code == NotRegular || refused.code == FileNotFound) {
			return changed
		}
		return err
	}
	defer f.Close()
	if info.Size() != int64(len(r.snap.src)) {
		return changed
	}
	digest := xxhash.New()
	err = r.step("rehash", func() error {
		_, err := io.CopyBuffer(struct{ io.Writer }{digest}, io.LimitReader(f, info.Size()+1), make([]byte, 256<<10))
		return err
	})
	if err != nil {
		return ioError("reading", err)
	}
	if hashline.Tag(digest.Sum64()) != r.snap.tag {
		return changed
	}
	// Hashing took a while: the name must still be that of the file hashed, and
	// nobody may have written to it, nor given it other attributes than we keep.
	now, err := r.t.dir.Lstat(r.t.base)
	if err != nil || !os.SameFile(info, now) || now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) ||
		now.Mode() != r.snap.info.Mode() || linkCount(now) > 1 {
		return changed
	}
	return nil
}

// discard removes what prepare made and commit did not use.
func (r *replacement) discard() {
	if r.temp != "" {
		r.t.dir.Remove(r.temp)
		r.temp = ""
	}
	for i := len(r.made) - 1; i >= 0; i-- {
		r.w.root.Remove(r.made[i])
	}
	r.made = nil
}

// makeDirs makes the directories that the file's path lacks.
func (r *replacement) makeDirs() error {
	return r.step("mkdir", func() error {
		dir := filepath.Dir(r.t.rel)
		var missing []string // the innermost first
		for d := dir; d != "."; d = filepath.Dir(d) {
			if _, err := r.w.root.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			missing = append(missing, d)
		}
		for i := len(missing) - 1; i >= 0; i-- {
			if err := r.w.root.Mkdir(missing[i], 0o777); err != nil {
				return err
			}
			r.made = append(r.made, missing[i])
		}
		var err error
		r.t.dir, err = r.w.root.OpenRoot(dir)
		return err
	})
}

// syncDir makes the names in dir durable.
func syncDir(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	// File systems that cannot sync a directory do not need to.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EBADF) {
		return nil
	}
	return err
}
