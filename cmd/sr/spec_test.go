package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// replySpec returns the section of SPEC.md about replies.
func replySpec(t *testing.T) string {
	spec, err := os.ReadFile("../../SPEC.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(spec), "\n## 11. Replies\n")
	require.True(t, ok)
	return section
}

func TestEveryFieldIsInTheSpec(t *testing.T) {
	spec := replySpec(t)
	for _, v := range []any{replyJSON{}, blockJSON{}, sidesJSON{}, repairJSON{}, problemJSON{}, shellJSON{}, eventJSON{}} {
		for field := range reflect.TypeOf(v).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			require.Regexp(t, "`"+name+`(\[\])?`+"`", spec)
		}
	}
}

func TestEveryRepairIsInTheSpec(t *testing.T) {
	files, err := filepath.Glob("../../searchreplace/*.go")
	require.NoError(t, err)
	rule := regexp.MustCompile(`(?:repair\([a-z.]+, |Repair\{Rule: |Repair\{)"([a-z_]+)"`)
	found := 0
	spec := replySpec(t)
	for _, name := range files {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range rule.FindAllStringSubmatch(string(source), -1) {
			require.Contains(t, spec, "`"+m[1]+"`", name)
			found++
		}
	}
	require.GreaterOrEqual(t, found, 20)
}
