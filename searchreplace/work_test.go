package searchreplace_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hlkit/hlkit/searchreplace"
)

// A workload is a file and blocks whose cost must grow with their size and not
// with the product of it.
type workload struct {
	name   string
	src    string
	blocks []searchreplace.Block
	opt    searchreplace.Options
	idle   int // milliseconds that it takes on an idle machine of two cores
}

// program returns n lines that look like code: names that are rare, lines that are
// not, three depths.
func program(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		switch i % 8 {
		case 3, 7:
			lines[i] = "\t}"
		case 5:
			lines[i] = ""
		case 6:
			lines[i] = "\t\treturn err"
		default:
			lines[i] = fmt.Sprintf("\t\tvalue%d, err := compute%d(ctx, input, options)", i, i/8)
		}
	}
	return lines
}

func block(search, replace []string) searchreplace.Block {
	return searchreplace.Block{Search: joinLines(search, "\n"), Replace: joinLines(replace, "\n")}
}

func substring(search, replace string) searchreplace.Block {
	return searchreplace.Block{Search: search, Replace: replace, Substring: true}
}

// thousand returns a thousand blocks, each made of five lines of lines.
func thousand(lines []string, make func(i int, search []string) searchreplace.Block) []searchreplace.Block {
	var blocks []searchreplace.Block
	for i := range 1000 {
		at := i * (len(lines) / 1000) / 8 * 8
		blocks = append(blocks, make(i, lines[at:at+5]))
	}
	return blocks
}

func changed(lines []string) []string {
	out := append([]string(nil), lines...)
	out[0] += " // changed"
	return out
}

