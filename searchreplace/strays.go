package searchreplace

import "strings"

// strays watches the prose for what is clearly an edit and is in no form that is read:
// it would be lost, and nobody would know. It makes no blocks, only problems, and each
// needs two or three signs, as prose and code speak of markers and of calls, too.
type strays struct {
	mute bool // this was looked at, and is no call

	fields fields // of a call, in the lines since:
	object int    // the line with the brace
	behind string // what stands before that

	opener int    // a line that is like an opener
	marker string // as it is spelled
	proper string // as it should be, in quotes
	told   bool   // it was reported, so its closer need not be

	patch int // a line that is like "*** Begin Patch"
	stars int // one that begins a hunk of a context diff

	oldTag  int    // a line with a tag for old text
	pathTag int    // … for a file
	tool    string // whose tag stands before these
	toldTag bool   // it was reported, so the tag that closes the call need not be
	oldWord int    // a line "SEARCH:"
	failed  int    // how many problems there were then
}

// begun forgets what stood before a block: the block is what was meant by it.
func (s *strays) begun() { *s = strays{} }

// line takes a line of prose that is in a fence, or in none.
func (s *strays) line(sc *scope, l line, in fence) {
	text := trimBlanks(l.raw)
	if text == "" || s.mute || sc.d.opt.Format != Auto {
		s.object = 0 // JSON as models write it has no blank lines
		return
	}
	if !in.open() {
		s.thoughtEnd(sc, l, text)
	}
	s.markers(sc, l, text)
	s.patches(sc, l, text)
	switch lang := in.info; {
	case lang == "", strings.HasPrefix(lang, "json"), strings.HasPrefix(lang, "tool"):
		s.call(sc, l, text)
		s.tags(sc, l, text)
		s.words(sc, l, text)
	case lang == "xml":
		s.tags(sc, l, text)
	case lang == "yaml" || lang == "yml":
		s.yaml(sc, l, text)
	default:
		s.object = 0
	}
}

// markers reports an opener that is decorated or spelled in other characters, once a
// divider follows.
func (s *strays) markers(sc *scope, l line, text string) {
	if c := text[0] | 0x20; 'a' <= c && c <= 'z' {
		return
	}
	m := looseMarker(text)
	switch {
	case m.word == "SEARCH":
		s.opener, s.marker, s.failed, s.told = l.n, text, sc.d.failed, false
		s.proper = openerFor(marker{char: m.char, run: classicRun})
	case m.divider() && s.opener != 0:
		if s.failed == sc.d.failed {
			sc.d.failAt(sc, "", s.opener, "invalid_input", quote(s.marker)+" is no opener; write "+s.proper+` alone on its line, from the beginning of it, and so "=======" and the closer`)
		}
		s.opener, s.told = 0, true
	case m.word == "REPLACE":
		s.opener, s.told = 0, false
	}
}

// patches reports a patch behind the signs of a quotation or of code, and a context
// diff.
func (s *strays) patches(sc *scope, l line, text string) {
	switch {
	case strings.HasPrefix(text, "*** ") && strings.HasSuffix(text, " ****") && s.stars != 0 && s.stars == l.n-1:
		sc.d.failAt(sc, "", s.stars, "unsupported", "a context diff is not read; send a unified one")
	case text == "***************":
		s.stars = l.n
	case strings.HasPrefix(text, "> @@ -") && parseRanges(text[2:]).counted:
		sc.d.failAt(sc, "", l.n, "invalid_input", "the diff is quoted; write it from the beginning of the line")
	case text[0] != '>' && text[0] != '`' && text[0] != '-' && text[0] != '#':
	default:
		mark, _ := spellMark(strings.Trim(text, ">`-# "))
		if _, _, ok := parseSection(mark); ok && s.patch != 0 {
			sc.d.failAt(sc, "", s.patch, "invalid_input", "the patch is quoted; write it from the beginning of the line")
			s.patch = 0
		} else if mark == beginPatch {
			s.patch = l.n
		}
	}
}

