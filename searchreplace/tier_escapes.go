package searchreplace

import "strings"

// escapes finds the search with its escapes undone, as lines that are then equal:
// \" and \' and \` and \/ stand for the character, \\ for a backslash, \n, \t and
// \r for line end, tab and carriage return. If the search has none, there is no
// hit. The replacement is un-escaped as well: the search showed that the block is
// escaped. But a \n, \t or \r in it must be the search's manner, too (it has one,
// or a doubled backslash, which tells them from the file's own); otherwise it is as
// likely to be meant as it is, and there is no hit.
func (r *resolver) escapes(w *want) *finding {
	plain := w.unescaped()
	if plain == nil {
		return nil
	}
	f := r.windows(plain, foldNone, r.verbatim)
	if f != nil {
		f.notes = append(f.notes, noteEscapes)
	}
	return f
}

// escapesBlanksRemoved is escapes, then blanksRemoved.
func (r *resolver) escapesBlanksRemoved(w *want) *finding {
	plain := w.unescaped()
	if plain == nil {
		return nil
	}
	f := r.blanksRemoved(plain)
	if f != nil {
		f.notes = append(f.notes, noteEscapes)
	}
	return f
}

var noteEscapes = Note{NoteEscapes, `the search stands in the file without its backslashes (\" for "); search and replacement were un-escaped`}

// unescaped returns w with its escapes undone; nil if the search has none, or the
// replacement leaves open what it means.
func (w *want) unescaped() *want {
	search, shown := unescaped(strings.Join(w.search, "\n"))
	if shown == 0 {
		return nil
	}
	replace, used := unescaped(strings.Join(w.replace, "\n"))
	if used&escapedControl != 0 && shown&(escapedControl|escapedBackslash) == 0 {
		return nil
	}
	var lines []string
	if len(w.replace) > 0 {
		lines = splitLines(strings.ReplaceAll(replace, "\r\n", "\n") + "\n")
	}
	return w.with(splitLines(strings.ReplaceAll(search, "\r\n", "\n")+"\n"), lines)
}

// The kinds of escapes that a text uses.
const (
	escapedMark      = 1 << iota // \" and the like
	escapedBackslash             // \\
	escapedControl               // \n, \t, \r
)

// unescaped undoes the escapes of s and returns which kinds it had.
func unescaped(s string) (plain string, kinds int) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, 0
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case '"', '\'', '`', '/':
			b.WriteByte(c)
			kinds |= escapedMark
		case '\\':
			b.WriteByte(c)
			kinds |= escapedBackslash
		case 'n', 't', 'r':
			b.WriteByte(map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}[c])
			kinds |= escapedControl
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), kinds
}
