package apply

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hlkit/hlkit/internal/near"
)

const (
	mostNear   = 5     // paths named for one that does not exist
	mostWalked = 20000 // files looked at for them
)

// notFound says that t does not exist and which paths are near: names like it in
// its directory, or the nearest one above that exists, and files of its name
// elsewhere in the workspace.
func (w *Workspace) notFound(t *target) string {
	const plain = "the file does not exist"
	names := w.nearest(filepath.ToSlash(t.rel))
	if names == nil {
		return plain + "; look for its path first"
	}
	for i, name := range names {
		if w.file != "" {
			name = filepath.Join(filepath.Dir(w.file), name)
		}
		names[i] = quotePath(name)
	}
	return plain + "; there is " + strings.Join(names, ", ")
}

// mostNotFound is for how many files of a request it is said what is near: a look
// around takes its time.
const mostNotFound = 20

// notFound says that f does not exist, and perhaps which paths are near.
func (f *file) notFound() string {
	if f.j.notFound++; f.j.notFound > mostNotFound {
		return "the file does not exist; look for its path first"
	}
	return f.j.w.notFound(f.t)
}

// nearest returns the paths in the workspace most like rel, the likest first.
func (w *Workspace) nearest(rel string) []string {
	type path struct {
		name     string
		distance int
	}
	var found []path
	base := strings.ToLower(pathBase(rel))
	walked := 0
	fs.WalkDir(w.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir // a directory that cannot be read has no answer
		}
		if walked++; walked > mostWalked {
			return fs.SkipAll
		}
		if entry.IsDir() {
			if n := entry.Name(); name != "." && (strings.HasPrefix(n, ".") || n == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		sameBase := strings.ToLower(entry.Name()) == base
		d := near.Distance(rel, name)
		if sameBase || d <= max(2, len(rel)/5) {
			found = append(found, path{name, d})
		}
		return nil
	})
	slices.SortStableFunc(found, func(a, b path) int { return a.distance - b.distance })
	var names []string
	for _, p := range found[:min(len(found), mostNear)] {
		names = append(names, p.name)
	}
	return names
}

func pathBase(rel string) string { return rel[strings.LastIndexByte(rel, '/')+1:] }
