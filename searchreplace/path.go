package searchreplace

import "strings"

// pathLine returns the file that a line names, if it does nothing else: alone,
// as a heading, in bold or backquotes, with a colon behind it. It returns "" for
// any other line.
func pathLine(s string) string {
	s = trimBlanks(s)
	if len(s) < 2 || len(s) > 1024 {
		return ""
	}
	whole := len(s)
	if s[0] == '#' {
		s = trimLeft(strings.TrimLeft(s, "#"))
	}
	s = trimLeft(cutPathWord(s))
	if len(s) == whole && s[0] != '*' && s[0] != '`' && strings.IndexByte(s, ' ') >= 0 {
		return "" // only what is cut here can have a blank in it; most lines are none of that
	}
	quoted := false
	for {
		before := len(s)
		s = trimBlanks(strings.TrimSuffix(s, ":"))
		for _, mark := range [...]string{"**", "*", "`", `"`, "'"} {
			if len(s) > 2*len(mark) && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) {
				s = s[len(mark) : len(s)-len(mark)]
				quoted = quoted || mark == "`"
			}
		}
		if len(s) == before {
			break
		}
	}
	if quoted && !strings.ContainsAny(s, "`\x00<>|\"*\r\n") && s != "" && strings.Trim(s, ".") != "" && !strings.HasSuffix(s, ")") {
		return s
	}
	if s = cutLines(s); looksLikePath(s) {
		return s
	}
	return ""
}

// cutLines cuts the lines of a file that stand behind its name: "a.go:12-15".
func cutLines(s string) string {
	i := strings.LastIndexByte(s, ':')
	if i < 2 || i+1 == len(s) || strings.Trim(s[i+1:], "0123456789-") != "" {
		return s
	}
	return s[:i]
}

// cutPathWord cuts what may stand before the name of a file, and behind it if that is a
// comment.
func cutPathWord(s string) string {
	if s == "" {
		return ""
	}
	switch c := s[0]; c {
	case 'F', 'P', 'f', 'p', '-', '*':
		for _, word := range [...]string{"File:", "Path:", "Filename:", "file:", "path:", "- ", "* ", "**File:**", "**Path:**", "**File**:"} {
			if rest, ok := strings.CutPrefix(s, word); ok {
				return rest
			}
		}
	case '/', '<':
		for _, comment := range [...][2]string{{"// ", ""}, {"/*", "*/"}, {"<!--", "-->"}} {
			if strings.HasPrefix(s, comment[0]) && strings.HasSuffix(s, comment[1]) && len(s) > 7 {
				return trimBlanks(s[len(comment[0]) : len(s)-len(comment[1])])
			}
		}
	default:
		if i := runOfDigits(s); i > 0 && i < 4 && i+1 < len(s) && (s[i] == '.' || s[i] == ')') && s[i+1] == ' ' {
			return s[i+2:]
		}
	}
	return s
}

func runOfDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// looksLikePath reports whether a word is the name of a file, as far as its look
// can tell: it has a dot or a slash within, or is a name known without.
func looksLikePath(s string) bool {
	inner := false
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\r', '\n', 0, '<', '>', '|', '"', '`', ';', '=', '{', '}', ',', '*':
			return false
		case '/', '.':
			inner = true
		}
	}
	switch s {
	case "Makefile", "makefile", "GNUmakefile", "Dockerfile", "LICENSE", "README", "Gemfile", "Rakefile",
		"Procfile", "Jenkinsfile", "Vagrantfile", "Justfile", "justfile", "BUILD", "WORKSPACE", "CODEOWNERS":
		return true
	case "and/or", "I/O", "i/o", "n/a", "N/A":
		return false
	}
	if isProduct(s) || strings.HasPrefix(s, "---") || strings.HasPrefix(s, "+++") || strings.HasPrefix(s, "===") {
		return false // a diff's, say
	}
	if !inner || strings.Contains(s, "://") || s[len(s)-1] == '.' || s[len(s)-1] == '/' || s[len(s)-1] == ')' || s[len(s)-1] == ':' {
		return false
	}
	return strings.Trim(strings.TrimPrefix(s, "v"), "0123456789./-") != "" // a number, a date, a version
}

// isProduct reports whether a word with a dot is what something is called that is no
// file.
func isProduct(s string) bool {
	const longest = len("three.js")
	if len(s) > longest {
		return false
	}
	switch strings.ToLower(s) {
	case "vb.net", "asp.net", "node.js", "three.js", "vue.js", "next.js", "react.js", "d3.js":
		return true
	}
	return false
}

// sameFile reports whether two names may be of one file: one of them may have more
// directories.
func sameFile(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// otherFile returns a file that a line of prose speaks of and that is not path, or "".
// Much has a dot in it that is no file, as "fmt.Println" and "e.g."; so the extension
// must be that of a file.
func otherFile(s, path string) string {
	if strings.IndexByte(s, '.') < 0 && !strings.Contains(s, "file") { // as in Makefile
		return ""
	}
	for word := range strings.FieldsFuncSeq(s, endsWord) {
		word = strings.TrimPrefix(strings.TrimLeft(strings.TrimRight(word, ".!?"), "+-"), "./")
		if len(word) < 3 || !hasFileExtension(word) && strings.ContainsAny(word, "./") || !looksLikePath(word) {
			continue
		}
		if !sameFile(word, path) {
			return word
		}
	}
	return ""
}

func endsWord(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', '`', '*', '"', '\'', '(', ')', '[', ']', '<', '>', ',', ';', ':':
		return true
	}
	return false
}

// hasFileExtension reports whether a word ends in what names of text files end in.
func hasFileExtension(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	if dot <= 0 {
		return false
	}
	switch strings.ToLower(word[dot+1:]) {
	case "go", "mod", "py", "pyi", "rb", "rs", "js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "svelte", "java", "kt", "kts",
		"scala", "swift", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "m", "mm", "cs", "fs", "php", "pl", "pm", "lua", "r", "jl",
		"ex", "exs", "erl", "hs", "ml", "clj", "dart", "zig", "nim", "sh", "bash", "zsh", "fish", "ps1", "bat", "sql",
		"html", "htm", "xml", "css", "scss", "sass", "less", "svg", "md", "rst", "txt", "tex", "csv",
		"json", "yaml", "yml", "toml", "ini", "cfg", "conf", "env", "properties", "lock", "proto", "graphql", "tf", "gradle":
		return true
	}
	return false
}
