package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARowFitsTheColumnsAndMovesNoCursor(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{"0123456789", "0123456789"},
		{"0123456789x", "012345678…"},
		{"ééééééééééé", "ééééééééé…"},
		{"宽宽宽宽宽", "宽宽宽宽宽"},
		{"宽宽宽宽宽x", "宽宽宽宽…"},
		{"x宽宽宽宽宽", "x宽宽宽宽…"},
		{"a\x1b[2Jb", "a\uFFFD[2Jb"},
		{"a\nb\r\tc", "a\uFFFDb\uFFFD\uFFFDc"},
		{"a\u202Eb\u0085c", "a\uFFFDb\uFFFDc"},
		{"a\xffb", "a\uFFFDb"},
		{strings.Repeat("宽", 1000), "宽宽宽宽…"},
	} {
		require.Equal(t, test.want, fit(test.line, 10), "%q", test.line)
	}
	require.Empty(t, terminalSize(&strings.Builder{}, nil), "no terminal")
}
