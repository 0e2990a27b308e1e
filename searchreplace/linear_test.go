package searchreplace_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/assert"
)

// linearBound is more than ten times what the slowest of these tests takes on an
// idle machine. Work that grows with the square of the reply would take hours.
const linearBound = 10 * time.Second

const oneBlock = "------- SEARCH\nfunc line(of, a, program) (int, error) { return 1\n=======\nfunc line(of, a, program) (int, error) { return 2\n+++++++ REPLACE\n"

// hugeReplies are replies that would take long if any line were looked at often.
func hugeReplies() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, (50<<20)/len(s)+1) }
	some := func(s string) string { return strings.Repeat(s, (4<<20)/len(s)+1) }
	million := func(s string) string { return strings.Repeat(s, 1_000_000) }
	fifth := func(s string) string { return strings.Repeat(s, 200_000) }
	many := func(s string) string { return strings.Repeat(s, 100_000) } // where each has an answer
	return map[string]string{
		"blocks":                     fill(oneBlock),
		"prose":                      some("This is prose, as a model writes it: `x` < y, and so on.\n"),
		"one line":                   fill("x"),
		"one line of tags":           many("<replace_in_file>"),
		"one block":                  "------- SEARCH\n" + some("func line(of, a, program) (int, error) { return 1\n") + "=======\n+++++++ REPLACE\n",
		"calls on one line":          many("<replace_in_file><path>a</path><diff>x</diff></replace_in_file>"),
		"unclosed calls on one line": many("<edit><path>a</path>"),
		"blocks given back":          "```x\n<<<<<<< SEARCH\n=======\n```\n" + many("```go\n<<<<<<<SEARCH\n=======\n```\n") + "<<<<<<< SEARCH\n",
		"one file":                   "<write_to_file><path>a</path><content>\n" + fifth("</content> of a file\n") + "</content></write_to_file>\n",
		"100,000 openers":            many("------- SEARCH\n"),
		"100,000 missing closers":    "------- SEARCH\n" + many("=======\n------- SEARCH\n"),
		"a million dividers":         "------- SEARCH\n" + million("=======\n") + "+++++++ REPLACE\n",
		"100,000 closers":            many("+++++++ REPLACE\n"),
		"100,000 closers in blocks":  many("------- SEARCH\n+++++++ REPLACE\n"),
		"200,000 fences":             fifth("```\n"),
		"200,000 fences in a block":  "a.go\n```\n<<<<<<< SEARCH\n=======\n" + fifth("```\n") + "<<<<<<< SEARCH\n",
		"100,000 file names":         many("main.go\n"),
		"200,000 blank lines":        "<replace_in_file>\n" + fifth("\n"),
		"10,000 unclosed tags":       strings.Repeat("<replace_in_file>\n", 10_000),
		"10,000 unclosed calls":      strings.Repeat("<replace_in_file>\n<path>a</path>\n", 10_000),
		"10,000 unclosed diffs":      strings.Repeat("<replace_in_file>\n<path>a</path>\n<diff>\n------- SEARCH\n", 10_000),
		"10,000 unclosed parameters": strings.Repeat("<str_replace>\n<path>a</path>\n<old_string>\n", 10_000),
		"200,000 closing tags":       "<str_replace>\n<path>a</path>\n<old_string>\n" + fifth("</old_string>\n"),
		"closing tags in a block":    "<replace_in_file>\n<path>a</path>\n<diff>\n------- SEARCH\n" + fifth("</diff>\n"),
		"a missing opener":           "<replace_in_file>\n<path>a</path>\n<diff>\n" + fifth("text\n") + "</diff></replace_in_file>\n",
		"braces in code on one line": many("`{\"a\" "),
		"tags in code on one line":   many("`<path>") + "x\n",
		"half tags on one line":      many("<a x=1 ") + "=\n",
		"tools on one line":          many("edit( "),
		"openers that are none":      many("**<<<<<<< SEARCH**\n"),
		"markers that are none":      many("**<<<<<<< SEARCH**\n=======\n"),
		"fields of no call":          "{\n" + many("path: 1\n"),
		"names of files":             "a.go\n" + oneBlock + many("see b.go and c.go\n"),
		"a shell fence":              "```sh\n" + fifth("ls\n"),
	}
}

func TestNoReplyTakesQuadraticTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	for name, reply := range hugeReplies() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			searchreplace.Decode([]byte(reply), searchreplace.DecodeOptions{})
			whole := time.Since(start)
			start = time.Now()
			inPieces([]byte(reply), 1<<10, nil)
			pieces := time.Since(start)
			t.Log(len(reply), whole, pieces)
			assert.Less(t, whole, linearBound)
			assert.Less(t, pieces, linearBound)
		})
	}
}

// inPieces feeds a reply in pieces of a size, and forgets what comes of it.
func inPieces(reply []byte, size int, each func()) {
	d := searchreplace.NewDecoder(searchreplace.DecodeOptions{})
	for len(reply) > 0 {
		n := min(len(reply), size)
		d.Feed(reply[:n])
		reply = reply[n:]
		if each != nil {
			each()
		}
	}
	d.Close()
}

// A decoder holds the block that is being read, and not those that were.
func TestADecoderHoldsNoMoreThanItsLargestBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 80 MB")
	}
	for name, unit := range map[string]string{
		"blocks": oneBlock,
		"prose":  "This is prose, as a model writes it, and so on.\n",
		"calls":  "<replace_in_file>\n<path>a</path>\n<diff>\n" + oneBlock + "</diff>\n</replace_in_file>\n",
		"fences": "a.go\n```go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
	} {
		t.Run(name, func(t *testing.T) {
			reply := bytes.Repeat([]byte(unit), (10<<20)/len(unit))
			var before, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			fed, most := 0, uint64(0)
			inPieces(reply, 1<<10, func() {
				if fed++; fed%2_000 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&now)
					most = max(most, now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc))
				}
			})
			t.Logf("%d KB held", most>>10)
			assert.Less(t, most, uint64(1<<20))
		})
	}
}
