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
		"string_replace", "edit", "edit_file", "edit_existing_file", "replace", "Edit", "Write", "write", "MultiEdit":
		return true
	}
	return otherEdit(name)
}

// otherEdit reports whether a tool changes files in a way that is not carried out here.
// Its calls are problems, as they would be lost as text.
func otherEdit(name string) bool {
	switch name {
	case "delete_file", "remove_file", "move_file", "rename_file", "insert_content", "insert_text":
		return true
	}
	return false
}

const otherEditMessage = "is not carried out; send a patch to delete or rename a file, and old and new text to insert lines"

func (editCalls) param(_, name string) bool { return roleOf(name) != noRole }

// body streams blocks if the file that they are for is known.
func (editCalls) body(sc *scope, c *call, name string, n int) *scope {
	if roleOf(name) != diffRole || c.blocks >= 0 || c.b != nil || otherEdit(c.name) {
		return nil
	}
	path, ok := c.value(pathRole)
	if !ok {
		return nil // the path may come yet
	}
	c.blocks, c.failed = sc.d.blocks, sc.d.failed
	return sc.inner(path)
}

// opened begins the block of a call with its last parameter, if the others are known,
// so that its lines can be shown while they come.
func (editCalls) opened(sc *scope, c *call, name string) {
	r := roleOf(name)
	if r != newRole && r != contentRole || c.b != nil || c.blocks >= 0 || !sc.d.wants(Call) || otherEdit(c.name) {
		return
	}
	path, hasPath := c.value(pathRole)
	if !hasPath {
		return
	}
	old, hasOld := c.value(oldRole)
	hasContent := c.closedParam(contentRole) != nil
	switch {
	case r == newRole && hasOld && !hasContent:
		c.b = sc.begin(Call, path, c.first)
		c.b.Search, c.b.Substring = old, true
		sc.searchDone(c.b)
	case r == contentRole && !hasOld:
		c.b = c.begin(sc, path)
		sc.searchDone(c.b)
	}
}

// begin begins a block that writes a whole file.
func (c *call) begin(sc *scope, path string) *Block {
	b := sc.begin(Call, path, c.first)
	b.Op = Write
	if c.name == "create_file" {
		b.Op = Create
	}
	return b
}

func (editCalls) complete(c *call) bool {
	return c.closedParam(oldRole) != nil && c.closedParam(newRole) != nil || c.closedParam(contentRole) != nil || c.closedParam(diffRole) != nil
}

// closedParam returns the first closed parameter with a role, or nil.
func (c *call) closedParam(r role) *param {
	for i := range c.params {
		if p := &c.params[i]; p.closed && roleOf(p.name) == r {
			return p
		}
	}
	return nil
}

// value returns the text of the first closed parameter with a role, without what
// the tags add to it.
func (c *call) value(r role) (string, bool) {
	p := c.closedParam(r)
	switch {
	case p == nil:
		return "", false
	case r == pathRole, r == allRole:
		return trimBlanks(p.text()), true
	}
	return p.text(), true
}

func (rules editCalls) done(sc *scope, c *call, note string) {
	sc.d.tool = c.name
	if c.told {
		return
	}
	path, _ := c.value(pathRole)
	if other, ok := c.otherPath(path); ok {
		sc.fail(c.b, c.first, "invalid_input", "the call of %s names two files, %s and %s; send a call for each", c.name, quote(path), quote(other))
		return
	}
	if !c.closed && note == "" {
		if c.b != nil {
			sc.fail(c.b, c.first, "invalid_input", "%s", c.incomplete())
			return
		}
		sc.prose.flush(sc)
		sc.d.failAt(sc, path, c.first, "invalid_input", c.incomplete())
		return
	}
	if c.blocks < 0 && c.b == nil && !otherEdit(c.name) {
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
	case otherEdit(c.name):
		sc.d.failAt(sc, path, c.first, "unsupported", "the call of "+c.name+" "+otherEditMessage)
	case hasSketch && !hasOld && !hasContent:
		sc.d.failAt(sc, path, c.first, "unsupported", sketchMessage)
	case !sc.d.wants(Call):
		sc.d.failAt(sc, path, c.first, "invalid_input", "the call of "+c.name+" edits without blocks of the format that was asked for")
	case c.b == nil && hasOld && hasNew:
		c.b = sc.begin(Call, path, c.first)
		c.b.Search, c.b.Substring = old, true
		sc.searchDone(c.b)
		c.send(sc, with, note)
	case c.b == nil && hasContent:
		c.b = c.begin(sc, path)
		sc.searchDone(c.b)
		c.send(sc, content, note)
	case c.b != nil && c.b.Op == Replace:
		c.send(sc, with, note)
	case c.b != nil:
		c.send(sc, content, note)
	default:
		sc.d.failAt(sc, path, c.first, "invalid_input", "the call of "+c.name+" says neither what to replace nor what to write; send old_string and new_string, a diff, or content")
	}
}

// otherPath returns a file that the call names beside path.
func (c *call) otherPath(path string) (other string, ok bool) {
	for i := range c.params {
		if p := &c.params[i]; p.closed && roleOf(p.name) == pathRole && trimBlanks(p.text()) != path {
			return trimBlanks(p.text()), true
		}
	}
	return "", false
}

func (c *call) incomplete() string {
	return "the call of " + c.name + " is not complete; send it with all its parameters, and close it with " + c.closer
}

// send completes the block that the call is.
func (c *call) send(sc *scope, text, note string) {
	b := c.b
	b.Replace = text
	if b.Op != Replace && text != "" && !strings.HasSuffix(text, "\n") {
		b.Replace += "\n"
	}
	all, _ := c.value(allRole)
	b.All = b.Substring && strings.EqualFold(all, "true")
	if note != "" {
		sc.repair(b, "missing_closing_tag", c.last, "%s is missing; the call is read as complete, as its parameters are", quote(c.closer))
	}
	sc.replaceLines(b, b.Replace[c.sent:])
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
