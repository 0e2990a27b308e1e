package searchreplace

// trimmed finds lines that are equal without the blanks and tabs at both ends.
// All such places count, and the replacement is re-based as in indent.
func (r *resolver) trimmed(w *want) *finding {
	if nonBlank(w.search) == 0 {
		return nil // what is left of blank lines is the trailing tier's
	}
	return r.windows(w, foldTrimmed, r.rebased)
}
