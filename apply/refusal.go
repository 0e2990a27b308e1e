package apply

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/hlkit/hlkit/text"
)

// A refusal is an error with the code that it is answered with.
type refusal struct {
	code Code
	msg  string
	err  error // what the system said, if it did
}

func (r *refusal) Error() string { return r.msg }
func (r *refusal) Unwrap() error { return r.err }

func refuse(code Code, format string, args ...any) error {
	return &refusal{code: code, msg: fmt.Sprintf(format, args...)}
}

// ioError returns err, an error of the system while doing what, as a refusal.
func ioError(what string, err error) error {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r
	}
	code := IOError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = FileNotFound
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		code = ReadOnly
		if strings.HasPrefix(what, "reading") {
			code = IOError
		}
	}
	cause := err
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		cause = pathErr.Err // the path is named by the answer
	} else if linkErr, ok := errors.AsType[*os.LinkError](err); ok {
		cause = linkErr.Err
	}
	return &refusal{code: code, msg: fmt.Sprintf("%s: %v", what, cause), err: err}
}

// textError returns an error of package text as a refusal.
func textError(err error) error {
	if _, ok := errors.AsType[*text.EncodingError](err); ok {
		return refuse(EncodingError, "%v", err)
	}
	if errors.Is(err, text.ErrBinary) {
		return refuse(BinaryFile, "the file holds a NUL byte, so it is no text; use a tool for its format")
	}
	return err
}

// CodeOf returns the code of an error of this package, and whether it has one.
func CodeOf(err error) (Code, bool) {
	r, ok := errors.AsType[*refusal](err)
	if !ok {
		return "", false
	}
	return r.code, true
}

// FailureOf returns err, an error of this package about a file, as a failure.
func FailureOf(file string, err error) Failure {
	f := Failure{File: file, Code: IOError, Message: err.Error()}
	if code, ok := CodeOf(err); ok {
		f.Code = code
	}
	if kept, ok := errors.AsType[*keptError](err); ok {
		f.Kept = kept.kept
	}
	return f
}
