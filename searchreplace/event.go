package searchreplace

// An Event is something that a decoder saw, in the order of the reply. Events
// before a block is complete are a preview; a complete block never changes.
type Event struct {
	Kind    EventKind
	Text    string   // of Text (prose between blocks) and of Line (one line of Replace, with its "\n")
	Block   *Block   // from Begun on; complete with Completed
	Problem *Problem // of Failed
	Shell   *Shell   // of ShellSeen
}

// An EventKind says what an Event is about.
type EventKind int

const (
	Prose      EventKind = iota // text that is in no block
	Begun                       // a block has begun, and its path is known, if it has one
	SearchDone                  // its Search is complete
	Line                        // a line of its Replace
	Completed                   // the block is complete
	Failed                      // something cannot be read; with a Block, it ends that one
	ShellSeen                   // a fence of shell commands, whose text has come as Prose
)
