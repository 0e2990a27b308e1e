package apply

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// commit puts the new file in the place of the old, if that is still the
// snapshot. With an error the old file is in its place, as it was or as others
// have made it meanwhile. durable reports that the new file will be there after a
// power cut.
func (r *replacement) commit() (durable bool, err error) {
	defer r.discard()
	if err := r.swap(); err != nil {
		return false, err
	}
	return r.finish(), nil
}

// swap puts the new file in its place. The old one is then beside it, and proved
// to be the snapshot.
func (r *replacement) swap() error {
	if r.creates() {
		return r.put()
	}
	if err := r.look(); err != nil {
		return err
	}
	if err := r.mark(); err != nil {
		return ioError("replacing the file", err)
	}
	err := r.step("exchange", func() error {
		if removed("exchange") {
			return errors.ErrUnsupported
		}
		return exchange(r.dir, r.temp, r.t.base)
	})
	if errors.Is(err, errors.ErrUnsupported) {
		return r.rename()
	}
	if err != nil {
		return ioError("replacing the file", err)
	}
	r.exchanged = true
	if err := r.verify(); err != nil {
		return r.back(err)
	}
	return nil
}

// put gives a new file its name, unless somebody has made one of that name
// meanwhile.
func (r *replacement) put() error {
	err := r.step("link", func() error { return renameNew(r.dir, r.temp, r.t.base) })
	if errors.Is(err, errors.ErrUnsupported) {
		// A link, too, fails if there is such a name; but a crash leaves two.
		if err = r.step("link", func() error { return r.t.dir.Link(r.temp, r.t.base) }); err == nil {
			r.remove()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return refuse(FileChanged, "somebody made the file meanwhile; read it and decide again")
	}
	if err != nil {
		return ioError("naming the new file", err)
	}
	r.temp = ""
	return nil
}

// rename is the way where files cannot be exchanged: what was written to the old
// file since the last look is lost.
func (r *replacement) rename() error {
	r.release()
	err := r.step("rename", func() error { return r.t.dir.Rename(r.temp, r.t.base) })
	if err != nil {
		return ioError("replacing the file", err)
	}
	r.temp = ""
	return nil
}

// back puts the old file into its place again, because of why. It returns nil if
// that fails, and the new file stays.
func (r *replacement) back(why error) error {
	r.release()
	err := r.step("exchange", func() error { return exchange(r.dir, r.temp, r.t.base) })
	if err != nil {
		r.exchanged = false
		r.keep()
		r.warn("kept", "another program wrote to the file at the same time; what it wrote is kept in "+quotePath(r.kept))
		return nil
	}
	r.exchanged = false
	if r.isOurs() {
		r.remove()
		return why
	}
	r.keep()
	return &keptError{why, r.kept}
}

// A keptError is the refusal of a request while others wrote to the file: why,
// and where what they wrote is now.
type keptError struct {
	why  error
	kept string
}

func (e *keptError) Error() string {
	return e.why.Error() + "; what another program wrote meanwhile is kept in " + quotePath(e.kept)
}

func (e *keptError) Unwrap() error { return e.why }

// keep gives temp, which others wrote, a name that says so. If that fails, it
// stays as it is: no sweep takes it, because its bytes are not those that its name
// says.
func (r *replacement) keep() {
	name := keptName(r.t.base)
	err := r.step("keep", func() error {
		err := renameNew(r.dir, r.temp, name)
		if errors.Is(err, errors.ErrUnsupported) {
			err = r.t.dir.Rename(r.temp, name)
		}
		return err
	})
	if err != nil {
		name = r.temp
	}
	r.temp = ""
	r.kept = filepath.Join(r.w.dir, filepath.Dir(r.t.rel), name)
}

// finish removes the old file and makes the change durable. The request is applied
// by now, whatever fails.
func (r *replacement) finish() (durable bool) {
	if r.exchanged {
		r.exchanged = false
		if err := r.remove(); err != nil {
			r.warn("stray", "the old file could not be removed and is beside the new one under a name of ours: "+err.Error())
		}
	}
	made := r.made
	r.made = nil
	if r.opt.NoSync {
		return false
	}
	if removed("syncdir") {
		return true
	}
	return r.step("syncdir", func() error { return r.syncDirs(made) }) == nil
}

// syncDirs makes the file's name durable, and those of the directories made for
// it.
func (r *replacement) syncDirs(made []string) error {
	err := syncDir(r.dir)
	for _, d := range made {
		parent, openErr := r.w.root.Open(filepath.Dir(d))
		if openErr != nil {
			return openErr
		}
		err = errors.Join(err, syncDir(parent))
		parent.Close()
	}
	return err
}

// syncDir makes the names in dir durable.
func syncDir(dir *os.File) error {
	err := dir.Sync()
	// File systems that cannot sync a directory do not need to.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EBADF) {
		return nil
	}
	return err
}
