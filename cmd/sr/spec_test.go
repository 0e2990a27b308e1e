package main

import (
	"os"
	"reflect"
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
