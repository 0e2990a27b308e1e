//go:build fire && linux

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBytesReachTheDiskBeforeTheNameDoes looks at the system calls of hl edit.
func TestBytesReachTheDiskBeforeTheNameDoes(t *testing.T) {
	hl := buildTraceable(t)
	t.Setenv("HL_LOCK_DIR", filepath.Join(t.TempDir(), "locks"))
	const temp, swap = `/\.hl-[0-9a-f]{16}\.tmp>`, `"\.hl-[0-9a-f-]+\.swap"`
	for name, want := range map[string][]string{
		"a file is replaced": {
			`openat\(.*\.tmp", O_WRONLY\|O_CREAT\|O_EXCL\|`,
			`(p?write(64)?)\(\d+<.*` + temp,
			`fchmod\(\d+<.*` + temp,
			`fsync\(\d+<.*` + temp + `\) += 0`,
			`close\(\d+<.*` + temp,
			`fcntl\(\d+<.*/f\.txt>, F_SETLEASE, F_RDLCK\) += 0`,
			`pread64\(\d+<.*/f\.txt>`,
			`renameat\(.*\.tmp", .*` + swap + `\) += 0`,
			`renameat2\(.*` + swap + `, .*"f\.txt", RENAME_EXCHANGE\) += 0`,
			`fcntl\(\d+<.*\.swap>, F_GETLEASE`,
			`fsync\(\d+<DIR>\) += 0`,
			`unlinkat\(.*` + swap + `, 0\) += 0`,
			`flock\(.*\.room>, LOCK_UN`,
			`write\(1<`,
		},
		"a file is made with its directories": {
			`mkdirat\(.*"a", `,
			`mkdirat\(.*"b", `,
			`openat\(.*\.tmp", O_WRONLY\|O_CREAT\|O_EXCL\|`,
			`(p?write(64)?)\(\d+<.*` + temp,
			`fsync\(\d+<.*` + temp + `\) += 0`,
			`close\(\d+<.*` + temp,
			`renameat2\(.*\.tmp", .*"f\.txt", RENAME_NOREPLACE\) += 0`,
			`fsync\(\d+<DIR/a/b>\) += 0`,
			`fsync\(\d+<DIR>\) += 0`,
			`fsync\(\d+<DIR/a>\) += 0`,
			`flock\(.*\.room>, LOCK_UN`,
			`write\(1<`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := stages()[name]
			dir := s.set(t)
			run := s.trace(t, hl, dir)
			require.True(t, run.state.Success(), run.stderr)
			log := strings.ReplaceAll(joined(run.log), dir, "DIR")
			rest := log
			for _, call := range want {
				at := regexp.MustCompile(`(?m)^` + call).FindStringIndex(rest)
				require.NotNil(t, at, "%s is not there, or not in this place:\n%s", call, log)
				rest = rest[at[1]:]
			}
			for _, never := range []string{
				`f?truncate(64)?\(`, `fallocate\(`, `O_TRUNC`, `sendfile\(`, `copy_file_range\(`,
				`(p?writev?(64)?2?)\(\d+<[^>]*/f\.txt>`,
				`openat\([^>]*>, "(DIR/)?f\.txt", (O_WRONLY|O_RDWR)`,
				`renameat\([^)]*"f\.txt"`,
			} {
				require.NotRegexp(t, `(?m)^`+never, log)
			}
		})
	}
}

// joined returns the calls of a log in the order in which they ended, each in
// one line and without its thread.
func joined(log string) string {
	begun := map[string]string{}
	var all strings.Builder
	for line := range strings.Lines(log) {
		thread, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		call = strings.TrimSpace(call)
		if begin, ok := strings.CutSuffix(call, " <unfinished ...>"); ok {
			begun[thread] = begin
			continue
		}
		if _, end, ok := strings.Cut(call, " resumed>"); ok {
			call = begun[thread] + end
		}
		all.WriteString(call + "\n")
	}
	return all.String()
}
