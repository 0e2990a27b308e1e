package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DefaultPath returns the directory of lock files: $HL_LOCK_DIR, or else hl-UID in
// /tmp on Unix and in the user's LocalAppData on Windows. No other variable
// counts: TMPDIR and the XDG ones differ between a desktop shell, cron and a
// sandbox of one user, who must meet at the same files.
func DefaultPath(getenv func(string) string) (string, error) {
	if dir := getenv("HL_LOCK_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("HL_LOCK_DIR is %q; use an absolute path, which means the same in every directory", dir)
		}
		return filepath.Clean(dir), nil
	}
	return userDir()
}

// secure makes sure that the directory is there and that nobody else can put
// files into it.
func secure(dir string) error {
	if dir == "" {
		return errors.New("the Dir has no Path")
	}
	dir = filepath.Clean(dir) // with a slash at its end, a symbolic link would be followed
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeDir(dir); err != nil {
			return err
		}
		info, err = os.Lstat(dir)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return refuse(dir, "it is no directory, but "+info.Mode().String())
	}
	return checkOwner(dir, info)
}

// makeDir makes the directory, which may appear at the same time.
func makeDir(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	// The directory may be in a workspace, where git would show it. That is not
	// worth an error.
	_ = os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600)
	return nil
}

func refuse(dir, why string) error {
	return fmt.Errorf("the lock directory %q is not safe: %s\nremove it, or set HL_LOCK_DIR to a directory of your own with mode 0700", dir, why)
}
