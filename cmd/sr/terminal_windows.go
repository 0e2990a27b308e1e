package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// takesSequences reports whether a console takes control sequences, which one of
// before Windows Terminal has to be asked for.
func takesSequences(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	return windows.GetConsoleMode(h, &mode) == nil &&
		windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
