package main

// A state says what became of the target before the block comes.
type state int

const (
	there   state = iota
	changed       // some of its lines are others
	gone
	states
)

var stateNames = [states]string{"there", "changed", "gone"}

// A key says of which blocks counts are.
type key struct {
	preset  int
	damage  int
	state   state
	lines   int  // of the clean search
	full    int  // of them, those that are not blank
	outdent bool // wholly outdented
}

// Counts are what became of blocks.
type counts struct {
	plain     outcomes
	ambiguous outcomes // none may be solved
	apart     outcomes // of blocks that, as they are, stand in another place
	unitless  outcomes // of blocks that read as well with four blanks to a tab
}

func (c *counts) add(o *counts) {
	c.plain.add(&o.plain)
	c.ambiguous.add(&o.ambiguous)
	c.apart.add(&o.apart)
	c.unitless.add(&o.unitless)
}

func (c *counts) of(k class) *outcomes {
	switch k {
	case ambiguous:
		return &c.ambiguous
	case apart:
		return &c.apart
	case unitless:
		return &c.unitless
	}
	return &c.plain
}

// all returns how many blocks there were.
func (c *counts) all() int64 {
	return c.plain.all + c.ambiguous.all + c.apart.all + c.unitless.all
}

type outcomes struct {
	all       int64
	solved    int64
	merged    int64 // of a changed target: only what the block changes was replaced
	refused   int64
	unchanged int64 // said to be there already: nothing was written
	wrong     int64

	// Of the refused, those for too little evidence whose place was shown: what it
	// would come to is right, or is not. And those that make the right edits and are
	// refused without being shown.
	shown, misshown int64
}

func (c *outcomes) add(o *outcomes) {
	c.all += o.all
	c.solved += o.solved
	c.merged += o.merged
	c.refused += o.refused
	c.unchanged += o.unchanged
	c.wrong += o.wrong
	c.shown += o.shown
	c.misshown += o.misshown
}

// sum adds up the counts of all keys that fit.
func (r *results) sum(fits func(k *key) bool) *counts {
	sum := &counts{}
	for k, c := range r.counts {
		if fits(&k) {
			sum.add(c)
		}
	}
	return sum
}
