package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("u", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hl": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HL_FSYNC", "off")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// bytes FILE GOSTRING writes a file that txtar cannot hold.
			"bytes": func(ts *testscript.TestScript, neg bool, args []string) {
				s, err := strconv.Unquote(`"` + args[1] + `"`)
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(s), 0o666))
			},
			// isbytes FILE GOSTRING compares.
			"isbytes": func(ts *testscript.TestScript, neg bool, args []string) {
				s, err := strconv.Unquote(`"` + args[1] + `"`)
				ts.Check(err)
				b := ts.ReadFile(args[0])
				if (b == s) == neg {
					ts.Fatalf("%s is %q", args[0], b)
				}
			},
			// lines FILE N writes a file of N lines.
			"lines": func(ts *testscript.TestScript, neg bool, args []string) {
				n, err := strconv.Atoi(args[1])
				ts.Check(err)
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, "line %d\n", i+1)
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o666))
			},
			// exits CODE COMMAND... checks an exit status that is not 0.
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				got := "exit status 0"
				if err != nil {
					got = err.Error()
				}
				if got != "exit status "+args[0] {
					ts.Fatalf("%v, not %s", got, args[0])
				}
			},
		},
	})
}

// hl runs the program in the process.
func hl(stdin string, args ...string) (stdout, stderr string, exit int) {
	var out, errs bytes.Buffer
	exit = run(&cli.Env{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(name string) string {
		if name == "HL_FSYNC" {
			return "off"
		}
		return ""
	}})
	return out.String(), errs.String(), exit
}

func TestEveryExampleInThePromptDecodesAndApplies(t *testing.T) {
	out, _, exit := hl("", "prompt")
	require.Zero(t, exit)
	require.Less(t, len(strings.Split(out, "\n")), 40, "it is read with every task")
	for i, r := range out {
		require.True(t, r < 0x80 || r == '→', "%q at byte %d: models copy what they see", r, i)
	}
	var examples []string
	for line := range strings.Lines(out) {
		if at := strings.Index(line, `{"`); at >= 0 {
			end := strings.LastIndex(line, "}")
			examples = append(examples, line[at:end+1])
		}
	}
	require.GreaterOrEqual(t, len(examples), 6)
	requireExamplesApply(t, examples, 40)
}

func TestEveryExampleInTheHelpDecodesAndApplies(t *testing.T) {
	help, _, exit := hl("", "edit", "--help")
	require.Zero(t, exit)
	var examples []string
	for _, op := range regexp.MustCompile(`(?m)^    (\{"op".*\})`).FindAllStringSubmatch(help, -1) {
		example := op[1]
		if strings.HasSuffix(example, "}]}") {
			example = strings.TrimSuffix(example, "]}") // the last of the list
		}
		examples = append(examples, example)
	}
	require.Len(t, examples, 7)
	requireExamplesApply(t, examples, 40)
}

// requireExamplesApply carries out each example on a file of its own, with A, B, C,
// TAG and FILE filled in. OTHER and b.go are a file like it, NEW and c.go none.
func requireExamplesApply(t *testing.T, examples []string, lines int) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.go")
	for _, example := range examples {
		t.Run(example, func(t *testing.T) {
			var src strings.Builder
			for i := range lines {
				fmt.Fprintf(&src, "line %d, which is\told\n", i+1)
			}
			other, fresh := filepath.Join(dir, "other.go"), filepath.Join(dir, "new.go")
			require.NoError(t, os.WriteFile(path, []byte(src.String()), 0o666))
			require.NoError(t, os.WriteFile(other, []byte(src.String()), 0o666))
			view, _, _ := hl("", "read", path)
			anchors := regexp.MustCompile(`(?m)^(18|20|22):[a-z]+:[a-z]+`).FindAllString(view, -1)
			base := regexp.MustCompile(`base=([0-9a-f]+)`).FindStringSubmatch(view)[1]
			request := strings.NewReplacer(`"A"`, quoted(anchors[0]), `"B"`, quoted(anchors[1]), `"C"`, quoted(anchors[2]), "TAG", base, "FILE", path,
				`"OTHER"`, quoted(other), `"b.go"`, quoted(other), `"NEW"`, quoted(fresh), `"c.go"`, quoted(fresh),
				"NUMBER", strconv.Itoa(lines), `"op":"search_replace","search":"old"`, `"op":"search_replace","search":"line 7,"`, `"expect": 2`, `"expect": 40`,
				"[...]", `[{"op":"delete","anchor":`+quoted(anchors[0])+`}]`).Replace(example)
			switch {
			case strings.Contains(request, `"edits"`):
			case strings.Contains(request, `"remove"`):
				request = `{"base": "` + base + `", "edits": [` + request + `]}`
			default:
				request = "[" + request + "]"
			}
			if strings.Contains(request, `"create"`) {
				require.NoError(t, os.Remove(path))
			}
			stdout, stderr, exit := hl(request, "edit", path)
			require.Zero(t, exit, "%s\n%s", request, stderr)
			require.True(t, strings.HasPrefix(stdout, "applied "), stdout)
			if os.Remove(fresh) == nil {
				require.NoFileExists(t, path, "it was renamed")
			}
		})
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestHelpFitsOnAScreenAndEndsWithAnExample(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"read", "--help"}, {"edit", "-h"}, {"prompt", "--help"}, {"demo", "--help"}} {
		stdout, stderr, exit := hl("", args...)
		require.Zero(t, exit)
		require.Empty(t, stderr)
		require.True(t, strings.HasPrefix(stdout, "usage: hl"), stdout)
		require.LessOrEqual(t, strings.Count(stdout, "\n"), 40)
		for line := range strings.Lines(stdout) {
			require.LessOrEqual(t, len([]rune(line)), 81, line) // 80 and the line feed
		}
		if args[0] != "demo" { // it has nothing to choose
			paragraphs := strings.Split(stdout, "\n\n")
			require.True(t, strings.HasPrefix(paragraphs[len(paragraphs)-1], "example: "), stdout)
		}
	}
}