func workloads() []workload {
	code := program(100_000)
	src := joinLines(code, "\n")
	twice := joinLines(code[:50_000], "\n") + joinLines(code[:50_000], "\n")
	equal := strings.Repeat("x := compute(x)\n", 100_000)
	equalLines := strings.Split(strings.TrimSuffix(equal, "\n"), "\n")
	ended := joinLines(code[:50_000], " \n") + "\t" + strings.TrimSuffix(joinLines(code[:50_000], "\n\t"), "\t")
	quoted := joinLines(code[:50_000], " \n") + "“\n"
	deeper := strings.Repeat("x := compute(x) \n", 25_000) + "y\n" + strings.Repeat("\tx := compute(x)\n", 75_000)
	five := []string{"x", "y", "z", "x", "y"}
	manyDeeper := joinLines(five, " \n") + strings.Repeat("\t"+strings.Join(five, "\n\t")+"\n", 20_000)
	long := strings.Repeat("lorem ipsum dolor sit amet, ", 20<<20/28)
	letters := strings.Repeat("a", 20<<20)
	typo := func(lines []string) []string {
		out := append([]string(nil), lines...)
		out[2] = strings.Replace(out[2], "compute", "compote", 1)
		return out
	}
	all := searchreplace.Options{All: true}
	wide, _ := searchreplace.ParseLadder("exact,trailing,indent,blank-edge,trimmed,elision,blanks-removed,escapes,escapes+blanks-removed,confusables,ends")
	every := searchreplace.Options{Ladder: wide}
	return []workload{
		{"1,000 hits", src, thousand(code, func(_ int, s []string) searchreplace.Block { return block(s, changed(s)) }), searchreplace.Options{}, 50},
		{"1,000 hits, outdented", src, thousand(code, func(i int, s []string) searchreplace.Block {
			out := make([]string, len(s))
			for i, l := range s {
				out[i] = strings.TrimPrefix(l, "\t")
			}
			return block(out, changed(out))
		}), searchreplace.Options{}, 100},
		{"1,000 hits but for trailing blanks, and a rival at another depth", ended, thousand(code[:50_000], func(_ int, s []string) searchreplace.Block { return block(s, changed(s)) }), searchreplace.Options{}, 200},
		{"1,000 hits but for trailing blanks, and a rival in other quotes", quoted, thousand(code[:50_000], func(_ int, s []string) searchreplace.Block { return block(s, changed(s)) }), searchreplace.Options{}, 200},
		{"25,000 equal lines but for trailing blanks, and 75,000 deeper", deeper, []searchreplace.Block{block(equalLines[:25_000], equalLines[:24_999])}, searchreplace.Options{}, 250},
		{"1,000 hits but for trailing blanks, and 100,000 rivals at another depth", manyDeeper, thousand(five, func(_ int, s []string) searchreplace.Block { return block(five[:5], five[:4]) }), searchreplace.Options{}, 1300},
		{"1,000 hits but for trailing blanks, and 100,000 braces", "}  \n" + strings.Repeat("\t}\n", 100_000), thousand(five, func(int, []string) searchreplace.Block { return block([]string{"}"}, []string{"},"}) }), searchreplace.Options{}, 1000},
		{"a replacement of 20,000 lines, and 20,000 rivals", "q := 1 \n" + equal[:16*20_000], []searchreplace.Block{block([]string{"q := 1", equalLines[0], equalLines[0]}, equalLines[:20_000])}, searchreplace.Options{}, 100},
		{"blank edges in 100,000 equal lines", strings.Repeat("x := compute(x)\n", 99_999) + "x := compute(x) \n\n", []searchreplace.Block{block(append(slices.Clone(equalLines[:80_000]), ""), nil)}, searchreplace.Options{First: true}, 150},
		{"1,000 misses", src, thousand(code, func(_ int, s []string) searchreplace.Block { return block(typo(s), changed(s)) }), searchreplace.Options{}, 300},
		{"1,000 misses, every tier", src, thousand(code, func(_ int, s []string) searchreplace.Block { return block(typo(s), changed(s)) }), every, 400},
		{"1,000 ambiguous", twice, thousand(code[:50_000], func(_ int, s []string) searchreplace.Block { return block(s, changed(s)) }), searchreplace.Options{}, 50},
		{"1,000 ambiguous in 100,000 equal lines", equal, thousand(equalLines, func(_ int, s []string) searchreplace.Block { return block(s, changed(s)) }), searchreplace.Options{}, 900},
		{"1,000 misses in 100,000 equal lines", equal, thousand(equalLines, func(_ int, s []string) searchreplace.Block { return block(append([]string{"y"}, s...), changed(s)) }), every, 150},
		{"1,000 substrings hit", src, thousand(code, func(_ int, s []string) searchreplace.Block { return substring(s[1][1:], s[1][1:]+"x") }), searchreplace.Options{}, 50},
		{"1,000 substrings miss", src, thousand(code, func(_ int, s []string) searchreplace.Block { return substring(typo(s)[2][1:], typo(s)[2]) }), searchreplace.Options{}, 200},
		{"1,000 substrings miss, every tier", src, thousand(code, func(_ int, s []string) searchreplace.Block { return substring(typo(s)[2][1:], typo(s)[2]) }), every, 200},
		{"1,000 hunks with a context that is cut", src, thousand(code, func(int, []string) searchreplace.Block {
			return searchreplace.Block{Dialect: searchreplace.Unified, Search: "\t}\n", Replace: "x\n", Context: []string{"value0, err := compute0(ctx, in"}, Line: 50_000}
		}), searchreplace.Options{}, 200},
		{"1,000 substrings ambiguous", src, thousand(code, func(i int, s []string) searchreplace.Block { return substring("(ctx, input", "x") }), searchreplace.Options{}, 50},
		{"one search of 50,000 lines", src, []searchreplace.Block{block(code[100:50_100], changed(code[100:50_100]))}, searchreplace.Options{}, 50},
		{"one search of 50,000 lines, all replaced", src, []searchreplace.Block{block(code[100:50_100], program(60_000)[10_000:])}, searchreplace.Options{}, 50},
		{"one search of 50,000 lines, last line wrong", src, []searchreplace.Block{block(append(code[100:50_099:50_099], "wrong"), nil)}, every, 150},
		{"50,000 of 100,000 equal lines", equal, []searchreplace.Block{block(equalLines[:50_000], equalLines[:49_999])}, every, 50},
		{"50,000 equal lines that hold their replacement", equal, []searchreplace.Block{block(equalLines[:50_000], equalLines[:99_000])}, searchreplace.Options{First: true}, 50},
		{"every one of 100,000 equal lines", equal, []searchreplace.Block{block(equalLines[:1], []string{"y"})}, all, 350},
		{"every place in 100,000 equal lines", equal, []searchreplace.Block{substring("compute", "y")}, all, 650},
		{"a line of 20 MB, hit", long, []searchreplace.Block{substring(", lorem ipsum dolor sit amet, \n", "x")}, every, 300},
		{"a line of 20 MB, substring missing", long, []searchreplace.Block{substring("lorem ipsum dolor sit amit", "x")}, every, 250},
		{"a line of 20 MB, line missing", long, []searchreplace.Block{block([]string{"lorem ipsum dolor sit amet"}, []string{"x"})}, every, 150},
		{"a line of 20 MB, ambiguous", long, []searchreplace.Block{substring("lorem ipsum", "x")}, every, 120},
		{"a line of 20 MB, 10 MB of it", letters, []searchreplace.Block{substring(letters[:10<<20], "x")}, every, 300},
		{"a line of 20 MB, itself", letters, []searchreplace.Block{block([]string{letters}, []string{letters + "b"})}, every, 120},
		{"every one of a million letters", letters[:1<<20], []searchreplace.Block{substring("a", "b")}, all, 1400},
	}
}
