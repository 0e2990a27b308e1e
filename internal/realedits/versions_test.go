//go:build fire

package realedits

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/hlkit/hlkit/apply"
	"github.com/stretchr/testify/require"
)

// versionPins are modules beside those of pins whose versions are taken whole.
var versionPins = []pin{
	{"golang.org/x/crypto", "v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0 v0.38.0 v0.39.0 v0.40.0 v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0 v0.51.0 v0.52.0 v0.53.0 v0.54.0 v0.55.0 v0.56.0 v0.57.0 v0.58.0 v0.59.0", "v0.47.0 v0.48.0 v0.49.0"},
	{"github.com/rogpeppe/go-internal", "v1.1.0 v1.2.2 v1.3.0 v1.3.2 v1.4.0 v1.5.0 v1.6.0 v1.6.1 v1.6.2 v1.8.0 v1.8.1 v1.9.0 v1.10.0 v1.11.0 v1.12.0 v1.13.1 v1.14.1 v1.15.0 v1.16.0", "v1.8.1 v1.9.0 v1.10.0 v1.11.0 v1.12.0"},
	{"github.com/spf13/cobra", "v0.0.3 v0.0.5 v0.0.6 v1.0.0 v1.1.1 v1.1.3 v1.2.1 v1.3.0 v1.4.0 v1.5.0 v1.6.0 v1.6.1 v1.7.0 v1.8.0 v1.8.1 v1.9.1 v1.10.0 v1.10.1 v1.10.2", "v1.7.0 v1.8.0 v1.8.1"},
	{"github.com/stretchr/testify", "v1.1.1 v1.1.2 v1.1.3 v1.1.4 v1.2.0 v1.2.1 v1.2.2 v1.2.3 v1.3.0 v1.4.0 v1.5.1 v1.6.0 v1.6.1 v1.7.0 v1.7.1 v1.7.2 v1.7.3 v1.7.4 v1.7.5 v1.8.0 v1.8.1 v1.8.2 v1.8.3 v1.8.4 v1.9.0 v1.10.0 v1.11.0 v1.11.1 v1.12.0 v1.12.1", "v1.2.2 v1.2.3 v1.3.0"},
	{"go.uber.org/zap", "v1.9.1 v1.10.0 v1.13.0 v1.14.0 v1.14.1 v1.15.0 v1.16.0 v1.17.0 v1.18.1 v1.19.0 v1.19.1 v1.20.0 v1.21.0 v1.22.0 v1.23.0 v1.24.0 v1.25.0 v1.26.0 v1.27.0 v1.27.1 v1.28.0", "v1.19.1 v1.20.0 v1.21.0"},
	{"github.com/google/go-cmp", "v0.2.0 v0.3.0 v0.3.1 v0.4.0 v0.4.1 v0.5.0 v0.5.1 v0.5.2 v0.5.3 v0.5.4 v0.5.5 v0.5.6 v0.5.7 v0.5.8 v0.5.9 v0.6.0 v0.7.0", "v0.4.1 v0.5.0"},
	{"github.com/pelletier/go-toml/v2", "v2.0.1 v2.0.2 v2.0.5 v2.0.6 v2.0.7 v2.0.8 v2.0.9 v2.1.0 v2.1.1 v2.2.0 v2.2.1 v2.2.2 v2.2.3 v2.2.4 v2.3.0 v2.3.1 v2.4.0 v2.4.1 v2.4.2 v2.4.3", "v2.0.5 v2.0.6 v2.0.7"},
	{"github.com/charmbracelet/bubbletea", "v0.24.2 v0.25.0 v0.26.4 v0.26.6 v0.27.0 v1.1.0 v1.2.2 v1.2.4 v1.3.3 v1.3.4 v1.3.5 v1.3.6 v1.3.7 v1.3.8 v1.3.9 v1.3.10", "v0.25.0 v0.26.4"},
	{"github.com/go-chi/chi/v5", "v5.0.0 v5.0.1 v5.0.2 v5.0.7 v5.0.8 v5.0.10 v5.0.11 v5.0.12 v5.1.0 v5.2.0 v5.2.1 v5.2.2 v5.2.3 v5.2.4 v5.2.5 v5.3.0 v5.3.1 v5.3.2 v5.4.0 v5.5.0", "v5.0.0 v5.0.1 v5.0.2"},
}