// A writer that is full, as a disk can be.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left on device") }

func TestAnAnswerThatCannotBeWrittenDoesNotDenyTheEdit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("old\n"), 0o666))
	for _, flag := range []string{"--json", "--diff", "--concise"} {
		var errs bytes.Buffer
		exit := run(&cli.Env{Args: []string{"edit", flag, path}, Stdin: strings.NewReader(`[{"op":"write","content":"` + flag + `","blind":true}]`), Stdout: full{}, Stderr: &errs, Getenv: func(string) string { return "off" }})
		require.Zero(t, exit, "exit 2 would say that nothing was written")
		require.Contains(t, errs.String(), "hl: writing the answer: no space left on device")
		require.Contains(t, errs.String(), "applied")
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, flag, string(b))
	}
	var errs bytes.Buffer
	edit := strings.NewReader(`[{"op":"insert_after","anchor":"EOF","content":"x"}]`)
	require.Equal(t, 2, run(&cli.Env{Args: []string{"edit", "--dry-run", path}, Stdin: edit, Stdout: full{}, Stderr: &errs, Getenv: func(string) string { return "off" }}))
	require.Contains(t, errs.String(), "; it was: applied (dry run: nothing was written)\n")
	require.Equal(t, 2, run(&cli.Env{Args: []string{"read", path}, Stdout: full{}, Stderr: &errs, Getenv: os.Getenv}))
}

func TestTheHelpOfACommandNamesItsFlagsAndNoOthers(t *testing.T) {
	for _, name := range []string{"read", "edit", "prompt", "demo"} {
		cmd := program().Command(name)
		flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
		cmd.Flags(flags)
		var want []string
		flags.VisitAll(func(f *pflag.Flag) { want = append(want, "--"+f.Name) })
		// A flag is explained at the beginning of a line, behind its short name.
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^  (?:-[a-z], )?(--[a-z-]+)`).FindAllStringSubmatch(cmd.Usage, -1) {
			got = append(got, m[1])
		}
		require.ElementsMatch(t, want, got, name)
	}
}

func TestAFileNameThatIsNotUTF8HasAnAnswerInJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a\xff.txt")
	require.NoError(t, os.WriteFile(path, []byte("old\n"), 0o666))
	var answer map[string]any
	stdout, stderr, exit := hl("", "read", "--json", path)
	require.Zero(t, exit, stderr)
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stdout)
	stdout, stderr, exit = hl(`[{"op":"write","content":"new\n","blind":true}]`, "edit", "--json", "--diff", path)
	require.Zero(t, exit, stderr)
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stdout)
	require.Equal(t, "applied", answer["status"])
	stdout, _, exit = hl(`[{"op":"delete","anchor":"1:ab:cdef"}]`, "edit", "--json", path)
	require.Equal(t, 1, exit)
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stdout)
	stdout, _, exit = hl("", "read", "--json", path+".none")
	require.Equal(t, 2, exit)
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stdout)
}
