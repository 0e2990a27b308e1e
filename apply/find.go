package apply

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/lock"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// A file is one file that a request is about, by whatever names.
type file struct {
	j       *job
	path    string  // as the request names it first
	entry   int     // which does
	entries []int   // whose own file it is
	by      *op     // that names it, with to_path; nil for an entry's own path
	t       *target // found, and locked

	base *hashline.Tag
	enc  *text.Encoding

	arrives *op   // write, create, or rename to it
	leaves  *op   // remove, or rename from it
	lines   []*op // that change lines of it, or take them, or put them there
	emptied bool  // all of them were rescued

	snap *snapshot // nil if it could not be read
	doc  *text.Document
	is   kind // of the bytes of doc, once somebody asked
	res  *hashline.Resolution
	asks []part // the edits of res

	asked map[part]int // where in asks

	found  *searchreplace.Resolution
	blocks []*op // the edits of found

	told bool    // that it cannot be made
	c    *change // of the file that is there
	made *change // of the file that the request makes
}

// find finds the files of the request and locks them. It reports false if they
// could not be locked.
func (j *job) find(ctx context.Context) bool {
	failures := len(j.failures)
	for n := 0; ; n++ {
		j.gather()
		if n == 0 && !j.opt.DryRun && j.sweep(ctx) {
			j.close()
			j.files = nil
			j.forget(failures)
			j.gather()
		}
		if !j.lock(ctx) {
			return false
		}
		f, p := j.pending()
		if p == nil {
			return true
		}
		err := refuse(Locked, "requests for several files keep coming; send the request again")
		if n < mostRepairs {
			j.close()
			err = j.w.repair(ctx, p, j.opt.LockTimeout)
		}
		if err != nil {
			f.fail(err, "path")
			return false
		}
		j.files = nil
		j.forget(failures)
	}
}

// pending returns a file with a marker beside it, and the journal that it names.
func (j *job) pending() (*file, *pending) {
	for _, f := range j.files {
		if p := j.w.pending(f.t); p != nil {
			return f, p
		}
	}
	return nil, nil
}

// mostOpen is how many files a request may have that keep their directories open.
const mostOpen = 50

// mostRepairs is how often what earlier requests left undone is looked for.
const mostRepairs = 10

// gather finds the files, each once.
func (j *job) gather() {
	j.links, j.byPath = map[string]string{}, map[string]*file{}
	own := make([][]*op, len(j.req.Files))
	for _, o := range j.ops {
		o.file, o.dest = nil, nil
		own[o.entry] = append(own[o.entry], o)
	}
	for i := range j.req.Files {
		entry := &j.req.Files[i]
		f := j.file(i, nil, entry.Path, "path")
		base, err := entry.base()
		if err != nil {
			j.fail(i, nil, "base", err)
		}
		enc, err := j.encoding(entry)
		if err != nil {
			j.fail(i, nil, "encoding", err)
		}
		if f == nil {
			continue
		}
		if base != nil && f.base != nil && *base != *f.base {
			j.fail(i, nil, "base", refuse(InvalidInput, "the file has two different bases in the request; send the one of the last read"))
		}
		f.entries = append(f.entries, i)
		if base != nil {
			f.base = base
		}
		if enc != nil {
			f.enc = enc
		}
		for _, o := range own[i] {
			o.file, o.dest = f, f
		}
	}
	for _, o := range j.ops {
		if o.ToPath != "" {
			o.dest = j.file(o.entry, o, o.ToPath, "to_path")
		}
	}
	j.tellMisnamed()
}

// file returns the file that the request calls name, or nil after a failure.
func (j *job) file(entry int, by *op, name, field string) *file {
	if name == "" && len(j.failures) > 0 {
		return nil // reported by Decode
	}
	t, err := j.w.locate(name)
	if below, ok := errors.AsType[*belowError](err); ok {
		j.misnamed = append(j.misnamed, misnamed{entry, by, name, field, below})
		return nil
	}
	if err != nil {
		j.fail(entry, by, field, err)
		return nil
	}
	if t.link != "" {
		j.links[name] = t.link
	}
	if f := j.byPath[t.rel]; f != nil {
		t.close()
		return f
	}
	t.many = max(len(j.req.Files), len(j.files)) > mostOpen
	t.pause()
	f := &file{j: j, path: name, entry: entry, by: by, t: t}
	f.enc, _ = j.encoding(&FileRequest{})
	j.files, j.byPath[t.rel] = append(j.files, f), f
	return f
}

// fail notes err, which is about the whole file.
func (f *file) fail(err error, field string) {
	if f.by != nil {
		field = "to_path"
	}
	f.j.fail(f.entry, f.by, field, err)
}

// base returns the tag that the caller takes the file to have.
func (r *FileRequest) base() (*hashline.Tag, error) {
	if r.Base == "" {
		return nil, nil
	}
	tag, ok := hashline.ParseTag(r.Base)
	switch {
	case ok:
		return &tag, nil
	case r.Base == "-":
		return nil, refuse(InvalidInput, `base "-" says that the read gave no tag; leave base out`)
	}
	return nil, refuse(InvalidInput, "base %q is no tag; copy the 16 digits of base= from a read of the whole file, or leave it out", clip(r.Base))
}

// encoding returns what the entry's file is, if it is not UTF-8.
func (j *job) encoding(entry *FileRequest) (*text.Encoding, error) {
	name := entry.Encoding
	if name == "" {
		name = j.opt.Encoding
	}
	if name == "" {
		return nil, nil
	}
	enc, err := text.LookupEncoding(name)
	return enc, textError(err)
}

// lock takes the locks of all files among the programs of this toolkit. They bring
// order: the programs wait for each other instead of refusing each other's edits.
// That nothing is overwritten unseen does not hang on them.
func (j *job) lock(ctx context.Context) bool {
	if len(j.files) == 0 {
		return true
	}
	at := map[string]*file{}
	var paths []string
	for _, f := range j.files {
		path := filepath.Join(j.w.dir, f.t.rel)
		at[path] = f
		paths = append(paths, path)
	}
	take := lock.LockAll
	if j.opt.DryRun {
		take = lock.RLockAll
	}
	unlock, err := j.w.locked(ctx, take, paths, j.opt.LockTimeout)
	if err == nil {
		j.unlock = unlock
		return true
	}
	if errors.Is(err, syscall.EMFILE) {
		err = refuse(IOError, "the request is for %d files, and each needs an open file of its own, more than this process may have; split it, or allow more (ulimit -n)", len(paths))
	}
	f := j.files[0]
	if held, ok := errors.AsType[*lock.TimeoutError](err); ok && at[held.Path] != nil {
		f = at[held.Path]
	}
	f.fail(err, "path")
	return false
}

// label returns what messages call o.
func (j *job) label(o *op) string {
	if j.req.blocks {
		return fmt.Sprintf("block %d", o.index+1)
	}
	path := j.req.Files[o.entry].Path
	if len(j.req.Files) == 1 {
		return fmt.Sprintf("edits[%d]", o.index)
	}
	if j.named == nil {
		j.named = map[string]int{}
		for i := range j.req.Files {
			j.named[j.req.Files[i].Path]++
		}
	}
	if j.named[path] > 1 {
		return fmt.Sprintf("files[%d].edits[%d]", o.entry, o.index) // the path is no name for it
	}
	return fmt.Sprintf("edits[%d] of %s", o.index, quotePath(path))
}
