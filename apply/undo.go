package apply

import (
	"errors"
	"fmt"
	"io/fs"
)

// undo takes a swap back: the old file is in its place again, or none if there was
// none. With an error others have changed the file since, and it stays as they
// made it, or the system failed; what was there before is then kept beside it.
func (r *replacement) undo() error {
	err := r.open()
	switch {
	case r.creates() && (errors.Is(err, fs.ErrNotExist) || err == nil && !r.isThere()):
		err = nil // others have removed it, so it is undone
	case err != nil:
	case r.removes():
		err = r.step("back", func() error { return r.move(r.temp, r.t.base) })
		if errors.Is(err, fs.ErrExist) {
			err = refuse(FileChanged, "another program made a file of that name meanwhile")
		}
	default:
		if !removed("undolook") {
			err = r.stillOurs(r.t.base)
		}
		code, _ := CodeOf(err)
		switch {
		case code == FileChanged:
			err = refuse(FileChanged, "another program changed it meanwhile")
		case err != nil:
		case r.creates():
			err = r.unmake()
		default:
			err = r.restore()
		}
	}
	if err == nil {
		r.exchanged, r.swapped = false, false
		return nil
	}
	if r.exchanged {
		r.exchanged = false
		r.keep()
		err = fmt.Errorf("%w; what was there before is kept in %s", ioError("changing it back", err), quotePath(r.kept))
	}
	return err
}

// isThere reports whether something has the file's name.
func (r *replacement) isThere() bool {
	_, err := r.t.dir.Lstat(r.t.base)
	return !errors.Is(err, fs.ErrNotExist)
}

// unmake removes the file that was made.
func (r *replacement) unmake() error {
	temp := r.part
	if err := r.step("back", func() error { return r.move(r.t.base, temp) }); err != nil {
		return err
	}
	r.temp = temp
	if removed("undoverify") || r.isOurs(temp) {
		r.remove()
		return nil
	}
	if err := r.step("back", func() error { return r.move(temp, r.t.base) }); err != nil {
		r.exchanged = true // others have made yet another: keep what they wrote
		return err
	}
	r.temp = ""
	return refuse(FileChanged, "another program changed it meanwhile")
}

// restore puts the old file into its place.
func (r *replacement) restore() error {
	err := r.step("back", func() error {
		err := r.step("exchange", func() error { return exchange(r.dir, r.temp, r.t.base) })
		if errors.Is(err, errors.ErrUnsupported) {
			if err = r.t.dir.Rename(r.temp, r.t.base); err == nil {
				r.temp = ""
			}
		}
		return err
	})
	if err != nil || r.temp == "" {
		return err
	}
	if removed("undoverify") || r.isOurs(r.temp) {
		r.remove()
		return nil
	}
	r.keep() // the old file is in its place all the same
	return nil
}
