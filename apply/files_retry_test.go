package apply

import (
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// Lines were added at the top of both files since the caller read them.
func movedFiles(t *testing.T) (dir, request string) {
	dir = tempTree(t, map[string]string{"a.txt": numbered(20), "b.txt": "alpha\nbeta\ngamma\ndelta\n"})
	a, b := lookAll(t, dir, "a.txt"), lookAll(t, dir, "b.txt")
	request = `{"files":[
		{"path":"a.txt","base":"` + a.base + `","edits":[{"op":"move","anchor":"` + a.at(3) + `","end_anchor":"` + a.at(4) + `","to":"` + b.at(2) + `","to_path":"b.txt"}]},
		{"path":"b.txt","edits":[{"op":"replace","anchor":"` + b.at(4) + `→delta","content":"DELTA"}]}]}`
	writeFile(t, filepath.Join(dir, "a.txt"), "new\n"+numbered(20))
	writeFile(t, filepath.Join(dir, "b.txt"), "new\nnew\nalpha\nbeta\ngamma\ndelta\n")
	return dir, request
}

func TestARetryHasTheFreshAnchorsOfEveryFile(t *testing.T) {
	dir, request := movedFiles(t)
	before := contents(t, dir)
	a := ask(t, dir, "", request, quick)
	require.Equal(t, NotApplied, a.Status, textOf(a))
	require.Equal(t, before, contents(t, dir))
	require.Len(t, a.Failures, 4)
	require.Len(t, a.Moves, 4)
	for i, want := range []Move{
		{File: "a.txt", Edit: 0, Field: "anchor"}, {File: "a.txt", Edit: 0, Field: "end_anchor"},
		{File: "a.txt", Edit: 0, Field: "to"}, {File: "b.txt", Edit: 0, Field: "anchor"},
	} {
		got := a.Moves[i]
		got.From, got.To = "", ""
		require.Equal(t, want, got)
	}
	require.Contains(t, textOf(a), "\na.txt edits[0] to: ")
	retry, err := json.Marshal(a.Retry)
	require.NoError(t, err)
	require.Contains(t, string(retry), "→delta")
	require.NotContains(t, string(retry), "base")
	a = ask(t, dir, "", string(retry), quick)
	require.Equal(t, Applied, a.Status, textOf(a))
	require.Equal(t, "new\nnew\nalpha\nbeta\nline 3\nline 4\ngamma\nDELTA\n", contents(t, dir)["b.txt"])
	require.NotContains(t, contents(t, dir)["a.txt"], "line 3\n")
}

func TestRelocateFollowsTheLinesOfEveryFile(t *testing.T) {
	dir, request := movedFiles(t)
	opt := quick
	opt.Relocate = true
	a := ask(t, dir, "", request, opt)
	require.Equal(t, Applied, a.Status, textOf(a))
	require.Len(t, a.Moves, 4)
	require.Equal(t, "new\nnew\nalpha\nbeta\nline 3\nline 4\ngamma\nDELTA\n", contents(t, dir)["b.txt"])
}

func TestARetryIsNotOfferedIfAnyFileHasAnotherFailure(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"a line is gone":  func(t *testing.T, dir string) { writeFile(t, filepath.Join(dir, "b.txt"), "beta\nalpha\n") },
		"a file is empty": func(t *testing.T, dir string) { writeFile(t, filepath.Join(dir, "a.txt"), "") },
	} {
		t.Run(name, func(t *testing.T) {
			dir, request := movedFiles(t)
			spoil(t, dir)
			a := ask(t, dir, "", request, quick)
			require.Equal(t, NotApplied, a.Status, textOf(a))
			require.Nil(t, a.Retry)
		})
	}
}
