package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("u", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sr": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
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

// sr runs the program in the process.
func sr(stdin string, args ...string) (stdout, stderr string, exit int) {
	var out, errs bytes.Buffer
	exit = run(&cli.Env{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: os.Getenv})
	return out.String(), errs.String(), exit
}

func TestEveryExampleInAPromptIsRead(t *testing.T) {
	want := map[string]struct {
		dialect searchreplace.Dialect
		blocks  int
	}{
		"cline": {searchreplace.Cline, 2}, "git": {searchreplace.Git, 2}, "aider": {searchreplace.Git, 2},
		"xml": {searchreplace.Call, 2}, "json": {searchreplace.Call, 5}, "udiff": {searchreplace.Unified, 2},
		"patch": {searchreplace.Patch, 3},
	}
	require.Len(t, prompts, len(want))
	for _, p := range prompts {
		t.Run(p.format, func(t *testing.T) {
			out, _, exit := sr("", "prompt", "--format", p.format)
			require.Zero(t, exit)
			require.Equal(t, p.text, out)
			require.LessOrEqual(t, strings.Count(out, "\n"), 45, "it is read with every task")
			for line := range strings.Lines(out) {
				require.LessOrEqual(t, len(line), 86, line)
			}
			for i, c := range []byte(out) {
				require.Less(t, c, byte(0x80), "byte %d: models copy what they see", i)
			}
			r := searchreplace.Decode([]byte(out), searchreplace.DecodeOptions{})
			require.Empty(t, r.Problems)
			require.Len(t, r.Blocks, want[p.format].blocks)
			for _, b := range r.Blocks {
				if b.Dialect != searchreplace.Cline || p.format != "xml" { // in the call's diff
					require.Equal(t, want[p.format].dialect, b.Dialect)
				}
				require.True(t, strings.HasPrefix(b.Path, "src/"), b.Path)
				require.Empty(t, b.Repairs)
				require.Nil(t, b.Stripped)
			}
			require.Equal(t, "src/main.go", r.Blocks[0].Path)
			require.NotEqual(t, r.Blocks[0].Search, r.Blocks[0].Replace)
			_, err := formatNamed(p.format)
			require.NoError(t, err, "sr parse takes the names of prompts")
		})
	}
}

func TestHelpFitsOnAScreenAndEndsWithAnExample(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"apply", "--help"}, {"parse", "--help"}, {"prompt", "-h"}} {
		stdout, stderr, exit := sr("", args...)
		require.Zero(t, exit)
		require.Empty(t, stderr)
		require.True(t, strings.HasPrefix(stdout, "usage: sr"), stdout)
		require.LessOrEqual(t, strings.Count(stdout, "\n"), 40)
		for line := range strings.Lines(stdout) {
			require.LessOrEqual(t, len([]rune(line)), 81, line) // 80 and the line feed
		}
		paragraphs := strings.Split(stdout, "\n\n")
		require.True(t, strings.HasPrefix(paragraphs[len(paragraphs)-1], "example: "), stdout)
	}
}

func TestTheHelpOfACommandNamesItsFlagsAndNoOthers(t *testing.T) {
	for _, name := range []string{"apply", "parse", "prompt"} {
		cmd := program().Command(name)
		flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
		cmd.Flags(flags)
		var want, got []string
		flags.VisitAll(func(f *pflag.Flag) { want = append(want, "--"+f.Name) })
		for _, m := range regexp.MustCompile(`(?m)^  (?:-[a-z], )?(--[a-z-]+)`).FindAllStringSubmatch(cmd.Usage, -1) {
			got = append(got, m[1])
		}
		require.ElementsMatch(t, want, got, name)
	}
}

func TestFollowPrintsAnEventBeforeTheNextPieceComes(t *testing.T) {
	in, feed := io.Pipe()
	out, printed, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	require.NoError(t, out.SetReadDeadline(time.Now().Add(30*time.Second)))
	exit := make(chan int, 1)
	go func() {
		code := run(&cli.Env{Args: []string{"parse", "--follow"}, Stdin: in, Stdout: printed, Stderr: io.Discard})
		printed.Close()
		exit <- code
	}()
	lines := bufio.NewScanner(out)
	next := func() map[string]any {
		require.True(t, lines.Scan(), "no event: %v", lines.Err())
		var event map[string]any
		require.NoError(t, json.Unmarshal(lines.Bytes(), &event))
		return event
	}
	for _, step := range []struct {
		piece string
		want  []string
	}{
		{"So:\n\nx.go\n------- SEA", []string{"text"}},
		{"RCH\na\n=====", []string{"begun"}},
		{"==\nb\n", []string{"search", "line"}},
		{"c\n", []string{"line"}},
		{"+++++++ REPLACE\n", []string{"block"}},
		{"------- SEARCH\n", []string{"begun"}},
	} {
		_, err := io.WriteString(feed, step.piece)
		require.NoError(t, err)
		for _, want := range step.want {
			require.Equal(t, want, next()["event"], step.piece)
		}
	}
	feed.Close()
	require.Equal(t, "problem", next()["event"])
	require.Equal(t, map[string]any{"event": "end", "blocks": 1.0, "problems": 1.0}, next())
	require.False(t, lines.Scan())
	require.Equal(t, 2, <-exit)
}

func TestAReplyThatIsNotUTF8HasAnAnswerInJSON(t *testing.T) {
	stdout, _, exit := sr("a\xff\n------- SEARCH\n\xff\n=======\n+++++++ REPLACE\n", "parse")
	require.Zero(t, exit)
	var reply map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &reply), stdout)
	require.Equal(t, true, reply["blocks"].([]any)[0].(map[string]any)["lossy"])
}

// A writer that is full, as a disk can be.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left on device") }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, args := range [][]string{{"parse"}, {"parse", "--follow"}} {
		var errs bytes.Buffer
		require.Equal(t, 2, run(&cli.Env{Args: args, Stdin: strings.NewReader("x\n"), Stdout: full{}, Stderr: &errs}))
		require.Contains(t, errs.String(), "no space left on device")
	}
}

func TestAFileIsReadLikeStandardInput(t *testing.T) {
	path := t.TempDir() + "/reply"
	require.NoError(t, os.WriteFile(path, []byte("x\n"), 0o666))
	fromFile, _, exit := sr("", "parse", "-f", path)
	require.Zero(t, exit)
	fromStdin, _, _ := sr("x\n", "parse")
	require.Equal(t, fromStdin, fromFile)
}
