//go:build unix

package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pairTree makes files by several names:
//
//	b, d/x      files
//	a           an empty directory
//	l, dl       links to b and d
//	h1, h2      one file
func pairTree(t *testing.T) (dir string, bases *strings.Replacer) {
	dir = tempTree(t, map[string]string{"b": "b\n", "d/x": "x\n", "h1": "h\n"})
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a"), 0o777))
	require.NoError(t, os.Symlink("b", filepath.Join(dir, "l")))
	require.NoError(t, os.Symlink("d", filepath.Join(dir, "dl")))
	require.NoError(t, os.Link(filepath.Join(dir, "h1"), filepath.Join(dir, "h2")))
	return dir, strings.NewReplacer("«b»", tagText("b\n"), "«x»", tagText("x\n"), "$", dir)
}

// What two entries of one request cannot both be is refused before anything is
// made, by a dry run as well, in whatever order they stand, and both are named.
func TestTwoThatCannotGoTogetherAreNamedBoth(t *testing.T) {
	entry := func(path, edit string) string { return `{"path":"` + path + `","edits":[` + edit + `]}` }
	create := func(path string) string { return entry(path, `{"op":"create","content":"new\n"}`) }
	write := func(path string) string { return entry(path, `{"op":"write","blind":true,"content":"new\n"}`) }
	insert := func(path string) string {
		return entry(path, `{"op":"insert_after","anchor":"EOF","content":"more"}`)
	}
	rename := func(path, to string) string { return entry(path, `{"op":"rename","to_path":"`+to+`"}`) }
	remove := func(path, base string) string {
		return `{"path":"` + path + `","base":"` + base + `","edits":[{"op":"remove"}]}`
	}
	for name, test := range map[string]struct {
		code    Code
		names   []string // in the message
		entries []string
	}{
		"a file and one below it":               {EditsOverlap, []string{"new/dir", "new/dir/f.txt"}, []string{create("new/dir"), create("new/dir/f.txt")}},
		"a file and one far below it":           {EditsOverlap, []string{"new", "new/dir/f.txt"}, []string{create("new"), write("new/dir/f.txt")}},
		"a rename to a file and one below it":   {EditsOverlap, []string{"new", "new/f.txt"}, []string{rename("b", "new"), create("new/f.txt")}},
		"the last of a directory, and its name": {EditsOverlap, []string{"d/x", "makes d"}, []string{remove("d/x", "«x»"), create("d")}},
		"a file, and its directory written":     {EditsOverlap, []string{"d/x", "writes d"}, []string{insert("d/x"), write("d")}},
		"a rename out, and its name":            {EditsOverlap, []string{"d/x", "makes d"}, []string{rename("d/x", "y"), create("d")}},
		"through a link to the directory":       {EditsOverlap, []string{"dl/x", "makes d"}, []string{remove("dl/x", "«x»"), create("d")}},
		"a rename to its own directory":         {InvalidInput, []string{"d/x", "to_path d "}, []string{rename("d/x", "d")}},
		"a rename to below itself":              {InvalidInput, []string{"b/c", " b,"}, []string{rename("b", "b/c")}},
		"a rename to far below itself":          {InvalidInput, []string{"l/c/../d", " b,"}, []string{rename("b", "l/c/../d")}},
		"removed, and one below it":             {EditsOverlap, []string{"b/c", " b,"}, []string{remove("b", "«b»"), create("b/c")}},
		"changed, and one below it":             {EditsOverlap, []string{"b/c", " b,"}, []string{insert("b"), create("b/c")}},
		"changed, and a rename to below it":     {EditsOverlap, []string{"b/c", " b,"}, []string{insert("b"), rename("d/x", "b/c")}},
		"dots in one path, written":             {EditsOverlap, []string{"a/../b", "writes b"}, []string{write("a/../b"), write("b")}},
		"dots in one path, made":                {EditsOverlap, []string{"a/../n", "makes ./n, the same file"}, []string{create("a/../n"), create("./n")}},
		"dots in one path, removed and changed": {EditsOverlap, []string{"a/../b", "removes b"}, []string{remove("b", "«b»"), insert("a/../b")}},
		"an absolute path":                      {EditsOverlap, []string{"$/b", "writes b"}, []string{write("$/b"), write("b")}},
		"a link and what it leads to, written":  {EditsOverlap, []string{"edits[0] of l", "edits[0] of b", "the same file"}, []string{write("l"), write("b")}},
		"a link and what it leads to, removed":  {EditsOverlap, []string{"edits[0] of l", "removes b", "edits[0] of b"}, []string{insert("l"), remove("b", "«b»")}},
		"a link to a directory, made":           {EditsOverlap, []string{"dl/n", "d/n"}, []string{create("dl/n"), create("d/n")}},
		"a rename to a link":                    {FileExists, []string{"l exists"}, []string{rename("d/x", "l")}},
		"two renames to one path":               {EditsOverlap, []string{"renames b to n", "renames d/x to "}, []string{rename("b", "n"), rename("d/x", "./n")}},
		"two renames of one file":               {EditsOverlap, []string{"renames b to n", "to m"}, []string{rename("b", "n"), rename("a/../b", "m")}},
		"the link is to be removed":             {NotRegular, []string{"l is a symbolic link to b"}, []string{remove("l", "«b»")}},
		"the link is to be renamed":             {NotRegular, []string{"l is a symbolic link to b"}, []string{rename("l", "n")}},
		"the same path twice, made":             {EditsOverlap, []string{"files[0].edits[0] makes n", "files[1].edits[0] makes n"}, []string{create("n"), create("n")}},
	} {
		for _, turned := range []bool{false, true} {
			if turned && len(test.entries) == 1 {
				continue
			}
			t.Run(name, func(t *testing.T) {
				dir, bases := pairTree(t)
				entries := test.entries
				if turned {
					entries = []string{entries[1], entries[0]}
				}
				before := tree(t, dir)
				for _, opt := range []Options{{DryRun: true}, quick} {
					a := ask(t, dir, "", bases.Replace(`{"files":[`+strings.Join(entries, ",")+`]}`), opt)
					require.Equal(t, []Code{test.code}, codes(a), textOf(a))
					if !turned {
						for _, name := range test.names {
							require.Contains(t, a.Failures[0].Message, bases.Replace(name))
						}
					}
					requireNoSuccess(t, textOf(a))
					require.Equal(t, before, tree(t, dir))
				}
			})
		}
	}
}

