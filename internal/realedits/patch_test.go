//go:build fire

package realedits

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Patchers are the programs that diffs are made for, and a directory for them.
type patchers struct{ git, patch, dir string }

func newPatchers(t *testing.T) *patchers {
	p := &patchers{dir: t.TempDir()}
	var err error
	p.git, err = exec.LookPath("git")
	require.NoError(t, err, "git is missing, which is to apply the diffs: install it")
	p.patch, err = exec.LookPath("patch")
	require.NoError(t, err, "patch is missing, which is to apply the diffs: install it")
	return p
}

// check gives a diff to both programs on the older version, which must make the
// newer one of it and leave nothing else behind. patch must also take it back,
// since only that looks at the numbers of the new lines.
func (p *patchers) check(pair pair, diff []byte) error {
	if err := plant(p.dir, pair.path, pair.old, 0o644); err != nil {
		return err
	}
	if _, err := p.run(pair.path, pair.new, diff, p.git, "apply"); err != nil {
		return err
	}
	if err := plant(p.dir, pair.path, pair.old, 0o644); err != nil {
		return err
	}
	for _, turn := range []struct {
		want []byte
		args []string
	}{
		{pair.new, []string{"-p1"}},
		{pair.old, []string{"-p1", "-R"}},
	} {
		out, err := p.run(pair.path, turn.want, diff, p.patch, turn.args...)
		if err != nil {
			return err
		}
		// More than one line tells of offsets or fuzz.
		if !strings.HasPrefix(out, "patching file ") || strings.Count(out, "\n") != 1 {
			return fmt.Errorf("patch %v: %s\n%.3000s", turn.args, out, diff)
		}
	}
	return nil
}

// run runs a program, which must make want of the file, and returns what it said.
func (p *patchers) run(path string, want, diff []byte, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = p.dir
	cmd.Stdin = bytes.NewReader(diff)
	// Neither the user's settings nor a repository around may have a say.
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(p.dir))
	out, err := cmd.CombinedOutput()
	if err == nil {
		err = holds(p.dir, path, want, 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("%s %v: %w: %s\n%.3000s", program, args, err, out, diff)
	}
	return string(out), nil
}
