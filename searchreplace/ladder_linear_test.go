package searchreplace_test

import (
	"testing"
	"time"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoWorkIsQuadratic resolves each workload within ten times of what it takes
// on an idle machine, or under the race detector a hundred times. What grows with
// the product of file and blocks takes minutes.
func TestNoWorkIsQuadratic(t *testing.T) {
	for _, w := range workloads() {
		t.Run(w.name, func(t *testing.T) {
			doc, err := text.Parse([]byte(w.src), nil)
			require.NoError(t, err)
			start := time.Now()
			res := searchreplace.Resolve(doc, w.blocks, w.opt)
			took := time.Since(start)
			codes := map[searchreplace.Code]int{}
			for _, f := range res.Failures {
				codes[f.Code]++
			}
			t.Log(took, codes)
			bound := time.Duration(w.worst) * 10 * time.Millisecond
			if raceEnabled {
				bound *= 10
			}
			assert.Less(t, took, bound)
		})
	}
}
