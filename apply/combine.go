package apply

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// combine sorts the edits by the files they are about, and refuses those that
// cannot go together.
func (j *job) combine() {
	for _, o := range j.ops {
		switch {
		case o.file == nil || o.dest == nil:
		case o.block != nil && o.makesFile() && o.file.t.missing:
			o.Edit = &Edit{Op: "create", Content: Text(wholeText(o.block)), block: o.block, ordinal: o.ordinal}
			j.claim(&o.file.arrives, o, "makes")
		case o.Op == "remove":
			j.claim(&o.file.leaves, o, "removes")
		case o.Op == "rename" && o.file == o.dest:
			j.fail(o.entry, o, "to_path", refuse(InvalidInput, "to_path is the file's own path; name another"))
		case o.Op == "rename":
			j.claim(&o.file.leaves, o, "renames")
			j.claim(&o.dest.arrives, o, "makes")
		case o.Op == "write" || o.Op == "create":
			j.claim(&o.file.arrives, o, "makes")
		default:
			o.file.lines = append(o.file.lines, o)
			if o.dest != o.file {
				o.dest.lines = append(o.dest.lines, o)
			}
		}
	}
	for _, f := range j.files {
		f.compatible()
	}
	j.nested()
}

// nested refuses to make a file and another one below it.
func (j *job) nested() {
	made := map[string]*file{}
	for _, f := range j.files {
		if f.arrives != nil {
			made[f.t.rel] = f
		}
	}
	for _, f := range j.files {
		for dir := filepath.Dir(f.t.rel); f.arrives != nil && dir != "."; dir = filepath.Dir(dir) {
			if above := made[dir]; above != nil {
				j.overlap(above.arrives, f.arrives, "makes "+quotePath(above.path)+", and "+j.label(f.arrives)+" needs a directory of that name")
			}
		}
	}
}

// claim makes o the one op that does a thing with a file.
func (j *job) claim(place **op, o *op, does string) {
	if other := *place; other != nil && other != o {
		j.overlap(other, o, fmt.Sprintf("%s the file, and so does %s", does, j.label(o)))
		return
	}
	*place = o
}

// overlap refuses o, which cannot go with other.
func (j *job) overlap(other, o *op, what string) {
	j.fail(o.entry, o, "", refuse(EditsOverlap, "%s %s; leave one of them out", j.label(other), what))
}

// compatible refuses edits of lines in a file that is written whole or removed.
func (f *file) compatible() {
	for _, o := range f.lines {
		switch {
		case o.failed:
		case f.leaves != nil && f.leaves.Op == "remove":
			f.j.overlap(f.leaves, o, "removes "+quotePath(f.path)+", and "+f.j.label(o)+" needs its lines")
		case f.arrives == nil:
		case f.arrives.Op == "create" && f.leaves == nil && o.dest == f && o.file != f && o.isPlace():
		case f.leaves != nil && o.file == f && o.dest == f:
			// They go with the file that leaves; the one that arrives is another.
		default:
			f.j.overlap(f.arrives, o, "gives "+quotePath(f.path)+" whole, and "+f.j.label(o)+" changes its lines")
		}
	}
	if a := f.arrives; a != nil && a.Op == "write" && f.leaves != nil {
		f.j.overlap(a, f.leaves, "writes "+quotePath(f.path)+", and "+f.j.label(f.leaves)+" takes it away")
	}
}

// isPlace reports whether a move or copy leads to the top or bottom of a file.
func (o *op) isPlace() bool { return strings.HasSuffix(o.To, ":") || o.To == "EOF" }

// read reads the files.
func (j *job) read() {
	for _, f := range j.files {
		makes := false // also by an edit that was refused: that is told already
		for _, o := range j.ops {
			makes = makes || o.Op == "rename" && o.dest == f && o.file != f
		}
		for _, i := range f.entries {
			makes = makes || slices.ContainsFunc(j.req.Files[i].Edits, func(e Edit) bool { return e.Op == "write" || e.Op == "create" || e.makesFile() })
		}
		if f.t.missing && makes {
			f.snap = &snapshot{}
			continue
		}
		if err := j.w.resume(f.t); err != nil {
			f.fail(ioError("reading", err), "path")
			continue
		}
		snap, err := f.t.read(&j.opt)
		if err != nil {
			if code, _ := CodeOf(err); code == FileNotFound {
				err = refuse(FileNotFound, "%s", j.w.notFound(f.t))
			}
			f.fail(err, "path")
		} else {
			f.snap = snap
		}
		f.t.pause()
	}
}
