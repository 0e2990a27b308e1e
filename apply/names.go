package apply

import (
	"os"
	"path/filepath"
	"slices"
)

// A request calls files by names, of which one file may have several, and which may
// need each other's places. What cannot be is refused here, before anything is made,
// by both names.

// A belowError says that a path leads through a file.
type belowError struct {
	file string // from the workspace, without symbolic links
}

func (e *belowError) Error() string {
	return "the path leads through " + quotePath(e.file) + ", which is no directory; choose another path"
}

// A misnamed is a name of the request that leads through a file.
type misnamed struct {
	entry int
	by    *op
	name  string
	field string
	below *belowError
}

// tellMisnamed refuses names that lead through a file, now that all files are known.
func (j *job) tellMisnamed() {
	for _, m := range j.misnamed {
		above := j.byPath[m.below.file]
		err := refuse(IOError, "%v", m.below)
		switch {
		case above != nil && m.by != nil && m.by.file == above:
			err = refuse(InvalidInput, "to_path %s is below %s, the file itself; choose another path", quotePath(m.name), quotePath(above.path))
		case above != nil:
			err = refuse(EditsOverlap, "%s is below %s, a file of the same request; choose another path", quotePath(m.name), quotePath(above.path))
		}
		j.fail(m.entry, m.by, m.field, err)
	}
	j.misnamed = nil
}

// nested refuses to make a file where the request has another one below it.
func (j *job) nested() {
	made := map[string]*file{}
	for _, f := range j.files {
		if f.arrives != nil {
			made[f.t.rel] = f
		}
	}
	for _, f := range j.files {
		for dir := filepath.Dir(f.t.rel); len(made) > 0 && dir != "."; dir = filepath.Dir(dir) {
			if above := made[dir]; above != nil {
				above.below(f)
			}
		}
	}
}

// below refuses to make f, with which the request has other below it.
func (f *file) below(other *file) {
	f.told = true
	a, b := f.arrives, other.arrives
	if b == nil {
		b = other.leaves
	}
	switch {
	case a.file == other && a.Op == "rename":
		f.j.fail(a.entry, a, "to_path", refuse(InvalidInput, "to_path %s is the directory that %s is in; choose another path", quotePath(a.ToPath), quotePath(other.path)))
	case b != nil && other.arrives != nil:
		f.j.overlap(a, b, "choose another path", "%s, and %s needs a directory of that name", a.does(), f.j.label(b))
	default:
		f.j.fail(a.entry, a, "", refuse(EditsOverlap, "%s %s, and %s of the same request is in the directory of that name; choose another path", f.j.label(a), a.does(), quotePath(other.path)))
	}
}

// refusesLink refuses to remove or rename a file by the name of a symbolic link to
// it, and reports whether o would.
func (j *job) refusesLink(o *op) bool {
	name := j.req.Files[o.entry].Path
	to := j.links[name]
	if to == "" {
		return false
	}
	j.fail(o.entry, o, "path", refuse(NotRegular, "%s is a symbolic link to %s, and would stay; name the file itself", quotePath(name), quotePath(to)))
	return true
}

// twins refuses files that are one under two paths: as hard links, or where the case
// of letters makes no difference.
func (j *job) twins() {
	seen := map[uint64][]*file{}
	for _, f := range j.files {
		if f.snap == nil || f.snap.info == nil {
			continue
		}
		n := inode(f.snap.info)
		at := slices.IndexFunc(seen[n], func(other *file) bool { return os.SameFile(other.snap.info, f.snap.info) })
		if at < 0 {
			seen[n] = append(seen[n], f)
			continue
		}
		f.fail(refuse(EditsOverlap, "%s and %s are two names of one file; use one of them in a request", quotePath(seen[n][at].path), quotePath(f.path)), "path")
	}
}
