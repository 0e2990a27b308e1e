package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
)

// Input opens what a command reads: the file from, or standard input for "-". what
// names it for somebody who may have to type it.
func (e *Env) Input(from, what string) (io.ReadCloser, error) {
	if from != "-" {
		return os.Open(from)
	}
	if isTerminal(e.Stdin) {
		fmt.Fprintf(e.Stderr, "%s: reading the %s from standard input; end it with Ctrl-D\n", e.Program, what)
	}
	return io.NopCloser(e.Stdin), nil
}

// isTerminal reports whether somebody may be typing at r.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// interruptible returns a context that an interrupt or termination ends, and a
// function that returns the exit status to end with then, else 0.
func interruptible() (context.Context, func() int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		cancel(signalError{<-signals})
		signal.Reset(os.Interrupt, syscall.SIGTERM) // a second one ends us at once
	}()
	return ctx, func() int {
		if s, ok := context.Cause(ctx).(signalError); ok {
			if n, ok := s.Signal.(syscall.Signal); ok {
				return 128 + int(n)
			}
		}
		return 0
	}
}

type signalError struct{ os.Signal }

func (s signalError) Error() string { return s.String() }
