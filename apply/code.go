package apply

import (
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
)

// A Status says what became of a request. Statuses are API.
type Status string

const (
	Applied    Status = "applied"     // done
	Unchanged  Status = "unchanged"   // the files are already as asked; nothing was written
	NotApplied Status = "not_applied" // nothing was written: the file is not what the request took it for
	Refused    Status = "refused"     // nothing was written, and the same request will not work
	Partial    Status = "partial"     // some of it was written, as named
)

// Exit returns the exit code of a command that answers with s: 0, 1, 2 or 3.
func (s Status) Exit() int {
	switch s {
	case Applied, Unchanged:
		return 0
	case NotApplied:
		return 1
	case Partial:
		return 3
	}
	return 2
}

// A Code says in one word why something was not done. Codes are API.
type Code string

const (
	// The file is not what the request took it for; use the answer and send again.
	AnchorStale      = Code(hashline.AnchorStale)
	AnchorAmbiguous  = Code(hashline.AnchorAmbiguous)
	AnchorOutOfRange = Code(hashline.AnchorOutOfRange)
	RangeUnverified  = Code(hashline.RangeUnverified)
	NoMatch          = Code(hashline.NoMatch)
	MultipleMatches  = Code(hashline.MultipleMatches)
	FileChanged      = Code(hashline.FileChanged)
	Locked           = Code("locked")

	// The same request will not work.
	InvalidInput          = Code(hashline.InvalidInput)
	AnchorMalformed       = Code(hashline.AnchorMalformed)
	BaseRequired          = Code(hashline.BaseRequired)
	EditsOverlap          = Code(hashline.EditsOverlap)
	ContentHasAnchors     = Code(hashline.ContentHasAnchors)
	ContentHasPlaceholder = Code(searchreplace.ContentHasPlaceholder)
	LineCut               = Code(hashline.LineCut)
	Unsupported           = Code(hashline.Unsupported)
	EncodingError         = Code(hashline.EncodingError)
	FileNotFound          = Code("file_not_found")
	FileExists            = Code("file_exists")
	BinaryFile            = Code("binary_file")
	TooLarge              = Code("too_large")
	OutsideRoot           = Code("outside_root")
	NotRegular            = Code("not_regular")
	HardLinked            = Code("hard_linked")
	ReadOnly              = Code("read_only")
	IOError               = Code("io_error")
)

// status returns what a request with a failure of code c comes to.
func (c Code) status() Status {
	switch c {
	case AnchorStale, AnchorAmbiguous, AnchorOutOfRange, RangeUnverified, NoMatch, MultipleMatches, FileChanged, Locked:
		return NotApplied
	}
	return Refused
}

// elsewhere reports whether a refusal is about the file or the machine, and the
// request may be well as it is.
func (c Code) elsewhere() bool {
	switch c {
	case TooLarge, HardLinked, ReadOnly, IOError:
		return true
	}
	return false
}
