package searchreplace_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

// specNames returns the names in backquotes that SPEC.md has between two texts.
func specNames(t *testing.T, from, to string) []string {
	spec, err := os.ReadFile("../SPEC.md")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(spec), from)
	require.True(t, ok, from)
	list, _, ok = strings.Cut(list, to)
	require.True(t, ok, to)
	var names []string
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	return names
}

func sorted(names map[string]bool) []string {
	var all []string
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func TestSpecListsTheRepairsAndCodesThatTheCorpusShows(t *testing.T) {
	rules, codes := map[string]bool{}, map[string]bool{}
	for _, c := range decodeCases(t) {
		r := searchreplace.Decode([]byte(c.reply), c.opt)
		for _, p := range r.Problems {
			codes[p.Code] = true
		}
		for _, b := range r.Blocks {
			for _, repair := range b.Repairs {
				rules[repair.Rule] = true
			}
			if b.Stripped != nil {
				rules[b.Stripped.Repair.Rule] = true
			}
		}
	}
	require.Equal(t, specNames(t, "The rules of repairs:", "\n\n"), sorted(rules), "sorted, and each with a case")
	require.ElementsMatch(t, specNames(t, "`line`, `code`\n(", ")"), sorted(codes))
}

// A repair or a code that no case shows is found in the source.
func TestSpecListsTheRepairsAndCodesOfTheSource(t *testing.T) {
	rules := specNames(t, "The rules of repairs:", "\n\n")
	codes := specNames(t, "`line`, `code`\n(", ")")
	rule := regexp.MustCompile(`(?:repair\([a-z.]+, |Repair\{+(?:Rule: )?)"([a-z_]+)"`)
	code := regexp.MustCompile(`(?:sc\.fail\([^"\n]*|failAt\(sc, (?:"", )?[^"\n]*|\.code = |[cC]ode: |lost\{[^"\n]*)"([a-z_]+)"`)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range rule.FindAllStringSubmatch(string(source), -1) {
			require.Contains(t, rules, m[1], name)
			found[m[1]] = true
		}
		for _, m := range code.FindAllStringSubmatch(string(source), -1) {
			require.Contains(t, codes, m[1], name)
			found[m[1]] = true
		}
	}
	require.ElementsMatch(t, append(rules, codes...), sorted(found), "or the test no longer sees how they are written")
}