const (
	versionCount = "versions made of the one before by one request"
	gitCount     = "diffs of a dry run of which git apply made the newer version"
)

func TestAWholeVersionIsMadeOfTheOneBeforeByOneRequest(t *testing.T) {
	todo := append(steps(pins, *all), steps(versionPins, *all)...)
	dirs := fetch(t, todo)
	git, err := exec.LookPath("git")
	require.NoError(t, err, "git is missing, which is to apply the diffs: install it")
	hl := buildBinary(t)
	var total counts
	jobs := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range jobs {
				s := todo[i]
				v := &version{step: s, number: i, git: git, hl: hl, dir: t.TempDir(), n: &counts{}}
				if err := v.run(dirs[s.module+"@"+s.from], dirs[s.module+"@"+s.to]); err != nil {
					total.add("failures")
					t.Errorf("%s %s..%s: %v", s.module, s.from, s.to, err)
				} else {
					total.merge(v.n)
				}
				for _, line := range v.left {
					t.Logf("%s %s..%s: by hand, since no request says it: %s", s.module, s.from, s.to, line)
				}
				os.RemoveAll(v.dir)
			}
		})
	}
	for i := range todo {
		jobs <- i
	}
	close(jobs)
	workers.Wait()
	t.Logf("counts:\n%s", &total)
	if *all {
		require.GreaterOrEqual(t, total.get(versionCount), 300)
	}
	for _, name := range []string{"op create", "op remove", "op rename", "op move", "op copy", "op write", "op replace", gitCount} {
		require.Positive(t, total.get(name), name)
	}
}

// A version is one step of a module, and what becomes of it.
type version struct {
	step
	number       int
	git, hl, dir string
	n            *counts

	old, new map[string][]byte
	mode     map[string]fs.FileMode // of the newer version's files
	entries  []*entry
	byPath   map[string]*entry
	left     []string // what no request says
	touched  map[string]bool
}

// An entry is one of the request.
type entry struct {
	path, base string
	ops        []object

	// For edits of lines.
	planner *planner
	view    *view
	edits   []edit
}

func (v *version) run(from, to string) error {
	var err error
	if v.old, err = filesOf(from); err != nil {
		return err
	}
	if v.new, err = filesOf(to); err != nil {
		return err
	}
	work := filepath.Join(v.dir, "work")
	if err := v.plant(work, v.old, nil); err != nil {
		return err
	}
	door, err := openLibrary(work)
	if err != nil {
		return err
	}
	defer door.close()
	if err := v.plan(door); err != nil {
		return err
	}
	if len(v.entries) == 0 {
		v.n.add("versions in which no text changed")
		return nil
	}
	request := v.request()
	if len(request) > apply.MaxRequest {
		return fmt.Errorf("the request has %d bytes", len(request))
	}
	diff, err := v.ask(work, request, true)
	if err != nil {
		return fmt.Errorf("dry run: %w", err)
	}
	if err := v.holds(work, v.old, nil); err != nil {
		return fmt.Errorf("after the dry run: %w", err)
	}
	if _, err := v.ask(work, request, false); err != nil {
		return err
	}
	if err := v.byHand(work); err != nil {
		return err
	}
	if err := v.holds(work, v.new, v.mode); err != nil {
		return err
	}
	v.n.add(versionCount)
	v.n.n["files in the requests"] += len(v.entries)
	return v.applyWithGit(diff)
}

// filesOf returns the regular files below dir.
func filesOf(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	return files, err
}

// modeOf returns the mode of a file of the older version. Modules have one for all
// their files; that would show nothing.
func modeOf(name string) fs.FileMode {
	h := fnv.New32a()
	h.Write([]byte(name))
	return modes[h.Sum32()%uint32(len(modes))]
}

