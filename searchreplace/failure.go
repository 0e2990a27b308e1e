package searchreplace

import "fmt"

// A Code says in one word why a block was not applied. Codes are API.
type Code string

const (
	// The file is not what the block took it for.
	NoMatch         Code = "no_match"
	MultipleMatches Code = "multiple_matches"

	// The same block will not work.
	InvalidInput          Code = "invalid_input"
	EditsOverlap          Code = "edits_overlap"
	ContentHasPlaceholder Code = "content_has_placeholder"
	EncodingError         Code = "encoding_error"
	Unsupported           Code = "unsupported"
)

// A Failure says why a block was not applied, and what is there.
type Failure struct {
	Code    Code
	Block   int    // index in the list given
	Message string // one line: what is wrong and what to do next

	// Places are where Search could be meant to stand, the first five of Count, from
	// the top: of several equal places; of one and what stands elsewhere as nearly; or of
	// the one that was refused because the block says too little.
	Tier   Tier // that found them, or the one that is in doubt
	Places []Place
	Count  int // at most a thousand where a piece of text is searched

	// TooLittle reports that Search stands in one place, Places[0], but indented
	// otherwise than it is written, and that too little tells that place from a
	// lookalike: it has too few lines, or the replacement stands elsewhere already.
	// Places[0].Edits is what it would have come to, for a caller to offer.
	TooLittle bool

	Nearest   *Nearest // the lines most like Search; nil if none are much like it
	Why       []string // in what they differ, a line each; or why a place was refused
	AlreadyAt int      // the 1-based line where Replace already stands; 0 if it does not
	Other     int      // of EditsOverlap: the index of the other block
}

// Nearest is the lines of a file that are most like a search that stands nowhere.
type Nearest struct {
	Start, End int     // lines, 0-based, half-open
	Similarity float64 // 0.6 to 1

	// ShowStart and ShowEnd are the lines to show: the same, or with five more on
	// each side if their first and last line are not those of the search.
	ShowStart, ShowEnd int
}

func (f *Failure) Error() string {
	return fmt.Sprintf("block %d: %s: %s", f.Block+1, f.Code, f.Message)
}
