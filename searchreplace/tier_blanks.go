package searchreplace

// blanksRemoved finds lines that are equal without any blank or tab, line by
// line. The replacement is re-based as in indent, and where it cannot be there is
// no hit: "foo(x) ;" for "    foo(x);" would else lose the indentation.
func (r *resolver) blanksRemoved(w *want) *finding {
	if nonBlank(w.search) == 0 {
		return nil
	}
	return r.windows(w, foldBlanks, r.rebased)
}
