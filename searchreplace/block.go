package searchreplace

// A Block is one change of one file, as a reply asks for it.
//
// Search and Replace hold lines, each ended by "\n" and by nothing else: a "\r"
// before it is dropped where the reply writes it on every line. One blank line is
// "\n"; no line is "". With Substring they are text as it stands in the call, which
// need not be whole lines.
type Block struct {
	Dialect Dialect
	Op      Op
	Path    string // as the reply has it; "" if it names none
	To      string // the new path, for a rename (with or without a change beside it)

	Search, Replace string
	Substring       bool // a search for a piece of text first, not for whole lines
	All             bool // replace every place (replace_all)

	// Hints choose only among places that are equally good.
	Line    int      // 1-based line of the file where Search begins; 0 if the reply names none
	Context []string // lines that stand before Search, in order, as "@@ func f() {" has them
	AtEnd   bool     // Search ends the file

	// What a unified diff says with "\ No newline at end of file".
	SearchUnterminated, ReplaceUnterminated bool

	// Stripped is another reading of the two sides, to be tried where the written one
	// has no hit: without the line numbers of a view, say. It is nil if there is none.
	Stripped *Sides

	First, Last int      // the lines of the reply that hold the block, 1-based, inclusive
	Repairs     []Repair // what was wrong with its form and was put right, in order
}

// Sides are what a block looks for and puts in its place, read in another way.
// The Repair says how; it is to be reported if this reading is the one that hits.
type Sides struct {
	Search, Replace string
	Repair          Repair
}

// An Op is what a block does to its file.
type Op int

const (
	Replace Op = iota // Search becomes Replace; an empty Search creates or fills the file
	Write             // Replace is the whole file
	Create            // Replace is the whole file, which must not exist
	Delete            // the file goes
	Rename            // the file moves to To, and nothing else of it changes
)

// A Dialect is a way to write blocks.
type Dialect int

const (
	Cline   Dialect = iota // ------- SEARCH, =======, +++++++ REPLACE
	Git                    // <<<<<<< SEARCH, =======, >>>>>>> REPLACE
	Call                   // a tool call with old_string and new_string, in JSON or XML
	Unified                // a unified diff
	Patch                  // *** Begin Patch
)

// A Repair names a rule that put the form of a block right.
type Repair struct {
	Rule string // a short name, part of the interface: "missing_closer", …
	Line int    // of the reply, 1-based
	Note string // what was wrong, and how it was read; one line
}

// A Problem is a part of a reply that cannot be read.
type Problem struct {
	Block   int    // ordinal of the block in the reply, 1-based; 0 if it is of none
	Path    string // "" if not known
	Line    int    // of the reply, 1-based
	Code    string // "invalid_input", "content_has_anchors", "unsupported"
	Message string // one line: what was expected, and how to write it
}
