package apply

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A target is a file of a workspace, by its directory and its name there.
type target struct {
	dir     *os.Root // nil if the directory does not exist
	base    string
	rel     string // from the workspace, without symbolic links
	missing bool   // the file does not exist
	link    string // what the name is a symbolic link to; "" if it is none

	// One of many files: dir is open only while it is needed, and must still be the
	// same when it is opened again.
	many bool
	info fs.FileInfo
}

func (t *target) close() {
	if t.dir != nil {
		t.dir.Close()
		t.dir = nil
	}
}

// pause closes the directory of one of many files until resume.
func (t *target) pause() {
	if t.many && t.dir != nil {
		t.info, _ = t.dir.Stat(".")
		t.close()
	}
}

// resume opens the directory that pause closed.
func (w *Workspace) resume(t *target) error {
	if t.dir != nil || t.info == nil {
		return nil
	}
	dir, err := w.root.OpenRoot(filepath.Dir(t.rel))
	if err != nil {
		return err
	}
	info, err := dir.Stat(".")
	if err == nil && !os.SameFile(info, t.info) {
		err = refuse(FileChanged, "its directory is another now; read it again and decide again")
	}
	if err != nil {
		dir.Close()
		return err
	}
	t.dir = dir
	return nil
}

// locate finds the file that a request calls name.
func (w *Workspace) locate(name string) (*target, error) {
	rel, err := w.relative(name)
	if err != nil {
		return nil, err
	}
	rel, named, missing, err := w.resolve(rel)
	if err != nil {
		return nil, err
	}
	if w.file != "" && name == w.file {
		named, _ = os.Readlink(name) // the system resolved it; this fails for all but links
	}
	t := &target{base: filepath.Base(rel), rel: rel, missing: missing, link: named}
	t.dir, err = w.root.OpenRoot(filepath.Dir(rel))
	switch {
	case err == nil:
		return t, nil
	case missing && errors.Is(err, fs.ErrNotExist):
		return t, nil
	}
	return nil, ioError("opening the directory", err)
}

// mostLinks is how many symbolic links one path may lead through, as in Linux.
const mostLinks = 40

// resolve follows the symbolic links in rel and returns the path without them, what
// its end is a link to, if it is one, and whether that does not exist. Links to
// absolute paths under the root are followed, which os.Root would refuse. It decides
// nothing that matters: what is opened is opened through os.Root, which follows no
// link out of the directory.
func (w *Workspace) resolve(rel string) (path, named string, missing bool, err error) {
	todo := strings.Split(filepath.ToSlash(rel), "/")
	done := "."
	links, link := 0, ""
	linked := 0 // how many of todo, at its beginning, the link named gave
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		fromLink := linked > 0
		linked = max(linked-1, 0)
		switch part {
		case "", ".":
			continue
		case "..":
			switch {
			case done == "." && fromLink:
				return "", "", false, w.linksOut(link)
			case done == ".":
				return "", "", false, w.leadsOut()
			}
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, part)
		info, err := w.root.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			switch {
			case fromLink:
				return "", "", false, refuse(FileNotFound, "the path is a symbolic link to %s, which does not exist", quotePath(link))
			case slices.Contains(todo, ".."):
				return "", "", false, refuse(FileNotFound, "the path leads through %s, which does not exist", quotePath(next))
			}
			return filepath.Join(append([]string{next}, todo...)...), "", true, nil
		case errors.Is(err, syscall.ENOTDIR):
			return "", "", false, ioError("finding the file", &belowError{done})
		case err != nil:
			return "", "", false, ioError("finding the file", err)
		case info.Mode()&fs.ModeSymlink == 0:
			done = next
			continue
		}
		if links++; links > mostLinks {
			return "", "", false, refuse(IOError, "the path leads through more than %d symbolic links", mostLinks)
		}
		if link, err = w.root.Readlink(next); err != nil {
			return "", "", false, ioError("reading a symbolic link", err)
		}
		if !fromLink && len(todo) == 0 {
			named = link
		}
		to := link
		if filepath.IsAbs(link) {
			if to = w.under(link); to == "" {
				return "", "", false, w.linksOut(link)
			}
			done = "."
		}
		parts := strings.Split(filepath.ToSlash(to), "/")
		linked += len(parts)
		todo = append(parts, todo...)
	}
	return done, named, false, nil
}

// hasDir reports whether the directory of t exists.
func (t *target) hasDir() bool { return t.dir != nil || t.info != nil }
