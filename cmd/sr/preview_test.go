package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hlkit/hlkit/internal/cli"
	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

// A screen notes what is drawn, and when.
type screen struct {
	sync.Mutex
	pictures []string
	at       []time.Time
}

func (s *screen) Write(b []byte) (int, error) {
	s.Lock()
	defer s.Unlock()
	s.pictures, s.at = append(s.pictures, string(b)), append(s.at, time.Now())
	return len(b), nil
}

func (s *screen) drawn() int {
	s.Lock()
	defer s.Unlock()
	return len(s.pictures)
}

// until waits until a picture is drawn that has the text.
func (s *screen) until(t *testing.T, text string) {
	require.Eventually(t, func() bool {
		s.Lock()
		defer s.Unlock()
		return len(s.pictures) > 0 && strings.Contains(s.pictures[len(s.pictures)-1], text)
	}, 20*time.Second, time.Millisecond, text)
}

func TestAPreviewIsDrawnOnlyWhenSomethingChangedAndNotTooOften(t *testing.T) {
	const throttle = 40 * time.Millisecond
	in, feed := io.Pipe()
	terminal := &screen{}
	matched, looks := map[string]int{}, 0
	p := &preview{throttle: throttle}
	done := make(chan *searchreplace.Reply, 1)
	go func() {
		reply, err := p.read(in, terminal, func() (int, int) { return 60, 24 }, searchreplace.DecodeOptions{}, func(blocks []*searchreplace.Block) (states []string) {
			looks++
			for _, b := range blocks {
				matched[b.Search]++
				states = append(states, "line 7, exact")
			}
			return states
		})
		require.NoError(t, err)
		done <- reply
	}()
	send := func(s string) { _, err := io.WriteString(feed, s); require.NoError(t, err) }

	send("x.go\n------- SEARCH\na\n=======\n")
	terminal.until(t, "block 1 x.go: coming")
	for i := range 50 { // many changes are one picture
		send(fmt.Sprintln("new line", i))
	}
	terminal.until(t, "coming, 50 lines")
	require.Less(t, terminal.drawn(), 40, "a picture for some of the fifty lines, not for each")
	before := terminal.drawn()
	time.Sleep(4 * throttle)
	require.Equal(t, before, terminal.drawn(), "nothing came, so nothing is drawn")

	send("+++++++ REPLACE\n")
	terminal.until(t, "line 7, exact")
	send("x.go\n------- SEARCH\nb\n=======\n")
	terminal.until(t, "block 2 x.go: coming")
	send("c\n+++++++ REPLACE\n")
	for i := range 100 {
		send(fmt.Sprintf("x.go\n------- SEARCH\n%d\n=======\n+++++++ REPLACE\n", i))
	}
	require.NoError(t, feed.Close())
	reply := <-done
	require.Len(t, reply.Blocks, 102)
	require.Len(t, matched, 102)
	for search, times := range matched {
		require.Equal(t, 1, times, "a complete block is matched once: %q", search)
	}
	require.LessOrEqual(t, looks, terminal.drawn(), "those that came between two pictures are matched together")
	require.Contains(t, terminal.pictures[terminal.drawn()-1], "block 102 x.go: line 7, exact")

	for i := 1; i < len(terminal.at)-1; i++ { // the last one is drawn at the end of the reply
		require.Greater(t, terminal.at[i].Sub(terminal.at[i-1]), throttle/4)
	}
	for i, picture := range terminal.pictures[1:] {
		up := regexp.MustCompile(`^\x1b\[(\d+)A\x1b\[J`).FindStringSubmatch(picture)
		require.NotNil(t, up, "it is drawn over the last one: %q", picture)
		last := strings.Count(terminal.pictures[i], "\n")
		require.Equal(t, fmt.Sprint(last), up[1])
	}
	for _, picture := range terminal.pictures {
		for line := range strings.Lines(picture) {
			require.LessOrEqual(t, len([]rune(strings.TrimPrefix(line, "\x1b"))), 60+10)
		}
	}
}

func TestABlockThatEndsInAProblemHasOneRow(t *testing.T) {
	p := &preview{throttle: time.Hour}
	out := &screen{}
	_, err := p.read(strings.NewReader("x.go\n------- SEARCH\na\n=======\nb\n"), out, nil, searchreplace.DecodeOptions{}, nil)
	require.NoError(t, err)
	require.Regexp(t, `^block 1 x\.go: cannot be read: .*\n$`, strings.Join(out.pictures, ""))
}

// With --stream the file stays as it is until the reply is at its end.
func TestAStreamedReplyIsWrittenOnceAtItsEnd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("one\ntwo\n"), 0o666))
	in, feed := io.Pipe()
	terminal := &screen{}
	exit := make(chan int, 1)
	go func() {
		exit <- run(&cli.Env{Args: []string{"apply", "--stream", "--root", dir}, Stdin: in, Stdout: io.Discard, Stderr: terminal, Getenv: func(string) string { return "off" }})
	}()
	send := func(s string) { _, err := io.WriteString(feed, s); require.NoError(t, err) }
	content := func() string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	send("f.txt\n------- SEARCH\none\n=======\n1\n+++++++ REPLACE\n")
	time.Sleep(50 * time.Millisecond)
	require.Equal(t, "one\ntwo\n", content(), "one block is complete, the reply is not")
	send("------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE\n")
	time.Sleep(50 * time.Millisecond)
	require.Equal(t, "one\ntwo\n", content())
	require.NoError(t, feed.Close())
	require.Zero(t, <-exit, terminal.pictures)
	require.Equal(t, "1\n2\n", content())
}
