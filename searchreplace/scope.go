package searchreplace

import "fmt"

// A scope is a text that may hold blocks: the reply, or the body of a call. It
// gives each line to the machine that is at work, or looks for one to begin.
// Machines tell it what they find.
type scope struct {
	d      *Decoder
	starts []starter
	body   []starter // those of a body within this one
	calls  int       // where in starts those begin that look at all of a line

	at    machine // the one at work, or nil
	from  int     // its place in starts
	kept  []line  // what it holds
	again []line  // what it gave back
	todo  []line  // lines to be read afresh; the next is the last

	call  bool   // this is the body of a call, and not free text
	open  bool   // and the call is not closed where the body ends
	read  bool   // something has begun in it
	spoke bool   // there has been prose since the last block
	other string // a file that it speaks of, and that is not that block's
	path  string // of all blocks here, as the call names it
	fixed int    // the line number of all lines here; 0 if they have their own
	prose prose
	stray strays
}

// line takes the next line.
func (sc *scope) line(l line) {
	sc.one(l)
	sc.readTodo()
}

// readTodo reads the lines that are to be read afresh, the topmost first. They wait
// here, and are not read where they come up, as there may be very many on one line.
func (sc *scope) readTodo() {
	for len(sc.todo) > 0 {
		l := sc.todo[len(sc.todo)-1]
		sc.todo = sc.todo[:len(sc.todo)-1]
		sc.one(l)
	}
}

func (sc *scope) one(l line) {
	if sc.at == nil {
		sc.offer(l, 0)
		return
	}
	sc.step(l)
}

// offer looks for a dialect that begins with l, from a place in starts on.
func (sc *scope) offer(l line, from int) {
	if l.mid {
		from = max(from, sc.calls)
	}
	if l.back < maxBack && !sc.prose.closedTo(sc, l) {
		for i := from; i < len(sc.starts); i++ {
			if m := sc.starts[i](sc, l); m != nil {
				sc.at, sc.from = m, i
				sc.step(l)
				return
			}
		}
	}
	sc.prose.line(sc, l)
}

// step gives l to the machine at work.
func (sc *scope) step(l line) {
	v := sc.at.line(sc, l)
	if v == held && len(sc.kept) == maxHeld {
		v = refused
	}
	switch v {
	case taken:
		sc.kept = sc.kept[:0]
	case held:
		sc.kept = append(sc.kept, l)
	case last:
		sc.finish()
	case passed:
		sc.finish(l)
	case refused:
		lines := append(sc.kept, l)
		sc.finish(lines[1:]...)
		sc.offer(lines[0], sc.from+1)
	}
}

// finish ends the machine at work. What it gave back is read next, then lines.
func (sc *scope) finish(lines ...line) {
	sc.at, sc.kept = nil, nil
	sc.push(lines)
	sc.push(sc.again)
	sc.again = nil
}

func (sc *scope) push(lines []line) {
	for i := len(lines) - 1; i >= 0; i-- {
		sc.todo = append(sc.todo, lines[i])
	}
}

// maxBack is how often a line may be given back. Then it is prose: a reply made for
// it could have its lines read again and again.
const maxBack = 2

// giveBack returns lines that a machine took and that turned out not to be its
// own: they are read afresh after its verdict, before the line that the verdict
// is about if that one is passed.
func (sc *scope) giveBack(lines []line) {
	for i := range lines {
		lines[i].back++
	}
	sc.again = lines
}

// end says that there are no more lines.
func (sc *scope) end() {
	for sc.at != nil {
		m, kept := sc.at, sc.kept
		sc.at, sc.kept = nil, nil
		m.end(sc)
		for _, l := range kept {
			sc.prose.line(sc, l)
		}
		sc.finish()
		sc.readTodo()
	}
	sc.prose.end(sc)
}

