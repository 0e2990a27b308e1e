package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updateReadme = flag.Bool("readme", false, "write what the commands print into README.md")

// TestReadmeSessionsPrintWhatTheySay runs the console blocks of README.md, one
// after the other in one directory, and compares what they print.
func TestReadmeSessionsPrintWhatTheySay(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("the sessions are for a Unix shell: ", err)
	}
	const path = "../../README.md"
	bin, dir := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "../hl", "../sr")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	readme, err := os.ReadFile(path)
	require.NoError(t, err)
	const open, end = "```console\n", "```\n"
	parts := strings.Split(string(readme), open)
	require.Greater(t, len(parts), 1, "README.md has no session")
	got := parts[0]
	status := 0 // of the command before, for $?
	for _, part := range parts[1:] {
		block, rest, ok := strings.Cut(part, end)
		require.True(t, ok, "a session without an end")
		got += open
		for _, command := range commandsOf(block) {
			sh := exec.Command("bash", "-c", "(exit $STATUS)\n"+command)
			sh.Dir = dir
			sh.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), fmt.Sprintf("STATUS=%d", status))
			printed, _ := sh.CombinedOutput() // a command that fails is part of a session
			status = sh.ProcessState.ExitCode()
			got += "$ " + command + "\n" + string(printed)
		}
		got += end + rest
	}
	if *updateReadme {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
		return
	}
	require.Equal(t, string(readme), got)
}

// TestEveryTestThatTheReadmeNamesIsThere looks for them in the sources.
func TestEveryTestThatTheReadmeNamesIsThere(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	var sources strings.Builder
	require.NoError(t, filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		sources.Write(source)
		return err
	}))
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9]*)`").FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(names), 20)
	for _, name := range names {
		require.True(t, strings.Contains(sources.String(), "\nfunc "+name[1]+"("), "README.md names %s, which is not there", name[1])
	}
}

// commandsOf returns the commands of a session: lines after "$ ", and up to END
// where one has a here-document.
func commandsOf(block string) []string {
	var commands []string
	lines := strings.Split(block, "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			continue
		}
		if strings.Contains(command, "<<'END'") {
			for ok := true; ok; ok = lines[i] != "END" {
				i++
				command += "\n" + lines[i]
			}
		}
		commands = append(commands, command)
	}
	return commands
}
