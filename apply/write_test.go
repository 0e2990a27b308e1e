package apply

import (
	"os"
	"path/filepath"
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
