package searchreplace

// A machine reads the blocks of one dialect. It gets one complete line of the
// reply after another, beginning with the line that its starter saw, until a
// verdict ends it. It never sees half a line, and never looks ahead: what it
// cannot decide yet it holds.
//
// What it finds it tells the scope: begin when a block has begun, searchDone
// and replaceLine for the preview, then complete or fail. A block that is
// complete never changes, so complete comes when nothing that may follow can
// alter the block.
type machine interface {
	line(sc *scope, l line) verdict

	// end is called in place of a next line if the reply, or the call that sc is
	// the body of, ends within the machine. What is open then is no block: the
	// machine fails it, or completes it where a rule says so. Lines that it holds
	// become prose; what it gives back is read as usual.
	end(sc *scope)
}

// A verdict is what a machine says of a line.
type verdict int

const (
	taken   verdict = iota // mine; the next one as well
	last                   // mine, and the last one
	passed                 // not mine, and so I am finished: read it afresh
	held                   // mine perhaps; so may be all lines since the last that I took
	refused                // this line and those I held are not mine: offer them to others
)

// A starter looks at a line that is in no block. It returns a machine if a block
// of its dialect may begin here, or nil; the machine then gets the same line.
// Most lines are prose, so a starter tells them quickly: by their first byte.
type starter func(sc *scope, l line) machine

// maxHeld is how many lines a machine may hold. One that wants more is refused:
// lines are read again when they are given back, and the time is to stay linear.
const maxHeld = 64

// A line is a line of the reply.
type line struct {
	raw  string // with its "\n", if it has one
	n    int    // 1-based
	back uint8  // how often it was given back
	mid  bool   // it is the rest of a line, behind a call
}

// text returns l without its "\n". A "\r" before that is part of it.
func (l line) text() string {
	if n := len(l.raw); n > 0 && l.raw[n-1] == '\n' {
		return l.raw[:n-1]
	}
	return l.raw
}

// partial reports whether the reply ends within l, or right behind it.
func (l line) partial() bool { return len(l.raw) == 0 || l.raw[len(l.raw)-1] != '\n' }

// starters returns the dialects that may begin in free text, in the order in
// which they are asked, and those that may begin in the body of a call. One line
// here makes a dialect known.
//
// Calls come last: they alone may begin anywhere in a line. The others look at its
// beginning, and so are not asked about the rest of it behind a call; there may be
// very many calls on one line, and nobody is to search each rest to its end.
func (d *Decoder) starters() (free, body []starter, calls int) {
	if d.wants(Cline) || d.wants(Git) {
		body = append(body, startMarkers)
	}
	if d.wants(Unified) {
		body = append(body, startUnified)
	}
	if d.wants(Patch) {
		body = append(body, startPatch)
	}
	free = append(append(free, startThought), body...)
	if d.wants(Cline) || d.wants(Git) {
		body = append(body, startBare) // it takes what no other wants
	}
	calls = len(free)
	// Calls are read whatever the format: they may hold blocks of any.
	free = append(free, startCalls(editCalls{}))
	free = append(free, startJSON, startStrayTag)
	return free, body, calls
}
