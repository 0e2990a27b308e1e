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
		for _, mark := range [...]string{"**", "*", "`"} {
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
	if looksLikePath(s) {
		return s
	}
	return ""
}

// cutPathWord cuts what may stand before the name of a file.
func cutPathWord(s string) string {
	if s == "" {
		return ""
	}
	switch s[0] {
	case 'F', 'P', 'f', 'p', '-', '*', '/':
		for _, word := range [...]string{"File:", "Path:", "Filename:", "file:", "path:", "- ", "* ", "// "} {
			if rest, ok := strings.CutPrefix(s, word); ok {
				return rest
			}
		}
	}
	return s
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
	if !inner || strings.Contains(s, "://") || s[len(s)-1] == '.' || s[len(s)-1] == '/' || s[len(s)-1] == ')' || s[len(s)-1] == ':' {
		return false
	}
	return strings.Trim(s, "0123456789./-") != "" // a number, a date
}

// otherFile returns a file that a line of prose speaks of and that is not path, or "".
// Much has a dot in it that is no file, as "fmt.Println" and "e.g."; so the extension
// must be that of a file.
func otherFile(s, path string) string {
	if strings.IndexByte(s, '.') < 0 {
		return ""
	}
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n`*\"'()[]<>,;:", r) }) {
		word = strings.TrimPrefix(strings.TrimRight(word, ".!?"), "./")
		if !hasFileExtension(word) || !looksLikePath(word) {
			continue
		}
		if word != path && !strings.HasSuffix(path, "/"+word) && !strings.HasSuffix(word, "/"+path) {
			return word
		}
	}
	return ""
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
