package searchreplace

import (
	"fmt"
	"strings"
)

// A diffFile is the header of one file of a diff.
type diffFile struct {
	first, last int // lines of the reply

	git           bool   // it has a "diff --git" or an "Index:" line
	names         string // what stands behind "diff --git "
	index         string // what stands behind "Index: "
	minus, plus   bool   // it has these two lines
	old, new      string // as they name them, unquoted, without the time
	oldQ, newQ    bool   // they were in quotes
	from, to      string // of a rename
	created       bool   // by its mode
	deleted       bool
	sealed        bool // it says that no hunk follows
	sure          bool // what stands before it shows that it is one
	blank         bool // a blank line follows the names
	partial       bool // its last line has no line end
	mode          int  // the line that sets a mode which is not the usual; 0 if none does
	extended      bool
	code, problem string

	path  string // of the file, once resolved
	hunks int
}

const (
	devNull   = "/dev/null"
	emptyBlob = "e69de29" // what git calls a file without bytes
)

// take takes a line of the header. It returns false if l is none.
func (f *diffFile) take(l line) bool {
	ok := !f.plus && f.read(cutCR(l.text()), l.n)
	if ok {
		f.last, f.partial = l.n, l.partial()
	}
	return ok
}

func (f *diffFile) read(text string, n int) bool {
	if rest, ok := strings.CutPrefix(text, "+++ "); ok && (f.minus || f.git || f.last == 0) {
		f.plus = true
		f.new, f.newQ = diffName(rest)
		return true
	}
	if f.minus {
		return false
	}
	if rest, ok := strings.CutPrefix(text, "--- "); ok {
		f.minus = true
		f.old, f.oldQ = diffName(rest)
		return true
	}
	if rest, ok := strings.CutPrefix(text, "diff --git "); ok && !f.git {
		f.git, f.names = true, rest
		return true
	}
	if rest, ok := strings.CutPrefix(text, "Index: "); ok && !f.git {
		f.git, f.index = true, trimBlanks(rest)
		return true
	}
	return f.git && f.extend(text, n)
}

// extend takes one of the lines that git and others put before "--- ".
func (f *diffFile) extend(text string, n int) bool {
	key, value := text, ""
	for _, k := range [...]string{
		"old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ", "dissimilarity index ",
		"rename from ", "rename to ", "copy from ", "copy to ", "index ", "Binary files ", "GIT binary patch", "====",
	} {
		if rest, ok := strings.CutPrefix(text, k); ok {
			key, value = k, rest
			break
		}
	}
	switch key {
	case "rename from ":
		f.from = unquoted(value)
	case "rename to ":
		f.to = unquoted(value)
	case "new file mode ":
		f.created = true
		f.setMode(value, n)
	case "deleted file mode ":
		f.deleted = true
	case "new mode ":
		f.mode = n
	case "similarity index ":
		f.sealed = trimBlanks(value) == "100%"
	case "copy from ", "copy to ":
		f.code, f.problem = "unsupported", "a diff that copies a file cannot be carried out; create the new file with all its lines"
	case "Binary files ", "GIT binary patch":
		f.code, f.problem = "unsupported", "a binary diff cannot be carried out; leave it out"
	case "index ":
		old, new, _ := strings.Cut(value, "..")
		f.sealed = strings.HasPrefix(old, emptyBlob) || strings.HasPrefix(new, emptyBlob)
	case "old mode ", "dissimilarity index ", "====":
	default:
		return false
	}
	f.extended = f.extended || key != "===="
	return true
}

// setMode notes the mode of a new file.
func (f *diffFile) setMode(mode string, n int) {
	switch mode = trimBlanks(mode); {
	case strings.HasPrefix(mode, "120"), strings.HasPrefix(mode, "160"):
		f.code, f.problem = "unsupported", "a diff that makes a link or a submodule cannot be carried out; leave it out"
	case mode != "100644":
		f.mode = n
	}
}

// certain reports whether the header is one and no prose.
func (f *diffFile) certain() bool { return f.plus || f.git && f.extended }

// one returns the name in a header that has only one of "--- x" and "+++ y".
func (f *diffFile) one() (name string, quoted, ok bool) {
	switch {
	case f.minus == f.plus:
		return "", false, false
	case f.plus:
		return f.new, f.newQ, true
	}
	return f.old, f.oldQ, true
}

