package apply

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// diffHeader writes what git has above the names of a file: of one that is not
// just changed, and of all files of several, since git takes the names of the
// next file for those of one without hunks.
func (f *file) diffHeader(b *bytes.Buffer, c *change, goes *file) {
	if c.answer.Change == "" && len(f.j.files) == 1 {
		return
	}
	from, to := f.patchPath(), goes.patchPath()
	fmt.Fprintf(b, "diff --git %s %s\n", quotePatch("a/"+from), quotePatch("b/"+to))
	switch c.answer.Change {
	case "created":
		b.WriteString("new file mode 100644\n")
	case "removed":
		fmt.Fprintf(b, "deleted file mode %s\n", gitMode(f.snap.info))
	case "renamed":
		fmt.Fprintf(b, "rename from %s\nrename to %s\n", quotePatch(from), quotePatch(to))
	}
}

// diffNames writes the names of a file in front of its hunks.
func (f *file) diffNames(b *bytes.Buffer, c *change, goes *file, hunks bool) {
	if !hunks && c.answer.Change != "" {
		return
	}
	from, to := headerPath("a/"+f.patchPath()), headerPath("b/"+goes.patchPath())
	switch c.answer.Change {
	case "created":
		from = "/dev/null"
	case "removed":
		to = "/dev/null"
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", from, to)
}

// gitMode returns the mode of a file as git knows it.
func gitMode(info fs.FileInfo) string {
	if info.Mode()&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// patchPath returns f's path as a patch names it: with slashes, without symbolic
// links, beyond which git apply does not go, and below the directory that the patch is
// applied in. That is the root, or for the workspace of one file the working directory
// unless the path leads out of it.
func (f *file) patchPath() string {
	name, w := f.path, f.j.w
	switch {
	case w.file == "":
		name = f.t.rel
	case name == w.file:
		name = w.real
	}
	if filepath.IsAbs(name) || hasDotDot(name) {
		name = f.t.rel
	}
	return path.Clean(filepath.ToSlash(name))
}

// quotePatch quotes a path as git does, if it must.
func quotePatch(path string) string {
	odd := func(r rune) bool { return r == '"' || r == '\\' || r < ' ' || r == 0x7F }
	// patch takes no account of a blank at the end.
	if !strings.ContainsFunc(path, odd) && !strings.HasSuffix(path, " ") {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7F:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// headerPath is quotePatch for a header line, where a tab ends a name with a
// space in it.
func headerPath(path string) string {
	if quoted := quotePatch(path); quoted != path || !strings.Contains(path, " ") {
		return quoted
	}
	return path + "\t"
}
