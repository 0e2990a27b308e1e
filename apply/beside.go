package apply

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hlkit/hlkit/hashline"
)

// What we put beside a file while it is replaced is named so that a later run
// can tell, after a crash, what it may remove:
//
//	.hl-UNIQUE.tmp                 a file being written; nobody else's bytes
//	.hl-UNIQUE-TIME-OLD-NEW.swap   from just before the exchange on: the new
//	                               file or, after it, the old, by their tags
//	.hl-UNIQUE-TIME.part           the same in a request for several files, of
//	                               which its journal says more
//	.hl-UNIQUE-TIME.back           there, without an exchange, the old for a moment
//	.hl-UNIQUE-DIR.journal         the journal of such a request; DIR is the number
//	                               of its directory
//	.hl-UNIQUE-DIR.done            the same when all is done but the cleaning
//	.hl-HASH.pending               beside each name that it changes: where it is
//	NAME.hl-kept-UNIQUE            what others wrote to NAME and we displaced;
//	                               a person decides about it
const tempPrefix = ".hl-"

// tempName returns a name for a file being written: short, so that a target with
// a name of any length has room beside it, and not to be guessed.
func tempName() string { return tempPrefix + unique() + ".tmp" }

// partName is tempName in a request for several files.
func partName() string { return fmt.Sprintf("%s%s-%08x.part", tempPrefix, unique(), time.Now().Unix()) }

// backupName returns the name that the old file has while the new file part gets
// its own, where files cannot be exchanged.
func backupName(part string) string { return strings.TrimSuffix(part, ".part") + ".back" }

// swapName returns the name for the file temp from the exchange on.
func swapName(temp string, now time.Time, old, new hashline.Tag) string {
	return fmt.Sprintf("%s-%08x-%v-%v.swap", strings.TrimSuffix(temp, ".tmp"), now.Unix(), old, new)
}

// mark gives the new file the name that tells what is in it. Once exchanged, the
// old file has it: which is not ours, and may be somebody's text by then.
func (r *replacement) mark() error {
	if r.part != "" {
		r.temp = r.part
		return nil
	}
	if r.removes() {
		r.temp = swapName(tempName(), time.Now(), r.snap.tag, r.snap.tag)
		return nil
	}
	name := swapName(r.temp, time.Now(), r.snap.tag, r.tag)
	return r.step("mark", func() error {
		err := r.t.dir.Rename(r.temp, name)
		if err == nil {
			r.temp = name
		}
		return err
	})
}

// longestName is how many bytes a file's name can have.
const longestName = 255

// keptName returns a name for what others wrote to the file base.
func keptName(base string) string {
	end := ".hl-kept-" + unique()[:8]
	for len(base)+len(end) > longestName {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return base + end
}

// parseSwap returns what a swapName tells.
func parseSwap(name string) (at time.Time, old, new hashline.Tag, ok bool) {
	rest, ok1 := strings.CutPrefix(name, tempPrefix)
	rest, ok2 := strings.CutSuffix(rest, ".swap")
	part := strings.Split(rest, "-")
	if !ok1 || !ok2 || len(part) != 4 || len(part[0]) != 16 {
		return time.Time{}, 0, 0, false
	}
	seconds, err := strconv.ParseInt(part[1], 16, 64)
	old, ok1 = hashline.ParseTag(part[2])
	new, ok2 = hashline.ParseTag(part[3])
	return time.Unix(seconds, 0), old, new, err == nil && ok1 && ok2
}

// isPart reports whether name is a partName.
func isPart(name string) bool {
	rest, ok1 := strings.CutPrefix(name, tempPrefix)
	part, ok2 := strings.CutSuffix(rest, ".part")
	id, stamp, ok3 := strings.Cut(part, "-")
	_, err := strconv.ParseInt(stamp, 16, 64)
	return ok1 && ok2 && ok3 && len(id) == 16 && err == nil && filepath.Base(name) == name
}

// isTemp reports whether name is a tempName.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, ".tmp") && len(name) == len(tempName())
}
