package searchreplace

// A prose reads the lines of a scope that are in no block. It holds back those
// that may lead one, a file name and a fence, until the next line tells; and it
// knows the fence that is open.
type prose struct {
	held  []lead // at most a few: see hold
	fence fence  // the open one; its zero value if there is none
	named string // the file that stood before the open fence, or in its info string
	rival string // a name right before the one that is held
	used  bool   // a block has begun in the open fence
	old   bool   // more than one has

	shell  []byte // what a fence of shell commands holds; nil if the open one is none
	inside int    // lines in the open fence
	begun  int    // the line that opened it
	sketch int    // the line in it that stands for code left out; 0 if there is none
	isDiff bool   // the open fence says that it holds a diff
	diff   int    // the first line in it that a diff without "@@" changes

	plain bool // all of it is text
	loose lost // what is no block in a fence that names no file
}

// A lead is a line that may lead a block: it names a file or opens a fence, or is
// blank.
type lead struct {
	line
	path  string
	fence fence
	info  string // the file that its info string names
}

// line takes a line that no dialect wants.
func (p *prose) line(sc *scope, l line) {
	if p.plain {
		p.put(sc, l)
		return
	}
	text := l.text()
	if p.fence.open() {
		if p.fence.closedBy(text) {
			p.closeFence(sc, l)
			return
		}
		p.inside++
		if p.shell != nil {
			p.shellLine(sc, l)
			return
		}
		if p.sketch == 0 && isSketch(text) {
			p.sketch = l.n
		}
		if p.isDiff && p.diff == 0 {
			p.diffLine(l.n, text)
		}
	}
	if f := parseFence(text); f.open() {
		p.openFence(sc, l, f)
		return
	}
	path, n := pathLine(text), len(p.held)
	switch {
	case path != "":
		if n > 0 && !p.held[n-1].fence.open() {
			p.rival = p.heldPath()
			p.flush(sc)
		}
		p.hold(sc, lead{line: l, path: path})
	case n > 0 && p.held[n-1].path != "" && isBlank(text):
		p.hold(sc, lead{line: l})
	default:
		p.flush(sc)
		p.put(sc, l)
		if p.rival != "" && !isBlank(text) {
			p.rival = ""
		}
	}
}

// heldPath returns the last file that the lines held name, or "".
func (p *prose) heldPath() string {
	for i := len(p.held) - 1; i >= 0; i-- {
		if p.held[i].path != "" {
			return p.held[i].path
		}
	}
	return ""
}

// hold keeps a line that may lead a block: file name, blank line, fence and, in
// the fence, once more a file name.
func (p *prose) hold(sc *scope, l lead) {
	if len(p.held) == 4 {
		p.flush(sc)
	}
	p.held = append(p.held, l)
}

// flush makes prose of what was held: it led to nothing.
func (p *prose) flush(sc *scope) {
	for i := range p.held {
		p.put(sc, p.held[i].line)
	}
	p.held = p.held[:0]
}

// put is prose at last. Between the blocks of a call, blank lines and fences are
// none.
func (p *prose) put(sc *scope, l line) {
	if sc.call && (isBlank(l.raw) || parseFence(l.text()).open()) {
		return
	}
	sc.spoke = sc.spoke || !isBlank(l.raw)
	// Code in a fence is an illustration, unless blocks stand in it.
	if sc.d.path != "" && sc.other == "" && (p.used || !p.fence.open()) {
		sc.other = otherFile(l.raw, sc.d.path)
	}
	sc.d.text = append(sc.d.text, l.raw...)
	if !p.plain && !sc.call && p.shell == nil {
		sc.stray.line(sc, l, p.fence)
	}
}

func (p *prose) openFence(sc *scope, l line, f fence) {
	if p.fence.open() {
		// A fence in a fence is text, but may lead a block all the same.
		p.hold(sc, lead{line: l, fence: f, info: infoPath(f.info)})
		return
	}
	if n := len(p.held); n > 0 && p.held[n-1].fence.open() {
		p.flush(sc)
	}
	info := infoPath(f.info)
	named := info
	for i := range p.held {
		if path := p.held[i].path; path != "" {
			named = path
		}
	}
	if named != "" {
		sc.other = ""
	}
	p.hold(sc, lead{line: l, fence: f, info: info})
	*p = prose{held: p.held, fence: f, named: named, rival: p.rival, begun: l.n, isDiff: isDiffFence(f), loose: p.loose}
	if isShell(f.info) && !sc.call {
		p.shell = []byte{}
	}
}

