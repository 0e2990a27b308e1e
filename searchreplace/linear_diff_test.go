package searchreplace_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

const (
	oneHunk = "@@ -1,3 +1,3 @@ func f() {\n func line(of, a, program) (int, error) {\n-\treturn 1, nil\n+\treturn 2, nil\n }\n"
	onePart = "@@ func f() {\n func line(of, a, program) (int, error) {\n-\treturn 1, nil\n+\treturn 2, nil\n }\n"
	oneEdit = `{"path": "src/main.go", "old_string": "func line(of, a, program) (int, error) {\n\treturn 1, nil\n}\n", "new_string": "func line(of, a, program) (int, error) {\n\treturn 2, nil\n}\n"}` + "\n"
)

func hugeDiffs() map[string]string {
	const size = 2 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1) }
	many := func(s string) string { return strings.Repeat(s, 100_000) }
	return map[string]string{
		"hunks":                          "--- a/x\n+++ b/x\n" + fill(oneHunk),
		"a new file":                     "```diff\n--- /dev/null\n+++ b/x\n@@\n" + fill("+func line(of, a, program) (int, error) {\n") + "```\n",
		"headers":                        fill("--- a/x\n"),
		"pairs of headers":               fill("--- a/x\n+++ b/x\n"),
		"git headers":                    fill("diff --git a/x b/x\n"),
		"headers in a hunk":              "```diff\n@@\n" + many("--- a/x\n+++ b/x\n") + "```\n",
		"empty lines in a hunk":          "```diff\n@@\n+a\n" + many("\n") + "+b\n```\n",
		"empty lines behind a hunk":      "@@ -1 +1 @@\n a\n" + many("\n"),
		"hunks without lines":            "```diff\n" + many("@@\n"),
		"parts":                          "*** Begin Patch\n*** Update File: x\n" + fill(onePart) + "*** End Patch\n",
		"a new file in a patch":          "*** Begin Patch\n*** Add File: x\n" + fill("+func line(of, a, program) (int, error) {\n") + "*** End Patch\n",
		"beginnings":                     fill("*** Begin Patch\n"),
		"contexts":                       "*** Begin Patch\n*** Update File: x\n" + many("@@ a\n"),
		"padded ends":                    "*** Begin Patch\n*** Update File: x\n@@\n-a\n" + many(" *** End Patch\n"),
		"here-documents":                 many("apply_patch <<EOF\n"),
		"calls":                          fill(oneEdit),
		"edits":                          "{\"path\": \"x\", \"edits\": [\n" + fill(strings.TrimSuffix(oneEdit, "\n")+",\n") + oneEdit + "]}\n",
		"one call":                       `{"path": "x", "content": "` + fill(`func line(of, a, program) (int, error) {\n`) + "\"}\n",
		"a patch in a string":            `{"name": "apply_patch", "input": "*** Begin Patch\n*** Add File: x\n` + fill(`+func line(of, a, program) (int, error) {\n`) + `*** End Patch\n"}` + "\n",
		"calls in strings in strings":    `[` + strings.Repeat(`{"name": "edit", "arguments": {"tool_calls": [`, 3000) + strings.Repeat("]}}", 3000) + "]\n",
		"lists":                          strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "\n",
		"brackets on lines":              many("[\n"),
		"braces on lines":                many("{\n"),
		"pretty JSON that is no call":    "[\n" + fill("  {\n    \"a\": [\n      1\n    ]\n  },\n") + "1]\n",
		"JSON that is no call on a line": "[" + fill(`{"a": [1, 2, 3]},`) + "1]\n",
	}
}

func TestNoDiffTakesQuadraticTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 50 MB")
	}
	for name, reply := range hugeDiffs() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			searchreplace.Decode([]byte(reply), searchreplace.DecodeOptions{})
			whole := time.Since(start)
			start = time.Now()
			inPieces([]byte(reply), 1<<10, nil)
			pieces := time.Since(start)
			t.Log(len(reply), whole, pieces)
			require.Less(t, whole, linearBound)
			require.Less(t, pieces, linearBound)
		})
	}
}

func BenchmarkDecodeDiffs(b *testing.B) {
	for _, bm := range []struct {
		name  string
		reply []byte
	}{
		{"hunks", append([]byte("--- a/x\n+++ b/x\n"), benchReply(oneHunk)...)},
		{"patch", append(append([]byte("*** Begin Patch\n*** Update File: x\n"), benchReply(onePart)...), "*** End Patch\n"...)},
		{"json", benchReply(oneEdit)},
		{"one json", []byte(`{"path": "x", "content": "` + string(benchReply(`func line(of, a, program) (int, error) {\n`)) + "\"}\n")},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.reply)))
			b.ReportAllocs()
			for b.Loop() {
				searchreplace.Decode(bm.reply, searchreplace.DecodeOptions{})
			}
		})
	}
}
