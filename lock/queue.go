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
	readers int
	writer  bool
	waiting list.List // of *waiter
}

// A waiter waits for its turn, which comes when granted is closed.
type waiter struct {
	write   bool
	granted chan struct{}
	place   *list.Element
}

// lock takes the key, or waits for it until ctx is done.
func (t *table) lock(ctx context.Context, k key, write bool) error {
	w := t.join(k, write)
	if w == nil {
		return nil
	}
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
		t.leave(k, w)
		return ctx.Err()
	}
}

// join takes the key and returns nil, or else a place in its queue.
func (t *table) join(k key, write bool) *waiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[k]
	if q == nil {
		if q, t.spare = t.spare, nil; q == nil {
			q = new(queue)
		}
		if t.queues == nil {
			t.queues = make(map[key]*queue)
		}
		t.queues[k] = q
	}
	if (q.waiting.Len() == 0 || overtakes(q, write)) && q.admits(write) {
		q.enter(write)
		return nil
	}
	w := &waiter{write: write, granted: make(chan struct{})}
	w.place = q.waiting.PushBack(w)
	return w
}

// leave gives up w's place, or its turn if that came in the meantime.
func (t *table) leave(k key, w *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[k]
	select {
	case <-w.granted:
		q.exit(w.write)
	default:
		q.waiting.Remove(w.place)
	}
	t.advance(k, q)
}

// unlock gives up the key.
func (t *table) unlock(k key, write bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[k]
	q.exit(write)
	t.advance(k, q)
}

// advance lets in those whose turn has come, and forgets the key if nobody uses it.
func (t *table) advance(k key, q *queue) {
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
		delete(t.queues, k)
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
