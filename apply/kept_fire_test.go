//go:build fire && linux

package apply

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// asBoth runs a test of a directory on a disk as root, and again as an ordinary
// user, whose directory it then is and who has a second group.
func asBoth(t *testing.T, setUp func(dir string), test func(t *testing.T, dir string)) {
	t.Helper()
	if dir, again := isAgain(); again {
		test(t, dir)
		return
	}
	d := newDisk(t, "", "")
	for _, who := range []person{{uid: 0}, {uid: nobody, groups: []uint32{second}}} {
		dir := filepath.Join(d.dir, fmt.Sprint(who.uid))
		require.NoError(t, os.Mkdir(dir, 0o755))
		require.NoError(t, os.Chown(dir, int(who.uid), int(who.uid)))
		if setUp != nil {
			setUp(dir)
		}
		if who.uid == 0 {
			test(t, dir)
		} else {
			who.again(t, dir)
		}
	}
}

// second is a group that the ordinary user is in, strangers one that he is not.
const second, strangers = 5001, 5002

// rights returns the mode, owner and group of a file.
func rights(t *testing.T, path string) [3]uint32 {
	t.Helper()
	var st unix.Stat_t
	require.NoError(t, unix.Stat(path, &st))
	return [3]uint32{st.Mode & 0o7777, st.Uid, st.Gid}
}

func TestEachOfTheModesIsKept(t *testing.T) {
	asBoth(t, nil, func(t *testing.T, dir string) {
		root := os.Getuid() == 0
		path := filepath.Join(dir, "f.txt")
		defer syscall.Umask(syscall.Umask(0o027))
		applied := 0
		for mode := uint32(0); mode <= 0o7777; mode++ {
			require.NoError(t, os.RemoveAll(path))
			writeFile(t, path, "old\n")
			require.NoError(t, unix.Chmod(path, mode))
			before := rights(t, path)
			require.Equal(t, mode, before[0])
			a := ask(t, dir, "f.txt", overwrite("new\n"), quick)
			require.Equal(t, before, rights(t, path), "%04o: %s", mode, textOf(a))
			// Root may write any file that is not read-only.
			want := mode&0o222 != 0 && root || mode&0o600 == 0o600
			require.Equal(t, want, a.Status == Applied, "%04o: %s", mode, textOf(a))
			if a.Status == Applied {
				applied++
			} else if mode&0o222 == 0 || mode&0o400 != 0 {
				require.Equal(t, []Code{ReadOnly}, codes(a), "%04o: %s", mode, textOf(a))
			} else {
				require.Equal(t, []Code{IOError}, codes(a), "%04o: %s", mode, textOf(a)) // it cannot be read
			}
			require.Equal(t, []string{"f.txt"}, readDir(t, dir))
		}
		require.Greater(t, applied, 0)
	})
}

func TestOwnerAndGroupAreKeptOrTheEditIsRefused(t *testing.T) {
	files := map[string]struct {
		uid, gid int
		user     bool // whether the ordinary user can keep them
	}{
		"his.txt":                 {nobody, nobody, true},
		"his in second group.txt": {nobody, second, true},
		"his of strangers.txt":    {nobody, strangers, false},
		"of root.txt":             {0, nobody, false},
		"of a stranger.txt":       {1234, 4321, false},
		"of his group.txt":        {1234, second, false},
	}
	asBoth(t, func(dir string) {
		for name, f := range files {
			path := filepath.Join(dir, name)
			writeFile(t, path, "old\n")
			require.NoError(t, os.Chown(path, f.uid, f.gid))
			require.NoError(t, os.Chmod(path, 0o777|os.ModeSetuid|os.ModeSetgid))
		}
	}, func(t *testing.T, dir string) {
		for name, f := range files {
			path := filepath.Join(dir, name)
			before := rights(t, path)
			for _, dry := range []bool{true, false} {
				a := ask(t, dir, name, overwrite("new\n"), Options{NoSync: true, DryRun: dry})
				require.Equal(t, before, rights(t, path))
				if os.Getuid() == 0 || f.user {
					require.Equal(t, Applied, a.Status, "%s: %s", name, textOf(a))
				} else {
					require.Equal(t, []Code{ReadOnly}, codes(a), "%s: %s", name, textOf(a))
					require.Equal(t, "old\n", readFile(t, path))
				}
			}
		}
		require.Len(t, readDir(t, dir), len(files))
	})
}

// acl returns an access control list as the kernel has it, with entries for a user
// and a group.
func acl(mask uint16) string {
	b := binary.LittleEndian.AppendUint32(nil, 2) // version
	for _, e := range []struct {
		tag, rights uint16
		id          uint32
	}{
		{0x01, 6, ^uint32(0)}, {0x02, 7, 1234}, {0x02, 4, 2345}, {0x04, 4, ^uint32(0)},
		{0x08, 6, 4321}, {0x10, mask, ^uint32(0)}, {0x20, 0, ^uint32(0)},
	} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.rights)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return string(b)
}

// netRaw is the capability CAP_NET_RAW, permitted and effective, as the kernel has
// it.
const netRaw = "\x01\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// xattrs returns the extended attributes of a file that we can see.
func xattrs(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	names, err := listXattrs(f)
	require.NoError(t, err)
	all := map[string]string{}
	for _, name := range names {
		value, err := getXattr(f, name)
		require.NoError(t, err, name)
		all[name] = string(value)
	}
	return all
}

