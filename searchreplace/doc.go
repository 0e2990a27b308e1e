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
//
// # Finding the place
//
// [Resolve] takes the blocks of one file:
//
//	res := searchreplace.Resolve(doc, blocks, searchreplace.Options{})
//	for _, f := range res.Failures {
//		fmt.Println(f) // what is wrong, and what to do next
//	}
//	if len(res.Failures) == 0 {
//		out := res.Spliced.Bytes()
//	}
//
// A tier is one way in which a search may differ from the lines that it means:
// blanks at line ends, indentation, blank lines around it. The first tier of the
// [Ladder] that finds any place decides, and it must find exactly one; hints of the
// block choose among several, and nothing else does. A place at another depth than
// the search is believed only where the search has lines enough to tell it from a
// lookalike; what is refused for that is returned with its place, ready to be made.
//
// What a tier folds is compared and never written. Lines that search and
// replacement share keep the file's bytes; lines that differ are written as they
// are given, but for the indentation where a tier says so. All blocks are matched
// against the file as it stands, in any order; blocks that change the same text are
// refused. A block that was applied before is found to be there already, as far as
// the text can tell.
//
// Time grows with the size of the file and of the blocks, not with their product,
// for places found, not found and found too often alike.
package searchreplace
