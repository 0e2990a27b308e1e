package searchreplace

// trailing finds lines that are equal but for blanks and tabs at their ends. What
// it writes is as given; the lines that search and replacement share keep the
// file's blanks.
func (r *resolver) trailing(w *want) *finding {
	return r.windows(w, foldTrailing, r.verbatim)
}
