package apply

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// A journal is the file that says what a request for several files was about to
// do, so that whoever finds it after a crash can undo or complete it; see repair.
// It lies beside one of the files, and beside each of them a marker says where.
// Nothing of this depends on an environment, a user or a container.
//
// It is written twice: before anything is made, with the names of what will be,
// and before the first change, with the tags of every file before and after. Once
// all files are new, or old again, it gets the name of one that is done; only then
// the markers go, and the journal last. It is locked as long as its process lives.
type journal struct {
	tx    *transaction
	dir   string // that it is in, from the workspace
	name  string
	file  *os.File // nil before it is written
	armed bool     // files may have changed
	dirs  []string // that have markers, from the workspace
}

// A record is what a journal holds.
type record struct {
	Root  string       `json:"root"`  // the workspace, from the journal's directory
	Ready bool         `json:"ready"` // all is prepared: files may have changed
	Steps []recordStep `json:"steps"`
	Made  []string     `json:"made,omitempty"` // directories, the outermost first
}

// noFile is the tag of no file.
const noFile = "-"

// A recordStep says what happens to one name. The tags may be noFile.
type recordStep struct {
	Path   string `json:"path"` // from the workspace
	Before string `json:"before"`
	After  string `json:"after"`
	Temp   string `json:"temp"` // the other file's name beside it
}

// begin writes the journal for the first time, and the markers of those files
// whose directories exist.
func (jl *journal) begin() error {
	tx := jl.tx
	if len(tx.steps) > mostSteps {
		return refuse(TooLarge, "the request changes %d names, over the limit of %d; split it", len(tx.steps), mostSteps)
	}
	jl.dir = "."
	if at := slices.IndexFunc(tx.steps, func(r *replacement) bool { return r.t.hasDir() }); at >= 0 {
		jl.dir = filepath.Dir(tx.steps[at].t.rel)
	}
	for _, r := range tx.steps {
		r.jl, r.part = jl, partName()
	}
	err := tx.w.step("stat", func() (err error) {
		jl.name, err = tx.w.journalName(jl.dir)
		return err
	})
	if err != nil {
		return err
	}
	// If this run is cut off, the next in any of the directories is to look there,
	// even where no marker is yet, or none any more.
	stamped := map[string]bool{}
	for _, r := range tx.steps {
		stamp, err := tx.w.stamp(r.t)
		if err == nil && !stamped[stamp] {
			stamped[stamp] = true
			os.WriteFile(stamp, []byte(filepath.Join(tx.w.dir, jl.dir, jl.name)), 0o600)
			os.Chtimes(stamp, time.Unix(0, 0), time.Unix(0, 0))
		}
	}
	if err := jl.write(false); err != nil {
		return err
	}
	for _, r := range tx.steps {
		if err := jl.mark(r); err != nil {
			return err
		}
	}
	return nil
}

// ready writes the journal again, and all that lies beside the files to disk: from
// now on they may change.
func (jl *journal) ready() error {
	jl.armed = true
	if !removed("ready") {
		if err := jl.write(true); err != nil {
			return err
		}
	}
	if jl.tx.opt.NoSync || removed("readysync") {
		return nil
	}
	if err := jl.tx.syncDirs(); err != nil {
		return err
	}
	return jl.tx.w.step("syncdir", func() error { return jl.tx.w.syncDir(jl.dir) })
}