// call reports fields of a call that are in no JSON which begins a line.
func (s *strays) call(sc *scope, l line, text string) {
	if s.object == 0 {
		at := beginsObject(text)
		if at < 0 {
			return
		}
		s.object, s.behind, s.fields = l.n, trimBlanks(text[:at]), 0
		text = text[at:]
	}
	s.fields |= looseFields(text)
	if !s.fields.call() {
		return
	}
	n := s.object
	s.object, s.fields = 0, 0
	if s.behind != "" {
		sc.d.failAt(sc, "", n, "invalid_input", "a call stands behind "+quote(s.behind)+"; send it as JSON, alone on its lines")
		return
	}
	sc.d.failAt(sc, "", n, "invalid_input", `the call is not JSON; send {"path": "FILE", "old_string": "…", "new_string": "…"}, with double quotes around all names and texts, and no comments`)
}

// yaml reports old and new text as YAML.
func (s *strays) yaml(sc *scope, l line, text string) {
	s.fields |= looseFields(text)
	if s.fields.has(oldRole) && s.fields.has(newRole) {
		s.fields = 0
		sc.d.failAt(sc, "", l.n, "invalid_input", `a call in YAML is not read; send {"path": "FILE", "old_string": "…", "new_string": "…"}`)
	}
}

// tags reports old and new text, or a file and its content, in tags that are in no
// call.
func (s *strays) tags(sc *scope, l line, text string) {
	var code inline
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return
		}
		at += i
		t := parseTag(text[at:])
		if t.length == 0 {
			continue
		}
		if code.s == "" {
			code = newInline(text)
		}
		if code.has(at) {
			continue
		}
		if (editCalls{}).tool(t.name) && roleOf(t.name) == noRole {
			s.tool, s.oldTag, s.pathTag = t.name, 0, 0
		}
		switch roleOfTag(t.name) {
		case oldRole:
			s.oldTag, s.failed = l.n, sc.d.failed
		case pathRole:
			s.pathTag, s.failed = l.n, sc.d.failed
		case newRole:
			s.tag(sc, &s.oldTag, "old and new text stand in tags, but in no call that is known; send <str_replace> around them, with <path>, <old_string> and <new_string>")
		case contentRole:
			s.tag(sc, &s.pathTag, "a file and its content stand in tags, but in no call that is known; send <write_to_file> around them, with <path> and <content>")
		}
	}
}

// tag reports what belongs to the tag of line first, if there is one.
func (s *strays) tag(sc *scope, first *int, message string) {
	if *first != 0 && s.failed == sc.d.failed {
		if s.tool != "" {
			message = "these tags are not those of a call of " + s.tool + "; send <path>, <diff> and so on right behind <" + s.tool + ">, and text that holds such tags itself in <![CDATA[ … ]]>"
		}
		sc.d.failAt(sc, "", *first, "invalid_input", message)
		s.tool, s.toldTag = "", true
	}
	*first = 0
}

// roleOfTag is roleOf, however the name is spelled.
func roleOfTag(name string) role {
	if r := roleOf(name); r != noRole || name == "" {
		return r
	}
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)) {
	case "path", "filepath":
		return pathRole
	case "oldstring", "oldstr", "oldtext", "oldcode", "search", "original":
		return oldRole
	case "newstring", "newstr", "newtext", "newcode", "replace", "updated":
		return newRole
	}
	return noRole
}

// words reports old and new text under the words of the markers, but without these.
func (s *strays) words(sc *scope, l line, text string) {
	if len(text) > 20 {
		return
	}
	switch strings.Trim(text, "[]*#:_ ") {
	case "SEARCH":
		s.oldWord, s.failed = l.n, sc.d.failed
	case "REPLACE", "REPLACE WITH":
		if s.oldWord != 0 && s.failed == sc.d.failed {
			sc.d.failAt(sc, "", s.oldWord, "invalid_input", quote(text)+` stands without markers; write "------- SEARCH", the old text, "=======", the new text, "+++++++ REPLACE", each marker alone on its line`)
		}
		s.oldWord = 0
	}
}
