// Package apply carries out edit requests on files: it checks every edit of a
// file against one reading of it, and replaces the file whole, or leaves it
// alone and says why. It is the only package of the toolkit that touches the
// user's files.
//
// Start with [Open], [Decode] and [Workspace.Edit]:
//
//	ws, err := apply.Open(".")
//	req := apply.Decode(message, "")
//	answer := ws.Edit(ctx, req, apply.Options{})
//
// An [Answer] is for people and programs alike: [Answer.Text] prints it for a
// model, encoding it as JSON gives the same facts, and its status decides the
// exit code. [Workspace.Read] shows files behind anchors.
//
// # Promises
//
// Either every edit of a request is made or none, and the answer says which.
// Paths cannot leave the workspace. Bytes outside the edits stay as they are,
// and so do the file's mode and owner. Edits that come at one time wait for each
// other. A file that changed between the read and
// the write is not written. After the write nothing is reported as not applied.
package apply
