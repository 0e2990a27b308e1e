package lock

import (
	"container/list"
	"context"
	"sync"
)

// A table has a queue for each key that is in use. Its mutex is held for a look
// at memory only, never while waiting. The zero value is ready.
type table struct {
	mu     sync.Mutex
	queues map[key]*queue
	spare  *queue // so that a lock that nobody waits for allocates nothing
}

// A queue is the state of one key: who is in, and who waits, in order of arrival.
type queue struct {
	key     key
	readers int
	writer  bool
	waiting list.List // of *waiter

	// gate has room for one: the readers that are in go to the files one by one, so
	// that a process with many takes no more than one chance at the gate.
	gate chan struct{}
}

// A waiter waits for its turn, which comes when granted is closed.
type waiter struct {
	write   bool
	granted chan struct{}
	place   *list.Element
}

// lock takes the key, or waits for it until ctx is done.
func (t *table) lock(ctx context.Context, k key, write bool) (*queue, error) {
	q, w := t.join(k, write)
	if w == nil {
		return q, nil
	}
	select {
	case <-w.granted:
		return q, nil
	case <-ctx.Done():
		t.leave(q, w)
		return nil, ctx.Err()
	}
}

// join takes the key and returns no waiter, or else a place in its queue.
func (t *table) join(k key, write bool) (*queue, *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[k]
	if q == nil {
		if q, t.spare = t.spare, nil; q == nil {
			q = &queue{gate: make(chan struct{}, 1)}
		}
		q.key = k
		if t.queues == nil {
			t.queues = make(map[key]*queue)
		}
		t.queues[k] = q
	}
	if (q.waiting.Len() == 0 || overtakes(q, write)) && q.admits(write) {
		q.enter(write)
		return q, nil
	}
	w := &waiter{write: write, granted: make(chan struct{})}
	w.place = q.waiting.PushBack(w)
	return q, w
}

// leave gives up w's place, or its turn if that came in the meantime.
func (t *table) leave(q *queue, w *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-w.granted:
		q.exit(w.write)
	default:
		q.waiting.Remove(w.place)
	}
	t.advance(q)
}

// unlock gives up the key.
func (t *table) unlock(q *queue, write bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q.exit(write)
	t.advance(q)
}

// advance lets in those whose turn has come, and forgets the key if nobody uses it.
func (t *table) advance(q *queue) {
	for front := q.waiting.Front(); front != nil; front = q.waiting.Front() {
		w := front.Value.(*waiter)
		if !q.admits(w.write) {
			return
		}
		q.waiting.Remove(front)
		q.enter(w.write)
		close(w.granted)
	}
	if q.admits(true) {
		delete(t.queues, q.key)
		t.spare = q
	}
}

// admits says whether one more can be in with those who are.
func (q *queue) admits(write bool) bool {
	return !q.writer && (!write || q.readers == 0)
}

func (q *queue) enter(write bool) {
	if write {
		q.writer = true
	} else {
		q.readers++
	}
}

func (q *queue) exit(write bool) {
	if write {
		q.writer = false
	} else {
		q.readers--
	}
}