// write puts the journal in its place, whole, and takes its lock.
func (jl *journal) write(ready bool) error {
	tx := jl.tx
	rec := record{Root: upFrom(jl.dir), Ready: ready}
	missing := tx.w.missingDirs(&rec.Made)
	for _, r := range tx.steps {
		step := recordStep{Path: filepath.ToSlash(r.t.rel), Before: r.before(), After: noFile, Temp: r.part}
		if ready {
			step.After = r.after()
		}
		rec.Steps = append(rec.Steps, step)
		if ready {
			for _, dir := range r.made {
				rec.Made = append(rec.Made, filepath.ToSlash(dir))
			}
		} else {
			missing(r.t)
		}
	}
	b, err := json.Marshal(rec)
	if err == nil && (len(b) > MaxRequest || len(rec.Made) > mostSteps) {
		err = refuse(TooLarge, "the request changes more names, or makes more directories, than a journal holds; split it")
	}
	if err != nil {
		return err
	}
	dir, err := tx.w.root.OpenRoot(jl.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	temp := tempName()
	var f *os.File
	err = tx.w.step("create", func() (err error) {
		f, err = dir.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	_, err = stepWriter{tx.w, f}.Write(b)
	if err == nil {
		// Who may write beside it may have to finish it.
		err = tx.w.step("chmod", func() error { return f.Chmod(0o600 | writers(dir)<<1) })
	}
	if err == nil && !tx.opt.NoSync {
		err = tx.w.step("sync", f.Sync)
	}
	if err == nil {
		err = flock(f)
	}
	if err == nil {
		err = tx.w.step("rename", func() error { return dir.Rename(temp, jl.name) })
	}
	if err != nil {
		tx.w.step("remove", func() error { return dir.Remove(temp) })
		f.Close()
		return err
	}
	if jl.file != nil {
		jl.file.Close()
	}
	jl.file = f
	return nil
}

// mark puts a marker beside a file, if its directory exists.
func (jl *journal) mark(r *replacement) error {
	if r.marked || !r.t.hasDir() || removed("mark") {
		return nil
	}
	err := r.open()
	if err == nil {
		err = jl.put(r.t.dir, markerName(r.t.base), r.t.rel)
	}
	if errors.Is(err, fs.ErrExist) && jl.tx.w.pending(r.t) == nil {
		err = refuse(IOError, "beside %s lies %s, as if a request for several files were under way, but it is another user's; remove it", quotePath(r.t.rel), markerName(r.t.base))
	}
	r.close()
	r.marked = err == nil
	return underWay(err, r.t.rel)
}

// markDir puts a marker beside a directory that is about to be made: so whoever
// finds the journal knows that it is ours to remove.
func (jl *journal) markDir(dir string) error {
	if removed("markdir") {
		return nil
	}
	err := jl.put(jl.tx.w.root, markerOf(dir), dir)
	if err == nil {
		jl.dirs = append(jl.dirs, dir)
	}
	return underWay(err, dir)
}

// put puts a marker, the name of root, beside rel.
func (jl *journal) put(root *os.Root, name, rel string) error {
	to, err := filepath.Rel(filepath.Dir(rel), filepath.Join(jl.dir, jl.name))
	if err != nil {
		return err
	}
	return jl.tx.w.step("marker", func() error { return putMarker(root, name, filepath.ToSlash(to)) })
}

func underWay(err error, rel string) error {
	if errors.Is(err, fs.ErrExist) {
		return refuse(Locked, "another request for several files, one of them %s, is under way; send the request again", quotePath(rel))
	}
	return err
}

// end removes the markers, with undone also the directories that were made, and
// the journal last. The files are all old or all new by now, or the answer says
// which are not. If it cannot say that it is done, all stays for the next command
// on one of the files.
func (jl *journal) end(undone bool) {
	if jl.file == nil {
		return
	}
	defer jl.file.Close()
	w := jl.tx.w
	if jl.armed && !removed("done") {
		done := doneName(jl.name)
		err := w.step("done", func() error {
			return w.root.Rename(filepath.Join(jl.dir, jl.name), filepath.Join(jl.dir, done))
		})
		if err != nil {
			return
		}
		jl.name = done
	}
	made := map[string]bool{}
	for _, r := range jl.tx.steps {
		for _, dir := range r.made {
			made[dir] = true
		}
		if r.marked && r.open() == nil {
			r.step("remove", func() error { return r.t.dir.Remove(markerName(r.t.base)) })
		}
		r.close()
	}
	for _, dir := range slices.Backward(jl.dirs) {
		if undone && made[dir] {
			w.step("rmdir", func() error { return w.root.Remove(dir) })
		}
		w.step("remove", func() error { return w.root.Remove(markerOf(dir)) })
	}
	w.step("remove", func() error { return w.root.Remove(filepath.Join(jl.dir, jl.name)) })
}

// upFrom returns the way from a directory of the workspace to the workspace.
func upFrom(dir string) string {
	if dir == "." {
		return "."
	}
	return strings.TrimSuffix(strings.Repeat("../", 1+strings.Count(filepath.ToSlash(dir), "/")), "/")
}

// writers returns the mode bits of those but the owner who may write in dir.
func writers(dir *os.Root) fs.FileMode {
	info, err := dir.Stat(".")
	if err != nil {
		return 0
	}
	return info.Mode().Perm() & 0o022
}

// missingDirs returns what adds to list the directories that a path lacks, each
// once, the outermost first.
func (w *Workspace) missingDirs(list *[]string) func(*target) {
	seen := map[string]bool{".": true}
	return func(t *target) {
		if t.hasDir() {
			return
		}
		at := len(*list)
		for dir := filepath.Dir(t.rel); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			if _, err := w.root.Lstat(dir); err == nil {
				break
			}
			*list = slices.Insert(*list, at, filepath.ToSlash(dir))
		}
	}
}