func TestExtendedAttributesAreKeptByteForByteOrTheEditIsRefused(t *testing.T) {
	many := map[string]string{}
	for i := range 40 {
		many[fmt.Sprintf("user.%d", i)] = strings.Repeat("x", i)
	}
	files := map[string]struct {
		attributes map[string]string
		mode       uint32
		refused    bool   // for the ordinary user
		warning    string // for the ordinary user
	}{
		"none":                              {nil, 0o644, false, ""},
		"a user's":                          {map[string]string{"user.a": "b", "user.empty": "", "user.bytes": "\x00\xff\n"}, 0o644, false, ""},
		"a user's, large":                   {map[string]string{"user.large": strings.Repeat("\x00v", 1500)}, 0o644, false, ""},
		"many":                              {many, 0o644, false, ""},
		"an access control list":            {map[string]string{"system.posix_acl_access": acl(7)}, 0o670, false, ""},
		"one with a narrow mask":            {map[string]string{"system.posix_acl_access": acl(4)}, 0o640, false, ""},
		"one of a file that is set-user-ID": {map[string]string{"system.posix_acl_access": acl(5), "user.a": "b"}, 0o4650, false, ""},
		"a capability":                      {map[string]string{"security.capability": netRaw}, 0o755, true, ""},
		"a capability and a list":           {map[string]string{"security.capability": netRaw, "system.posix_acl_access": acl(7)}, 0o670, true, ""},
		"another of the system's":           {map[string]string{"security.hlkit": "x"}, 0o644, false, "security.hlkit"},
		"a trusted one":                     {map[string]string{"trusted.hlkit": "x"}, 0o644, false, ""}, // which he cannot see
	}
	asBoth(t, func(dir string) {
		for name, f := range files {
			path := filepath.Join(dir, name)
			writeFile(t, path, "old\n")
			var st unix.Stat_t
			require.NoError(t, unix.Stat(dir, &st))
			require.NoError(t, os.Chown(path, int(st.Uid), int(st.Gid)))
			require.NoError(t, unix.Chmod(path, f.mode))
			for attribute, value := range f.attributes {
				require.NoError(t, unix.Setxattr(path, attribute, []byte(value), 0), attribute)
			}
			require.Equal(t, f.attributes, withoutNil(xattrs(t, path)))
			require.Equal(t, f.mode, rights(t, path)[0], name)
		}
	}, func(t *testing.T, dir string) {
		for name, f := range files {
			path := filepath.Join(dir, name)
			root := os.Getuid() == 0
			before, mode := xattrs(t, path), rights(t, path)
			a := ask(t, dir, name, overwrite("new\n"), quick)
			require.Equal(t, mode, rights(t, path), name)
			if f.refused && !root {
				require.Equal(t, []Code{ReadOnly}, codes(a), "%s: %s", name, textOf(a))
				require.Contains(t, textOf(a), "security.capability")
				require.Equal(t, "old\n", readFile(t, path))
				require.Equal(t, before, xattrs(t, path), name)
				continue
			}
			require.Equal(t, Applied, a.Status, "%s: %s", name, textOf(a))
			require.Equal(t, "new\n", readFile(t, path))
			if f.warning != "" && !root {
				require.Len(t, a.Files[0].Warnings, 1)
				require.Contains(t, a.Files[0].Warnings[0].Message, f.warning)
				delete(before, f.warning)
			} else {
				require.Empty(t, a.Files[0].Warnings, name)
			}
			require.Equal(t, before, xattrs(t, path), name)
		}
		require.Len(t, readDir(t, dir), len(files))
	})
}

func withoutNil(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

// A new file gets the list that its directory has for such. One that takes the
// place of another is no new file.
func TestTheListOfTheDirectoryIsNotGivenToAFileThatIsReplaced(t *testing.T) {
	asBoth(t, func(dir string) {
		writeFile(t, filepath.Join(dir, "f.txt"), "old\n")
		writeFile(t, filepath.Join(dir, "listed.txt"), "old\n")
		var st unix.Stat_t
		require.NoError(t, unix.Stat(dir, &st))
		for _, name := range []string{"f.txt", "listed.txt"} {
			require.NoError(t, os.Chown(filepath.Join(dir, name), int(st.Uid), int(st.Gid)))
			require.NoError(t, os.Chmod(filepath.Join(dir, name), 0o604))
		}
		require.NoError(t, unix.Setxattr(filepath.Join(dir, "listed.txt"), "system.posix_acl_access", []byte(acl(1)), 0))
		require.NoError(t, unix.Setxattr(dir, "system.posix_acl_default", []byte(acl(7)), 0))
	}, func(t *testing.T, dir string) {
		for _, name := range []string{"f.txt", "listed.txt"} {
			path := filepath.Join(dir, name)
			before, mode := xattrs(t, path), rights(t, path)
			require.Equal(t, Applied, ask(t, dir, name, overwrite("new\n"), quick).Status)
			require.Equal(t, before, xattrs(t, path))
			require.Equal(t, mode, rights(t, path))
		}
		path := filepath.Join(dir, "new.txt")
		require.Equal(t, Applied, ask(t, dir, "new.txt", overwrite("new\n"), quick).Status)
		byHand := filepath.Join(dir, "by hand.txt")
		writeFile(t, byHand, "new\n")
		require.Equal(t, xattrs(t, byHand), xattrs(t, path))
		require.Equal(t, rights(t, byHand), rights(t, path))
		require.Contains(t, xattrs(t, path), "system.posix_acl_access")
	})
}
