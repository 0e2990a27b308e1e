package searchreplace

import "github.com/hlkit/hlkit/text"

// Options are how blocks are to be matched. The zero value asks for exactly one
// place, by the default ladder.
type Options struct {
	Ladder Ladder // nil for the preset "default"

	All   bool // replace every place of the tier that finds any, as Block.All does
	First bool // of several places take the first

	OnEmpty          OnEmpty // what a block without a search does to a file with text
	AllowPlaceholder bool    // take "// ... rest of code ..." in a replacement as text
	Partial          bool    // resolve the blocks that match though others fail
}

// An OnEmpty says what a block without a search does to a file that has text.
// Tools disagree, so the default refuses and asks.
type OnEmpty string

const (
	Refuse    OnEmpty = ""
	Append    OnEmpty = "append"    // its lines come after the last
	Overwrite OnEmpty = "overwrite" // its lines are the file
	Prepend   OnEmpty = "prepend"   // its lines come before the first
)

// A Resolution is what blocks come to in a document, or why they do not.
type Resolution struct {
	Failures []*Failure // in the order of the blocks; if there are any, nothing is to be done, but with Options.Partial
	Results  []Result   // one for each block; of a block with a failure, empty

	// Edits are what the blocks do, from the top of the file to its bottom, and
	// Spliced the document with the edits made. With failures they are those of the
	// other blocks, and only with Options.Partial.
	Edits   []text.Edit
	Owners  [][]int // for each of Edits, the blocks that it is of: several where they change one line
	Spliced *text.Spliced

	LineEnd LineEnd // what becomes of the file's final line end; Spliced has it
}

// A Result is where a block goes.
type Result struct {
	Tier      Tier    // by which it was found; "" of a block with a failure
	Places    []Place // what Search stands for, from the top: one place, or a piece between "..." lines each, or all there are
	Spans     []Span  // the bytes that are replaced, from the top; none if it changes nothing
	Unchanged bool    // the file already is as the block wants it
	AlreadyAt int     // with Unchanged: the 1-based line where the replacement stands; 0 if Replace is Search
	Notes     []Note  // what was not taken as written, in order
}

// A Span is a range of bytes of a Document's Body, half-open.
type Span struct{ Start, End int }

// A Place is where a search stands, or could be meant to.
type Place struct {
	Start, End int // lines, 0-based, half-open

	// Edits put the replacement there, with the indentation of the place, for a
	// Failure's places. Nil if that cannot be done, or would change nothing.
	Edits []text.Edit
}

// A Note names a liberty that was taken. The rules are API.
type Note struct {
	Rule string
	Text string // one line
}

// The rules of notes.
const (
	NoteFinalNewline = "final_newline" // a line end at one end only of search and replacement was ignored
	NoteRebased      = "rebased"       // the replacement took the indentation of the file
	NoteBlankEdge    = "blank_edge"    // blank first or last lines were dropped
	NoteEscapes      = "escapes"       // the block was un-escaped
	NoteHint         = "hint"          // a line number or context chose among several places
	NoteFirst        = "first"         // the first of several places was taken
	NoteAll          = "all"           // several places were replaced, or are as they should be
	NoteStripped     = "stripped"      // the block was read without its line numbers
	NoteOnEmpty      = "on_empty"      // Options.OnEmpty decided
)
