//go:build fire && unix

package lock

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func init() {
	roles["write brackets"] = func(args []string) { // DIR FILE NAME
		d := &Dir{Path: args[0]}
		f, err := os.OpenFile(args[1], os.O_RDWR|os.O_APPEND, 0)
		check(err)
		write := func(format string) {
			_, err := fmt.Fprintf(f, format, args[2])
			check(err)
			time.Sleep(time.Millisecond) // to be killed here
		}
		size := func() int64 {
			info, err := f.Stat()
			check(err)
			return info.Size()
		}
		fmt.Println("writing")
		for {
			unlock := mustLock(d, args[1], true)
			write("( %s\n")
			write(") %s\n")
			unlock()
			unlock = mustLock(d, args[1], false)
			before := size()
			runtime.Gosched()
			if size() != before {
				check(fmt.Errorf("somebody wrote while %s read", args[2]))
			}
			unlock()
		}
	}
}

func TestUnderFireProcessesThatAreKilledAtAnyTimeBreakNothing(t *testing.T) {
	d, _, path := twoProcesses(t)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	var alive []*process
	names := 0
	begin := func() {
		p := start(t, "write brackets", d.Path, path, fmt.Sprint(names))
		require.Equal(t, "writing", p.line(t))
		alive = append(alive, p)
		names++
	}
	for range 6 {
		begin()
	}
	kill := func(p *process) {
		require.NoError(t, p.Process.Kill())
		p.Wait()
		require.Empty(t, fmt.Sprint(p.Stderr))
	}
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		time.Sleep(rand.N(20 * time.Millisecond))
		i := rand.N(len(alive))
		kill(alive[i])
		alive = append(alive[:i], alive[i+1:]...)
		begin()
	}
	for _, p := range alive {
		kill(p)
	}

	src, err := os.ReadFile(path)
	require.NoError(t, err)
	inside, pairs, cut := "", 0, 0
	dead := map[string]bool{} // those that were killed inside write no more
	for line := range strings.Lines(string(src)) {
		bracket, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		require.False(t, dead[name], "%s came back", name)
		if bracket == ")" {
			require.Equal(t, inside, name)
			inside = ""
			pairs++
			continue
		}
		if inside != "" {
			dead[inside] = true
			cut++
		}
		inside = name
	}
	require.Greater(t, pairs, 100)
	t.Logf("%d processes killed, %d of them between their brackets; %d pairs", names, cut, pairs)
}
