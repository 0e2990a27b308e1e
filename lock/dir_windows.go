package lock

import (
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/windows"
)

func userDir() (string, error) {
	// Asked of the system: the variable LocalAppData may say anything.
	local, err := windows.KnownFolderPath(windows.FOLDERID_LocalAppData, 0)
	if err != nil {
		return "", err
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", err
	}
	return filepath.Join(local, "hl-"+user.User.Sid.String()), nil
}

// checkOwner looks at the owner alone: the mode says nothing here, and
// LocalAppData passes its access rights on to what is made in it.
func checkOwner(dir string, _ fs.FileInfo) error {
	info, err := windows.GetNamedSecurityInfo(dir, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := info.Owner()
	if err != nil {
		return err
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return err
	}
	// What an elevated process makes belongs to the administrators.
	if !owner.Equals(user.User.Sid) && !owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
		return refuse(dir, "it belongs to "+owner.String())
	}
	return nil
}