// named reports whether the lines that a header has name a file, as far as its look
// can tell: both do, but one alone could be anything.
func (f *diffFile) named() bool {
	name, quoted, ok := f.one()
	return !ok || quoted || looksLikePath(name)
}

// bothNamed reports whether the header has both lines that name the file, right before the
// hunk, and both look it: then it needs no "@@".
func (f *diffFile) bothNamed() bool {
	return f.minus && f.plus && !f.blank && looksLikePath(f.old) && looksLikePath(f.new)
}

// op returns what is done to the file, and whether that is more than a change of
// its lines.
func (f *diffFile) op() (op Op, whole bool) {
	switch {
	case f.created || f.minus && f.old == devNull && !f.oldQ:
		return Create, true
	case f.deleted || f.plus && f.new == devNull && !f.newQ:
		return Delete, true
	case f.to != "":
		return Rename, true
	}
	return Replace, false
}

// resolve sets the path, or returns why there is none.
func (f *diffFile) resolve() (problem string) {
	op, _ := f.op()
	old, new := f.old, f.new
	switch name, _, one := f.one(); {
	case f.index != "" && (!f.minus || !f.plus):
		old, new = f.index, f.index
	case f.git && (!f.minus || !f.plus):
		old, new = gitNames(f.names)
	case !one:
	case !f.named():
		return fmt.Sprintf(`the diff has only one line that names its file, and %q may be none; write "--- a/FILE" and "+++ b/FILE" before the hunk`, name)
	case f.plus:
		old, new = cutPrefix(name, 'b'), cutPrefix(name, 'b')
	default:
		old, new = cutPrefix(name, 'a'), cutPrefix(name, 'a')
	}
	switch op {
	case Rename:
		if f.from == "" {
			return fmt.Sprintf("the diff renames a file to %q; write %q before that", f.to, "rename from OLD")
		}
		f.path = f.from
	case Create:
		if f.path = cutPrefix(new, 'b'); new == devNull && !f.newQ {
			f.path = ""
		}
		if old != devNull && f.minus {
			f.path, problem = sameName(old, new)
		}
	case Delete:
		if f.path = cutPrefix(old, 'a'); old == devNull && !f.oldQ {
			f.path = ""
		}
		if new != devNull && f.plus {
			f.path, problem = sameName(old, new)
		}
	default:
		if f.from != "" {
			return fmt.Sprintf("the diff renames %q; write %q behind that", f.from, "rename to NEW")
		}
		f.path, problem = sameName(old, new)
	}
	if problem == "" && f.path == "" {
		problem = `the diff names no file; write "--- a/FILE" and "+++ b/FILE" before the hunk`
	}
	return problem
}

// sameName returns the file that two names of a diff are for.
func sameName(old, new string) (path, problem string) {
	if old == new {
		return old, ""
	}
	a, b := old, new
	if len(a) > 2 && a[1] == '/' && strings.IndexByte("aiwco1", a[0]) >= 0 {
		a = a[2:]
	}
	if len(b) > 2 && b[1] == '/' && strings.IndexByte("bwico2", b[0]) >= 0 {
		b = b[2:]
	}
	// Either both have the letter, or a model forgot one.
	switch {
	case a == b, a == new:
		return a, ""
	case b == old:
		return b, ""
	}
	for _, suffix := range [...]string{".orig", ".old", ".bak", "~"} {
		if b+suffix == a {
			return b, ""
		}
		if new+suffix == old {
			return new, ""
		}
	}
	return "", fmt.Sprintf(`the diff names two files, %q and %q; write one name twice, or "rename from" and "rename to"`, old, new)
}

// cutPrefix cuts the "a/" or "b/" of git.
func cutPrefix(name string, c byte) string {
	if len(name) > 2 && name[0] == c && name[1] == '/' {
		return name[2:]
	}
	return name
}

// gitNames splits what stands behind "diff --git". Names with blanks are not in
// quotes there, but then they are the same.
func gitNames(s string) (old, new string) {
	if strings.HasPrefix(s, `"`) {
		old, s = cutQuoted(s)
		return old, unquoted(trimBlanks(s))
	}
	s = trimBlanks(s)
	if strings.HasSuffix(s, `"`) {
		if i := strings.Index(s, ` "`); i >= 0 {
			return s[:i], unquoted(s[i+1:])
		}
	}
	if i := len(s) / 2; len(s)%2 == 1 && s[i] == ' ' {
		return s[:i], s[i+1:]
	}
	old, new, _ = strings.Cut(s, " ")
	return old, new
}
