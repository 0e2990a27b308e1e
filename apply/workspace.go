package apply

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Workspace is a directory that requests cannot leave.
type Workspace struct {
	dir  string // absolute, without symbolic links
	name string // absolute, as the caller gave it
	root *os.Root

	// For a workspace of one file: the file's name as the caller gave it, and its
	// name in dir.
	file, base string

	// fault, in tests, makes a step of the replace protocol fail.
	fault func(step string) error
}

// Open returns the workspace of the directory dir. The error is a refusal with
// its code; see [CodeOf].
func Open(dir string) (*Workspace, error) {
	// EvalSymlinks takes ".." as the system does, Abs by name: "link/.." is the
	// parent of what the link leads to.
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, ioError("finding the root "+quotePath(dir), err)
	}
	name := real
	if !hasDotDot(dir) {
		if name, err = filepath.Abs(dir); err != nil {
			return nil, ioError("finding the root "+quotePath(dir), err)
		}
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, ioError("opening the root "+quotePath(dir), err)
	}
	return &Workspace{dir: real, name: name, root: root}, nil
}

// OpenFile returns the workspace of one file, which the system resolves, symbolic
// links included: the directory that the file is then in. The file need not
// exist, its directory must. In requests the file is named as here.
func OpenFile(file string) (*Workspace, error) {
	if err := checkName(file); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(file)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = missingFile(file)
	}
	if err != nil {
		return nil, ioError("finding the file", err)
	}
	w, err := Open(filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	w.file, w.base = file, filepath.Base(real)
	return w, nil
}

// missingFile returns the path of a file that does not exist in a directory that
// does. A dangling symbolic link is an error.
func missingFile(file string) (string, error) {
	if _, err := os.Lstat(file); err == nil {
		return "", refuse(FileNotFound, "the symbolic link leads nowhere")
	}
	dir, base := splitPath(file)
	dir, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", refuse(FileNotFound, "its directory does not exist; make it first, or use --root and a path in that")
	} else if err != nil {
		return "", err
	}
	return filepath.Join(dir, base), nil
}

// splitPath returns the directory and the last element of a path. Unlike
// filepath.Dir it leaves ".." alone, which only the system can follow.
func splitPath(path string) (dir, base string) {
	dir, base = filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return dir, base
}

// hasDotDot reports whether an element of path is "..".
func hasDotDot(path string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..")
}

// Close releases the directory.
func (w *Workspace) Close() error { return w.root.Close() }

// A target is a file of a workspace, by its directory and its name there.
type target struct {
	dir     *os.Root // nil if the directory does not exist
	base    string
	rel     string // from the workspace, without symbolic links
	missing bool   // the file does not exist
}

func (t *target) close() {
	if t.dir != nil {
		t.dir.Close()
	}
}

// locate finds the file that a request calls name.
func (w *Workspace) locate(name string) (*target, error) {
	rel, err := w.relative(name)
	if err != nil {
		return nil, err
	}
	rel, missing, err := w.resolve(rel)
	if err != nil {
		return nil, err
	}
	t := &target{base: filepath.Base(rel), rel: rel, missing: missing}
	t.dir, err = w.root.OpenRoot(filepath.Dir(rel))
	switch {
	case err == nil:
		return t, nil
	case missing && errors.Is(err, fs.ErrNotExist):
		return t, nil
	}
	return nil, ioError("opening the directory", err)
}

// What a path may have: more the system does not take, or would take long over.
const (
	mostPath  = 4096 // bytes
	mostDepth = 256  // directories
)

// checkName refuses what can be no name of a file.
func checkName(name string) error {
	switch {
	case name == "":
		return refuse(InvalidInput, "the path is empty; name a file")
	case strings.Contains(name, "\x00"):
		return refuse(InvalidInput, "the path holds a NUL character; name a file")
	case len(name) > mostPath || strings.Count(filepath.ToSlash(name), "/") > mostDepth:
		return refuse(InvalidInput, "the path is over %d bytes or %d directories long, which no file's is; name a file", mostPath, mostDepth)
	case strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)):
		return refuse(InvalidInput, "the path ends in a slash; name a file, not a directory")
	}
	return nil
}

