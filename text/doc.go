// Package text is the pure ground that the editing packages stand on: a file's
// bytes as a [Document] of lines, and [Splice], which replaces whole lines and
// leaves every other byte as it was.
//
// Start with [Parse] and [Splice]:
//
//	doc, err := text.Parse(src, nil)
//	res, err := text.Splice(doc, []text.Edit{{Start: 2, End: 3, Lines: []string{"new third line"}}})
//	out := res.Bytes()
//
// # Lines
//
// A line feed ends a line, and one carriage return before it belongs to the
// ending. Everything else is content: a lone carriage return, form feed,
// vertical tab, NEL, U+2028. There is no empty line after a final line feed,
// and an empty file has no lines. A byte order mark stands outside line 1.
// Lines are bytes; they need not be UTF-8. Line numbers in this package are
// 0-based, ranges half-open.
//
// # Encodings
//
// A file that begins with a UTF-16 byte order mark is decoded, and encoded
// again on the way out; it is refused if that would change a byte. For any
// other file the bytes are the text. An [Encoding] says how the bytes of a file
// that is not UTF-8 are shown and how new text is written; untouched lines keep
// their bytes.
//
// The package knows nothing of files, clocks or the environment.
package text
