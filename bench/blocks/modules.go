package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A pin is a module and versions of it that were published one after the other.
type pin struct {
	module   string
	versions string
	of       corpusName
}

// A corpusName says of which corpus a pin is.
type corpusName string

const (
	allModules   corpusName = "all"
	fewModules   corpusName = "sample"   // a few modules of it, for every change
	otherModules corpusName = "held-out" // modules that no rule of the ladder was made by
)

// pins is what the edits are taken from. The modules beside golang.org/x are there
// for what Go files lack: indentation by blanks, Markdown, XML, JSON, and other
// languages.
var pins = []pin{
	{"golang.org/x/tools", "v0.34.0 v0.35.0 v0.36.0 v0.37.0 v0.38.0 v0.39.0 v0.40.0 v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0 v0.51.0 v0.52.0", allModules},
	{"golang.org/x/text", "v0.10.0 v0.11.0 v0.12.0 v0.13.0 v0.14.0 v0.15.0 v0.16.0 v0.17.0 v0.18.0 v0.19.0 v0.20.0 v0.21.0 v0.22.0 v0.23.0 v0.24.0 v0.25.0", allModules},
	{"golang.org/x/text", "v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0", allModules},
	{"golang.org/x/net", "v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0 v0.51.0 v0.52.0 v0.53.0 v0.54.0 v0.55.0 v0.56.0 v0.57.0 v0.58.0 v0.59.0 v0.60.0 v0.61.0 v0.62.0", allModules},
	{"golang.org/x/sys", "v0.27.0 v0.28.0 v0.29.0 v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0 v0.38.0 v0.39.0 v0.40.0 v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0", allModules},
	{"github.com/alecthomas/chroma/v2", "v2.14.0 v2.15.0 v2.16.0 v2.17.2 v2.19.0 v2.20.0 v2.21.0 v2.21.1 v2.23.0 v2.23.1 v2.24.0 v2.24.1 v2.25.0 v2.26.0 v2.26.1 v2.27.0", allModules},
	{"github.com/yuin/goldmark", "v1.7.0 v1.7.1 v1.7.2 v1.7.4 v1.7.5 v1.7.6 v1.7.7 v1.7.8 v1.7.10 v1.7.11 v1.7.12 v1.7.13 v1.7.14 v1.7.15 v1.7.16 v1.7.17 v1.8.0 v1.8.1 v1.8.2 v1.8.3 v1.8.4 v1.8.5 v1.8.6 v1.8.7", allModules},
	{"github.com/BurntSushi/toml", "v1.0.0 v1.1.0 v1.2.0 v1.2.1 v1.3.0 v1.3.2 v1.4.0 v1.5.0 v1.6.0", allModules},
	{"github.com/google/flatbuffers", "v22.9.29+incompatible v22.11.23+incompatible v23.1.21+incompatible v23.5.9+incompatible v23.5.26+incompatible v24.3.25+incompatible v24.12.23+incompatible v25.1.24+incompatible v25.2.10+incompatible v25.9.23+incompatible v25.12.19+incompatible", allModules},
	{"github.com/apache/thrift", "v0.17.0 v0.19.0 v0.20.0 v0.21.0 v0.22.0 v0.23.0 v0.24.0 v0.25.0", allModules},
	{"github.com/denisenkom/go-mssqldb", "v0.10.0 v0.12.0 v0.12.2 v0.12.3", allModules},
	{"golang.org/x/tools", "v0.50.0 v0.51.0 v0.52.0", fewModules},
	{"golang.org/x/net", "v0.58.0 v0.59.0 v0.60.0 v0.61.0 v0.62.0", fewModules},
	{"github.com/alecthomas/chroma/v2", "v2.23.0 v2.23.1 v2.24.0", fewModules},
	{"github.com/yuin/goldmark", "v1.7.15 v1.7.16 v1.7.17 v1.8.0", fewModules},
	{"github.com/BurntSushi/toml", "v1.3.2 v1.4.0 v1.5.0 v1.6.0", fewModules},
	{"golang.org/x/crypto", "v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0 v0.38.0 v0.39.0 v0.40.0 v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0", otherModules},
	{"github.com/rogpeppe/go-internal", "v1.1.0 v1.2.2 v1.3.0 v1.3.2 v1.4.0 v1.5.0 v1.6.0 v1.6.1 v1.6.2 v1.8.0 v1.8.1 v1.9.0 v1.10.0 v1.11.0 v1.12.0 v1.13.1 v1.14.1 v1.15.0 v1.16.0", otherModules},
	{"github.com/spf13/cobra", "v0.0.3 v0.0.5 v0.0.6 v1.0.0 v1.1.1 v1.1.3 v1.2.1 v1.3.0 v1.4.0 v1.5.0 v1.6.0 v1.6.1 v1.7.0 v1.8.0 v1.8.1 v1.9.1 v1.10.0 v1.10.1 v1.10.2", otherModules},
	{"github.com/stretchr/testify", "v1.2.2 v1.2.3 v1.3.0 v1.4.0 v1.5.1 v1.6.0 v1.6.1 v1.7.0 v1.7.1 v1.7.2 v1.8.0 v1.8.1 v1.8.2 v1.8.3 v1.8.4 v1.9.0 v1.10.0 v1.11.0 v1.11.1", otherModules},
	{"go.uber.org/zap", "v1.9.1 v1.10.0 v1.13.0 v1.14.0 v1.15.0 v1.16.0 v1.17.0 v1.18.1 v1.19.0 v1.20.0 v1.21.0 v1.22.0 v1.23.0 v1.24.0 v1.25.0 v1.26.0 v1.27.0", otherModules},
	{"github.com/google/go-cmp", "v0.2.0 v0.3.0 v0.3.1 v0.4.0 v0.5.0 v0.5.4 v0.5.5 v0.5.6 v0.5.9 v0.6.0 v0.7.0", otherModules},
	{"github.com/pelletier/go-toml/v2", "v2.0.1 v2.0.5 v2.0.7 v2.0.9 v2.1.0 v2.1.1 v2.2.0 v2.2.2 v2.2.4 v2.3.0", otherModules},
	{"github.com/charmbracelet/bubbletea", "v0.24.2 v0.25.0 v0.26.4 v0.26.6 v0.27.0 v1.1.0 v1.2.2 v1.3.3 v1.3.7 v1.3.10", otherModules},
	{"github.com/go-chi/chi/v5", "v5.0.0 v5.0.2 v5.0.8 v5.0.11 v5.1.0 v5.2.0 v5.2.2 v5.2.5", otherModules},
	{"github.com/evanw/esbuild", "v0.25.12 v0.27.1 v0.27.2 v0.27.3 v0.27.4 v0.27.7 v0.28.0 v0.28.1 v0.28.2", otherModules},
	{"google.golang.org/grpc", "v1.81.0 v1.82.0 v1.83.0 v1.84.0 v1.85.0", otherModules},
	{"github.com/gin-gonic/gin", "v1.7.4 v1.7.7 v1.8.1 v1.9.0 v1.9.1 v1.10.0 v1.10.1 v1.11.0 v1.12.0", otherModules},
	{"github.com/prometheus/client_golang", "v1.21.0 v1.22.0 v1.23.0 v1.23.2 v1.24.0 v1.25.0", otherModules},
	{"github.com/hashicorp/hcl/v2", "v2.18.1 v2.19.1 v2.20.0 v2.20.1 v2.21.0 v2.22.0 v2.23.0 v2.24.0 v2.25.0", otherModules},
	{"github.com/labstack/echo/v4", "v4.13.3 v4.13.4 v4.14.0 v4.15.0 v4.16.0", otherModules},
	{"github.com/jackc/pgx/v5", "v5.7.6 v5.8.0 v5.9.0 v5.10.0 v5.11.0 v5.12.0 v5.13.0", otherModules},
	{"gonum.org/v1/gonum", "v0.14.0 v0.15.0 v0.16.0 v0.17.0", otherModules},
}

