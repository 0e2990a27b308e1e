package apply

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/require"
)

// The vectors are for implementations in other languages; SPEC.md describes them.
// With -vectors what this implementation gives is written into them, for a new
// case; a change of an old one breaks the format.
var updateVectors = flag.Bool("vectors", false, "write testdata/vectors anew")

type viewVector struct {
	Name   string `json:"name"`
	File   []byte `json:"file"`
	Scheme string `json:"scheme"`
	Lines  string `json:"lines"`
	View   []byte `json:"view,omitempty"`
	Code   Code   `json:"code,omitzero"`
}

type editVector struct {
	Name    string         `json:"name"`
	File    []byte         `json:"file"`
	Request jsontext.Value `json:"request"`
	Status  Status         `json:"status"`
	Result  []byte         `json:"result,omitempty"`
	Codes   []Code         `json:"codes,omitempty"`
	Base    string         `json:"base,omitzero"`
	Retry   jsontext.Value `json:"retry,omitzero"`
}

func TestViewVectors(t *testing.T) {
	runVectors(t, "views.json", func(t *testing.T, dir string, v viewVector) viewVector {
		ws := fileIn(t, dir, v.File)
		windows, err := hashline.ParseWindows(v.Lines)
		require.NoError(t, err)
		scheme, err := hashline.ParseScheme(v.Scheme)
		require.NoError(t, err)
		v.View, v.Code = nil, ""
		view, err := ws.Read(context.Background(), "f", ReadOptions{Windows: windows, Scheme: scheme})
		if err != nil {
			v.Code, _ = CodeOf(err)
			return v
		}
		defer view.Close()
		var out bytes.Buffer
		require.NoError(t, view.Text(&out))
		v.View = out.Bytes()
		return v
	})
}

func TestEditVectors(t *testing.T) {
	runVectors(t, "edits.json", func(t *testing.T, dir string, v editVector) editVector {
		ws := fileIn(t, dir, v.File)
		req := Decode(v.Request, "")
		answer := ws.Edit(context.Background(), req, Options{NoSync: true})
		v.Status, v.Result, v.Codes, v.Base, v.Retry = answer.Status, nil, nil, "", nil
		now, err := os.ReadFile(filepath.Join(dir, "f"))
		require.NoError(t, err)
		if answer.Status == Applied {
			v.Result = now
		} else {
			require.Equal(t, string(v.File), string(now), "a request that was not applied changed the file")
		}
		for _, f := range answer.Failures {
			v.Codes = append(v.Codes, f.Code)
		}
		if len(answer.Files) == 1 {
			v.Base = answer.Files[0].Base
		}
		if answer.Retry != nil {
			v.Retry, err = json.Marshal(answer.Retry)
			require.NoError(t, err)
		}
		return v
	})
}

func fileIn(t *testing.T, dir string, content []byte) *Workspace {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), content, 0o666))
	ws, err := Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	return ws
}

// runVectors compares each vector with what run makes of it.
func runVectors[V any](t *testing.T, name string, run func(*testing.T, string, V) V) {
	path := filepath.Join("..", "testdata", "vectors", name)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var vectors []V
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.NotEmpty(t, vectors)
	for i, v := range vectors {
		got := run(t, t.TempDir(), v)
		if *updateVectors {
			vectors[i] = got
			continue
		}
		want, err := json.Marshal(v)
		require.NoError(t, err)
		have, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(have), "vector %d", i)
	}
	if *updateVectors {
		out, err := json.Marshal(vectors, jsontext.WithIndent(" "))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, append(out, '\n'), 0o666))
	}
}
