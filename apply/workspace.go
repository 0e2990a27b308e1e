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

	// For a workspace of one file: the file's name as the caller gave it, its name in
	// dir, and its name from the working directory without symbolic links.
	file, base, real string

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
	w.file, w.base, w.real = file, filepath.Base(real), real
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
	if w.file != "" {
		return w.besideFile(name)
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

// besideFile returns the local path of another name in the workspace of one file:
// as for that, the system resolves it.
func (w *Workspace) besideFile(name string) (string, error) {
	dir, base := splitPath(name)
	real, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, fs.ErrNotExist) && !hasDotDot(name) {
		// Directories that do not exist are made.
		if _, err := os.Lstat(dir); err == nil {
			break // but not where a link leads nowhere
		}
		dir = filepath.Clean(dir)
		dir, base = filepath.Dir(dir), filepath.Join(filepath.Base(dir), base)
		real, err = filepath.EvalSymlinks(dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", refuse(FileNotFound, "the directory of %s does not exist; make it first, or use --root and a path in that", quotePath(name))
	}
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return "", ioError("finding the file", err)
	}
	rel, err := filepath.Rel(w.dir, filepath.Join(real, base))
	if err != nil || !filepath.IsLocal(rel) {
		return "", refuse(OutsideRoot, "the path is outside of the directory of %s; use --root, and paths in that", quotePath(w.file))
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
