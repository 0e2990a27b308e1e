package apply

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
)

// The file in place is looked at twice. The look before the exchange makes
// exchanges that have to be undone rare. The look after it, at what was displaced,
// decides: nothing is removed that is not the snapshot, to the byte.
//
// On Linux a read lease lies on the file from the first look to the removal. It is
// not to be had while somebody has the file open for writing, and it says so if
// somebody is about to: so nothing is written to the old file after it was hashed.

// look takes the lease on the file in place and fails unless it is the snapshot.
func (r *replacement) look() error {
	var info fs.FileInfo
	err := r.step("open", func() (err error) {
		r.old, info, err = r.t.open()
		return err
	})
	if err != nil {
		return asChange(err)
	}
	if err := r.lease(); err != nil {
		return err
	}
	if info.Size() != int64(len(r.snap.src)) || !sameAttributes(info, r.snap.info) {
		return changed()
	}
	if !removed("rehash") {
		if err := r.rehash(r.snap.tag); err != nil {
			return err
		}
	}
	// Hashing took a while: the name must still be that of the file hashed, and
	// nobody may have written to it, nor given it other attributes than we keep.
	var now fs.FileInfo
	err = r.step("stat", func() (err error) {
		now, err = r.t.dir.Lstat(r.t.base)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("reading", err)
	}
	if err != nil || !os.SameFile(info, now) || !sameAttributes(info, now) || !sameTimes(info, now) || r.leaseBroken() {
		return changed()
	}
	return nil
}

// verify fails unless what the exchange displaced is the snapshot.
func (r *replacement) verify() error {
	if removed("verify") {
		return nil
	}
	var before, info fs.FileInfo
	err := r.step("stat", func() (err error) {
		if before, err = r.old.Stat(); err == nil {
			info, err = r.t.dir.Lstat(r.temp)
		}
		return err
	})
	if err != nil {
		return ioError("looking at the old file", err)
	}
	if !info.Mode().IsRegular() || info.Size() != int64(len(r.snap.src)) {
		return changed()
	}
	if !os.SameFile(before, info) {
		// Another file; or the same, which an overlay has copied up.
		r.release()
		err := r.step("open", func() (err error) {
			r.old, info, err = openRegular(r.t.dir, r.temp)
			return err
		})
		if err != nil {
			return asChange(err)
		}
		if err := r.lease(); err != nil {
			return err
		}
		if err := r.rehash(r.snap.tag); err != nil {
			return err
		}
	} else if !r.leased {
		if err := r.rehash(r.snap.tag); err != nil {
			return err
		}
	}
	if info.Size() != int64(len(r.snap.src)) || !sameMode(info, r.snap.info) || r.leaseBroken() {
		return changed()
	}
	return nil
}

// isOurs reports whether the file is the new one as we wrote it, and stays so.
func (r *replacement) isOurs(name string) bool { return r.stillOurs(name) == nil }

// stillOurs fails unless the file is the new one as we wrote it, and stays so.
func (r *replacement) stillOurs(name string) error {
	var info fs.FileInfo
	err := r.step("open", func() (err error) {
		r.old, info, err = openRegular(r.t.dir, name)
		return err
	})
	if err != nil {
		return asChange(err)
	}
	defer r.release()
	if !os.SameFile(info, r.info) {
		return changed()
	}
	if err := r.lease(); err != nil {
		return err
	}
	if err := r.rehash(r.tag); err != nil {
		return err
	}
	if r.leaseBroken() {
		return changed()
	}
	return nil
}

// lease takes the lease on old, where the system has such. It fails if somebody
// has the file open for writing, and keeps it so.
func (r *replacement) lease() error {
	if removed("lease") {
		return nil
	}
	err := r.step("lease", func() error { return r.patience.lease(r.old) })
	if errors.Is(err, errBusy) {
		return refuse(FileChanged, "another program has the file open for writing; read it again when that is done, and decide again")
	}
	r.leased = err == nil
	return nil
}

// leaseBroken reports whether somebody waits to write to old.
func (r *replacement) leaseBroken() bool { return r.leased && !holdsLease(r.old) }

// rehash fails unless old has the bytes that want is the tag of.
func (r *replacement) rehash(want hashline.Tag) error {
	digest := xxhash.New()
	err := r.step("rehash", func() error {
		_, err := io.CopyBuffer(struct{ io.Writer }{digest}, io.NewSectionReader(r.old, 0, 1<<62), make([]byte, min(256<<10, len(r.snap.src)+512)))
		return err
	})
	if err != nil {
		return ioError("reading", err)
	}
	if hashline.Tag(digest.Sum64()) != want {
		return changed()
	}
	return nil
}

func changed() error {
	return refuse(FileChanged, "the file changed while the edit was made; read it again and decide again")
}

// asChange returns the error of opening a file that was there before: that it is
// no more, or of another kind, is a change.
func asChange(err error) error {
	err = ioError("reading", err)
	if code, _ := CodeOf(err); code == NotRegular || code == FileNotFound {
		return changed()
	}
	return err
}
