package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/stretchr/testify/require"
)

// Blocks that land beside others have the row that they would have alone.
func TestABlockLandsBesideOthersAsAlone(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\ntwo\nthree\n"), 0o666))
	block := func(search, replace string) *searchreplace.Block {
		return &searchreplace.Block{Path: "a.txt", Search: search, Replace: replace}
	}
	hit, done, miss := block("one\n", "1\n"), block("two\n", "two\n"), block("four\n", "4\n")
	write := &searchreplace.Block{Path: "a.txt", Op: searchreplace.Write, Replace: "all\n"}
	a := &applying{}
	a.Root = root
	lands := a.lands("")
	alone := func(b *searchreplace.Block) string { return lands([]*searchreplace.Block{b})[0] }
	require.Equal(t, "line 1, exact", alone(hit))
	require.Equal(t, "already so", alone(done))
	require.Contains(t, alone(miss), "no_match: ")
	for _, blocks := range [][]*searchreplace.Block{{hit, done}, {done, miss}, {miss, done}, {hit, done, miss}, {miss, miss, done}} {
		var want []string
		for _, b := range blocks {
			want = append(want, alone(b))
		}
		require.Equal(t, want, lands(blocks))
	}
	for _, state := range lands([]*searchreplace.Block{hit, write}) {
		require.NotEqual(t, "already so", state)
	}
}
