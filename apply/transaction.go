package apply

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
)

// A transaction takes several steps, all or none. Each is prepared, then each is
// taken; if one fails, those before it are undone. The last of them is the commit
// point: from there on the request is applied.
type transaction struct {
	w       *Workspace
	opt     *Options
	steps   []*replacement
	journal *journal // nil for a single step, which is atomic by itself

	stuck []*replacement // steps that could not be undone, and why
	why   []error
}

// run takes the steps. With an error nothing was changed, but for stuck. durable
// reports that the change will be there after a power cut.
func (tx *transaction) run(ctx context.Context) (durable bool, err error) {
	defer func() { tx.close(err != nil) }()
	if len(tx.steps) > 1 && !removed("journal") {
		tx.journal = &journal{tx: tx}
		if err := tx.journal.begin(); err != nil {
			return false, ioError("writing the journal", err)
		}
	}
	for _, r := range tx.steps {
		temp := r.part
		if tx.journal == nil {
			temp = tempName()
		}
		err := r.prepare(temp)
		r.close()
		if err != nil {
			return false, &stepError{r, err}
		}
	}
	if ctx.Err() != nil {
		return false, refuse(IOError, "it was interrupted before anything was written")
	}
	if tx.journal != nil {
		if err := tx.journal.ready(); err != nil {
			return false, ioError("writing the journal", err)
		}
	}
	for i, r := range tx.steps {
		err := r.swap()
		if err == nil && tx.journal == nil {
			durable, err = tx.settle(r)
		}
		r.close()
		if err != nil {
			tx.back(tx.steps[:i])
			return false, &stepError{r, err}
		}
	}
	if tx.journal == nil {
		return durable, nil
	}
	durable = tx.sync()
	waits := newPatience()
	for _, r := range tx.steps {
		r.patience = waits
		r.drop()
		r.close()
	}
	return durable, nil
}

// settle ends a single step: the change is made durable, and then the old file
// removed while the lease on it holds. If somebody has come to write to it
// meanwhile, it goes back.
func (tx *transaction) settle(r *replacement) (durable bool, err error) {
	durable = tx.sync()
	if r.exchanged && r.leaseBroken() {
		if err := r.back(changed()); err != nil {
			r.swapped = false
			return false, err
		}
	}
	r.drop()
	return durable, nil
}

// close removes what is beside the files and, if the request was undone, the
// directories that were made; the journal goes last.
func (tx *transaction) close(undone bool) {
	for _, r := range tx.steps {
		r.discard()
	}
	switch {
	case tx.journal != nil:
		tx.journal.end(undone)
	case undone:
		tx.steps[0].removeDirs()
	}
}

// A stepError says which step failed.
type stepError struct {
	step *replacement
	err  error
}

func (e *stepError) Error() string { return e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// back undoes steps, the last first. What cannot be undone is stuck.
func (tx *transaction) back(steps []*replacement) {
	if removed("rollback") {
		return
	}
	waits := newPatience()
	for _, r := range slices.Backward(steps) {
		r.patience = waits
		err := r.undo()
		r.close()
		if err != nil {
			r.stuck = true
			tx.stuck, tx.why = append(tx.stuck, r), append(tx.why, err)
		}
	}
	slices.Reverse(tx.stuck)
	slices.Reverse(tx.why)
	if len(steps) > 0 && !tx.opt.NoSync && !removed("backsync") {
		tx.syncDirs()
	}
}

// sync makes the names that the steps changed durable.
func (tx *transaction) sync() (durable bool) {
	if tx.opt.NoSync {
		return false
	}
	if removed("syncdir") {
		return true
	}
	return tx.syncDirs() == nil
}

// syncDirs makes the names in all directories of the transaction durable, and
// those of the directories made for it.
func (tx *transaction) syncDirs() error {
	var dirs []string
	seen := map[string]bool{}
	add := func(dir string) {
		if !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	for _, r := range tx.steps {
		add(filepath.Dir(r.t.rel))
		for _, made := range r.made {
			add(filepath.Dir(made))
		}
	}
	var all error
	for _, dir := range dirs {
		all = errors.Join(all, tx.w.step("syncdir", func() error { return tx.w.syncDir(dir) }))
	}
	return all
}

// syncDir makes the names in a directory of the workspace durable. One that does
// not exist has none.
func (w *Workspace) syncDir(dir string) error {
	f, err := w.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return syncDir(f)
}
