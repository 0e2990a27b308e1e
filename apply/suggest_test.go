package apply

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatARefusalSuggestsDoesWhatWasMeant sends each suggestion of a refusal to a
// copy of the file that it is about.
func TestWhatARefusalSuggestsDoesWhatWasMeant(t *testing.T) {
	block := func(search, replace string) string {
		return "f.txt\n------- SEARCH\n" + search + "=======\n" + replace + "+++++++ REPLACE\n"
	}
	long := numbered(40)
	for _, c := range []struct {
		name, src, reply string
		code             Code
		want             []string // the file, after each suggestion
	}{
		{"the nearest line", "host = here\nport = 80\n", block("port = 443\n", "port = 8080\n"), NoMatch,
			[]string{"host = here\nport = 8080\n"}},
		{"the nearest lines, with more and with fewer", "a one\nb two\nc three\nd\n", block("a one\nb twO\nc three\n", "a\nb\nb2\nc\n"), NoMatch,
			[]string{"a\nb\nb2\nc\nd\n"}},
		{"nearest lines that are to go", "keep\nvalue = one\nother = two\n", block("value = ones\nother = two\n", ""), NoMatch,
			[]string{"keep\n"}},
		{"too little evidence for another depth", "func f() {\n\tif ok {\n\t\tx := one\n\t}\n}\n", block("x := one\n", "x := two\n"), NoMatch,
			[]string{"func f() {\n\tif ok {\n\t\tx := two\n\t}\n}\n"}},
		{"too little evidence, and more lines", "if ok:\n    if no:\n        run(one)\n        stop\n", block("run(one)\nstop\n", "if so:\n    run(two)\nstop\n"), NoMatch,
			[]string{"if ok:\n    if no:\n        if so:\n            run(two)\n        stop\n"}},
		{"each of several places", "a\nb\na\nb\na\n", block("a\n", "c\n"), MultipleMatches,
			[]string{"c\nb\na\nb\na\n", "a\nb\nc\nb\na\n", "a\nb\na\nb\nc\n"}},
		{"places at several depths", "x = 1\n  x = 1\n", block("    x = 1\n", "    x = 2\n"), MultipleMatches,
			[]string{"x = 2\n  x = 1\n", "x = 1\n  x = 2\n"}},
		{"places of a piece of text", "one two\ntwo three\n", `{"path": "f.txt", "old_string": "two", "new_string": "2"}` + "\n", MultipleMatches,
			[]string{"one 2\ntwo three\n", "one two\n2 three\n"}},
		{"line ends", "a\r\nb\r\na\r\n", block("a\n", "c\nd\n"), MultipleMatches,
			[]string{"c\r\nd\r\nb\r\na\r\n", "a\r\nb\r\nc\r\nd\r\n"}},
		{"the last line without an end", "a\nb\na", block("a\n", "c\n"), MultipleMatches,
			[]string{"c\nb\na", "a\nb\nc"}},
		{"an insert below a context line that stands twice", "f() {\n}\nf() {\n}\n", "*** Begin Patch\n*** Update File: f.txt\n@@ f() {\n+\tx\n*** End Patch\n", MultipleMatches,
			[]string{"f() {\n\tx\n}\nf() {\n}\n", "f() {\n}\nf() {\n\tx\n}\n"}},
		{"more places than are shown", strings.Repeat("a\nb\n", 7), block("a\n", "c\n"), MultipleMatches,
			[]string{"c\nb\n" + strings.Repeat("a\nb\n", 6), "a\nb\nc\nb\n" + strings.Repeat("a\nb\n", 5)}},
		{"lines of several chunks: none", long + long, block(long, "x\n"), MultipleMatches, nil},
		{"nearest lines at another depth: none", "if so:\n    return one\n", block("return ones\n", "return two\n"), NoMatch, nil},
		{"a piece of the nearest line: none", "value = f(one) + 1\n", `{"path": "f.txt", "old_string": "value = f(ones)", "new_string": "value = g(one)"}` + "\n", NoMatch, nil},
		{"all of the nearest line", "  value = f(one)\n", `{"path": "f.txt", "old_string": "  value = f(ones)", "new_string": "  value = g(one)"}` + "\n", NoMatch, []string{"  value = g(one)\n"}},
		{"nothing like it: none", "a\n", block("something else\n", "x\n"), NoMatch, nil},
		{"done already: none", "port = 8080\n", block("port = 80\n", "port = 8080\n"), NoMatch, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := tempFile(t, c.src)
			answer := send(t, dir, c.reply, Options{})
			require.Equal(t, []Code{c.code}, codes(answer), textOf(answer))
			require.Equal(t, c.src, readFile(t, filepath.Join(dir, "f.txt")))
			suggested := answer.Failures[0].Suggest
			if c.want == nil {
				require.Empty(t, suggested, textOf(answer))
				return
			}
			require.GreaterOrEqual(t, len(suggested), len(c.want), textOf(answer))
			for i, want := range c.want {
				copied, _ := tempFile(t, c.src)
				done := ask(t, copied, "", quote(suggested[i]), quick)
				require.Equal(t, Applied, done.Status, "%s\n%s", quote(suggested[i]), textOf(done))
				require.Equal(t, want, readFile(t, filepath.Join(copied, "f.txt")))
			}

			// The text has the first of them, as it is to be sent.
			_, request, ok := strings.Cut(textOf(answer), " hl edit: ")
			require.True(t, ok, textOf(answer))
			request, _, _ = strings.Cut(request, "\n")
			done := ask(t, dir, "", request, quick)
			require.Equal(t, Applied, done.Status, textOf(done))
			require.Equal(t, c.want[0], readFile(t, filepath.Join(dir, "f.txt")))
		})
	}
}

// A literal search that has no place is looked for as it would be without a range.
func TestALiteralSearchWithoutAPlaceSaysWhereItWouldBeFound(t *testing.T) {
	dir, name := tempFile(t, "func f() {\n\ttotal := sum(1)\n\ty := 2  \n}\n")
	answer := ask(t, dir, name, `[{"op":"search_replace","search":"\ttotal := sum(1)\n\ty := 2\n","replace":"\ttotal := sum(3)\n\ty := 2\n","expect":1}]`, quick)
	require.Equal(t, []Code{NoMatch}, codes(answer))
	require.Contains(t, textOf(answer), `without "anchor" and "expect" it would be found at line 2, by tier trailing`)
	require.Len(t, answer.Failures[0].Suggest, 1)
	done := ask(t, dir, "", quote(answer.Failures[0].Suggest[0]), quick)
	require.Equal(t, Applied, done.Status, textOf(done))
	require.Equal(t, "func f() {\n\ttotal := sum(3)\n\ty := 2  \n}\n", readFile(t, filepath.Join(dir, name)))

	answer = ask(t, dir, name, `[{"op":"search_replace","search":"\ttotal := sum(4)\n","replace":"\ttotal := sum(5)\n","expect":1}]`, quick)
	require.Contains(t, textOf(answer), "total := sum(3)", "the line most like it")
	require.Contains(t, textOf(answer), "line 2 has")
}

func TestManyStaleAnchorsNameTheWayWithoutAnchors(t *testing.T) {
	dir, name := tempFile(t, "one\ntwo\n")
	const way = "or without anchors: "
	answer := ask(t, dir, name, `[{"op":"delete","anchor":"1:zz:zzzz"},{"op":"delete","anchor":"2:zz:zzzz"}]`, quick)
	require.Contains(t, textOf(answer), way)
	answer = ask(t, dir, name, `[{"op":"delete","anchor":"1:zz:zzzz"}]`, quick)
	require.NotContains(t, textOf(answer), way)
}
