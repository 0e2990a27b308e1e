//go:build !mutant

package apply

// removed reports whether a guarantee is removed. It never is: the build tag
// mutant puts another file in the place of this one, where HL_APPLY_MUTANT names
// one that is, so that a test can show that the tests would notice.
func removed(string) bool { return false }
