package searchreplace

import "strings"

// looseMarker returns the marker that a line could be meant to be: decorated, in other
// characters, with other words. It is for messages; nothing is read by it.
func looseMarker(s string) marker {
	s = inASCII(undecorated(s))
	if s == "" || strings.IndexByte("<>-=+~#", s[0]) < 0 {
		return marker{}
	}
	m := marker{char: s[0]}
	for s != "" && s[0] == m.char {
		m.run++
		s = s[1:]
		if len(s) > 1 && s[0] == ' ' && s[1] == m.char {
			s = s[1:]
		}
	}
	if s = strings.Trim(s, "<>-=+~#: \t"); s == "" && m.run >= 3 {
		return m
	}
	word, rest, _ := strings.Cut(s, " ")
	if rest != "" && !strings.EqualFold(rest, "block") {
		return marker{}
	}
	// Short runs stand before words in prose and in code.
	if m.run < 3 || m.run < surelyMarker && (m.char != '<' || word != strings.ToUpper(word)) {
		return marker{}
	}
	switch strings.ToUpper(word) {
	case "SEARCH", "ORIGINAL", "BEFORE", "OLD", "FIND":
		m.word = "SEARCH"
	case "REPLACE", "UPDATED", "AFTER", "NEW":
		m.word = "REPLACE"
	default:
		return marker{} // of a merge conflict, say
	}
	return m
}

// undecorated returns a line without what Markdown or a comment puts around it.
func undecorated(s string) string {
	for before := 0; before != len(s); {
		before = len(s)
		s = trimBlanks(s)
		for _, mark := range [...]string{"> ", "- ", "* ", "+ ", "# ", "// ", "; ", "<!--", "/*", "**", "`", "\uFEFF", "\u200B"} {
			s = strings.TrimPrefix(s, mark)
		}
		for _, mark := range [...]string{"-->", "*/", "**", "`"} {
			s = strings.TrimSuffix(s, mark)
		}
		if i := strings.IndexAny(s, ".)"); i > 0 && i < 4 && strings.Trim(s[:i], "0123456789") == "" {
			s = s[i+1:] // the number in a list
		}
	}
	return s
}

// asciiForms spells what stands for ASCII in the writing of East Asia, and what looks
// like a marker.
var asciiForms = strings.NewReplacer("＜", "<", "＞", ">", "＝", "=", "＋", "+", "－", "-", "\u3000", " ", "\u00A0", " ",
	"«", "<", "»", ">", "‹", "<", "›", ">", "—", "-", "–", "-", "─", "-", "═", "=",
	"Ｓ", "S", "Ｅ", "E", "Ａ", "A", "Ｒ", "R", "Ｃ", "C", "Ｈ", "H", "Ｐ", "P", "Ｌ", "L")

func inASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return asciiForms.Replace(s)
		}
	}
	return s
}
