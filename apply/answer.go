package apply

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/hashline"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// An Answer says what became of a request. Its JSON form is API; text and JSON
// tell the same.
type Answer struct {
	Status   Status       `json:"status"`
	DryRun   bool         `json:"dry_run,omitzero"` // nothing was written; the real run would say this
	Files    []FileAnswer `json:"files,omitempty"`  // if applied or unchanged; if partial, what each name is now
	Failures []Failure    `json:"failures,omitempty"`
	Moves    []Move       `json:"moves,omitempty"` // anchors whose lines moved, old and new
	Retry    *Request     `json:"retry,omitzero"`  // the request on the new anchors, ready to send
	Durable  *bool        `json:"durable,omitzero"`

	blocks bool // the request was made of blocks
	left   bool // some of them were left out, with Options.Partial
}

// A FileAnswer says what was done to one file.
type FileAnswer struct {
	Path     string       `json:"path"`
	Change   string       `json:"change,omitzero"`  // created, removed, renamed, or unchanged beside others that changed; absent if only its text changed. In a partial answer also foreign or gone, if another program changed or removed it meanwhile, and unknown
	ToPath   string       `json:"to_path,omitzero"` // where a renamed file is now
	Base     string       `json:"base,omitzero"`    // the tag to send next; absent if the caller has not seen or proved the whole file
	Added    int          `json:"added"`            // lines
	Removed  int          `json:"removed"`          // lines
	Edits    []EditAnswer `json:"edits,omitempty"`
	Snippet  []Line       `json:"snippet,omitempty"` // the lines as they are now, with fresh anchors
	Diff     string       `json:"diff,omitzero"`
	Warnings []Warning    `json:"warnings,omitempty"`

	diff []byte // as Diff, in the bytes of the file
}

// An EditAnswer says what one edit came to. First and Last are the lines that it
// covered, 1-based and inclusive, in the file as it was; for an insert Last is
// the line it stands behind and First the one after.
type EditAnswer struct {
	Edit         int      `json:"edit"`
	Op           string   `json:"op"`
	First        int      `json:"first"`
	Last         int      `json:"last"`
	FirstRemoved string   `json:"first_removed,omitzero"` // the text of the range's first line
	LastRemoved  string   `json:"last_removed,omitzero"`  // and of its last, if it has two or more
	Tier         string   `json:"tier"`                   // how the place was found: anchor, place, literal, whole, or a tier of the ladder
	Hits         int      `json:"hits,omitzero"`          // search_replace: places replaced
	Behind       *int     `json:"behind,omitzero"`        // move and copy: the line of the old text that the lines came behind, 0 for the top
	ToPath       string   `json:"to_path,omitzero"`       // move, copy and rename: the other file
	Notes        []string `json:"notes,omitempty"`        // what was not taken as it was written
	Added        int      `json:"added"`
	Removed      int      `json:"removed"`
}

// A Warning says what is worth knowing though the request was applied.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A Failure says why a request, or one edit of it, was not carried out.
type Failure struct {
	File          string `json:"file,omitzero"`
	Edit          *int   `json:"edit,omitzero"` // index in the request
	Field         string `json:"field,omitzero"`
	Code          Code   `json:"code"`
	Message       string `json:"message"`
	Anchor        string `json:"anchor,omitzero"`         // that it is about, as sent
	Current       *Line  `json:"current,omitzero"`        // the line that has the anchor's number now
	Context       []Line `json:"context,omitempty"`       // the lines to look at
	ShiftedAnchor string `json:"shifted_anchor,omitzero"` // to use instead
	Candidates    []Line `json:"candidates,omitempty"`    // where the line could be now
	Count         int    `json:"count,omitzero"`          // of all candidates
	Base          string `json:"base,omitzero"`           // to send if the lines shown are as expected
	Kept          string `json:"kept,omitzero"`           // the file that has what another program wrote meanwhile

	Line      int        `json:"line,omitzero"`       // of the reply that the block stands in, 1-based
	Why       []string   `json:"why,omitempty"`       // in what the nearest lines differ from the search
	AlreadyAt int        `json:"already_at,omitzero"` // the line where the replacement stands already
	Suggest   []*Request `json:"suggest,omitempty"`   // requests for hl edit that would do it, one for each place

	entry int                  // index of the file in the request, or noEntry
	block *searchreplace.Block // that it is about
}

// A Line is a line of a file behind its anchor, or a gap between lines.
type Line struct {
	Anchor string `json:"anchor,omitzero"`
	Text   string `json:"text"`
	Cut    int    `json:"cut,omitzero"`   // bytes of the line left out at the end of Text
	Lossy  bool   `json:"lossy,omitzero"` // Text has U+FFFD for bytes that are no character
	Gap    int    `json:"gap,omitzero"`   // in place of a line: how many are left out here

	view []byte // the line as a view prints it
}

// MarshalJSONTo implements [json.MarshalerTo]: of a gap only its size is written.
func (l Line) MarshalJSONTo(enc *jsontext.Encoder) error {
	if l.Gap > 0 {
		return json.MarshalEncode(enc, struct {
			Gap int `json:"gap"`
		}{l.Gap})
	}
	type plain Line // without this method
	return json.MarshalEncode(enc, plain(l))
}

// MarshalJSON implements [encoding/json.Marshaler].
func (l Line) MarshalJSON() ([]byte, error) { return json.Marshal(marshalerTo{l}) }

// A Move says where the line of an anchor is now.
type Move struct {
	File  string `json:"file,omitzero"` // in a request for several files
	Edit  int    `json:"edit"`
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// lineOf returns l for an answer.
func lineOf(l *hashline.Line, enc *text.Encoding) Line {
	var f hashline.Format
	out := Line{Anchor: f.Print(l.Anchor), Cut: l.Cut, view: f.Printer(enc).AppendLine(nil, l)}
	out.Text, out.Lossy = l.Shown(enc)
	return out
}

func linesOf(lines []hashline.Line, enc *text.Encoding) []Line {
	var out []Line
	for i := range lines {
		out = append(out, lineOf(&lines[i], enc))
	}
	return out
}

// AnswerOf returns the answer to a request that failures, at least one, keep from
// being carried out: refused if any of them would stand in the way again.
func AnswerOf(failures ...Failure) *Answer {
	a := &Answer{Status: NotApplied, Failures: failures}
	for _, f := range failures {
		if f.Code.status() == Refused {
			a.Status = Refused
		}
	}
	return a
}
