package apply

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// retryOf returns the retry of a JSON answer as it stands in its text, or "".
func retryOf(t require.TestingT, a *Answer) string {
	b, err := json.Marshal(a)
	require.NoError(t, err)
	for _, m := range members(jsontext.Value(b)) {
		if m.name == "retry" {
			return string(m.value)
		}
	}
	return ""
}

func TestARetryDoesWhatTheRequestWouldHaveDone(t *testing.T) {
	content := hashline.Content
	above := "new 1\nnew 2\nnew 3\n"
	long := strings.Repeat("long ", 1000)
	for name, test := range map[string]struct {
		old, edits string // edits of the old file; «n» are its anchors
		scheme     hashline.Scheme
		encoding   string
		add        string // what somebody put above
		opt        Options
	}{
		"a replaced line":          {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":"x"}`},
		"a deleted range":          {old: numbered(40), edits: `{"op":"delete","anchor":"«18»","end_anchor":"«22»"}`},
		"an insert after":          {old: numbered(40), edits: `{"op":"insert_after","anchor":"«20»","content":["x",""]}`},
		"an insert before":         {old: numbered(40), edits: `{"op":"insert_before","anchor":"«20»","content":""}`},
		"content null":             {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":null}`},
		"content of no lines":      {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":[]}`},
		"content of blank lines":   {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":"\n\n"}`},
		"content of odd text":      {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":"\"\\\u2028<>&\r\n\ttab\u0001"}`},
		"a search in lines":        {old: numbered(40), edits: `{"op":"search_replace","anchor":"«18»","end_anchor":"«22»","search":"line 2","replace":"","expect":3}`},
		"several edits":            {old: numbered(100), edits: `{"op":"replace","anchor":"«90»","content":"x"},{"op":"delete","anchor":"«3»"},{"op":"insert_after","anchor":"EOF","content":"end"},{"op":"insert_before","anchor":"0:","content":"top"}`},
		"an edit that is not lost": {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":"x"},{"op":"search_replace","expect":1,"search":"line 7\n","replace":""}`},
		"anchors with their text":  {old: numbered(40), edits: `{"op":"replace","anchor":"«20»→line 20","content":"x"}`},
		"seal":                     {old: numbered(40), scheme: hashline.Seal, edits: `{"op":"replace","anchor":"«20»","content":"x"}`},
		"chain":                    {old: numbered(80), scheme: hashline.Chain, edits: `{"op":"replace","anchor":"«50»","content":"x"}`},
		"content anchors":          {old: numbered(40), scheme: content, opt: Options{Scheme: &content}, edits: `{"op":"replace","anchor":"«20»","content":"x"}`},
		"the last lines":           {old: strings.TrimSuffix(numbered(40), "\n"), edits: `{"op":"replace","anchor":"«40»","content":"x"}`},
		"a line of odd bytes":      {old: numbered(19) + "\xff\"\\\x01→\n" + numbered(20), edits: `{"op":"replace","anchor":"«20»","content":"x"}`},
		"a blank line":             {old: numbered(19) + "\n" + numbered(20), edits: `{"op":"delete","anchor":"«20»"}`},
		"a line that views cut":    {old: numbered(19) + long + "\n" + numbered(20), edits: `{"op":"delete","anchor":"«20»","whole":true}`},
		"a search in a cut line":   {old: numbered(19) + long + "\n" + numbered(20), edits: `{"op":"search_replace","anchor":"«20»","search":"long","replace":"short"}`},
		"CRLF":                     {old: strings.ReplaceAll(numbered(40), "\n", "\r\n"), edits: `{"op":"replace","anchor":"«20»","content":"x\ny"}`},
		"UTF-16":                   {old: utf16Of(numbered(40), false), edits: `{"op":"replace","anchor":"«20»","content":"é"}`},
		"a named encoding":         {old: numbered(19) + "\xc4\xe3\n" + numbered(20), encoding: "gbk", edits: `{"op":"replace","anchor":"«20»","content":"好"}`},
		"lines taken away":         {old: numbered(40), edits: `{"op":"replace","anchor":"«20»","content":"x"}`, add: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.old)
			s := look(t, dir, file, ReadOptions{Windows: allLines, Scheme: test.scheme, Encoding: test.encoding})
			edits := test.edits
			for i := len(s.anchors); i > 0; i-- {
				edits = strings.ReplaceAll(edits, fmt.Sprintf("«%d»", i), s.at(i))
			}
			encoding := ""
			if test.encoding != "" {
				encoding = `"encoding":"` + test.encoding + `",`
			}
			request := `{"path":"f.txt",` + encoding + `"base":"` + s.base + `","edits":[` + edits + `]}`
			opt := test.opt
			opt.NoSync = true
			// shift is what somebody did to the file meanwhile.
			shift := func(src string) string {
				switch {
				case test.add == "-":
					return strings.TrimPrefix(src, "line 1\n")
				case strings.HasPrefix(src, "\xff\xfe"):
					return utf16Of(above, false) + src[2:]
				}
				return above + src
			}
			require.Equal(t, Applied, ask(t, dir, "", request, opt).Status)
			want := readFile(t, filepath.Join(dir, file))
			if name == "several edits" {
				want = "top\n" + above + strings.TrimPrefix(want, "top\n")
			} else {
				want = shift(want)
			}

			shifted := shift(test.old)
			writeFile(t, filepath.Join(dir, file), shifted)
			before := tree(t, dir)
			a := ask(t, dir, "", request, opt)
			require.Equal(t, NotApplied, a.Status, textOf(a))
			require.Equal(t, before, tree(t, dir))
			require.NotEmpty(t, a.Moves)
			for _, f := range a.Failures {
				require.NotEmpty(t, f.ShiftedAnchor)
			}
			retry := retryOf(t, a)
			require.NotEmpty(t, retry, textOf(a))
			require.NotContains(t, retry, s.base, "a base that no longer fits is left out")
			require.Contains(t, textOf(a), " is now ")
			require.Empty(t, Decode([]byte(retry), "").Problems())
			again := ask(t, dir, "", retry, opt)
			require.Equal(t, Applied, again.Status, textOf(again))
			require.Equal(t, want, readFile(t, filepath.Join(dir, file)))
			require.Empty(t, again.Files[0].Base, "the caller has not seen the file as it is now")

			// --relocate does the same at once.
			writeFile(t, filepath.Join(dir, file), shifted)
			opt.Relocate = true
			at := ask(t, dir, "", request, opt)
			require.Equal(t, Applied, at.Status, textOf(at))
			require.Equal(t, want, readFile(t, filepath.Join(dir, file)))
			require.Equal(t, a.Moves, at.Moves)
			require.Contains(t, textOf(at), "warning relocated")
			require.Empty(t, at.Files[0].Base)
			require.Nil(t, at.Retry)
		})
	}
}

func TestThereIsNoRetryWhereTheMeaningIsNotCertain(t *testing.T) {
	chunk := numbered(16)
	for name, test := range map[string]struct {
		old, now, edits string
		codes           []Code
	}{
		"the line is gone":             {numbered(40), strings.Replace("x\n"+numbered(40), "line 20\n", "", 1), `{"op":"delete","anchor":"«20»"}`, []Code{AnchorStale}},
		"a neighbour changed":          {numbered(40), strings.Replace("x\n"+numbered(40), "line 21\n", "changed\n", 1), `{"op":"delete","anchor":"«20»"}`, []Code{AnchorStale}},
		"two places":                   {chunk, "x\n" + chunk + chunk, `{"op":"delete","anchor":"«5»"}`, []Code{AnchorAmbiguous}},
		"one moved, one is gone":       {numbered(80), strings.Replace("x\n"+numbered(80), "line 70\n", "", 1), `{"op":"delete","anchor":"«20»"},{"op":"delete","anchor":"«70»"}`, []Code{AnchorStale, AnchorStale}},
		"a range that grew":            {numbered(80), strings.Replace(numbered(80), "line 33\n", "line 33\nnew\n", 1), `{"op":"delete","anchor":"«20»","end_anchor":"«60»"}`, []Code{AnchorStale}},
		"a range that needed base":     {numbered(80), "x\n" + numbered(80), `{"op":"delete","anchor":"«5»","end_anchor":"«70»"}`, []Code{AnchorStale, AnchorStale}},
		"another failure beside":       {numbered(40), "x\n" + numbered(40), `{"op":"delete","anchor":"«20»"},{"op":"search_replace","expect":1,"search":"none","replace":""}`, []Code{AnchorStale, NoMatch}},
		"a malformed edit beside":      {numbered(40), "x\n" + numbered(40), `{"op":"delete","anchor":"«20»"},{"op":"insert_after","anchor":"EOF"}`, []Code{AnchorStale, InvalidInput}},
		"an edit of no op beside":      {numbered(40), "x\n" + numbered(40), `{"op":"delete","anchor":"«20»"},{}`, []Code{AnchorStale, InvalidInput}},
		"the new request overlaps":     {numbered(40), "x\n" + numbered(40), `{"op":"delete","anchor":"«20»"},{"op":"delete","anchor":"«20»"}`, []Code{AnchorStale, AnchorStale}},
		"a bare number beside":         {numbered(40), "x\n" + numbered(40), `{"op":"delete","anchor":"«20»"},{"op":"delete","anchor":3}`, []Code{AnchorStale, FileChanged}},
		"the file is empty now":        {numbered(40), "", `{"op":"delete","anchor":"«20»"}`, []Code{AnchorOutOfRange}},
		"a wrong text at a moved line": {numbered(40), "x\n" + numbered(40), `{"op":"delete","anchor":"«20»→line 21"}`, []Code{AnchorStale}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := tempFile(t, test.old)
			base := lookAll(t, dir, file).base
			request := `{"path":"f.txt","base":"` + base + `","edits":` + editsIn(t, dir, file, "["+test.edits+"]") + `}`
			writeFile(t, filepath.Join(dir, file), test.now)
			for _, relocate := range []bool{false, true} {
				opt := quick
				opt.Relocate = relocate
				a := ask(t, dir, "", request, opt)
				require.NotZero(t, a.Status.Exit())
				want := test.codes
				if relocate && want[len(want)-1] == InvalidInput {
					want = want[1:] // the other anchor could be followed
				}
				require.Equal(t, want, codes(a), textOf(a))
				require.Empty(t, retryOf(t, a))
				require.NotContains(t, textOf(a), "with the new anchors")
				requireNoSuccess(t, textOf(a))
				require.Equal(t, test.now, readFile(t, filepath.Join(dir, file)))
			}
		})
	}
}