// closeFence ends the open fence. Around a block, it belongs to the block.
func (p *prose) closeFence(sc *scope, l line) {
	p.flush(sc)
	if !p.used {
		p.put(sc, l)
	}
	p.leaveFence(sc, l.n)
}

func (p *prose) leaveFence(sc *scope, n int) {
	switch {
	case p.used:
	case p.shell != nil:
		sc.d.emit(Event{Kind: ShellSeen, Shell: &Shell{Text: string(p.shell), First: p.begun, Last: n}})
	case sc.call:
	default:
		l := lost{p.sketch, "unsupported", sketchMessage}
		if p.sketch == 0 {
			l = lost{p.diff, "invalid_input", `the diff has no line "@@"; write one before each group of lines, and "--- a/FILE" and "+++ b/FILE" before the first`}
		}
		if l.line != 0 && p.named != "" {
			sc.d.failAt(sc, p.named, l.line, l.code, l.message)
		} else if p.loose.line == 0 {
			p.loose = l
		}
	}
	*p = prose{held: p.held, loose: p.loose}
}

// end says that the scope is at its end.
func (p *prose) end(sc *scope) {
	p.flush(sc)
	if p.fence.open() {
		p.leaveFence(sc, sc.d.n)
	}
	if l := p.loose; l.line != 0 && sc.d.blocks == 0 {
		// Beside real blocks such a fence is an illustration.
		sc.d.failAt(sc, "", l.line, l.code, l.message)
	}
}

// lead returns the file that the lines held name, and takes them away: they
// belong to the block that begins now. other is another file that they name, too.
func (p *prose) lead(sc *scope) (path, other string) {
	other = p.rival
	for i := range p.held {
		name := p.held[i].path
		if p.held[i].fence.open() {
			name = p.held[i].info
		}
		if name != "" {
			if path != "" {
				other = path
			}
			path = name // the nearest
		}
	}
	held := p.held
	for i := range held {
		if f := held[i].fence; f.open() && p.fence != f {
			*p = prose{fence: f, loose: p.loose}
		}
	}
	p.held, p.rival = held[:0], ""
	switch {
	case !p.fence.open():
	case path != "":
		p.named = path // of the blocks that follow in it, too
	case sc.other == "":
		path = p.named
	}
	switch {
	case path == "":
		other = ""
	case sameFile(path, other):
		if len(other) > len(path) {
			path = other
		}
		other = ""
	}
	return path, other
}

// began says that a block has begun in the open fence.
func (p *prose) began() {
	p.old = p.used
	p.used = p.fence.open()
	p.shell = nil
}

// sameFence reports whether the block that begins stands in one fence with the
// block before it.
func (p *prose) sameFence() bool { return p.used }

// A Shell is a fence of shell commands. They are reported, and never run.
type Shell struct {
	Text        string // the lines in the fence
	First, Last int    // the lines of the fence, 1-based, inclusive
}

// A block that begins on one of this many lines of a shell fence shows that the
// fence is none: models write ```sh before a block, or a here-document.
const shellLines = 2

// closedTo reports whether no block may begin with l, as it is a shell command.
func (p *prose) closedTo(sc *scope, l line) bool {
	return p.shell != nil && p.inside >= shellLines && !p.fence.closedBy(l.text())
}

func (p *prose) shellLine(sc *scope, l line) {
	p.shell = append(p.shell, l.raw...)
	if p.inside <= shellLines {
		if path := pathLine(l.text()); path != "" {
			p.hold(sc, lead{line: l, path: path})
			return
		}
	}
	p.flush(sc)
	p.put(sc, l)
	if _, ok := parseMarker(l.text()).opener(); ok {
		sc.fail(nil, l.n, "invalid_input", "a block begins within a fence of shell commands, where none is read; put it into a fence of its own")
	}
}
