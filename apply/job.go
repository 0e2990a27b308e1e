package apply

import (
	"context"
	"slices"
	"time"

	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
)

// Options are how a request is carried out. The zero Options are the defaults.
type Options struct {
	DryRun   bool             // answer what the real run would; write nothing
	Diff     bool             // put the change as a unified diff into the answer
	Relocate bool             // follow anchors whose lines moved
	Scheme   *hashline.Scheme // of fresh anchors; Content also lets content anchors stand alone
	Encoding string           // of files that are not UTF-8; a request's own wins
	MaxSize  int64            // of a file, in bytes; 0 for DefaultMaxSize

	LockTimeout time.Duration // how long to wait for others that edit the files; 0 for 10 s

	// How text is searched for that names no line: by blocks, and by search_replace
	// without a scope. See the options of package searchreplace.
	Ladder           searchreplace.Ladder
	First, All       bool
	OnEmpty          searchreplace.OnEmpty
	AllowPlaceholder bool
	Blind            bool // let blocks that give or remove a whole file give up text that they do not show
	Rescue           bool // apply a block that stands in exactly one other file of the request there
	Partial          bool // apply the blocks that match, though others do not

	BreakHardlinks bool // replace a file with several names under one of them, and leave the others
	NoSync         bool // leave it to the system when the bytes reach the disk
}

// Edit carries out req, all of it or nothing. If it has problems, nothing is
// written, and the answer reports them beside what else is wrong: of several
// failures of a request all are reported.
func (w *Workspace) Edit(ctx context.Context, req *Request, opt Options) *Answer {
	if opt.MaxSize == 0 {
		opt.MaxSize = DefaultMaxSize
	}
	j := &job{w: w, opt: opt, req: req}
	defer j.close()
	answer := j.run(ctx)
	answer.blocks = req.blocks
	answer.DryRun = opt.DryRun
	return answer
}

// A job is the work on one request.
type job struct {
	w   *Workspace
	opt Options
	req *Request

	files    []*file // in the order of the request
	ops      []*op   // the edits that can be understood, in the order of the request
	failures []Failure
	left     []Failure // of blocks, with Options.Partial
	stale    int       // how many of the failures hashline could mend, if asked again
	unlock   func()

	byPath   map[string]*file  // from the workspace, without symbolic links
	named    map[string]int    // how often the request has a path
	notFound int               // how many files were not found, each told what is near
	refused  map[int]bool      // entries of which edits failed
	counted  int               // failures that refused has
	links    map[string]string // names of the request that are symbolic links, and to what
	misnamed []misnamed
}

// An op is one edit of the request.
type op struct {
	*Edit
	entry, index int   // where it stands in the request
	file         *file // that it stands with; nil if that cannot be found
	dest         *file // where it moves, copies or renames to

	block   *searchreplace.Block // on text; nil for an edit on lines
	at      hashline.Edit        // on lines
	place   hashline.Edit        // of move and copy: where the lines come
	failed  bool
	rescued bool // a block taken for a file that it does not name
}

func (j *job) run(ctx context.Context) *Answer {
	j.failures = slices.Clone(j.req.problems)
	if len(j.req.Files) == 0 && len(j.failures) == 0 {
		j.failures = append(j.failures, Failure{Code: InvalidInput, Message: "the request names no file"})
	}
	j.validate()
	if !j.find(ctx) {
		return j.failed()
	}
	j.combine()
	j.read()
	j.twins()
	before := len(j.failures)
	j.resolve()
	if j.rescue() {
		j.forget(before)
		j.resolve()
	}
	if len(j.failures) == 0 {
		j.bring()
	}
	if len(j.failures) > 0 {
		return j.failed()
	}
	return j.carryOut(ctx)
}

func (j *job) resolve() {
	for _, f := range j.files {
		f.resolve()
	}
}

// forget takes back all failures but the first n, and what they made of the edits:
// all is checked again.
func (j *job) forget(n int) {
	failed := map[*int]bool{}
	for _, f := range j.failures[:n] {
		failed[f.Edit] = true
	}
	for _, o := range j.ops {
		o.failed = failed[&o.index]
	}
	j.failures, j.left, j.stale, j.refused = j.failures[:n], nil, 0, nil
}

func (j *job) close() {
	for _, f := range j.files {
		f.t.close()
	}
	if j.unlock != nil {
		j.unlock()
		j.unlock = nil
	}
}

// fail notes err, which is about an entry of the request, or about op o.
func (j *job) fail(entry int, o *op, field string, err error) {
	f := FailureOf(j.req.Files[entry].Path, err)
	f.entry, f.Field = entry, field
	if o != nil {
		f.Edit = &o.index
		o.failed = true
	}
	j.failures = append(j.failures, f)
}

// noEntry is the entry of a failure that is of no file of the request.
const noEntry = -1

// failed returns the answer for the failures so far, in the order of the request.
func (j *job) failed() *Answer {
	order := func(f Failure) int {
		if f.Edit == nil {
			return -1
		}
		return *f.Edit
	}
	slices.SortStableFunc(j.failures, func(a, b Failure) int {
		if n := max(a.entry, 0) - max(b.entry, 0); n != 0 {
			return n
		}
		return order(a) - order(b)
	})
	for i := range j.failures {
		if f := &j.failures[i]; f.File == "" && f.entry >= 0 && f.entry < len(j.req.Files) {
			f.File = j.req.Files[f.entry].Path
		}
	}
	answer := AnswerOf(j.failures...)
	if len(j.failures) == j.stale {
		answer.Moves, answer.Retry = j.moves(), j.retry()
	}
	return answer
}
