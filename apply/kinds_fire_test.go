//go:build fire && linux

package apply

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A trial is what came of a request.
type trial struct {
	What string // read, edit, write or dry run
	Code Code   // "" for a success
	Took int64  // ms
}

func init() {
	// A user asks for one file in every way.
	roles["ask for a file"] = func(args []string) any { // ROOT PATH
		ws, err := Open(args[0])
		check(err)
		var all []trial
		try := func(what string, do func() Code) {
			began := time.Now()
			all = append(all, trial{what, do(), time.Since(began).Milliseconds()})
		}
		try("read", func() Code {
			v, err := ws.Read(context.Background(), args[1], ReadOptions{})
			if err == nil {
				err = v.Text(new(bytes.Buffer))
				v.Close()
			}
			code, known := CodeOf(err)
			if err != nil && !known {
				check(err)
			}
			return code
		})
		edit := func(edit Edit, opt Options) Code {
			a := ws.Edit(context.Background(), &Request{Files: []FileRequest{{Path: args[1], Edits: []Edit{edit}}}}, opt)
			if len(a.Failures) > 0 {
				return a.Failures[0].Code
			}
			return ""
		}
		write := Edit{Op: "write", Content: Text("written\n"), Blind: true}
		try("dry run", func() Code { return edit(write, Options{DryRun: true}) })
		try("edit", func() Code {
			return edit(Edit{Op: "insert_after", Anchor: "EOF", Content: Text("edited")}, quick)
		})
		try("write", func() Code { return edit(write, quick) })
		return all
	}
}

const oldText = "old\n"

// kinds are the kinds of files. Root makes them, and gives them to the user.
var kinds = map[string]struct {
	path string // "f" if it is left out
	make func(path string) error
	read Code  // what a reader is told
	edit Code  // what who edits or writes is told
	root *Code // what root, who may read it all the same, is told of an edit
	link string
}{
	"a regular file":    {make: regular(0o644)},
	"a read-only file":  {make: regular(0o444), edit: ReadOnly},
	"a file of 0200":    {make: regular(0o200), read: IOError, edit: IOError, root: new(Code(""))},
	"a file of 0000":    {make: regular(0), read: IOError, edit: ReadOnly, root: new(ReadOnly)},
	"a hard link":       {make: twoNames(func(a, b string) error { return os.Link(a, b) }), edit: HardLinked},
	"a link":            {make: twoNames(func(a, b string) error { return os.Symlink(filepath.Base(a), b) }), link: "f.1"},
	"an absolute link":  {make: twoNames(os.Symlink), link: "f.1"},
	"a dangling link":   {make: func(path string) error { return os.Symlink("none", path) }, read: FileNotFound, edit: FileNotFound},
	"a link to itself":  {make: func(path string) error { return os.Symlink("f", path) }, read: IOError, edit: IOError},
	"a link out":        {make: func(path string) error { return os.Symlink("../../etc/passwd", path) }, read: OutsideRoot, edit: OutsideRoot},
	"a link far out":    {make: func(path string) error { return os.Symlink("/etc/passwd", path) }, read: OutsideRoot, edit: OutsideRoot},
	"a link to a pipe":  {make: func(path string) error { return firstErr(syscall.Mkfifo(path+".1", 0o666), os.Symlink("f.1", path)) }, read: NotRegular, edit: NotRegular},
	"a pipe":            {make: func(path string) error { return syscall.Mkfifo(path, 0o666) }, read: NotRegular, edit: NotRegular},
	"a directory":       {make: func(path string) error { return os.Mkdir(path, 0o777) }, read: NotRegular, edit: NotRegular},
	"a socket":          {make: socket, read: NotRegular, edit: NotRegular},
	"/dev/zero":         {make: device(syscall.S_IFCHR, 1, 5), read: NotRegular, edit: NotRegular},
	"/dev/null":         {make: device(syscall.S_IFCHR, 1, 3), read: NotRegular, edit: NotRegular},
	"a tape":            {make: device(syscall.S_IFCHR, 9, 0), read: NotRegular, edit: NotRegular},
	"a disk":            {make: device(syscall.S_IFBLK, 7, 200), read: NotRegular, edit: NotRegular},
	"255 bytes":         {path: strings.Repeat("n", 255), make: regular(0o644)},
	"256 bytes":         {path: strings.Repeat("n", 256), read: IOError, edit: IOError},
	"255 bytes in UTF8": {path: strings.Repeat("n", 253) + "é", make: regular(0o644)},
	"a line end":        {path: "a\napplied", make: regular(0o644)},
	"a byte of Latin-1": {path: "\xe9", make: regular(0o644)},
	"a slash at the end": {path: "f/", make: func(path string) error { return os.WriteFile(strings.TrimSuffix(path, "/"), []byte(oldText), 0o644) },
		read: InvalidInput, edit: InvalidInput},
	"a path through a file": {path: "f/x", make: func(path string) error { return os.WriteFile(filepath.Dir(path), []byte(oldText), 0o644) },
		read: IOError, edit: IOError},
}

func firstErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func regular(mode os.FileMode) func(string) error {
	return func(path string) error {
		return firstErr(os.WriteFile(path, []byte(oldText), mode), os.Chmod(path, mode))
	}
}

// twoNames makes a regular file and another name for it.
func twoNames(link func(a, b string) error) func(string) error {
	return func(path string) error { return firstErr(regular(0o644)(path+".1"), link(path+".1", path)) }
}

func socket(path string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		l.SetUnlinkOnClose(false)
		err = l.Close()
	}
	return err
}

func device(kind uint32, major, minor int) func(string) error {
	return func(path string) error { return syscall.Mknod(path, kind|0o666, major<<8|minor) }
}

// askAs asks for a file as a user. Who waits for it is not waited for.
func askAs(t *testing.T, exe string, uid int, root, path string) []trial {
	p := spawnAs(t, exe, uid, "ask for a file", root, path)
	defer time.AfterFunc(30*time.Second, func() { p.Process.Kill() }).Stop()
	return result[[]trial](t, p)
}

func TestUnderFireEveryKindOfFileIsEditedOrRefusedAtOnce(t *testing.T) {
	requireRoot(t)
	defer syscall.Umask(syscall.Umask(0))
	base, exe := openDir(t), everybodysSelf(t)
	for user, uid := range map[string]int{"root": 0, "an ordinary user": nobody} {
		for name, kind := range kinds {
			t.Run(user+"/"+name, func(t *testing.T) {
				if kind.path == "" {
					kind.path = "f"
				}
				root := filepath.Join(base, "root")
				require.NoError(t, os.Mkdir(root, 0o755))
				defer os.RemoveAll(root)
				if kind.make != nil {
					require.NoError(t, kind.make(filepath.Join(root, kind.path)))
				}
				require.NoError(t, filepath.Walk(root, func(path string, _ os.FileInfo, err error) error {
					return firstErr(err, os.Lchown(path, uid, uid))
				}))
				if uid == 0 && kind.root != nil {
					kind.read, kind.edit = "", *kind.root
				}
				before := tree(t, root)
				for _, did := range askAs(t, exe, uid, root, kind.path) {
					want := kind.edit
					if did.What == "read" {
						want = kind.read
					}
					require.Equal(t, want, did.Code, did.What)
					require.Less(t, did.Took, int64(1000), did.What)
				}
				after := tree(t, root)
				if kind.edit != "" {
					require.Equal(t, before, after)
					return
				}
				require.Len(t, after, len(before), "a stray file")
				path := filepath.Join(root, kind.path)
				require.Equal(t, "written\n", readFile(t, path))
				if kind.link != "" {
					_, err := os.Readlink(path)
					require.NoError(t, err, "the link is a link no more")
					require.Equal(t, "written\n", readFile(t, filepath.Join(root, kind.link)))
				}
			})
		}
	}
}

// What is in /proc looks like a regular file and is none; kmsg even waits for
// somebody to have something to say.
func TestUnderFireWhatIsInProcIsNotWritten(t *testing.T) {
	requireRoot(t)
	exe := everybodysSelf(t)
	for user, uid := range map[string]int{"root": 0, "an ordinary user": nobody} {
		for _, path := range []string{"self/status", "self/comm", "self/mem", "self/environ", "self/fd/0", "self/exe", "self/cwd", "sys/kernel/hostname", "kmsg"} {
			t.Run(user+"/"+path, func(t *testing.T) {
				for _, did := range askAs(t, exe, uid, "/proc", path) {
					require.Less(t, did.Took, int64(1000), did.What)
					if did.What == "edit" || did.What == "write" {
						require.NotEmpty(t, did.Code, did.What)
					}
				}
			})
		}
	}
}
