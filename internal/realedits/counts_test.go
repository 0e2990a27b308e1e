//go:build fire

package realedits

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hlkit/hlkit/hashline"
)

// Counts count what was done, by name. They are safe for concurrent use.
type counts struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counts) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[name]++
}

func (c *counts) get(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[name]
}

// edit counts an edit by its op, and by the scheme of the anchors in its request.
func (c *counts) edit(scheme hashline.Scheme, op string) {
	c.add("op " + op)
	c.add("scheme " + scheme.String())
}

// merge adds what d counted.
func (c *counts) merge(d *counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	for name, n := range d.n {
		c.n[name] += n
	}
}

func (c *counts) String() string {
	var names []string
	for name := range c.n {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%8d  %s\n", c.n[name], name)
	}
	return b.String()
}

// demanded is what a full run must come to at least; a sample, to a tenth.
var demanded = map[string]int{
	pairCount: 3000,

	"op replace":        5000,
	"op delete":         5000,
	"op insert_after":   5000,
	"op insert_before":  5000,
	"op search_replace": 5000,
	"op write":          5000,

	"scheme chunk":   5000,
	"scheme seal":    5000,
	"scheme chain":   5000,
	"scheme content": 5000,
	"scheme file":    5000,

	binaryCount: 200,
	patchCount:  300,

	"edits at 0:":                                 100,
	"edits at EOF":                                100,
	"edits with expect over 1":                    100,
	"edits with whole":                            10,
	"contents as a list":                          5000,
	"contents as a string":                        5000,
	"requests that write a list":                  1000,
	"replaces and deletes of over 16 lines":       500,
	"replaces and deletes of ranges without base": 1000,
}

const (
	pairCount   = "pairs"
	binaryCount = "pairs through the binary"
	patchCount  = "pairs whose diff git apply and patch took"
)

// missing returns what c lacks.
func (c *counts) missing(all bool) []string {
	var missing []string
	for name, want := range demanded {
		if !all {
			want /= 10
		}
		if c.n[name] < want {
			missing = append(missing, fmt.Sprintf("%s: %d, not %d", name, c.n[name], want))
		}
	}
	slices.Sort(missing)
	return missing
}
