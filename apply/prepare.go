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
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/hashline"
)

// A replacement is what is done with one name: a file replaced, made or removed.
// Once prepared, the new bytes lie complete beside it, and nothing has changed
// yet; [replacement.swap] then changes it, and [replacement.undo] changes it back.
type replacement struct {
	w        *Workspace
	f        *file
	t        *target
	snap     *snapshot
	opt      *Options
	patience *patience   // of all steps
	content  io.WriterTo // of the new file; nil if there is to be none
	like     *file       // whose attributes the new file gets; nil for those of any new file

	dir  *os.File     // t.dir itself, for calls on its names
	temp string       // the name in it of the new file and, after the swap, of the old; "" if there is none
	jl   *journal     // nil for a request for one file
	part string       // the name that the journal has for temp
	tag  hashline.Tag // of the new bytes
	info fs.FileInfo  // of the new file
	made []string     // directories made for it, the outermost first

	old       *os.File // the file in its place, from the last look at it on
	leased    bool     // nobody can write to old unnoticed
	exchanged bool     // temp is the old file
	swapped   bool
	marked    bool // a marker lies beside it
	stuck     bool // it could not be undone

	warnings []Warning
	kept     string // the path of what others wrote and we put aside
}

// creates and removes report that there is no file before, or none after.
func (r *replacement) creates() bool { return r.snap.info == nil }
func (r *replacement) removes() bool { return r.content == nil }

// before and after return the tags of the file before the step, and after it once
// it is prepared.
func (r *replacement) before() string {
	if r.creates() {
		return noFile
	}
	return r.snap.tag.String()
}

func (r *replacement) after() string {
	if r.removes() {
		return noFile
	}
	return r.tag.String()
}

func (r *replacement) step(call string, do func() error) error { return r.w.step(call, do) }

func (r *replacement) warn(code, message string) {
	r.warnings = append(r.warnings, Warning{code, message})
}

// prepare writes the new file beside the old, and to disk unless the options say
// otherwise, under the name temp.
func (r *replacement) prepare(temp string) error {
	err := r.open()
	if err == nil {
		err = r.write(temp)
	}
	if err != nil {
		return ioError("writing the new file", err)
	}
	return nil
}

// open opens the directory.
func (r *replacement) open() error {
	if err := r.w.resume(r.t); err != nil || r.t.dir == nil || r.dir != nil {
		return err
	}
	var err error
	r.dir, err = r.t.dir.Open(".")
	return err
}

// close closes the directory.
func (r *replacement) close() {
	r.release()
	if r.dir != nil {
		r.dir.Close()
		r.dir = nil
	}
	r.t.pause()
}

func (r *replacement) write(temp string) error {
	if r.t.dir == nil {
		if err := r.makeDirs(); err != nil {
			return err
		}
		if err := r.open(); err != nil {
			return err
		}
	}
	if err := r.w.access(r.t, r.snap); err != nil || r.removes() {
		return err
	}
	if err := r.step("access", func() error { return mayWriteIn(r.dir) }); err != nil {
		return err
	}
	var f *os.File
	err := r.step("create", func() (err error) {
		mode := fs.FileMode(0o600)
		if r.like == nil || r.like.snap.info == nil {
			mode = 0o666 // less the umask
		}
		if f, err = r.t.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); err == nil {
			r.temp = temp
		}
		return err
	})
	if err != nil {
		return err
	}
	err = r.fill(f)
	closeErr := r.step("close", f.Close)
	if closeErr != nil {
		f.Close()
	}
	return errors.Join(err, closeErr)
}

// fill gives the new file its bytes and attributes.
func (r *replacement) fill(f *os.File) error {
	digest := xxhash.New()
	// Large pieces pass the buffer by; it gathers the small ones.
	buffered := bufio.NewWriterSize(stepWriter{r.w, f}, 64<<10)
	if _, err := r.content.WriteTo(io.MultiWriter(buffered, digest)); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	r.tag = hashline.Tag(digest.Sum64())
	keep := r.like != nil && r.like.snap.info != nil
	if keep {
		if err := r.keepAttributes(f); err != nil {
			return err
		}
	}
	if !r.opt.NoSync && !removed("sync") {
		if err := r.step("sync", f.Sync); err != nil {
			return err
		}
	}
	err := r.step("stat", func() (err error) {
		r.info, err = f.Stat()
		return err
	})
	// Some bits the system drops without an error.
	if err == nil && keep && (r.info.Mode() != r.like.snap.info.Mode() || !sameOwner(r.info, r.like.snap.info)) {
		err = refuse(ReadOnly, "the new file cannot be given the mode and owner of the old, %v; let the file's owner edit it", r.like.snap.info.Mode())
	}
	return err
}

// keepAttributes gives the new file the owner, mode and extended attributes of
// the file that it is like.
func (r *replacement) keepAttributes(f *os.File) error {
	want := r.like.snap.info
	var old *os.File
	err := r.step("open", func() (err error) {
		if err := r.w.resume(r.like.t); err != nil {
			return err
		}
		var info fs.FileInfo
		if old, info, err = r.like.t.open(); err == nil && !os.SameFile(info, want) {
			old.Close()
			err = changed()
		}
		return err
	})
	if r.like.t != r.t {
		r.like.t.pause()
	}
	if err != nil {
		return asChange(err)
	}
	defer old.Close()
	// The owner first: changing it clears the set-user-ID bit. The access control
	// list, an extended attribute, last: it has a say in the mode.
	if err := r.step("chown", func() error { return keepOwner(f, want) }); err != nil {
		return err
	}
	if err := r.step("chmod", func() error { return f.Chmod(want.Mode()) }); err != nil {
		return err
	}
	return r.step("xattr", func() error {
		lost, err := keepXattrs(old, f)
		for _, name := range lost {
			r.warn("attribute_lost", "the attribute "+name+" of the file could not be given to the new one")
		}
		return err
	})
}

// unique returns 16 random letters of hexadecimal digits.
func unique() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// discard removes what prepare made, if it was not used.
func (r *replacement) discard() {
	if r.temp != "" && !r.swapped {
		if r.open() == nil {
			r.remove()
		}
	}
	r.close()
}

// removeDirs removes the directories that prepare made.
func (r *replacement) removeDirs() {
	for _, dir := range slices.Backward(r.made) {
		r.step("rmdir", func() error { return r.w.root.Remove(dir) })
	}
	r.made = nil
}

// remove removes temp. If that fails, it stays as a stray for the next sweep.
func (r *replacement) remove() error {
	err := r.step("remove", func() error { return r.t.dir.Remove(r.temp) })
	r.temp = ""
	return err
}

// release closes the old file, and lets those go on who wait to write to it.
func (r *replacement) release() {
	if r.old != nil {
		r.old.Close()
		r.old, r.leased = nil, false
	}
}

// makeDirs makes the directories that the file's path lacks.
func (r *replacement) makeDirs() error {
	dir := filepath.Dir(r.t.rel)
	var missing []string // the innermost first
	for d := dir; d != "."; d = filepath.Dir(d) {
		if _, err := r.w.root.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, d)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if r.jl != nil {
			if err := r.jl.markDir(missing[i]); err != nil {
				return err
			}
		}
		err := r.step("mkdir", func() error { return r.w.root.Mkdir(missing[i], 0o777) })
		if err != nil {
			return err
		}
		r.made = append(r.made, missing[i])
	}
	err := r.step("opendir", func() (err error) {
		r.t.dir, err = r.w.root.OpenRoot(dir)
		return err
	})
	if err == nil && r.jl != nil {
		err = r.jl.mark(r)
	}
	return err
}
