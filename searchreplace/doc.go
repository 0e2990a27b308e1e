// Package searchreplace reads the SEARCH/REPLACE blocks that language models
// write, in every dialect of theirs, and finds the one place in a file that each
// block means.
//
// It is pure: bytes and documents in, values out. A reply is decoded into
// [Block] values, whole or piece by piece; a ladder of tiers, the strictest first,
// then finds their places in a [text.Document].
package searchreplace
