package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// A sizer returns how many columns and rows a terminal has now.
type sizer func() (columns, rows int)

// terminalSize returns the sizer of a terminal that takes control sequences, and
// nil if w is none.
func terminalSize(w io.Writer, getenv func(string) string) sizer {
	f, ok := w.(*os.File)
	if !ok || getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) || !takesSequences(f) {
		return nil
	}
	return func() (columns, rows int) {
		columns, rows, err := term.GetSize(int(f.Fd()))
		if err != nil || columns <= 0 || rows <= 0 { // it has not been told
			return 80, 24
		}
		return columns, rows
	}
}

// fit returns line in no more than columns columns, what does not fit replaced by
// an ellipsis, and control characters, which could move the cursor, by U+FFFD.
func fit(line string, columns int) string {
	line = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, line)
	at, cut := 0, 0 // the column reached, and where the line is cut if it is too long
	for i, r := range line {
		wide := 1
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			wide = 2
		}
		if at += wide; at <= columns-1 {
			cut = i + len(string(r))
		}
		if at > columns {
			return line[:cut] + "…"
		}
	}
	return line
}