// A corpus is files in two versions each.
type corpus struct {
	name  corpusName
	pairs []*pair
	hunks int
	lines int // of the older versions
}

// A pair is a file in two versions, as lines without their ends.
type pair struct {
	name     string // MODULE@FROM..TO/PATH
	old, new []string
	hunks    []hunk
}

const (
	fewestLines = 12  // of files
	mostLines   = 700 // so that a block costs microseconds
	widest      = 400 // bytes of a line
)

// loadCorpus returns the files that differ between two versions, those of moderate
// size whose lines end in line feeds. What is not in the module cache is
// downloaded.
func loadCorpus(ctx context.Context, name corpusName) (*corpus, error) {
	var names []string
	for _, p := range pins {
		if p.of != name {
			continue
		}
		for v := range strings.FieldsSeq(p.versions) {
			names = append(names, p.module+"@"+v)
		}
	}
	slices.Sort(names)
	dirs, err := download(ctx, slices.Compact(names))
	if err != nil {
		return nil, err
	}
	c := &corpus{name: name}
	for _, p := range pins {
		if p.of != name {
			continue
		}
		versions := strings.Fields(p.versions)
		for i := 1; i < len(versions); i++ {
			from, to := versions[i-1], versions[i]
			if err := c.add(p.module+"@"+from+".."+to, dirs[p.module+"@"+from], dirs[p.module+"@"+to]); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// download returns the directories of modules in the module cache.
func download(ctx context.Context, names []string) (map[string]string, error) {
	// A module of its own: the versions here are none that ours depends on.
	dir, err := os.MkdirTemp("", "blocks")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module pairs\n\ngo 1.26.0\n"), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"mod", "download", "-json"}, names...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w: %s", err, stderr.Bytes())
	}
	dirs := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var m struct{ Path, Version, Dir, Error string }
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		if m.Error != "" {
			return nil, fmt.Errorf("go mod download: %s: %s", m.Path, m.Error)
		}
		dirs[m.Path+"@"+m.Version] = m.Dir
	}
	for _, name := range names {
		if dirs[name] == "" {
			return nil, fmt.Errorf("go mod download: %s is missing", name)
		}
	}
	return dirs, nil
}

// add adds the files that are in both directories and differ.
func (c *corpus) add(name, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		new, err := os.ReadFile(filepath.Join(to, rel))
		if err != nil || bytes.Equal(old, new) {
			return nil // gone, or the same
		}
		p := &pair{name: name + "/" + filepath.ToSlash(rel)}
		var ok, too bool
		p.old, ok = linesOf(old)
		p.new, too = linesOf(new)
		if !ok || !too {
			return nil
		}
		p.hunks = hunksOf(p.old, p.new)
		c.pairs = append(c.pairs, p)
		c.hunks += len(p.hunks)
		c.lines += len(p.old)
		return nil
	})
}

// linesOf returns the lines of a text; ok is false if it is not what is measured.
func linesOf(src []byte) (lines []string, ok bool) {
	if !utf8.Valid(src) || bytes.ContainsAny(src, "\x00\r\ufeff") || !bytes.HasSuffix(src, []byte("\n")) {
		return nil, false
	}
	lines = strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	for _, s := range lines {
		if len(s) > widest {
			return nil, false
		}
	}
	return lines, len(lines) >= fewestLines && len(lines) <= mostLines
}
