package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An agent that lost the answer to a write sends it again.
func TestAWriteOfWhatTheFileIsAlreadyIsUnchangedWithoutABase(t *testing.T) {
	for _, request := range []string{
		`{"path":"f.txt","edits":[{"op":"write","content":"a\nb\n"}]}`,
		`{"path":"f.txt","edits":[{"op":"write","content":["a","b"]}]}`,
		`{"path":"f.txt","base":"0123456789abcdef","edits":[{"op":"write","content":"a\nb\n"}]}`,
	} {
		dir, file := tempFile(t, "a\nb\n")
		before, err := os.Stat(filepath.Join(dir, file))
		require.NoError(t, err)
		a := ask(t, dir, "", request, quick)
		require.Equal(t, Unchanged, a.Status, request)
		require.NotEmpty(t, a.Files[0].Base, "who sends all bytes knows them")
		after, err := os.Stat(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Equal(t, before.ModTime(), after.ModTime())
	}
	dir, _ := tempFile(t, "a\nb\n")
	a := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"write","content":"a\nb"}]}`, quick)
	require.Equal(t, Refused, a.Status)
}

func TestASearchThatWouldChangeTheFinalLineEndSaysThatItStays(t *testing.T) {
	for _, test := range []struct {
		file, search, replace, want string
		warned                      bool
	}{
		{"a\nb\n", "\\n", ";", "a;b;\n", true},
		{"b\n", "\\n", "", "b\n", true},
		{"a\nb", "b", "b\\n", "a\nb", true},
		{"a\nb\n", "b\\n", "x", "a\nx\n", true},
		{"a\nb\n", "b\\n", "x\\n", "a\nx\n", false},
		{"a\nb\n", "b\\n", "", "a\n", false},
		{"a\nb", "b", "", "a\n", false},
		{"b", "b", "", "", false},
		{"a\nb", "b", "x", "a\nx", false},
		{"b\na\n", "b", "b\\n", "b\n\na\n", false},
	} {
		dir, file := tempFile(t, test.file)
		n := strings.Count(test.file, strings.ReplaceAll(test.search, "\\n", "\n"))
		a := ask(t, dir, "", fmt.Sprintf(`{"path":"f.txt","edits":[{"op":"search_replace","search":"%s","replace":"%s","expect":%d}]}`, test.search, test.replace, n), quick)
		require.Zero(t, a.Status.Exit(), textOf(a))
		require.Equal(t, test.want, readFile(t, filepath.Join(dir, file)))
		warned := slices.ContainsFunc(a.Files[0].Warnings, func(w Warning) bool { return w.Code == "final_line_end" })
		require.Equal(t, test.warned, warned, "%+v", test)
	}
}