// One file with two names is refused by each. To part them takes two requests.
func TestTwoHardLinksInOneRequestAreRefused(t *testing.T) {
	dir, _ := pairTree(t)
	request := `{"files":[
		{"path":"h1","edits":[{"op":"insert_after","anchor":"EOF","content":"1"}]},
		{"path":"h2","edits":[{"op":"insert_after","anchor":"EOF","content":"2"}]}]}`
	a := ask(t, dir, "", request, quick)
	require.Equal(t, []Code{HardLinked, HardLinked}, codes(a), textOf(a))
	require.Equal(t, "h1", a.Failures[0].File)
	require.Equal(t, "h2", a.Failures[1].File)
	opt := quick
	opt.BreakHardlinks = true
	a = ask(t, dir, "", request, opt)
	require.Equal(t, []Code{EditsOverlap}, codes(a), textOf(a))
	require.Contains(t, a.Failures[0].Message, "h1 and h2 are two names of one file")
	// One after the other, as it says.
	for _, name := range []string{"h1", "h2"} {
		a = ask(t, dir, "", `{"path":"`+name+`","edits":[{"op":"insert_after","anchor":"EOF","content":"`+name+`"}]}`, opt)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Equal(t, "h\n"+name+"\n", readFile(t, filepath.Join(dir, name)))
	}
}

// What the system resolves is a link no less.
func TestALinkThatIsAFILEArgumentIsNotRemovedNorRenamed(t *testing.T) {
	for _, edit := range []string{`{"op":"remove"}`, `{"op":"rename","to_path":"$/n"}`} {
		dir, names := pairTree(t)
		name := filepath.Join(dir, "l")
		ws, err := OpenFile(name)
		require.NoError(t, err)
		a := askIn(ws, name, `{"base":"`+tagText("b\n")+`","edits":[`+names.Replace(edit)+`]}`, quick)
		ws.Close()
		require.Equal(t, []Code{NotRegular}, codes(a), textOf(a))
		require.Equal(t, "b\n", readFile(t, filepath.Join(dir, "b")))
	}
}

// Edits that could stand in one entry may stand in two, whatever they call the file.
func TestEditsOfOneFileByTwoNamesAreMadeTogether(t *testing.T) {
	for _, name := range []string{"b", "./b", "a/../b", "l", "$/b", "dl/../b"} {
		dir, bases := pairTree(t)
		a := ask(t, dir, "", bases.Replace(`{"files":[
			{"path":"b","edits":[{"op":"insert_before","anchor":"0:","content":"top"}]},
			{"path":"`+name+`","edits":[{"op":"insert_after","anchor":"EOF","content":"end"}]}]}`), quick)
		require.Equal(t, Applied, a.Status, textOf(a))
		require.Len(t, a.Files, 1)
		require.Equal(t, "top\nb\nend\n", readFile(t, filepath.Join(dir, "b")))
	}
}
