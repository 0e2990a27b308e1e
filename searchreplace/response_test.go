package searchreplace_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

var tools = []searchreplace.Tool{
	{Name: "read_file", Params: []string{"path"}},
	{Name: "write_to_file", Params: []string{"path", "content"}},
	{Name: "replace_in_file", Params: []string{"path", "diff"}},
	{Name: "execute", Params: []string{"command", "timeout"}},
}

// showParts prints parts on a line each.
func showParts(parts []searchreplace.Part) string {
	var s strings.Builder
	for _, p := range parts {
		if p.Call == nil {
			fmt.Fprintf(&s, "%q\n", p.Text)
			continue
		}
		fmt.Fprintf(&s, "%s %d-%d", p.Call.Name, p.Call.First, p.Call.Last)
		for _, v := range p.Call.Params {
			fmt.Fprintf(&s, " %s=%q", v.Name, v.Value)
			if v.Partial {
				s.WriteString("…")
			}
		}
		if p.Call.Partial {
			s.WriteString(" partial")
		}
		s.WriteString("\n")
	}
	return s.String()
}

var responses = []struct{ name, response, want string }{
	{"text alone", "hello\nyou\n", "\"hello\\nyou\\n\"\n"},
	{"nothing", "", ""},
	{"text, calls and text", "First.\n<read_file>\n<path>a.go</path>\n</read_file>\nThen:\n<execute><command>ls &lt; x</command></execute> Done.",
		"\"First.\\n\"\nread_file 2-4 path=\"a.go\"\n\"Then:\\n\"\nexecute 6-6 command=\"ls &lt; x\"\n\" Done.\"\n"},
	{"a tool that is spoken of", "I use <read_file> or `<execute>`.\n", "\"I use <read_file> or `<execute>`.\\n\"\n"},
	{"calls in a thought", "<thinking>\n<execute>\n<command>ls</command>\n</execute>\n</thinking>\n<execute>\n<command>ps</command>\n</execute>\n",
		"\"<thinking>\\n<execute>\\n<command>ls</command>\\n</execute>\\n</thinking>\\n\"\nexecute 6-8 command=\"ps\"\n"},
	{"a thought that does not end", "<think>\n<execute>\n<command>ls</command>\n</execute>\n", "\"<think>\\n<execute>\\n<command>ls</command>\\n</execute>\\n\"\n"},
	{"a tool that is not known", "<other>\n<path>x</path>\n</other>\n", "\"<other>\\n<path>x</path>\\n</other>\\n\"\n"},
	{"a call cut off within a parameter", "ok\n<write_to_file>\n<path>a</path>\n<content>\none\ntwo",
		"\"ok\\n\"\nwrite_to_file 2-6 path=\"a\" content=\"one\\ntwo\"… partial\n"},
	{"a call cut off between parameters", "<execute>\n<command>ls</command>\n", "execute 1-2 command=\"ls\" partial\n"},
	{"tags in a parameter", "<write_to_file>\n<path>a.xml</path>\n<content>\n<content>x</content>\n<path>\n</content>\n</write_to_file>\n",
		"write_to_file 1-7 path=\"a.xml\" content=\"<content>x</content>\\n<path>\\n\"\n"},
	{"blocks in a parameter", "<replace_in_file>\n<path>a</path>\n<diff>\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n",
		"replace_in_file 1-10 path=\"a\" diff=\"------- SEARCH\\na\\n=======\\nb\\n+++++++ REPLACE\"\n"},
	{"two calls without text", "<read_file><path>a</path></read_file><read_file><path>b</path></read_file>",
		"read_file 1-1 path=\"a\"\nread_file 1-1 path=\"b\"\n"},
	{"a call that another one cuts off", "<execute>\n<command>ls</command>\n<read_file>\n<path>b</path>\n</read_file>\n",
		"execute 1-2 command=\"ls\" partial\nread_file 3-5 path=\"b\"\n"},
	{"invoke and parameter", "<invoke name=\"execute\">\n<parameter name=\"command\">ls\n</parameter>\n<parameter name=\"timeout\">3</parameter>\n</invoke>\n",
		"execute 1-5 command=\"ls\" timeout=\"3\"\n"},
	{"CDATA", "<execute><command><![CDATA[a ]]> b]]></command></execute>", "execute 1-1 command=\"a ]]> b\"\n"},
	{"an empty parameter", "<execute><command></command></execute>", "execute 1-1 command=\"\"\n"},
	{"CRLF", "a\r\n<write_to_file>\r\n<path>a</path>\r\n<content>\r\none\r\ntwo\r\n</content>\r\n</write_to_file>\r\n",
		"\"a\\r\\n\"\nwrite_to_file 2-8 path=\"a\" content=\"one\\ntwo\\n\"\n"},
}

func TestAResponseIsTextAndCallsInOrder(t *testing.T) {
	for _, tt := range responses {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, showParts(searchreplace.ParseResponse([]byte(tt.response), tools)))
		})
	}
}

func TestAResponseIsTheSameHoweverItIsCut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, tt := range responses {
		for i := range len(tt.response) + 1 {
			p := searchreplace.NewResponseParser(tools)
			p.Feed([]byte(tt.response[:i]))
			p.Parts()
			p.Feed([]byte(tt.response[i:]))
			require.Equal(t, tt.want, showParts(p.Close()), tt.name)
		}
		for range 200 {
			p := searchreplace.NewResponseParser(tools)
			for rest := tt.response; rest != ""; {
				n := 1 + random.IntN(len(rest))
				p.Feed([]byte(rest[:n]))
				rest = rest[n:]
			}
			require.Equal(t, tt.want, showParts(p.Close()), tt.name)
		}
	}
}

func TestACallGrowsWhileItComes(t *testing.T) {
	p := searchreplace.NewResponseParser(tools)
	for _, step := range []struct{ piece, want string }{
		{"Now ", ""},
		{"I write.\n<write_to_file>", "\"Now I write.\\n\"\n"},
		{"\n<path>a</path>\n", "\"Now I write.\\n\"\nwrite_to_file 2-3 path=\"a\" partial\n"},
		{"<content>\none\ntw", "\"Now I write.\\n\"\nwrite_to_file 2-5 path=\"a\" content=\"one\\n\"… partial\n"},
		{"o\n</content>\n</write_to_file>\n", "\"Now I write.\\n\"\nwrite_to_file 2-8 path=\"a\" content=\"one\\ntwo\\n\"\n"},
	} {
		p.Feed([]byte(step.piece))
		require.Equal(t, step.want, showParts(p.Parts()))
	}
}

func FuzzParseResponse(f *testing.F) {
	for _, tt := range responses {
		f.Add([]byte(tt.response), len(tt.response)/2)
	}
	f.Fuzz(func(t *testing.T, response []byte, cut int) {
		want := showParts(searchreplace.ParseResponse(response, tools))
		p := searchreplace.NewResponseParser(tools)
		if cut > 0 && cut < len(response) {
			p.Feed(response[:cut])
			p.Parts()
			response = response[cut:]
		}
		p.Feed(response)
		require.Equal(t, want, showParts(p.Close()))
	})
}
