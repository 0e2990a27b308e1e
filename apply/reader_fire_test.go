//go:build fire

package apply

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// TestASecondReaderShowsAThousandFilesAsWeDo runs testdata/reader/reader.py, which
// was written from SPEC.md alone, on files of the Go distribution: sources, and
// test data with odd bytes.
func TestASecondReaderShowsAThousandFilesAsWeDo(t *testing.T) {
	python, err := exec.LookPath("python3")
	require.NoError(t, err, "the second reader is in Python: install python3")
	reader, err := filepath.Abs("../testdata/reader/reader.py")
	require.NoError(t, err)
	files := distributionFiles(t)
	for n, scheme := range []hashline.Scheme{hashline.Chunk, hashline.Seal, hashline.Chain, hashline.Content, hashline.File} {
		t.Run(scheme.String(), func(t *testing.T) {
			args := []string{reader, "--scheme", scheme.String(), "--lines", "all"}
			part := files[n*len(files)/5 : (n+1)*len(files)/5]
			cmd := exec.Command(python, append(args, part...)...)
			var theirs, complaints bytes.Buffer
			cmd.Stdout, cmd.Stderr = &theirs, &complaints
			runErr := cmd.Run()

			var ours bytes.Buffer
			shown, refused := 0, 0
			all := []hashline.Window{{First: 1, Last: hashline.ToEnd}}
			for _, file := range part {
				if show(t, &ours, file, ReadOptions{Windows: all, Scheme: scheme}) {
					shown++
				} else {
					refused++
				}
			}
			if refused == 0 {
				require.NoError(t, runErr, "%s", complaints.String())
			}
			require.Equal(t, refused, bytes.Count(complaints.Bytes(), []byte("\n")), "%s", complaints.String())
			require.True(t, bytes.Equal(ours.Bytes(), theirs.Bytes()), "the views differ: %s", firstDifference(ours.Bytes(), theirs.Bytes()))
			t.Logf("%d files shown alike, %d refused by both", shown, refused)
		})
	}
}

// TestTheSecondReaderAgreesOnTheVectors runs it on the vectors of views.
func TestTheSecondReaderAgreesOnTheVectors(t *testing.T) {
	reader, err := filepath.Abs("../testdata/reader/reader.py")
	require.NoError(t, err)
	runVectors(t, "views.json", func(t *testing.T, dir string, v viewVector) viewVector {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), v.File, 0o666))
		cmd := exec.Command("python3", reader, "--scheme", v.Scheme, "--lines", v.Lines, "f")
		cmd.Dir = dir
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		v.View, v.Code = out, ""
		if err != nil {
			code, _, _ := bytes.Cut(complaint.Bytes(), []byte(" "))
			v.Code, v.View = Code(code), nil
		}
		return v
	})
}

// distributionFiles returns 1,000 files of the Go distribution, half of them test
// data, chosen with a fixed seed.
func distributionFiles(t *testing.T) []string {
	var sources, data []string
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	root := filepath.Join(string(bytes.TrimSpace(goroot)), "src")
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		info, infoErr := entry.Info()
		switch {
		case err != nil || infoErr != nil || !info.Mode().IsRegular() || info.Size() > 100<<10:
		case bytes.Contains([]byte(path), []byte("/testdata/")):
			data = append(data, path)
		default:
			sources = append(sources, path)
		}
		return err
	}))
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string, n int) []string {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list[:n]
	}
	files := slices.Concat(pick(sources, 500), pick(data, 500))
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files
}

// show appends the view of a file to out, unless it is refused.
func show(t *testing.T, out *bytes.Buffer, file string, opt ReadOptions) bool {
	ws, err := OpenFile(file)
	require.NoError(t, err)
	defer ws.Close()
	v, err := ws.Read(context.Background(), file, opt)
	if err != nil {
		_, known := CodeOf(err)
		require.True(t, known, "%s: %v", file, err)
		return false
	}
	defer v.Close()
	require.NoError(t, v.Text(out))
	return true
}

// firstDifference returns the first line in which a and b differ.
func firstDifference(a, b []byte) string {
	la, lb := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(la), len(lb)) {
		if !bytes.Equal(la[i], lb[i]) {
			return string(la[i]) + " | " + string(lb[i])
		}
	}
	return "one is longer"
}
