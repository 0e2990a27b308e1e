package searchreplace_test

import (
	"testing"
	"time"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 4.7-69 A search that stands nowhere took other tools minutes.
//
// TestNoWorkIsQuadratic resolves each workload within ten times of what it takes on
// an idle machine, or a second. What grows with the product of file and blocks takes
// minutes. The race detector would only slow it down: nothing here is concurrent.
func TestNoWorkIsQuadratic(t *testing.T) {
	if raceEnabled {
		t.Skip("measured without the race detector")
	}
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
			assert.Less(t, took, 10*time.Duration(max(w.idle, 100))*time.Millisecond)
		})
	}
}
