//go:build fire

package realedits

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// buildBinary returns the path of hl, built as it is released.
func buildBinary(t *testing.T) string {
	hl := filepath.Join(t.TempDir(), "hl")
	cmd := exec.Command("go", "build", "-o", hl, "github.com/hlkit/hlkit/cmd/hl")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return hl
}

// A command is hl, run in dir. It knows of a file what is printed.
type command struct {
	hl, dir string
	json    bool // ask for answers as JSON
}

func (b command) close() {}

// run runs hl. An exit status is no error.
func (b command) run(stdin []byte, args ...string) (stdout, stderr []byte, exit int, err error) {
	cmd := exec.Command(b.hl, args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "HL_FSYNC=off")
	cmd.Stdin = bytes.NewReader(stdin)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	if exitErr, ok := errors.AsType[*exec.ExitError](err); ok {
		exit, err = exitErr.ExitCode(), nil
	}
	return out.Bytes(), errOut.Bytes(), exit, err
}

var headerForm = regexp.MustCompile(`^(.+) base=([0-9a-f]{16}) lines (\d+)-(\d+)/(\d+)$`)

func (b command) read(path string, scheme hashline.Scheme, encoding string) (*view, error) {
	args := []string{"read", "--lines", "all", "--scheme", scheme.String(), path}
	if encoding != "" {
		args = append(args, "--encoding", encoding)
	}
	stdout, stderr, exit, err := b.run(nil, args...)
	if err != nil || exit != 0 || len(stderr) > 0 {
		return nil, fmt.Errorf("hl read: exit status %d: %w: %s", exit, err, stderr)
	}
	header, rest, _ := strings.Cut(string(stdout), "\n")
	m := headerForm.FindStringSubmatch(header)
	if m == nil || m[1] != hashline.QuotePath(path) || m[4] != m[5] {
		return nil, fmt.Errorf("hl read: header %q", header)
	}
	v := &view{base: m[2]}
	for rest != "" {
		var printed string
		printed, rest, _ = strings.Cut(rest, "\n")
		anchor, text, ok := strings.Cut(printed, hashline.Arrow)
		if !ok {
			return nil, fmt.Errorf("hl read: line without an arrow: %q", printed)
		}
		v.rows = append(v.rows, row{anchor, text})
	}
	if total, _ := strconv.Atoi(m[5]); total != len(v.rows) {
		return nil, fmt.Errorf("hl read: %d lines below %q", len(v.rows), header)
	}
	return v, nil
}

func (b command) edit(path string, request []byte, named, dry bool) (*outcome, error) {
	args := []string{"edit"}
	if dry {
		args = append(args, "--dry-run", "--diff")
	}
	if b.json && !dry {
		args = append(args, "--json")
	}
	if named {
		args = append(args, path)
	}
	stdout, stderr, exit, err := b.run(request, args...)
	if err != nil {
		return nil, err
	}
	switch {
	case dry:
		o, err := outcomeOfText(string(stderr))
		if err == nil {
			o.diff, o.exit = stdout, exit
		}
		return o, err
	case len(stderr) > 0:
		return nil, fmt.Errorf("hl edit: exit status %d: %s", exit, stderr)
	}
	outcomeOf := outcomeOfText
	if b.json {
		outcomeOf = outcomeOfJSON
	}
	o, err := outcomeOf(string(stdout))
	if err == nil {
		o.exit = exit
	}
	return o, err
}

var (
	appliedForm = regexp.MustCompile(`^(applied|unchanged) .+? \+(\d+) -(\d+) base=([0-9a-f]{16}|-)`)
	gapForm     = regexp.MustCompile(`^… (\d+) lines$`)
)

// outcomeOfText reads an answer as a model would.
func outcomeOfText(s string) (*outcome, error) {
	o := &outcome{text: s}
	m := appliedForm.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("hl edit: answer %q", s)
	}
	o.status, o.base = m[1], strings.TrimPrefix(m[4], "-")
	o.added, _ = strconv.Atoi(m[2])
	o.removed, _ = strconv.Atoi(m[3])
	for printed := range strings.SplitSeq(s, "\n") {
		if m := gapForm.FindStringSubmatch(printed); m != nil {
			gap, _ := strconv.Atoi(m[1])
			o.snippet = append(o.snippet, shown{gap: gap})
		} else if printed != "" && '0' <= printed[0] && printed[0] <= '9' {
			anchor, text, _ := strings.Cut(printed, hashline.Arrow)
			o.snippet = append(o.snippet, shown{row: row{anchor, text}})
		}
	}
	return o, nil
}

// outcomeOfJSON reads an answer by the names that are its API.
func outcomeOfJSON(s string) (*outcome, error) {
	var a struct {
		Status string
		Files  []struct {
			Base           string
			Added, Removed int
			Snippet        []struct {
				Anchor, Text string
				Lossy        bool
				Gap, Cut     int
			}
		}
	}
	if err := json.Unmarshal([]byte(s), &a); err != nil {
		return nil, err
	}
	o := &outcome{text: s, status: a.Status}
	for _, f := range a.Files {
		o.base, o.added, o.removed = f.Base, f.Added, f.Removed
		for _, l := range f.Snippet {
			o.snippet = append(o.snippet, shown{row{l.Anchor, l.Text}, l.Lossy, l.Gap})
		}
	}
	return o, nil
}
