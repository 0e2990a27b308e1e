//go:build linux || darwin

package apply

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// mustKeep reports whether an extended attribute is one that must not be lost: an
// access control list, a capability, or what a user set.
func mustKeep(name string) bool {
	return strings.HasPrefix(name, "user.") || strings.HasPrefix(name, "system.") && strings.Contains(name, "acl") || name == "security.capability"
}

// keepXattrs gives the file to the extended attributes of from, and takes others
// away, such as what the directory's default access control list gave it. lost are
// the names of attributes that it could not give, and that need not be kept.
func keepXattrs(from, to *os.File) (lost []string, err error) {
	want, err := listXattrs(from)
	if err != nil {
		return nil, err
	}
	have, err := listXattrs(to)
	if err != nil {
		return nil, err
	}
	for _, name := range want {
		value, err := getXattr(from, name)
		if err == nil && slices.Contains(have, name) {
			if now, err := getXattr(to, name); err == nil && bytes.Equal(now, value) {
				continue
			}
		}
		if err == nil {
			err = unix.Fsetxattr(int(to.Fd()), name, value, 0)
		}
		if err != nil && mustKeep(name) {
			return nil, fmt.Errorf("the attribute %s cannot be kept: %w", name, err)
		} else if err != nil {
			lost = append(lost, name)
		}
	}
	for _, name := range have {
		if slices.Contains(want, name) {
			continue
		}
		// What the system gave the new file, such as a label, it may insist on.
		if err := unix.Fremovexattr(int(to.Fd()), name); err != nil && mustKeep(name) {
			return nil, fmt.Errorf("the attribute %s of the new file cannot be removed: %w", name, err)
		}
	}
	return lost, nil
}

// listXattrs returns the names of f's extended attributes: none where the file
// system has none.
func listXattrs(f *os.File) ([]string, error) {
	list, err := growing(func(b []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), b) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00"), nil
}

func getXattr(f *os.File, name string) ([]byte, error) {
	return growing(func(b []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, b) })
}

// growing calls get for the size of what it gets, and then with room for that,
// again if it has grown meanwhile.
func growing(get func([]byte) (int, error)) ([]byte, error) {
	for {
		size, err := get(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		b := make([]byte, size)
		size, err = get(b)
		if !errors.Is(err, unix.ERANGE) {
			return b[:max(size, 0)], err
		}
	}
}
