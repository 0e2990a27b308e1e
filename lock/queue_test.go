package lock

import (
	"context"
	"fmt"
	"testing"

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
	var q table
	k := key{1}
	require.Nil(t, q.join(k, true))
	order := []bool{false, false, true, false, true, true, false}
	var waiting []*waiter
	for _, write := range order {
		waiting = append(waiting, q.join(k, write))
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
	q.unlock(k, true)
	require.Equal(t, "01", in(), "readers share")
	q.unlock(k, false)
	require.Equal(t, "01", in(), "one reader is left")
	for i, want := range []string{"012", "0123", "01234", "012345", "0123456"} {
		q.unlock(k, order[i+1])
		require.Equal(t, want, in())
	}
	q.unlock(k, false)
	require.Empty(t, q.queues)
}

func TestNobodyOvertakesAWaitingWriter(t *testing.T) {
	var q table
	k := key{1}
	require.Nil(t, q.join(k, false))
	writer := q.join(k, true)
	reader := q.join(k, false)
	require.False(t, writer.isIn())
	require.False(t, reader.isIn(), "a reader came after the writer")
	q.unlock(k, false)
	require.True(t, writer.isIn())
	require.False(t, reader.isIn())
}

func TestAWaiterThatGivesUpLetsThoseBehindItIn(t *testing.T) {
	var q table
	k := key{1}
	require.Nil(t, q.join(k, false))
	ctx, cancel := context.WithCancel(t.Context())
	wait := mustBlock(t, "a writer beside a reader", func() {
		require.ErrorIs(t, q.lock(ctx, k, true), context.Canceled)
	})
	reader := q.join(k, false)
	require.False(t, reader.isIn())
	cancel()
	wait()
	require.True(t, reader.isIn())
	q.unlock(k, false)
	q.unlock(k, false)
	require.Empty(t, q.queues, "no trace is left")
}

func TestAWaiterThatGivesUpTooLateGivesItsTurnBack(t *testing.T) {
	var q table
	k := key{1}
	require.Nil(t, q.join(k, true))
	w := q.join(k, true)
	q.unlock(k, true)
	require.True(t, w.isIn())
	q.leave(k, w)
	require.Empty(t, q.queues)
}

// TestTheQueueDoesWhatItsModelDoes compares a table with a list of requests that
// is gone through from the start after every step.
func TestTheQueueDoesWhatItsModelDoes(t *testing.T) {
	type request struct {
		write, in bool
		w         *waiter
	}
	rapid.Check(t, func(t *rapid.T) {
		var q table
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
		remove := func(t *rapid.T, in bool) (key, *request) {
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
			return k, r
		}
		t.Repeat(map[string]func(*rapid.T){
			"join": func(t *rapid.T) {
				k, write := anyKey.Draw(t, "key"), rapid.Bool().Draw(t, "write")
				model[k] = append(model[k], &request{write: write, w: q.join(k, write)})
				settle(k)
			},
			"unlock": func(t *rapid.T) {
				k, r := remove(t, true)
				q.unlock(k, r.write)
			},
			"leave": func(t *rapid.T) {
				k, r := remove(t, false)
				q.leave(k, r.w)
			},
			"": func(t *rapid.T) {
				for k, requests := range model {
					for i, r := range requests {
						require.Equal(t, r.in, r.w.isIn(), "request %d of key %d", i, k[0])
					}
					_, known := q.queues[k]
					require.Equal(t, len(requests) > 0, known, "an idle key costs nothing")
				}
			},
		})
	})
}
