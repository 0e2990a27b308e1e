package apply

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

func TestAnchorsAndSearchesGoInOneRequest(t *testing.T) {
	const src = "one\ntwo\nthree\nfour\n"
	for _, c := range []struct{ name, edits, want string }{
		{"side by side", `{"op":"search_replace","search":"two","replace":"2"},{"op":"delete","anchor":"4:"}`, "one\n2\nthree\n"},
		{"touching", `{"op":"search_replace","search":"two\n","replace":"2\n"},{"op":"replace","anchor":"1:","content":"1"},{"op":"replace","anchor":"3:","content":"3"}`, "1\n2\n3\nfour\n"},
		{"an insert beside a search", `{"op":"insert_after","anchor":"2:","content":"new"},{"op":"search_replace","search":"two","replace":"2"}`, "one\n2\nnew\nthree\nfour\n"},
		{"a piece of a line, and lines to move", `{"op":"search_replace","search":"hre","replace":"HRE"},{"op":"move","anchor":"1:","to":"EOF"}`, "two\ntHREe\nfour\none\n"},
		{"all three kinds of search", `{"op":"search_replace","search":"one","replace":"1"},{"op":"search_replace","search":"e","replace":"E","anchor":"3:"},{"op":"search_replace","search":"our","replace":"OUR","expect":1}`, "1\ntwo\nthrEE\nfOUR\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, name := tempFile(t, src)
			seen := lookAll(t, dir, name)
			edits := c.edits
			for i := range seen.anchors {
				edits = strings.ReplaceAll(edits, quote(string(rune('1'+i))+":"), quote(seen.at(i+1)))
			}
			answer := ask(t, dir, name, "["+edits+"]", quick)
			require.Equal(t, Applied, answer.Status, textOf(answer))
			require.Equal(t, c.want, readFile(t, filepath.Join(dir, name)))
		})
	}
}

