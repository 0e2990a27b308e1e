// Package realedits tests the toolkit with edits that people really made: files
// that changed between two published versions of Go modules. The difference of
// each pair becomes requests, in every form that a request can have, and the
// result must be the newer version, byte for byte. The diffs that the toolkit
// prints must make the same of the older version in the hands of git and patch.
//
// The tests need the network, so they have the build tag fire:
//
//	go test -tags fire ./internal/realedits        a sample
//	go test -tags fire ./internal/realedits -all   everything, with the counts
package realedits
