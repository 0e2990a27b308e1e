package apply

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// largeFile returns a file that is read in segments, with lines of every length,
// one longer than a segment among them.
func largeFile(t *testing.T, dir string) (path string, src []byte) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("\xEF\xBB\xBF")
	for i := 0; b.Len() < 4<<20; i++ {
		fmt.Fprintf(&b, "%d %s\r\n", i, bytes.Repeat([]byte("x"), i%90))
		if i == 20_000 {
			b.Write(bytes.Repeat([]byte("long"), segmentSize))
			b.WriteByte('\n')
		}
	}
	b.WriteString("the end")
	path = filepath.Join(dir, "large.txt")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
	return path, b.Bytes()
}

// viewOfAll reads all of a file.
func viewOfAll(t *testing.T, path string, scheme hashline.Scheme) *View {
	t.Helper()
	ws, err := OpenFile(path)
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	v, err := ws.Read(t.Context(), path, ReadOptions{Windows: allLines, Scheme: scheme})
	require.NoError(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

func TestALargeFileInSegmentsLooksAsItDoesLineByLine(t *testing.T) {
	path, src := largeFile(t, t.TempDir())
	for scheme := hashline.Chunk; scheme <= hashline.File; scheme++ {
		v := viewOfAll(t, path, scheme)
		require.Greater(t, len(v.segments), 3)
		require.Equal(t, hashline.TagOf(src), v.Base)
		var segments, lines bytes.Buffer
		require.NoError(t, v.Text(&segments))
		v.segments = nil
		require.NoError(t, v.Text(&lines))
		require.True(t, bytes.Equal(segments.Bytes(), lines.Bytes()), scheme)
	}
}

func TestAReadOfALargeFileFailsIfTheFileChangesMeanwhile(t *testing.T) {
	for _, change := range []string{"in place", "shorter"} {
		path, src := largeFile(t, t.TempDir())
		v := viewOfAll(t, path, hashline.Chunk)
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		switch change {
		case "in place":
			_, err = f.WriteAt([]byte("X"), int64(len(src)/2))
		case "shorter":
			err = f.Truncate(int64(len(src) - 1))
		}
		require.NoError(t, err)
		require.NoError(t, f.Close())
		var out bytes.Buffer
		err = v.Text(&out)
		code, _ := CodeOf(err)
		require.Equal(t, FileChanged, code, "%s: %v", change, err)
	}
}

// What was appended since is no part of the view, nor of its tag.
func TestAReadOfALargeFileShowsWhatWasThereWhenItBegan(t *testing.T) {
	path, src := largeFile(t, t.TempDir())
	v := viewOfAll(t, path, hashline.Chunk)
	require.NoError(t, os.WriteFile(path, append(src, "!\nmore\n"...), 0o666))
	var out bytes.Buffer
	require.NoError(t, v.Text(&out))
	require.True(t, bytes.HasSuffix(out.Bytes(), []byte("→the end\n")))
	require.Equal(t, hashline.TagOf(src), v.Base)
}

func TestAReadOfALargeFileEndsWithTheErrorOfItsWriter(t *testing.T) {
	path, _ := largeFile(t, t.TempDir())
	v := viewOfAll(t, path, hashline.Chunk)
	full := errors.New("no space left")
	require.ErrorIs(t, v.Text(&failingWriter{left: 100_000, err: full}), full)
}

// A failingWriter fails after some bytes.
type failingWriter struct {
	left int
	err  error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}
