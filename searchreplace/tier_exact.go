package searchreplace

// exact finds lines that are equal. Line endings are no part of a line, and the
// lack of one at the end of the file is no difference.
func (r *resolver) exact(w *want) *finding {
	return r.windows(w, foldNone, r.verbatim)
}
