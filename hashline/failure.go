package hashline

import "fmt"

// A Code says in one word why an edit was not made. Codes are API.
type Code string

const (
	// The file is not what the request took it for.
	AnchorStale      Code = "anchor_stale"
	AnchorAmbiguous  Code = "anchor_ambiguous"
	AnchorOutOfRange Code = "anchor_out_of_range"
	RangeUnverified  Code = "range_unverified"
	NoMatch          Code = "no_match"
	MultipleMatches  Code = "multiple_matches"
	FileChanged      Code = "file_changed"

	// The same request will not work.
	InvalidInput      Code = "invalid_input"
	AnchorMalformed   Code = "anchor_malformed"
	BaseRequired      Code = "base_required"
	EditsOverlap      Code = "edits_overlap"
	ContentHasAnchors Code = "content_has_anchors"
	LineCut           Code = "line_cut"
	Unsupported       Code = "unsupported"
	EncodingError     Code = "encoding_error"
)

// A Failure says why one edit of a request was not made, and what is there.
type Failure struct {
	Code    Code
	Edit    int    // index in the request
	Other   int    // EditsOverlap: that of the other edit
	Field   string // of the edit; "" if it is about the whole edit
	Message string // one line: what is wrong and what to do next

	Anchor     string // the anchor it is about, as sent
	Current    *Line  // the line that now has the anchor's number
	Context    []Line // the lines to look at now
	Shifted    string // the anchor to use instead, if the line is in one place
	Candidates []Line // where else the line could be: the nearest five
	Count      int    // of all such places

	// Proves reports that Context shows every line of a range that was not
	// proved, so that the file's tag may be given with it.
	Proves bool
}

func (f *Failure) Error() string { return fmt.Sprintf("edits[%d]: %s: %s", f.Edit, f.Code, f.Message) }

// mostShown is how many lines the failures of one request show. The request may
// name thousands of lines, and a line may have thousands of bytes.
const mostShown = 2000

// context returns the lines start ≤ i < end, 0-based, those of them that exist, if
// the failures have not shown too many already.
func (c *check) context(scheme Scheme, start, end int) []Line {
	start, end = max(start, 0), min(end, c.doc.NumLines())
	if end <= start || c.shown+end-start > mostShown {
		return nil
	}
	c.shown += end - start
	return c.view(scheme, start, end)
}

// stale reports whether f can be mended by following a line that moved.
func (f *Failure) stale() bool {
	switch f.Code {
	case AnchorStale, AnchorAmbiguous, AnchorOutOfRange:
		return true
	}
	return false
}