// plant makes files below dir, all or those named.
func (v *version) plant(dir string, files map[string][]byte, only map[string]bool) error {
	for name, content := range files {
		if only != nil && !only[name] {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
		if err := os.Chmod(file, modeOf(name)); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// holds reports, as an error, that the files below dir are not those given. mode
// has the modes that are not those of the older version.
func (v *version) holds(dir string, files map[string][]byte, mode map[string]fs.FileMode) error {
	seen := 0
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		want, ok := files[name]
		if !ok {
			return fmt.Errorf("%s was left behind", name)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s: the bytes differ: %s", name, firstDifference(got, want))
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		wantMode, ok := mode[name]
		if !ok {
			wantMode = modeOf(name)
		}
		if info.Mode() != wantMode {
			return fmt.Errorf("%s: the mode is %v, not %v", name, info.Mode(), wantMode)
		}
		seen++
		return nil
	})
	if err == nil && seen != len(files) {
		err = fmt.Errorf("%d files are there, not %d", seen, len(files))
	}
	return err
}

// ask sends the request and returns the diff.
func (v *version) ask(dir string, request []byte, dry bool) ([]byte, error) {
	if v.number%4 == 1 {
		v.n.add("requests through the binary")
		args := []string{"edit", "--concise"}
		if dry {
			args = append(args, "--dry-run", "--diff")
		}
		stdout, stderr, exit, err := command{hl: v.hl, dir: dir}.run(request, args...)
		if err == nil && exit != 0 {
			err = fmt.Errorf("hl edit: exit status %d: %.2000s", exit, stderr)
		}
		return stdout, err
	}
	ws, err := apply.Open(dir)
	if err != nil {
		return nil, err
	}
	defer ws.Close()
	a := ws.Edit(context.Background(), apply.Decode(request, ""), apply.Options{NoSync: true, DryRun: dry, Diff: dry})
	o, err := outcomeOf(a)
	if err == nil && o.status != "applied" {
		err = fmt.Errorf("not applied: %.2000s", o.text)
	}
	return o.diff, err
}

// byHand does what no request says.
func (v *version) byHand(dir string) error {
	for name := range v.touched {
		content, ok := v.new[name]
		file := filepath.Join(dir, filepath.FromSlash(name))
		if !ok {
			if err := os.Remove(file); err != nil {
				return err
			}
			continue
		}
		if err := v.plant(dir, map[string][]byte{name: content}, nil); err != nil {
			return err
		}
	}
	return nil
}

// applyWithGit gives the diff to git apply on the files that the request is about.
func (v *version) applyWithGit(diff []byte) error {
	about := map[string]bool{}
	want := map[string][]byte{}
	for _, e := range v.entries {
		about[e.path] = true
		if content, ok := v.new[e.path]; ok {
			want[e.path] = content
		}
		for _, o := range e.ops {
			if to, ok := o["to_path"].(string); ok && o["op"] == "rename" {
				want[to] = v.new[to]
			}
		}
	}
	dir := filepath.Join(v.dir, "git")
	if err := v.plant(dir, v.old, about); err != nil {
		return err
	}
	cmd := exec.Command(v.git, "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(diff)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+v.dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git apply: %w: %.2000s", err, out)
	}
	// git knows of a mode only whether a file can be run.
	mode := map[string]fs.FileMode{}
	for name := range want {
		file := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return fmt.Errorf("git apply: %w", err)
		}
		should, ok := v.mode[name]
		if !ok {
			should = modeOf(name)
		}
		if info.Mode()&0o100 != should&0o100 {
			return fmt.Errorf("git apply: %s has the mode %v, not %v", name, info.Mode(), should)
		}
		mode[name] = info.Mode()
	}
	if err := v.holds(dir, want, mode); err != nil {
		return fmt.Errorf("git apply: %w", err)
	}
	v.n.add(gitCount)
	return nil
}

// request returns the request for all entries.
func (v *version) request() []byte {
	var files []object
	for _, e := range v.entries {
		ops := e.ops
		for _, x := range e.edits {
			ops = append(ops, e.planner.object(x, e.view, v.n))
		}
		if len(ops) == 0 {
			continue // all its new lines come from other files
		}
		for _, o := range ops {
			v.n.add("op " + o["op"].(string))
		}
		file := object{"path": e.path, "edits": ops}
		if e.base != "" {
			file["base"] = e.base
		}
		files = append(files, file)
	}
	return marshal(object{"files": files})
}

// names returns the keys of files in order.
func names(files map[string][]byte) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
