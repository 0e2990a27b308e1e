package apply

import (
	"errors"
	"os"
	"time"
)

// errBusy says that somebody has the file open for writing.
var errBusy = errors.New("the file is open for writing")

// openPatience is how long a request waits, in all, for files to be closed until it is
// committed; as long again to change files back, or to remove what it replaced; and as
// long for each request that was cut off and that it puts right.
const openPatience = 300 * time.Millisecond

// A patience is what is left of the time that a request waits for others to close
// the files that they have open for writing. A file that its writer has closed
// stays open for a moment if he started a program meanwhile, for between fork and
// exec the child has a copy of his descriptors: so that it is open says little,
// and that it stays open says that somebody writes to it.
type patience struct{ left time.Duration }

func newPatience() *patience { return &patience{openPatience} }

// lease is [takeLease], tried again while there is patience.
func (p *patience) lease(f *os.File) error {
	for wait := 100 * time.Microsecond; ; wait = min(2*wait, 10*time.Millisecond) {
		err := takeLease(f)
		if !errors.Is(err, errBusy) || p.left <= 0 || removed("patience") {
			return err
		}
		begin := time.Now()
		time.Sleep(wait)
		p.left -= time.Since(begin)
	}
}
