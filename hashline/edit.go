package hashline

import (
	"strings"

	"github.com/hlkit/hlkit/text"
)

// An Op is what an edit does.
type Op string

const (
	Replace       Op = "replace"        // the lines Anchor to End by Lines
	Delete        Op = "delete"         // the lines Anchor to End
	InsertAfter   Op = "insert_after"   // Lines after Anchor
	InsertBefore  Op = "insert_before"  // Lines before Anchor
	SearchReplace Op = "search_replace" // every Search by Replace, in the lines Anchor to End or the whole text
	Copy          Op = "copy"           // nothing: the lines Anchor to End are only proved, for the caller to use
)

// An Edit is one change on anchors. Text is UTF-8.
type Edit struct {
	Op     Op
	Anchor *Ref // SearchReplace: nil for the whole text, which needs Expect
	End    *Ref // the last line of a range; nil for the line of Anchor alone

	Lines []string // new lines, without endings; Replace with none deletes
	Later bool     // an insert: the caller will put lines there; only the place is checked
	Whole bool     // Replace and Delete: also lines that views cut

	Search, Replace string // literal; "\n" and "\r\n" stand for any line end
	Expect          int    // how many hits there must be; 0: any number but none

	Label string // what failures call the edit; "" for edits[INDEX]
}

// A Snapshot is a file's text as a request is checked against it, and its tag.
type Snapshot struct {
	Doc *text.Document
	Tag Tag
}

// A Request is edits of one file. Base is the tag that the caller took the file
// to have; nil for none.
type Request struct {
	Base  *Tag
	Edits []Edit
}

// Options are how a request is to be taken.
type Options struct {
	Content  bool    // accept content anchors without a matching base
	Relocate bool    // follow anchors whose lines moved
	Others   bool    // other edits of the request were refused already: give no tag that would prove them unseen
	Scheme   *Scheme // of fresh anchors; nil or File for that of the request's anchors, or Chunk
}

// A Resolution is what edits on anchors come to, or why they do not.
type Resolution struct {
	Failures []*Failure // in the order of the edits; if there are any, nothing is to be done

	Spliced     *text.Spliced // the new text; nil with Failures
	Edits       []Resolved    // one for each edit of the request
	BaseMatches bool          // the request's base is the snapshot's tag
	BaseChanged bool          // it had a base, which is not
	Bare        bool          // it names lines by bare number
	Scheme      Scheme        // of fresh anchors

	// Moves lists the anchors whose lines moved, and where to. With Failures,
	// Retry is the request's edits on the new anchors, if they would apply as they
	// stand; without, the anchors were followed, as asked.
	Moves []Move
	Retry []Edit
}

// A Resolved is one edit on lines: what it covers, 0-based and half-open, and
// the splices it comes to, in order.
type Resolved struct {
	Start, End int
	Splices    []text.Edit
	Hits       int // SearchReplace: places replaced

	// FinalKept reports that a SearchReplace, taken literally, would have given the
	// file a final line end or taken it away. No edit does that.
	FinalKept bool
}

// A Move says that the line of an anchor is now elsewhere.
type Move struct {
	Edit     int
	Field    string
	From, To string
}

// ContentHasAnchors reports whether lines look copied from a view: every line
// that is not blank begins with a lettered anchor and an arrow, or with bare
// numbers and arrows that count up by one over two lines or more.
func (f Format) ContentHasAnchors(lines []string) bool {
	count, numbers, previous := 0, 0, 0
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		ref, err := f.Parse(line)
		if err != nil || !ref.HasText {
			return false
		}
		count++
		if ref.Anchor.Scheme == File {
			if numbers > 0 && ref.Anchor.Line != previous+1 {
				return false
			}
			previous = ref.Anchor.Line
			numbers++
		}
	}
	return count > 0 && (numbers == 0 || numbers == count && numbers >= 2)
}