func TestAnchorsAndSearchesThatOverlapAreRefusedAndNamedBoth(t *testing.T) {
	const src = "one\ntwo\nthree\nfour\n"
	for _, c := range []struct{ name, edits string }{
		{"the same line", `{"op":"search_replace","search":"two","replace":"2"},{"op":"delete","anchor":"2:"}`},
		{"a range around it", `{"op":"search_replace","search":"three","replace":"3"},{"op":"replace","anchor":"2:","end_anchor":"4:","content":"x"}`},
		{"an insert inside of it", `{"op":"search_replace","search":"two\nthree\n","replace":"2\n3\n"},{"op":"insert_after","anchor":"2:","content":"x"}`},
		{"lines that move", `{"op":"search_replace","search":"two","replace":"2"},{"op":"move","anchor":"2:","to":"EOF"}`},
		{"a search with a range", `{"op":"search_replace","search":"two","replace":"2"},{"op":"search_replace","search":"t","replace":"T","anchor":"2:"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, name := tempFile(t, src)
			seen := lookAll(t, dir, name)
			edits := c.edits
			for i := range seen.anchors {
				edits = strings.ReplaceAll(edits, quote(string(rune('1'+i))+":"), quote(seen.at(i+1)))
			}
			answer := ask(t, dir, name, "["+edits+"]", quick)
			require.Equal(t, []Code{EditsOverlap}, codes(answer), textOf(answer))
			require.Contains(t, textOf(answer), "edits[0]")
			require.Contains(t, textOf(answer), "edits[1]")
			require.Equal(t, src, readFile(t, filepath.Join(dir, name)))
		})
	}
}

// Both kinds of failure of one request are told at once.
func TestAStaleAnchorAndASearchThatStandsNowhereAreBothReported(t *testing.T) {
	dir, name := tempFile(t, "one\ntwo\n")
	answer := ask(t, dir, name, `[{"op":"delete","anchor":"1:zz:zzzz"},{"op":"search_replace","search":"none of it","replace":"x"}]`, quick)
	require.Equal(t, []Code{AnchorStale, NoMatch}, codes(answer), textOf(answer))
	require.Equal(t, NotApplied, answer.Status)
}

func TestBlocksForSeveralFilesAreAppliedAllOrNone(t *testing.T) {
	old := map[string]string{"a.txt": "one\r\ntwo\r\n", "d/b.txt": "three\nfour", "c.txt": "five\n"}
	reply := func(last string) string {
		return "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n22\n>>>>>>> REPLACE\n\n" +
			"d/b.txt\n------- SEARCH\nfour\n=======\n4\n+++++++ REPLACE\n\n" +
			`{"path": "new/n.txt", "content": "new\n"}` + "\n\n" +
			"c.txt\n------- SEARCH\n" + last + "\n=======\n5\n+++++++ REPLACE\n"
	}
	dir := t.TempDir()
	makeFiles(t, dir, old)
	answer := send(t, dir, reply("six"), Options{})
	require.Equal(t, []Code{NoMatch}, codes(answer), textOf(answer))
	require.Equal(t, 3, *answer.Failures[0].Edit, "the block, counted over all files")
	require.Equal(t, old, files(t, dir))

	dry := send(t, dir, reply("five"), Options{DryRun: true})
	require.Equal(t, Applied, dry.Status)
	require.Equal(t, old, files(t, dir))

	answer = send(t, dir, reply("five"), Options{})
	require.Equal(t, Applied, answer.Status, textOf(answer))
	require.Equal(t, map[string]string{"a.txt": "one\r\n2\r\n22\r\n", "d/b.txt": "three\n4", "c.txt": "5\n", "new/n.txt": "new\n"}, files(t, dir), "each with its own line ends")
}

func TestAPatchAddsDeletesUpdatesAndMoves(t *testing.T) {
	const patch = "*** Begin Patch\n" +
		"*** Add File: new/n.txt\n+new\n+\n+text\n" +
		"*** Delete File: gone.txt\n" +
		"*** Update File: a.txt\n@@\n one\n-two\n+2\n" +
		"*** Update File: b.txt\n*** Move to: c/b.txt\n@@\n-three\n+3\n four\n" +
		"*** End Patch\n"
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{"gone.txt": "x\n", "a.txt": "one\ntwo\n", "b.txt": "three\nfour\n"})
	answer := send(t, dir, patch, Options{Blind: true})
	require.Equal(t, Applied, answer.Status, textOf(answer))
	require.Equal(t, map[string]string{"new/n.txt": "new\n\ntext\n", "a.txt": "one\n2\n", "c/b.txt": "3\nfour\n"}, files(t, dir))

	// One part that does not fit, and nothing is done.
	old := map[string]string{"gone.txt": "x\n", "a.txt": "one\nTWO\n", "b.txt": "three\nfour\n"}
	dir = t.TempDir()
	makeFiles(t, dir, old)
	answer = send(t, dir, patch, Options{Blind: true})
	require.Equal(t, []Code{NoMatch}, codes(answer), textOf(answer))
	require.Equal(t, old, files(t, dir))

	// A file to add that is there, one to delete that is not.
	makeFiles(t, dir, map[string]string{"a.txt": "one\ntwo\n", "new/n.txt": "old\n"})
	answer = send(t, dir, patch, Options{Blind: true})
	require.Equal(t, []Code{FileExists}, codes(answer), textOf(answer))
	answer = send(t, t.TempDir(), "*** Begin Patch\n*** Delete File: gone.txt\n*** End Patch\n", Options{})
	require.Equal(t, []Code{FileNotFound}, codes(answer), textOf(answer))
}

// A block that gives or removes a whole file names no base, and nobody can know
// whether the model has seen what it gives up.
func TestNoTextIsGivenUpThatTheReplyDoesNotShow(t *testing.T) {
	old := map[string]string{"a.txt": "one\n", "empty.txt": ""}
	for name, c := range map[string]struct {
		reply string
		code  Code // without Options.Blind; "" if it is applied
		want  map[string]string
	}{
		"a call writes":          {"<write_to_file>\n<path>a.txt</path>\n<content>\nnew\n</content>\n</write_to_file>\n", BaseRequired, map[string]string{"a.txt": "new\n", "empty.txt": ""}},
		"JSON writes":            {`{"path": "a.txt", "content": "new\n"}` + "\n", BaseRequired, map[string]string{"a.txt": "new\n", "empty.txt": ""}},
		"a patch deletes":        {"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n", BaseRequired, map[string]string{"empty.txt": ""}},
		"a diff that shows it":   {"--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", "", map[string]string{"empty.txt": ""}},
		"a diff of another text": {"--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n", NoMatch, nil},
		"the same text":          {`{"path": "a.txt", "content": "one\n"}` + "\n", "", old},
		"over an empty file":     {`{"path": "empty.txt", "content": "new\n"}` + "\n", "", map[string]string{"a.txt": "one\n", "empty.txt": "new\n"}},
		"of an empty file":       {"*** Begin Patch\n*** Delete File: empty.txt\n*** End Patch\n", "", map[string]string{"a.txt": "one\n"}},
		"a new file":             {`{"path": "b.txt", "content": "new\n"}` + "\n", "", map[string]string{"a.txt": "one\n", "empty.txt": "", "b.txt": "new\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			makeFiles(t, dir, old)
			answer := send(t, dir, c.reply, Options{})
			if c.code != "" {
				require.Equal(t, []Code{c.code}, codes(answer), textOf(answer))
				require.Equal(t, old, files(t, dir))
				answer = send(t, dir, c.reply, Options{Blind: true})
			}
			if c.want == nil {
				require.Equal(t, []Code{c.code}, codes(answer), textOf(answer))
				return
			}
			require.Zero(t, answer.Status.Exit(), textOf(answer))
			require.Equal(t, c.want, files(t, dir))
			require.Equal(t, c.code != "", strings.Contains(textOf(answer), "unseen: "), "it is told: %s", textOf(answer))
		})
	}
}

// A reply that was cut off does nothing: wherever in a block that is.
func TestACutOffReplyNeverApplies(t *testing.T) {
	old := map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "four\n"}
	replies := map[string]string{
		"cline":   "Yes.\n\na.txt\n------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE\n\nb.txt\n------- SEARCH\nfour\n=======\n4\n+++++++ REPLACE\n",
		"git":     "a.txt\n```\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n```\n\nb.txt\n```\n<<<<<<< SEARCH\nfour\n=======\n4\n>>>>>>> REPLACE\n```\n",
		"xml":     "<replace_in_file>\n<path>a.txt</path>\n<diff>\n------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n<write_to_file>\n<path>b.txt</path>\n<content>\n4\n</content>\n</write_to_file>\n",
		"json":    `{"path": "a.txt", "old_string": "two", "new_string": "2"}` + "\n" + `{"path": "b.txt", "old_string": "four", "new_string": "4"}` + "\n",
		"unified": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-four\n+4\n",
		"patch":   "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** Update File: b.txt\n@@\n-four\n+4\n*** End Patch\n",
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			makeFiles(t, dir, old)
			whole := searchreplace.Decode([]byte(reply), searchreplace.DecodeOptions{})
			require.Len(t, whole.Blocks, 2)
			ends := func(line int) int { // where a line of the reply ends
				return len(strings.TrimSuffix(strings.Join(strings.SplitAfter(reply, "\n")[:line], ""), "\n"))
			}
			for cut := range len(reply) {
				answer := send(t, dir, reply[:cut], Options{DryRun: true, Blind: true})
				if cut < ends(whole.Blocks[0].Last) {
					require.NotEqual(t, Applied, answer.Status, "%q", reply[:cut])
				}
				second := ends(whole.Blocks[1].First)
				if name == "xml" {
					second += len("\n<path>")
				}
				if cut > second && cut < ends(whole.Blocks[1].Last) {
					require.NotEqual(t, Applied, answer.Status, "%q", reply[:cut])
				}
				if answer.Status == Applied && cut < ends(whole.Blocks[1].Last) {
					require.Len(t, answer.Files, 1, "%q", reply[:cut])
				}
			}
			require.Equal(t, old, files(t, dir))
			require.Equal(t, Applied, send(t, dir, reply, Options{Blind: true}).Status)
			require.Equal(t, map[string]string{"a.txt": "one\n2\nthree\n", "b.txt": "4\n"}, files(t, dir))
		})
	}
}
