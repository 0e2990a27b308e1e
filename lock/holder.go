package lock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// signatureSize is the length of what a gate holds: the process that took the
// lock last, filled up with blanks so that it overwrites the one before.
const signatureSize = 64

var signature = sync.OnceValue(func() []byte {
	text := strconv.Itoa(os.Getpid())
	if len(os.Args) > 0 {
		text += " " + filepath.Base(os.Args[0])
	}
	return fmt.Appendf(nil, "%-*.*s\n", signatureSize-1, signatureSize-1, text)
})

// sign names this process in the gate, which it has locked. It is for messages
// only; if it fails, they say less.
func sign(gate *os.File) { _, _ = gate.WriteAt(signature(), 0) }

// holder returns the process that took the lock on k last, if it lives.
func (d *Dir) holder(k key) Holder {
	src, err := os.ReadFile(d.gate(k))
	if err != nil || len(src) > signatureSize {
		return Holder{}
	}
	var h Holder
	if _, err := fmt.Sscan(string(src), &h.PID); err != nil || !alive(h.PID) {
		return Holder{}
	}
	_, command, _ := strings.Cut(string(src), " ")
	h.Command = strings.ToValidUTF8(strings.TrimSpace(command), "?")
	return h
}

func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
