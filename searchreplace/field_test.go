package searchreplace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fieldRows are the rows of the study of the field that have to have a case: of
// section 4 each report; of sections 1 and 2 each system and each group of rules, but
// 1.13, which compares the others.
var fieldRows = map[string][]int{
	"1": span(1, 12),
	"2": span(1, 7),

	"4.1": {1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 17, 19},
	"4.2": {20, 21, 22, 25, 26, 27, 28, 30},
	"4.3": {31, 32, 33, 34, 35, 37, 38, 39, 40, 41, 42, 44},
	"4.4": {45, 46, 47, 48, 49},
	"4.5": {50, 51, 52, 53, 54, 55, 56, 58, 59},
	"4.6": {62, 63},
	"4.7": {66, 67, 68, 69},
}

func span(first, last int) (all []int) {
	for i := first; i <= last; i++ {
		all = append(all, i)
	}
	return all
}

// TestEveryRowOfTheFieldHasItsCase looks for the numbers in the names of cases: of the
// ladder ("4.1-5/file"), of the decoder ("-- 51 a literal divider", "row 47", "1.8 a
// patch"), of scripts and of tests in Go ("# 4.7-66").
func TestEveryRowOfTheFieldHasItsCase(t *testing.T) {
	var names strings.Builder
	for _, pattern := range []string{"testdata/ladder/*.txtar", "testdata/decode/*.txtar", "../cmd/sr/testdata/script/*.txtar", "../apply/*_test.go", "*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, name := range files {
			source, err := os.ReadFile(name)
			require.NoError(t, err)
			for line := range strings.Lines(string(source)) {
				line = strings.TrimSpace(line)
				if strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "// 4.") {
					names.WriteString(line + "\n")
				}
			}
		}
	}
	for section, rows := range fieldRows {
		for _, n := range rows {
			pattern := fmt.Sprintf(`(?m)^(--|#|//) %s-%d\b|^-- %d |row %d\b|and %d:`, regexp.QuoteMeta(section), n, n, n, n)
			if !strings.HasPrefix(section, "4") {
				pattern = fmt.Sprintf(`(?m)^-- %s\.%d[- ]|\(%s\.%d\b`, section, n, section, n)
			}
			assert.Regexp(t, regexp.MustCompile(pattern), names.String(), "row %d of section %s", n, section)
		}
	}
}
