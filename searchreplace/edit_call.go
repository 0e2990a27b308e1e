package searchreplace

import "strings"

// editCalls are the rules for calls of tools that edit files. What tools are
// called, and their parameters, differs from agent to agent; what they mean does
// not.
type editCalls struct{}

// A role is what a parameter is for.
type role int

const (
	noRole role = iota
	pathRole
	diffRole    // blocks of some dialect
	contentRole // a whole file
	oldRole
	newRole
	allRole
	sketchRole // text with "... existing code ..."
	talkRole   // what does not matter here
)

// roleOf returns what a parameter is for by its name. JSON calls use the same
// names.
func roleOf(name string) role {
	switch name {
	case "path", "file_path", "filePath", "filepath", "target_file", "file_name", "filename", "relative_workspace_path":
		return pathRole
	case "diff", "the_diff", "patch":
		return diffRole
	case "content", "contents", "file_text":
		return contentRole
	case "old_string", "old_str", "old_text", "oldString", "oldText", "search":
		return oldRole
	case "new_string", "new_str", "new_text", "newString", "newText", "replace":
		return newRole
	case "replace_all", "replaceAll", "allow_multiple":
		return allRole
	case "code_edit", "update":
		return sketchRole
	case "explanation", "instructions", "instruction", "description", "reason", "thinking", "line_count",
		"start_line", "end_line", "command", "expected_replacements", "use_regex", "ignore_case", "task_progress":
		return talkRole
	}
	return noRole
}

func (editCalls) tool(name string) bool {
	switch name {
	case "edit_file_by_diff", "replace_in_file", "apply_diff", "apply_patch", "write_to_file", "write_file", "create_file",
		"search_replace", "search_and_replace", "str_replace", "str_replace_editor", "str_replace_based_edit_tool",
		"string_replace", "edit", "edit_file", "edit_existing_file", "replace", "Edit", "Write", "write":
		return true
	}
	return false
}

func (editCalls) param(_, name string) bool { return roleOf(name) != noRole }

// body streams blocks if the file that they are for is known.
func (editCalls) body(sc *scope, c *call, name string, n int) *scope {
	if roleOf(name) != diffRole || c.blocks >= 0 {
		return nil
	}
	path, ok := c.value(pathRole)
	if !ok {
		return nil // the path may come yet
	}
	c.blocks, c.failed = sc.d.blocks, sc.d.failed
	return sc.inner(path)
}

func (editCalls) complete(c *call) bool {
	_, old := c.value(oldRole)
	_, with := c.value(newRole)
	_, content := c.value(contentRole)
	_, diff := c.value(diffRole)
	return old && with || content || diff
}

// value returns the text of the first closed parameter with a role, without what
// the tags add to it.
func (c *call) value(r role) (string, bool) {
	for i := range c.params {
		if p := &c.params[i]; p.closed && roleOf(p.name) == r {
			s := p.text()
			if r == pathRole || r == allRole {
				s = trimBlanks(s)
			}
			return s, true
		}
	}
	return "", false
}

func (rules editCalls) done(sc *scope, c *call, note string) {
	if c.told {
		return
	}
	path, _ := c.value(pathRole)
	if !c.closed && note == "" {
		sc.prose.flush(sc)
		sc.d.failAt(sc, path, c.first, "invalid_input", "the call of "+c.name+" is not complete; send it with all its parameters, and close it with "+c.closer)
		return
	}
	if c.blocks < 0 {
		c.lateBody(sc, path)
	}
	if c.blocks >= 0 {
		if sc.d.blocks == c.blocks && sc.d.failed == c.failed {
			sc.d.failAt(sc, path, c.first, "invalid_input", "the diff of "+c.name+` holds no block; write "------- SEARCH", the old text, "=======", the new text, "+++++++ REPLACE", each marker alone on its line`)
		}
		return
	}
	old, hasOld := c.value(oldRole)
	with, hasNew := c.value(newRole)
	content, hasContent := c.value(contentRole)
	_, hasSketch := c.value(sketchRole)
	switch {
	case hasSketch && !hasOld && !hasContent:
		sc.d.failAt(sc, path, c.first, "unsupported", sketchMessage)
	case !sc.d.wants(Call):
		sc.d.failAt(sc, path, c.first, "invalid_input", "the call of "+c.name+" edits without blocks of the format that was asked for")
	case hasOld && hasNew:
		b := sc.begin(Call, path, c.first)
		b.Search, b.Replace, b.Substring = old, with, true
		all, _ := c.value(allRole)
		b.All = strings.EqualFold(all, "true")
		c.send(sc, b, note)
	case hasContent:
		b := sc.begin(Call, path, c.first)
		b.Op = Write
		if c.name == "create_file" {
			b.Op = Create
		}
		if b.Replace = content; content != "" && !strings.HasSuffix(content, "\n") {
			b.Replace += "\n"
		}
		c.send(sc, b, note)
	default:
		sc.d.failAt(sc, path, c.first, "invalid_input", "the call of "+c.name+" says neither what to replace nor what to write; send old_string and new_string, a diff, or content")
	}
}

// send reports a block that a call holds as a whole.
func (c *call) send(sc *scope, b *Block, note string) {
	if note != "" {
		sc.repair(b, "missing_closing_tag", c.last, "%s is missing; the call is read as complete, as its parameters are", quote(c.closer))
	}
	sc.searchDone(b)
	for rest := b.Replace; rest != ""; {
		end := indexLineEnd(rest)
		sc.replaceLine(b, rest[:end])
		rest = rest[end:]
	}
	sc.complete(b, c.last)
}

// lateBody reads the blocks of a parameter that came before the path.
func (c *call) lateBody(sc *scope, path string) {
	for i := range c.params {
		p := &c.params[i]
		if roleOf(p.name) != diffRole || !p.closed {
			continue
		}
		c.blocks, c.failed = sc.d.blocks, sc.d.failed
		in := sc.inner(path)
		for _, l := range p.unwrapped() {
			in.line(l)
		}
		in.end()
		return
	}
}

// failAt is fail for something that is in no block, but of a file.
func (d *Decoder) failAt(sc *scope, path string, n int, code, message string) {
	d.failed++
	d.emit(Event{Kind: Failed, Problem: &Problem{Path: path, Line: sc.number(n), Code: code, Message: message}})
}
