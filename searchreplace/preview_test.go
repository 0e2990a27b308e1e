package searchreplace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

// follow returns the events of a piece, one a line.
func follow(events []searchreplace.Event) string {
	var s strings.Builder
	for _, e := range events {
		switch e.Kind {
		case searchreplace.Prose:
			fmt.Fprintf(&s, "prose %q\n", e.Text)
		case searchreplace.Begun:
			fmt.Fprintf(&s, "begun %s\n", e.Block.Path)
		case searchreplace.SearchDone:
			fmt.Fprintf(&s, "search %q\n", e.Block.Search)
		case searchreplace.Line:
			fmt.Fprintf(&s, "line %q\n", e.Text)
		case searchreplace.Completed:
			fmt.Fprintf(&s, "completed %q\n", e.Block.Replace)
		case searchreplace.Failed:
			fmt.Fprintf(&s, "failed %s\n", e.Problem.Code)
		}
	}
	return s.String()
}

type step struct{ piece, want string }

func TestABlockIsShownWhileItComes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step
		end   string
	}{
		{"between markers", []step{
			{"Hello.\nmain.go\n", "prose \"Hello.\\n\"\n"},
			{"------- SEARCH\n", "begun main.go\n"},
			{"a\n====", ""},
			{"===\nb", "search \"a\\n\"\n"},
			{"\nc\n", "line \"b\\n\"\nline \"c\\n\"\n"},
			{"+++++++ REPLACE\n", "completed \"b\\nc\\n\"\n"},
			{"bye", ""},
		}, "prose \"bye\"\n"},
		{"in a call with a diff", []step{
			{"<replace_in_file>\n<path>a.go</path>\n<diff>\n", ""},
			{"------- SEARCH\na\n=======\n", "begun a.go\nsearch \"a\\n\"\n"},
			{"b\n+++++++ REPLACE\n", "line \"b\\n\"\ncompleted \"b\\n\"\n"},
			{"</diff>\n</replace_in_file>\n", ""},
		}, ""},
		{"in a call with a whole file", []step{
			{"<write_to_file>\n<path>a.go</path>\n", ""},
			{"<content>", ""},
			{"\none\n", "begun a.go\nsearch \"\"\n"},
			{"two\n", "line \"one\\n\"\n"},
			{"</content>\n", ""},
			{"</write_to_file>\n", "line \"two\\n\"\ncompleted \"one\\ntwo\\n\"\n"},
		}, ""},
		{"in a call with new_string", []step{
			{"<str_replace>\n<path>a.go</path>\n<old_string>\nx\n</old_string>\n", ""},
			{"<new_string>\n", "begun a.go\nsearch \"x\"\n"},
			{"one\ntwo\n", "line \"one\\n\"\n"},
			{"</new_string>\n</str_replace>\n", "line \"two\"\ncompleted \"one\\ntwo\"\n"},
		}, ""},
		{"cut off", []step{
			{"------- SEARCH\na\n=======\nb\n", "begun \nsearch \"a\\n\"\nline \"b\\n\"\n"},
		}, "failed invalid_input\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := searchreplace.NewDecoder(searchreplace.DecodeOptions{})
			for _, s := range tt.steps {
				require.Equal(t, s.want, follow(d.Feed([]byte(s.piece))), s.piece)
			}
			require.Equal(t, tt.end, follow(d.Close()))
			require.Empty(t, d.Close())
		})
	}
}

func TestFeedingAfterTheEndPanics(t *testing.T) {
	d := searchreplace.NewDecoder(searchreplace.DecodeOptions{})
	d.Close()
	require.Panics(t, func() { d.Feed([]byte("x")) })
}

func TestFormatsHaveNames(t *testing.T) {
	for f := searchreplace.Auto; f <= searchreplace.FormatPatch; f++ {
		got, err := searchreplace.ParseFormat(f.String())
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	_, err := searchreplace.ParseFormat("xml")
	require.EqualError(t, err, `unknown format "xml"; use auto, cline, git, call, unified or patch`)
}
