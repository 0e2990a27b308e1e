//go:build fire && linux

package apply

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() {
	// A user writes files and says what was answered.
	roles["write files"] = func(args []string) any { // ROOT FILE…
		ws, err := Open(args[0])
		check(err)
		answers := map[string]string{}
		for _, file := range args[1:] {
			a := askIn(ws, file, `[{"op":"write","content":"written\n","blind":true}]`, quick)
			answers[file] = string(a.Status)
			for _, f := range a.Failures {
				answers[file] += " " + string(f.Code)
			}
			for _, f := range a.Files {
				for _, w := range f.Warnings {
					answers[file] += " " + w.Code
				}
			}
		}
		return answers
	}
}

// attributes returns the owner, mode and extended attributes of a file.
func attributes(t require.TestingT, path string) string {
	var st unix.Stat_t
	require.NoError(t, unix.Lstat(path, &st))
	s := fmt.Sprintf("mode %o of %d:%d", st.Mode, st.Uid, st.Gid)
	list := make([]byte, 64<<10)
	n, err := unix.Llistxattr(path, list)
	require.NoError(t, err)
	names := strings.Split(strings.TrimSuffix(string(list[:n]), "\x00"), "\x00")
	slices.Sort(names)
	for _, name := range names {
		if name == "" {
			continue
		}
		value := make([]byte, 64<<10)
		n, err := unix.Lgetxattr(path, name, value)
		require.NoError(t, err, name)
		s += fmt.Sprintf(" %s=%x", name, value[:n])
	}
	return s
}

// attributeDir returns a directory whose file system has attributes of users,
// access control lists and capabilities: the usual one, or one in memory.
func attributeDir(t *testing.T) string {
	dir, _ := publicDir(t)
	has := func() bool {
		probe := filepath.Join(dir, "probe")
		require.NoError(t, os.WriteFile(probe, nil, 0o600))
		defer os.Remove(probe)
		for name, value := range map[string][]byte{
			"user.probe": []byte("x"), "system.posix_acl_access": acl(1234), "security.capability": capability,
		} {
			if err := unix.Setxattr(probe, name, value, 0); err != nil {
				t.Logf("%s: %v", name, err)
				return false
			}
		}
		return true
	}
	mount := func(source, kind, options string) {
		require.NoError(t, unix.Mount(source, dir, kind, 0, options))
		t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	if has() {
		return dir
	}
	mount("tmpfs", "tmpfs", "size=16m")
	require.True(t, has(), "no file system has extended attributes of every kind")
	return dir
}

// acl returns the access control list "user::rw-,user:UID:r--,group::r--,mask::rw-,other::---"
// as Linux stores it.
func acl(uid uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2) // version
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 6, ^uint32(0)}, {2, 4, uid}, {4, 4, ^uint32(0)}, {0x10, 6, ^uint32(0)}, {0x20, 0, ^uint32(0)}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}