// begin begins a block at line n. path is what the block itself names, or "": then
// it is the path that its surroundings name, or that of the block before it. The
// file name and the fence in front of it belong to it and are no prose.
func (sc *scope) begin(dialect Dialect, path string, n int) *Block {
	b := sc.d.newBlock()
	b.Dialect, b.Path, b.First = dialect, path, sc.number(n)
	sc.d.blocks++
	sc.d.doubt = ""
	sc.read = true
	lead, other := sc.prose.lead(sc)
	switch {
	case path != "":
	case sc.path != "":
		b.Path = sc.path
	case sc.call || dialect == Call:
	case other != "":
		sc.d.doubt = fmt.Sprintf("two names stand before the block, %s and %s", quote(other), quote(lead))
		return sc.begun(b)
	case lead != "":
		b.Path = lead
	case sc.other != "":
		sc.d.doubt = "the block names no file, and the text before it speaks of " + quote(sc.other) + ", which is not that of the block before"
		return sc.begun(b)
	case sc.d.path != "":
		b.Path = sc.d.path
		// Right behind that block nothing else could be meant.
		if sc.spoke || sc.d.called || dialect != sc.d.prev || sc.prose.fence.open() && !sc.prose.sameFence() {
			sc.repair(b, "path_of_previous", n, "the block names no file; it is taken for the file of the block before it")
		}
	}
	sc.d.path, sc.d.prev, sc.d.called, sc.other = b.Path, dialect, sc.call || dialect == Call, ""
	return sc.begun(b)
}

func (sc *scope) begun(b *Block) *Block {
	sc.prose.began()
	sc.stray.begun()
	sc.spoke = false
	sc.d.preview(Event{Kind: Begun, Block: b})
	return b
}

// searchDone says that b.Search is complete. It is a preview.
func (sc *scope) searchDone(b *Block) { sc.d.preview(Event{Kind: SearchDone, Block: b}) }

// replaceLine says that b.Replace has got a line, which ends in "\n". It is a
// preview.
func (sc *scope) replaceLine(b *Block, text string) {
	sc.d.preview(Event{Kind: Line, Block: b, Text: text})
}

// replaceLines is replaceLine for each line of text.
func (sc *scope) replaceLines(b *Block, text string) {
	for text != "" && !sc.d.quiet {
		end := indexLineEnd(text)
		sc.replaceLine(b, text[:end])
		text = text[end:]
	}
}

// repair notes what was put right in b.
func (sc *scope) repair(b *Block, rule string, n int, format string, args ...any) {
	b.Repairs = append(b.Repairs, Repair{Rule: rule, Line: sc.number(n), Note: fmt.Sprintf(format, args...)})
}

// complete says that b is complete and ends with line n.
func (sc *scope) complete(b *Block, n int) {
	b.Last = sc.number(n)
	if p := sc.check(b); p != nil {
		sc.d.failed++
		sc.d.emit(Event{Kind: Failed, Block: b, Problem: p})
		return
	}
	sc.d.emit(Event{Kind: Completed, Block: b})
}

// fail says that something at line n cannot be read. b is the block that it is
// about, and that ends with it, or nil. The message is one line: what was
// expected, and how to write it.
func (sc *scope) fail(b *Block, n int, code, format string, args ...any) {
	p := &Problem{Line: sc.number(n), Code: code, Message: fmt.Sprintf(format, args...), Path: sc.path}
	if b != nil {
		p.Block, p.Path = sc.d.blocks, b.Path
	} else {
		sc.prose.flush(sc)
	}
	sc.d.failed++
	sc.d.emit(Event{Kind: Failed, Block: b, Problem: p})
}

// number is the line of the reply for a line of this scope.
func (sc *scope) number(n int) int {
	if sc.fixed != 0 {
		return sc.fixed
	}
	return n
}

// nested reads text, a parameter of a call that names path, as a body: blocks of
// any dialect but calls may stand in it. All of it is line n of the reply. It
// returns how many blocks began there.
func (sc *scope) nested(path, text string, n int) int {
	before := sc.d.blocks
	in := sc.inner(path)
	in.fixed = sc.number(n)
	in.readAll(text)
	return sc.d.blocks - before
}

// readAll reads text as all the lines of sc.
func (sc *scope) readAll(text string) {
	for i := 1; text != ""; i++ {
		end := indexLineEnd(text)
		sc.line(line{raw: text[:end], n: i})
		text = text[end:]
	}
	sc.end()
}

// inner returns the scope for the body of a call within sc.
func (sc *scope) inner(path string) *scope {
	in := sc.d.spareScope
	sc.d.spareScope = nil
	if in == nil {
		in = &scope{}
	}
	*in = scope{d: sc.d, starts: sc.body, call: true, path: path, fixed: sc.fixed, kept: in.kept[:0], todo: in.todo[:0]}
	return in
}

// cut reports whether what is at its end was cut off there: by the end of the
// reply, and not by the closing tag of a call.
func (sc *scope) cut() bool { return !sc.call || sc.open }

// become puts another machine in the place of the one at work.
func (sc *scope) become(m machine) { sc.at = m }
