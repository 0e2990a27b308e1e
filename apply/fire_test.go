//go:build fire && linux

package apply

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests run as root and carry requests out as an ordinary user, in a
// process of its own: root may do everything.

const nobody = 65534

// TestChildOfTheOrdinaryUser is that process.
func TestChildOfTheOrdinaryUser(t *testing.T) {
	dir := os.Getenv("FIRE_DIR")
	if dir == "" {
		return // it is run by the other test
	}
	for _, dry := range []bool{true, false} {
		a := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"write","content":"new\n","blind":true}]}`, Options{DryRun: dry, NoSync: true})
		os.Stdout.WriteString("ANSWER " + string(a.Status))
		for _, f := range a.Failures {
			os.Stdout.WriteString(" " + string(f.Code))
		}
		os.Stdout.WriteString("\n")
	}
}

func TestAnOrdinaryUserIsKeptToHisRights(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to be somebody else")
	}
	for name, test := range map[string]struct {
		fileOwner, dirOwner int
		fileMode, dirMode   os.FileMode
		dry, real           string
	}{
		"his own file":                                        {nobody, nobody, 0o644, 0o755, "applied", "applied"},
		"another's file in his directory":                     {0, nobody, 0o644, 0o755, "refused read_only", "refused read_only"},
		"another's file that he may write, but not give back": {0, nobody, 0o666, 0o755, "refused read_only", "refused read_only"},
		"his file in a directory of another":                  {nobody, 0, 0o644, 0o755, "refused read_only", "refused read_only"},
		"a file that he may not read":                         {0, nobody, 0o600, 0o755, "refused io_error", "refused io_error"},
		"a directory that he may not enter":                   {nobody, 0, 0o644, 0o700, "refused", "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			base, err := os.MkdirTemp("", "fire-")
			require.NoError(t, err)
			defer os.RemoveAll(base)
			require.NoError(t, os.Chmod(base, 0o755))
			dir := filepath.Join(base, "d")
			path := filepath.Join(dir, "f.txt")
			writeFile(t, path, "old\n")
			require.NoError(t, os.Chown(path, test.fileOwner, test.fileOwner))
			require.NoError(t, os.Chmod(path, test.fileMode))
			require.NoError(t, os.Chown(dir, test.dirOwner, test.dirOwner))
			require.NoError(t, os.Chmod(dir, test.dirMode))
			program := filepath.Join(base, "apply.test")
			self, err := os.ReadFile(os.Args[0])
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(program, self, 0o755))
			require.NoError(t, os.Chmod(program, 0o755))
			cmd := exec.Command(program, "-test.run=^TestChildOfTheOrdinaryUser$")
			cmd.Dir = "/"
			cmd.Env = append(os.Environ(), "FIRE_DIR="+dir, "HL_LOCK_DIR=") // he has his own
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			out, err := cmd.CombinedOutput()
			if test.dry != "refused" {
				require.NoError(t, err, "%s", out)
				require.Contains(t, string(out), "ANSWER "+test.dry+"\nANSWER "+test.real+"\n")
			}
			want := "old\n"
			if test.real == "applied" {
				want = "new\n"
			}
			require.Equal(t, want, readFile(t, path))
			require.Equal(t, []string{"f.txt"}, readDir(t, dir))
		})
	}
}
