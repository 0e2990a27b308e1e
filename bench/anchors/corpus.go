package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/hlkit/hlkit/text"
)

// A line is one line of a text before or after a change. Its hash stands for its
// text in the truth: 64 bits, so that in what is measured only letters collide.
type line struct {
	text []byte
	hash uint64
	from int32 // the line of the old text that it is, 0-based; -1 for a new one
}

func newLine(s []byte) line { return line{text: s, hash: xxhash.Sum64(s), from: -1} }

// A corpus is some files, each as its lines.
type corpus struct {
	files [][]line
	lines int
	bytes int
}

// loadCorpus reads the .go files under root, those under a testdata aside. Of
// all of them it keeps the fraction sample, chosen by seed. For a root of "" they
// are the sources of the go command.
func loadCorpus(root string, sample float64, seed uint64) (*corpus, error) {
	if root == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return nil, fmt.Errorf("go env GOROOT: %w", err)
		}
		root = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	c := &corpus{}
	rng := rand.New(rand.NewPCG(seed, 0))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(path, ".go") || rng.Float64() >= sample:
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return c.add(src)
	})
	if err == nil && len(c.files) == 0 {
		err = fmt.Errorf("no .go files under %s", root)
	}
	return c, err
}

// add takes the lines of src. A file without lines has nothing to measure.
func (c *corpus) add(src []byte) error {
	doc, err := text.Parse(src, nil)
	if err != nil {
		return err
	}
	var lines []line
	for i, s := range doc.Lines(0, doc.NumLines()) {
		// render ends lines by a line feed, which would take this for a part of it.
		s = bytes.TrimRight(s, "\r")
		l := newLine(s)
		l.from = int32(i)
		lines = append(lines, l)
		c.bytes += len(s) + 1
	}
	if len(lines) > 0 {
		c.files = append(c.files, lines)
		c.lines += len(lines)
	}
	return nil
}

// render appends lines as a text to dst.
func render(dst []byte, lines []line) []byte {
	for i := range lines {
		dst = append(append(dst, lines[i].text...), '\n')
	}
	return dst
}

// hashesOf appends the hashes of lines to dst.
func hashesOf(dst []uint64, lines []line) []uint64 {
	for i := range lines {
		dst = append(dst, lines[i].hash)
	}
	return dst
}
