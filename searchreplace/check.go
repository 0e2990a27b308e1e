package searchreplace

// check returns what is wrong with the text of a block that is complete, or nil.
// Every dialect's blocks come through here.
func (sc *scope) check(b *Block) *Problem { return nil }
