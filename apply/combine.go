package apply

import (
	"fmt"
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
			j.claim(&o.file.arrives, o)
		case (o.Op == "remove" || o.Op == "rename") && j.refusesLink(o):
		case o.Op == "remove":
			j.claim(&o.file.leaves, o)
		case o.Op == "rename" && o.file == o.dest:
			j.fail(o.entry, o, "to_path", refuse(InvalidInput, "to_path is the file's own path; name another"))
		case o.Op == "rename":
			j.claim(&o.file.leaves, o)
			j.claim(&o.dest.arrives, o)
		case o.Op == "write" || o.Op == "create":
			j.claim(&o.file.arrives, o)
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

// claim makes o the one op that takes a file away, or the one that makes it.
func (j *job) claim(place **op, o *op) {
	if other := *place; other != nil && other != o {
		same := ""
		if j.req.Files[other.entry].Path != j.req.Files[o.entry].Path && other.does() != o.does() && other.file == o.file {
			same = ", the same file"
		}
		j.overlap(other, o, leaveOut, "%s, and %s %s%s", other.does(), j.label(o), o.does(), same)
		return
	}
	*place = o
}

// does says what o does with whole files, by the names that its entry has for them.
func (o *op) does() string {
	path := quotePath(o.file.j.req.Files[o.entry].Path)
	switch o.Op {
	case "remove":
		return "removes " + path
	case "rename":
		return "renames " + path + " to " + quotePath(o.ToPath)
	case "write":
		return "writes " + path
	}
	return "makes " + path
}

const leaveOut = "leave one of them out"

// overlap refuses o, which cannot go with other, and says what to do.
func (j *job) overlap(other, o *op, next, format string, args ...any) {
	j.fail(o.entry, o, "", refuse(EditsOverlap, "%s %s; %s", j.label(other), fmt.Sprintf(format, args...), next))
}

// compatible refuses edits of lines in a file that is written whole or removed.
func (f *file) compatible() {
	for _, o := range f.lines {
		needs := f.j.label(o) + " needs its lines"
		switch a := f.arrives; {
		case o.failed:
		case f.leaves != nil && f.leaves.Op == "remove":
			f.j.overlap(f.leaves, o, leaveOut, "%s, and %s", f.leaves.does(), needs)
		case a == nil:
		case a.Op == "create" && f.leaves == nil && o.dest == f && o.file != f:
			if !o.isPlace() {
				f.j.overlap(a, o, `for "to" use "0:" or "EOF" there`, "%s, and %s", a.does(), needs)
			}
		case f.leaves != nil && (o.file == f || !o.isPlace()):
			// They go with the file that leaves, whose lines the anchors prove; the one
			// that arrives is another. The top of it might be meant to be that of either.
		case a.Op == "rename":
			f.j.overlap(a, o, "name the lines by the old path", "%s, and %s", a.does(), needs)
		default:
			f.j.overlap(a, o, leaveOut, "%s, and %s", a.does(), needs)
		}
	}
	if a := f.arrives; a != nil && a.Op == "write" && f.leaves != nil {
		f.j.overlap(a, f.leaves, `if the new file is another one use "create"`, "%s, and %s %s", a.does(), f.j.label(f.leaves), f.leaves.does())
	}
}

// isPlace reports whether a move or copy leads to the top or bottom of a file.
func (o *op) isPlace() bool { return strings.HasSuffix(o.To, ":") || o.To == "EOF" }

// read reads the files.
func (j *job) read() {
	renamed := map[*file]bool{}
	for _, o := range j.ops {
		if o.Op == "rename" && o.file != o.dest {
			renamed[o.dest] = true
		}
	}
	for _, f := range j.files {
		makes := renamed[f] // also by an edit that was refused: that is told already
		for _, i := range f.entries {
			makes = makes || slices.ContainsFunc(j.req.Files[i].Edits, func(e Edit) bool { return e.Op == "write" || e.Op == "create" || e.makesFile() })
		}
		if f.told {
			continue
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
				err = refuse(FileNotFound, "%s", f.notFound())
			}
			f.fail(err, "path")
		} else {
			f.snap = snap
		}
		f.t.pause()
	}
}
