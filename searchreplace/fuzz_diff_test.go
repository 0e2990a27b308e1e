package searchreplace_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
)

// fuzzFormat reads any text as one format.
func fuzzFormat(f *testing.F, topic string, format searchreplace.Format) {
	for _, c := range decodeCases(f) {
		if strings.HasPrefix(c.file, topic) {
			f.Add([]byte(c.reply), len(c.reply)/2, len(c.reply)/3)
		}
	}
	f.Fuzz(func(t *testing.T, reply []byte, cut, other int) {
		requireSound(t, searchreplace.DecodeOptions{Format: format}, string(reply), cut, other)
	})
}

func FuzzUnified(f *testing.F) { fuzzFormat(f, "udiff", searchreplace.FormatUnified) }

func FuzzPatch(f *testing.F) { fuzzFormat(f, "patch", searchreplace.FormatPatch) }

func FuzzJSON(f *testing.F) { fuzzFormat(f, "json", searchreplace.FormatCall) }

// FuzzDiffLines reads lines of diffs and patches in any order: each byte picks one,
// and what stands before it.
func FuzzDiffLines(f *testing.F) {
	lines := append([]string{
		"--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "@@", "@@ -1 +1 @@ f", "diff --git a/x b/y", "rename from x", "rename to y", "new file mode 100644",
		"--- /dev/null", "+++ /dev/null", "*** Begin Patch", "*** Add File: x", "*** Update File: x", "```diff", "```",
	}, diffPieces...)
	for i := range lines {
		f.Add([]byte{0, 1, byte(i), byte(i + 40), byte(i + 80)}, i*5)
	}
	f.Fuzz(func(t *testing.T, picks []byte, cut int) {
		var s strings.Builder
		for _, p := range picks {
			s.WriteString([]string{"", "-", "+", " ", ""}[int(p)/len(lines)%5])
			s.WriteString(lines[int(p)%len(lines)] + "\n")
		}
		requireSound(t, searchreplace.DecodeOptions{}, s.String(), cut, cut/2)
	})
}

// FuzzPrintDiff prints any text in the dialects that can hold it.
func FuzzPrintDiff(f *testing.F) {
	for _, p := range diffPieces {
		f.Add("a.go", p+"\n", "x\n"+p+"\n", 0, "")
	}
	f.Fuzz(func(t *testing.T, path, search, replace string, line int, context string) {
		b := &searchreplace.Block{Path: path, Search: search, Replace: replace, Line: line}
		if context != "" {
			b.Context = []string{context}
		}
		for _, dialect := range []searchreplace.Dialect{searchreplace.Unified, searchreplace.Patch, searchreplace.Call} {
			b.Substring = dialect == searchreplace.Call
			if printed, err := searchreplace.Print(b, dialect); err == nil {
				requireSame(t, b, printed)
			}
		}
	})
}
