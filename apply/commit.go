package apply

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// swap puts the new file in its place, or takes the old one away, if that is still
// the snapshot. The old one is then beside it, under the name temp, and proved to
// be the snapshot. With an error the old file is in its place, as it was or as
// others have made it meanwhile.
func (r *replacement) swap() error {
	if err := r.open(); err != nil {
		return ioError("replacing the file", err)
	}
	err := r.swapNow()
	r.swapped = err == nil
	return err
}

func (r *replacement) swapNow() error {
	if r.creates() {
		return r.put()
	}
	if err := r.look(); err != nil {
		return err
	}
	if err := r.mark(); err != nil {
		return ioError("replacing the file", err)
	}
	if r.removes() {
		return r.take()
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

// take takes the old file away.
func (r *replacement) take() error {
	if err := r.step("take", func() error { return r.move(r.t.base, r.temp) }); err != nil {
		r.temp = ""
		return ioError("removing the file", err)
	}
	r.exchanged = true
	if err := r.verify(); err != nil {
		return r.back(err)
	}
	return nil
}

// move gives the file a the name b, which nobody has but by chance.
func (r *replacement) move(a, b string) error {
	err := r.step("noreplace", func() error { return renameNew(r.dir, a, b) })
	if errors.Is(err, errors.ErrUnsupported) {
		if _, err := r.t.dir.Lstat(b); err == nil {
			return fs.ErrExist
		}
		err = r.t.dir.Rename(a, b)
	}
	return err
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
// file since the last look is lost. If it may have to be undone, the old file gets
// a second name first.
func (r *replacement) rename() error {
	r.release()
	if r.part != "" {
		return r.renameOver()
	}
	err := r.step("rename", func() error { return r.t.dir.Rename(r.temp, r.t.base) })
	if err != nil {
		return ioError("replacing the file", err)
	}
	r.temp = ""
	return nil
}

// renameOver is rename with the old file beside it.
func (r *replacement) renameOver() error {
	backup := backupName(r.part)
	err := r.step("link", func() error { return r.t.dir.Link(r.t.base, backup) })
	if err == nil {
		err = r.step("rename", func() error { return r.t.dir.Rename(r.temp, r.t.base) })
		if err != nil {
			r.step("remove", func() error { return r.t.dir.Remove(backup) })
		}
	}
	if err == nil {
		// Under the name that the journal has.
		err = r.step("rename", func() error { return r.t.dir.Rename(backup, r.temp) })
		if err != nil {
			r.temp = backup
		}
		r.exchanged, err = true, nil
	}
	if err != nil {
		return ioError("replacing the file", err)
	}
	return nil
}

// back puts the old file into its place again, because of why. It returns nil if
// that fails, and the change stays.
func (r *replacement) back(why error) error {
	r.release()
	err := r.step("exchange", func() error {
		if r.removes() {
			return r.move(r.temp, r.t.base)
		}
		return exchange(r.dir, r.temp, r.t.base)
	})
	r.exchanged = false
	switch {
	case err != nil:
		r.keep()
		r.warn("kept", "another program wrote to the file at the same time; what it wrote is kept in "+quotePath(r.kept))
		return nil
	case r.removes():
		r.temp = ""
		return why
	case r.isOurs(r.temp):
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
// says, or it is a part, which none takes.
func (r *replacement) keep() {
	name := keptName(r.t.base)
	err := r.step("keep", func() error {
		if err := r.open(); err != nil {
			return err // its directory is gone
		}
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

// drop removes the old file. The request is applied by now, whatever fails.
func (r *replacement) drop() {
	if !r.exchanged {
		return
	}
	r.exchanged = false
	err := r.open()
	if err == nil && r.jl != nil && !removed("stillold") {
		// The lease on it was given back meanwhile.
		err = r.stillOld()
	}
	if code, _ := CodeOf(err); code == FileChanged {
		r.keep()
		r.warn("kept", "another program wrote to the old file; what it wrote is kept in "+quotePath(r.kept))
		return
	}
	if err == nil {
		err = r.remove()
	}
	if err != nil {
		r.warn("stray", "the old file could not be removed and is beside the new one under a name of ours: "+err.Error())
	}
}

// stillOld fails unless the displaced file is the snapshot, and stays so.
func (r *replacement) stillOld() error {
	err := r.step("open", func() (err error) {
		r.old, _, err = openRegular(r.t.dir, r.temp)
		return err
	})
	if err == nil {
		err = r.lease()
	}
	if err == nil {
		err = r.rehash(r.snap.tag)
	}
	if err == nil && r.leaseBroken() {
		err = changed()
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
