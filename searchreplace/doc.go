// Package searchreplace reads the SEARCH/REPLACE blocks that language models
// write, in every dialect of theirs, and finds the one place in a file that each
// block means.
//
// It is pure: bytes and documents in, values out. A reply is decoded into
// [Block] values, whole or piece by piece; a ladder of tiers, the strictest first,
// then finds their places in a [text.Document].
//
// # Reading
//
// [Decode] reads a reply that is complete, a [Decoder] one that is still coming.
// They cannot differ: the one is the other, fed whole. Dialects may be mixed.
//
// What a reply means is decided by its structure, and never by the text in it: a
// merge conflict, an entity or an escape in a block is text. A misspelled
// structure is read only where a rule says how; each such [Repair] has a name and
// is reported. What could be read in two ways is a [Problem] that says how to
// write it, and nothing of a reply with a problem may be applied. So is what was
// cut off: a block at the end of a reply is complete with its closer and not
// before.
//
// Time is linear in the reply. A decoder holds the block that it reads, and no
// more.
//
// # Writing markers that are text
//
// A line of text that looks like a marker gets a backslash before it, or the
// markers of the block are made longer than seven characters; only markers of
// that very length then count. [Print] does the former.
package searchreplace