func TestARetryKeepsWhatTheRequestSaid(t *testing.T) {
	dir, file := tempFile(t, numbered(40))
	edits := editsIn(t, dir, file, `[{"op":"search_replace","anchor":"«20»","search":"line","replace":"","expect":1},{"op":"delete","anchor":"«22»","whole":true}]`)
	writeFile(t, filepath.Join(dir, file), "x\n"+numbered(40))
	for _, name := range []string{"f.txt", "./f.txt", filepath.Join(dir, "f.txt")} {
		for _, form := range []string{`{"path":"%s","edits":%s}`, `{"files":[{"file_path":"%s","edits":%s}]}`} {
			a := ask(t, dir, "", fmt.Sprintf(form, name, edits), quick)
			retry := retryOf(t, a)
			require.NotEmpty(t, retry)
			req := Decode([]byte(retry), "")
			require.Empty(t, req.Problems())
			require.Equal(t, name, req.Files[0].Path)
			require.Equal(t, 1, *req.Files[0].Edits[0].Expect)
			require.Equal(t, "", *req.Files[0].Edits[0].Replace)
			require.True(t, req.Files[0].Edits[1].Whole)
			dry := quick
			dry.DryRun = true
			for _, only := range []string{"", name} {
				require.Equal(t, Applied, ask(t, dir, only, retry, dry).Status)
			}
		}
	}
}