// capability is cap_net_bind_service+ep, as Linux stores it.
var capability = []byte{1, 0, 0, 2, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

func TestUnderFireEveryAttributeIsKeptOrTheFileIsLeftAlone(t *testing.T) {
	dir := attributeDir(t)
	_, exe := publicDir(t)
	for name, test := range map[string]struct {
		xattrs         map[string]string
		uid, gid       int // of the file; the ordinary user is nobody:nobody
		mode           uint32
		dirACL         bool   // what is made in the directory gets an access control list
		root, ordinary string // what they are told
	}{
		"an attribute of a user":         {xattrs: map[string]string{"user.k": "value"}, uid: nobody, gid: nobody, mode: 0o640, root: "applied", ordinary: "applied"},
		"an empty one":                   {xattrs: map[string]string{"user.k": ""}, uid: nobody, gid: nobody, mode: 0o640, root: "applied", ordinary: "applied"},
		"many":                           {xattrs: manyXattrs(), uid: nobody, gid: nobody, mode: 0o640, root: "applied", ordinary: "applied"},
		"an access control list":         {xattrs: map[string]string{"system.posix_acl_access": string(acl(1234))}, uid: nobody, gid: nobody, mode: 0o660, root: "applied", ordinary: "applied"},
		"a list and a set-user-ID bit":   {xattrs: map[string]string{"system.posix_acl_access": string(acl(1234))}, uid: nobody, gid: nobody, mode: 0o4760, root: "applied", ordinary: "applied"},
		"a list and an attribute":        {xattrs: map[string]string{"system.posix_acl_access": string(acl(7)), "user.k": "v"}, uid: nobody, gid: nobody, mode: 0o660, root: "applied", ordinary: "applied"},
		"a list in a directory with one": {xattrs: map[string]string{"system.posix_acl_access": string(acl(7))}, uid: nobody, gid: nobody, mode: 0o660, dirACL: true, root: "applied", ordinary: "applied"},
		"none in a directory with one":   {uid: nobody, gid: nobody, mode: 0o640, dirACL: true, root: "applied", ordinary: "applied"},
		"a capability":                   {xattrs: map[string]string{"security.capability": string(capability)}, uid: nobody, gid: nobody, mode: 0o755, root: "applied", ordinary: "refused read_only"},
		"an attribute of root":           {xattrs: map[string]string{"trusted.k": "v"}, uid: nobody, gid: nobody, mode: 0o644, root: "applied", ordinary: "applied"},
		"another's file":                 {uid: 1234, gid: 4321, mode: 0o666, root: "applied", ordinary: "refused read_only"},
		"another's, with all bits":       {uid: 1234, gid: 4321, mode: 0o7777, root: "applied", ordinary: "refused read_only"},
		"his, but of another group":      {uid: nobody, gid: 4321, mode: 0o664, root: "applied", ordinary: "refused read_only"},
	} {
		for user, uid := range map[string]int{"root": 0, "an ordinary user": nobody} {
			t.Run(name+"/"+user, func(t *testing.T) {
				root, err := os.MkdirTemp(dir, "d")
				require.NoError(t, err)
				require.NoError(t, os.Chown(root, uid, uid))
				require.NoError(t, os.Chmod(root, 0o755))
				path := filepath.Join(root, "f")
				require.NoError(t, os.WriteFile(path, []byte(oldText), 0o600))
				if test.dirACL {
					require.NoError(t, unix.Setxattr(root, "system.posix_acl_default", acl(99), 0))
				}
				require.NoError(t, os.Chown(path, test.uid, test.gid))
				require.NoError(t, syscall.Chmod(path, test.mode))
				for name, value := range test.xattrs {
					require.NoError(t, unix.Setxattr(path, name, []byte(value), 0), name)
				}
				before := attributes(t, path)

				want, text := test.root, "written\n"
				if uid != 0 {
					want = test.ordinary
				}
				if want != "applied" {
					text = oldText
				}
				p := spawnAs(t, exe, uid, "write files", root, "f")
				require.Equal(t, map[string]string{"f": want}, result[map[string]string](t, p))
				require.Equal(t, text, readFile(t, path))
				if name == "an attribute of root" && uid != 0 {
					require.NotContains(t, attributes(t, path), "trusted", "who does not see it cannot keep it")
				} else {
					require.Equal(t, before, attributes(t, path))
				}
				require.Equal(t, []string{"f"}, readDir(t, root))
			})
		}
	}
}

func manyXattrs() map[string]string {
	all := map[string]string{}
	for i := range 20 {
		all[fmt.Sprint("user.", strings.Repeat("k", i+1))] = strings.Repeat(fmt.Sprint(i), 60)
	}
	return all
}

// Bits can be lost without an error, such as the set-group-ID bit, or by the order
// of the calls.
func TestUnderFireEveryModeIsKeptOrTheFileIsLeftAlone(t *testing.T) {
	for user, uid := range map[string]int{"root": 0, "an ordinary user": nobody} {
		t.Run(user, func(t *testing.T) {
			_, exe := publicDir(t)
			root := inMemory(t)
			require.NoError(t, os.Chmod(root, 0o755))
			require.NoError(t, os.Chown(root, uid, uid))
			args := []string{root}
			for mode := range uint32(0o10000) {
				path := filepath.Join(root, fmt.Sprintf("%04o", mode))
				require.NoError(t, os.WriteFile(path, []byte(oldText), 0o600))
				require.NoError(t, os.Chown(path, uid, uid))
				require.NoError(t, syscall.Chmod(path, mode))
				args = append(args, filepath.Base(path))
			}
			told := map[string]int{}
			for file, answer := range result[map[string]string](t, spawnAs(t, exe, uid, "write files", args...)) {
				path := filepath.Join(root, file)
				var st unix.Stat_t
				require.NoError(t, unix.Lstat(path, &st))
				require.Equal(t, file, fmt.Sprintf("%04o", st.Mode&0o7777), answer)
				perm := fs.FileMode(st.Mode)
				want, text := "applied", "written\n"
				switch {
				case perm&0o222 == 0:
					want, text = "refused read_only", oldText
				case uid != 0 && perm&0o400 == 0:
					want, text = "refused io_error", oldText
				case uid != 0 && perm&0o200 == 0:
					want, text = "refused read_only", oldText
				}
				require.Equal(t, want, answer, file)
				require.Equal(t, text, readFile(t, path), file)
				told[answer]++
			}
			require.Len(t, readDir(t, root), 0o10000)
			t.Log(told)
		})
	}
}