// relative returns name, as a request has it, as a local path in the workspace.
func (w *Workspace) relative(name string) (string, error) {
	if w.file != "" && name == w.file {
		return w.base, nil
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	rel := filepath.FromSlash(name)
	if filepath.IsAbs(rel) {
		if rel = w.under(rel); rel == "" {
			return "", refuse(OutsideRoot, "the path is outside of the root %s; use a path under it", quotePath(w.dir))
		}
	}
	if !filepath.IsLocal(rel) {
		return "", w.leadsOut()
	}
	return rel, nil
}

func (w *Workspace) leadsOut() error {
	return refuse(OutsideRoot, "the path leads out of the root %s; use a path under it", quotePath(w.dir))
}

// under returns an absolute path as a path in the workspace, or "". A path with
// ".." in it, or that reaches the root through a link, is followed by the system
// up to its last element.
func (w *Workspace) under(abs string) string {
	roots := []string{w.dir, w.name}
	if dir, base := splitPath(abs); hasDotDot(abs) {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || base == ".." || base == "." {
			return ""
		}
		abs, roots = filepath.Join(real, base), []string{w.dir}
	}
	for _, dir := range roots {
		if rel, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return ""
}

func (w *Workspace) linksOut(link string) error {
	return refuse(OutsideRoot, "the path is a symbolic link to %s, outside of the root %s", quotePath(link), quotePath(w.dir))
}

// mostLinks is how many symbolic links one path may lead through, as in Linux.
const mostLinks = 40

// resolve follows the symbolic links in rel and returns the path without them,
// and whether its end does not exist. Links to absolute paths under the root are
// followed, which os.Root would refuse. It decides nothing that matters: what is
// opened is opened through os.Root, which follows no link out of the directory.
func (w *Workspace) resolve(rel string) (path string, missing bool, err error) {
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
				return "", false, w.linksOut(link)
			case done == ".":
				return "", false, w.leadsOut()
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
				return "", false, refuse(FileNotFound, "the path is a symbolic link to %s, which does not exist", quotePath(link))
			case slices.Contains(todo, ".."):
				return "", false, refuse(FileNotFound, "the path leads through %s, which does not exist", quotePath(next))
			}
			return filepath.Join(append([]string{next}, todo...)...), true, nil
		case err != nil:
			return "", false, ioError("finding the file", err)
		case info.Mode()&fs.ModeSymlink == 0:
			done = next
			continue
		}
		if links++; links > mostLinks {
			return "", false, refuse(IOError, "the path leads through more than %d symbolic links", mostLinks)
		}
		if link, err = w.root.Readlink(next); err != nil {
			return "", false, ioError("reading a symbolic link", err)
		}
		to := link
		if filepath.IsAbs(link) {
			if to = w.under(link); to == "" {
				return "", false, w.linksOut(link)
			}
			done = "."
		}
		parts := strings.Split(filepath.ToSlash(to), "/")
		linked += len(parts)
		todo = append(parts, todo...)
	}
	return done, false, nil
}

// Only makes req a request for file alone. If it names another, that is one of
// its problems.
func (w *Workspace) Only(req *Request, file string) {
	for i := range req.Files {
		f := &req.Files[i]
		if f.Path != file && !w.same(file, f.Path) {
			req.problems = append(req.problems, Failure{
				File: file, Field: "path", Code: InvalidInput,
				Message: "path is " + quotePath(clip(f.Path)) + ", but the request is for this file alone; leave path out",
			})
		}
		f.Path = file
	}
}

// same reports whether a and b name one file. An error of the system means no.
func (w *Workspace) same(a, b string) bool {
	ta, err := w.locate(a)
	if err != nil {
		return false
	}
	defer ta.close()
	if w.file != "" {
		// Names are resolved by the system, as the file's own was.
		other, err := OpenFile(b)
		if err != nil {
			return false
		}
		defer other.Close()
		return other.dir == w.dir && other.base == w.base
	}
	tb, err := w.locate(b)
	if err != nil {
		return false
	}
	defer tb.close()
	return ta.rel == tb.rel
}
