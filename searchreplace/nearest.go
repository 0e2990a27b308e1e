package searchreplace

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"
)

const (
	enoughAlike = 0.6 // similarity of lines that are shown
	showAround  = 5   // lines shown on each side of them

	// What bounds the work for one block, whatever it and the file are.
	mostBytes    = 2_000   // of a line that are looked at
	mostSampled  = 64      // lines of the search whose words are looked up
	mostWords    = 24      // of such a line
	mostPostings = 2_000   // lines that are looked up by words
	mostCommon   = 50      // of them by one word
	mostScored   = 4       // windows that are compared
	mostCompared = 1 << 16 // bytes of a window that are compared
)

// A wordIndex finds the lines that have a word. It is made when the first block
// stands nowhere.
type wordIndex struct {
	words map[uint64]bucket // first is an entry
	lines []int32           // of entries
	next  []int32           // the next entry of the same word; -1 for none
}

func (r *resolver) wordIndex() *wordIndex {
	if r.words != nil {
		return r.words
	}
	ix := &wordIndex{words: map[uint64]bucket{}}
	for i := r.index.numLines() - 1; i >= 0; i-- {
		for w := range words(r.index.line(i)) {
			b, ok := ix.words[w]
			next := int32(-1)
			if ok {
				if ix.lines[b.first] == int32(i) {
					continue
				}
				next = b.first
			}
			ix.words[w] = bucket{int32(len(ix.lines)), b.count + 1}
			ix.lines, ix.next = append(ix.lines, int32(i)), append(ix.next, next)
		}
	}
	r.words = ix
	return ix
}

// words iterates over the hashes of the words of a line: letters, digits and
// underscores, two or more, and whatever is not ASCII.
func words(line []byte) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		line = line[:min(len(line), mostBytes)]
		from := 0
		for i := 0; i <= len(line); i++ {
			if i < len(line) && isWord(line[i]) {
				continue
			}
			if i-from >= 2 && !yield(xxhash.Sum64(line[from:i])) {
				return
			}
			from = i + 1
		}
	}
}

func isWord(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// nearest returns the lines that are most like search: of the windows of its
// length that its rarest words point to, the one whose lines, trimmed, share the
// most pairs of bytes with it. Nil if none is much like it.
func (r *resolver) nearest(search []string) *Nearest {
	if r.index.numLines() == 0 || nonBlank(search) == 0 {
		return nil
	}
	if r.count == nil {
		r.count = &pairCount{}
	}
	n := min(len(search), r.index.numLines())
	best := Nearest{}
	want := r.count.add(stringLines(search))
	for _, start := range r.windowsLike(search) {
		start = max(0, min(start, r.index.numLines()-n))
		s := r.count.similarity(want, r.index.linesFrom(start, n))
		if s > best.Similarity {
			best = Nearest{Start: start, End: start + n, Similarity: s}
		}
	}
	r.count.clear(stringLines(search))
	if best.Similarity < enoughAlike {
		return nil
	}
	best.ShowStart, best.ShowEnd = best.Start, best.End
	if !r.index.same(foldTrimmed, search[0], best.Start) || !r.index.same(foldTrimmed, search[n-1], best.End-1) {
		best.ShowStart, best.ShowEnd = max(0, best.Start-showAround), min(r.index.numLines(), best.End+showAround)
	}
	return &best
}

// windowsLike returns the first lines of the windows that most words of search
// point to, rare words before common ones.
func (r *resolver) windowsLike(search []string) []int {
	ix := r.wordIndex()
	type pointer struct {
		bucket
		line int // of the search
	}
	var pointers []pointer
	step := max(1, len(search)/mostSampled)
	for i := 0; i < len(search); i += step {
		n := 0
		for w := range words([]byte(search[i][:min(len(search[i]), mostBytes)])) {
			if b, ok := ix.words[w]; ok {
				pointers = append(pointers, pointer{b, i})
			}
			if n++; n >= mostWords {
				break
			}
		}
	}
	slices.SortStableFunc(pointers, func(a, b pointer) int { return cmp.Compare(a.count, b.count) })
	votes := map[int]float64{}
	budget := mostPostings
	for _, p := range pointers {
		if budget <= 0 {
			break
		}
		seen := 0
		for e := p.first; e >= 0 && seen < mostCommon; e = ix.next[e] {
			votes[int(ix.lines[e])-p.line] += 1 / float64(p.count)
			seen++
		}
		budget -= seen
	}
	starts := make([]int, 0, len(votes))
	for start := range votes {
		starts = append(starts, start)
	}
	slices.SortFunc(starts, func(a, b int) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b))
	})
	return starts[:min(len(starts), mostScored)]
}

// linesFrom iterates over n lines from start on.
func (x *fileIndex) linesFrom(start, n int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for i := start; i < start+n; i++ {
			if !yield(x.line(i)) {
				return
			}
		}
	}
}

func stringLines(lines []string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, s := range lines {
			if !yield([]byte(s)) {
				return
			}
		}
	}
}

// A pairCount counts the pairs of neighbouring bytes in lines, trimmed.
type pairCount struct{ want, got [1 << 16]int32 }

// pairs iterates over the pairs of bytes of lines, up to mostCompared.
func pairs(lines func(func([]byte) bool)) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		budget := mostCompared
		last := byte('\n')
		for line := range lines {
			line = bytes.Trim(line[:min(len(line), mostBytes)], blanks)
			for _, c := range line {
				if !yield(int(last)<<8 | int(c)) {
					return
				}
				last = c
			}
			if !yield(int(last)<<8 | '\n') {
				return
			}
			last = '\n'
			if budget -= len(line) + 1; budget < 0 {
				return
			}
		}
	}
}

// add counts the pairs of what is wanted, and returns how many there are.
func (c *pairCount) add(lines func(func([]byte) bool)) int {
	n := 0
	for p := range pairs(lines) {
		c.want[p]++
		n++
	}
	return n
}

func (c *pairCount) clear(lines func(func([]byte) bool)) {
	for p := range pairs(lines) {
		c.want[p] = 0
	}
}

// similarity returns twice the pairs in common by all pairs (Sørensen and Dice).
func (c *pairCount) similarity(want int, lines func(func([]byte) bool)) float64 {
	common, n := 0, 0
	for p := range pairs(lines) {
		c.got[p]++
		if c.got[p] <= c.want[p] {
			common++
		}
		n++
	}
	for p := range pairs(lines) {
		c.got[p] = 0
	}
	return 2 * float64(common) / float64(want+n)
}
