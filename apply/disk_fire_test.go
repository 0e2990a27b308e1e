//go:build fire && linux

package apply

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func requireRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount file systems and to be somebody else")
	}
}

// command runs a command of the system.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, args, out)
	return string(out)
}

// openDir makes a directory that every user can come to.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fire-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// mount mounts a file system on a directory until the end of the test.
func mount(t *testing.T, source, kind, opts string) (dir string) {
	t.Helper()
	requireRoot(t)
	dir = openDir(t)
	require.NoError(t, unix.Mount(source, dir, kind, 0, opts), "%s %s", kind, opts)
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func mountTmpfs(t *testing.T, opts string) (dir string) {
	t.Helper()
	return mount(t, "tmpfs", "tmpfs", "mode=755,"+opts)
}

// mountOverlay mounts lower under a layer that is on the file system of upper.
func mountOverlay(t *testing.T, lower, upper string) (dir string) {
	t.Helper()
	for _, name := range []string{"upper", "work"} {
		require.NoError(t, os.MkdirAll(filepath.Join(upper, name), 0o755))
	}
	return mount(t, "overlay", "overlay", fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, upper, upper))
}

// A disk is an ext4 file system of its own, whose power can be cut.
type disk struct {
	dir    string // where it is mounted
	device string
	opts   string
}

// newDisk makes and mounts a disk of 16 MiB, with options of mkfs.ext4 and mount.
func newDisk(t *testing.T, make, opts string) *disk {
	t.Helper()
	requireRoot(t)
	image := filepath.Join(t.TempDir(), "image")
	f, err := os.Create(image)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(16<<20))
	require.NoError(t, f.Close())
	args := append([]string{"-q", "-F", "-b", "4096", "-E", "lazy_itable_init=0,nodiscard"}, strings.Fields(make)...)
	command(t, "mkfs.ext4", append(args, image)...)
	device := strings.TrimSpace(command(t, "losetup", "--find", "--show", image))
	t.Cleanup(func() { command(t, "losetup", "--detach", device) })
	return &disk{dir: mount(t, device, "ext4", opts), device: device, opts: opts}
}

// cut ends all writing to the disk at once: what is not on it by now is lost.
func (d *disk) cut(t *testing.T) {
	t.Helper()
	const shutdown, noLogFlush = 0x8004587d, 2
	f, err := os.Open(d.dir)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, unix.IoctlSetPointerInt(int(f.Fd()), shutdown, noLogFlush))
}

// sync brings to the disk what was written to it.
func (d *disk) sync(t *testing.T) {
	t.Helper()
	f, err := os.Open(d.dir)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, unix.Syncfs(int(f.Fd())))
}

// restart mounts the disk again after a cut, as it then is.
func (d *disk) restart(t *testing.T) {
	t.Helper()
	require.NoError(t, unix.Unmount(d.dir, 0))
	require.NoError(t, unix.Mount(d.device, d.dir, "ext4", 0, d.opts))
}

// A person is whom a test is run again as.
type person struct {
	uid    uint32
	groups []uint32
	lacks  []uintptr // capabilities
}

// again runs the test again in a process of another, which gets dir.
func (p person) again(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command(everybodysSelf(t), "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "FIRE_AGAIN="+dir, "HL_LOCK_DIR=") // everybody has his own
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: p.uid, Gid: p.uid, Groups: p.groups}}
	var out []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: what it lacks it lacks for good
		for _, capability := range p.lacks {
			if err = unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil {
				return
			}
		}
		out, err = cmd.CombinedOutput()
	}()
	<-done
	require.NoError(t, err, "as user %d: %s", p.uid, out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
}

// isAgain returns the directory of a test that is run again.
func isAgain() (dir string, ok bool) { return os.LookupEnv("FIRE_AGAIN") }

// everybodysSelf returns a copy of this program that every user can run.
func everybodysSelf(t *testing.T) string {
	t.Helper()
	self, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	program := filepath.Join(openDir(t), "apply.test")
	require.NoError(t, os.WriteFile(program, self, 0o755))
	require.NoError(t, os.Chmod(program, 0o755))
	return program
}
