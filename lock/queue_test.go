package lock

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func (w *waiter) isIn() bool {
	if w == nil {
		return true
	}
	select {
	case <-w.granted:
		return true
	default:
		return false
	}
}

func TestWaitersAreServedInTheOrderTheyCame(t *testing.T) {
	var all table
	q, w := all.join(key{1}, true)
	require.Nil(t, w)
	order := []bool{false, false, true, false, true, true, false}
	var waiting []*waiter
	for _, write := range order {
		_, w := all.join(key{1}, write)
		waiting = append(waiting, w)
	}
	in := func() (s string) {
		for i, w := range waiting {
			if w.isIn() {
				s += fmt.Sprint(i)
			}
		}
		return s
	}
	require.Equal(t, "", in())
	all.unlock(q, true)
	require.Equal(t, "01", in(), "readers share")
	all.unlock(q, false)
	require.Equal(t, "01", in(), "one reader is left")
	for i, want := range []string{"012", "0123", "01234", "012345", "0123456"} {
		all.unlock(q, order[i+1])
		require.Equal(t, want, in())
	}
	all.unlock(q, false)
	require.Empty(t, all.queues)
}

func TestNobodyOvertakesAWaitingWriter(t *testing.T) {
	var all table
	q, _ := all.join(key{1}, false)
	_, writer := all.join(key{1}, true)
	_, reader := all.join(key{1}, false)
	require.False(t, writer.isIn())
	require.False(t, reader.isIn(), "a reader came after the writer")
	all.unlock(q, false)
	require.True(t, writer.isIn())
	require.False(t, reader.isIn())
}

func TestAWaiterThatGivesUpLetsThoseBehindItIn(t *testing.T) {
	var all table
	q, _ := all.join(key{1}, false)
	ctx, cancel := context.WithCancel(t.Context())
	wait := mustBlock(t, "a writer beside a reader", func() {
		_, err := all.lock(ctx, key{1}, true)
		assert.ErrorIs(t, err, context.Canceled)
	})
	require.Eventually(t, func() bool {
		all.mu.Lock()
		defer all.mu.Unlock()
		return q.waiting.Len() == 1
	}, soon, time.Millisecond)
	_, reader := all.join(key{1}, false)
	require.False(t, reader.isIn())
	cancel()
	wait()
	require.True(t, reader.isIn())
	all.unlock(q, false)
	all.unlock(q, false)
	require.Empty(t, all.queues, "no trace is left")
}

func TestAWaiterThatGivesUpTooLateGivesItsTurnBack(t *testing.T) {
	var all table
	q, _ := all.join(key{1}, true)
	_, w := all.join(key{1}, true)
	all.unlock(q, true)
	require.True(t, w.isIn())
	all.leave(q, w)
	require.Empty(t, all.queues)
}

// TestTheQueueDoesWhatItsModelDoes compares a table with a list of requests that
// is gone through from the start after every step.
func TestTheQueueDoesWhatItsModelDoes(t *testing.T) {
	type request struct {
		write, in bool
		q         *queue
		w         *waiter
	}
	rapid.Check(t, func(t *rapid.T) {
		var all table
		model := map[key][]*request{}
		anyKey := rapid.Custom(func(t *rapid.T) key { return key{byte(rapid.IntRange(0, 2).Draw(t, "key"))} })
		settle := func(k key) {
			readers, writers := 0, 0
			for _, r := range model[k] {
				r.in = writers == 0 && (!r.write || readers == 0)
				if !r.in {
					return // and so nobody behind it
				}
				if r.write {
					writers++
				} else {
					readers++
				}
			}
		}
		// remove takes one that is in, or one that waits, out of the model.
		remove := func(t *rapid.T, in bool) *request {
			k := anyKey.Draw(t, "of")
			var some []int
			for i, r := range model[k] {
				if r.in == in {
					some = append(some, i)
				}
			}
			if len(some) == 0 {
				t.Skip("nobody there")
			}
			i := rapid.SampledFrom(some).Draw(t, "who")
			r := model[k][i]
			model[k] = append(append([]*request(nil), model[k][:i]...), model[k][i+1:]...)
			for _, other := range model[k] {
				other.in = false
			}
			settle(k)
			return r
		}
		t.Repeat(map[string]func(*rapid.T){
			"join": func(t *rapid.T) {
				k, write := anyKey.Draw(t, "key"), rapid.Bool().Draw(t, "write")
				q, w := all.join(k, write)
				model[k] = append(model[k], &request{write: write, q: q, w: w})
				settle(k)
			},
			"unlock": func(t *rapid.T) {
				r := remove(t, true)
				all.unlock(r.q, r.write)
			},
			"leave": func(t *rapid.T) {
				r := remove(t, false)
				all.leave(r.q, r.w)
			},
			"": func(t *rapid.T) {
				for k, requests := range model {
					for i, r := range requests {
						require.Equal(t, r.in, r.w.isIn(), "request %d of key %d", i, k[0])
					}
					_, known := all.queues[k]
					require.Equal(t, len(requests) > 0, known, "an idle key costs nothing")
				}
			},
		})
	})
}
