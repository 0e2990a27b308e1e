// Package hashline names the lines of a text by anchors that carry their own
// proof, and turns edits on anchors into edits of lines, or into a precise
// account of why they no longer fit.
//
// A reader sees each line behind an anchor, LINE:HASH:CHUNK:
//
//	22:ab:rstu→	if err != nil {
//
// An edit names lines by anchor, and nothing of the old text is retyped. An
// anchor that no longer fits proves that the file changed. [Format.Annotate]
// makes anchors, [Format.Resolve] takes edits:
//
//	snap := hashline.Snapshot{Doc: doc, Tag: hashline.TagOf(src)}
//	res := hashline.Format{}.Resolve(snap, hashline.Request{Edits: edits}, hashline.Options{})
//	if len(res.Failures) == 0 {
//		out := res.Spliced.Bytes()
//	}
//
// Resolve checks every edit against one snapshot and reports every failure. It
// never guesses: an anchor whose line moved is reported with its new place, and
// followed only where the caller asked for that.
//
// The package is pure. It opens no files; [Format.Annotate] reads from a
// [text.Scanner], a window in constant memory. SPEC.md defines the format for
// other languages.
package hashline
