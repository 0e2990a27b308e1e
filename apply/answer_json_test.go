package apply

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// Most programs will use encoding/json: it must not lose what an answer says.
func TestAnAnswerIsTheSameJSONForBothPackages(t *testing.T) {
	dir, file := tempFile(t, numbered(60))
	s := lookAll(t, dir, file)
	writeFile(t, dir+"/"+file, "top\n"+numbered(60))
	stale := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"replace","anchor":"`+s.at(20)+`","content":["x",""]},{"op":"delete","anchor":"`+s.at(40)+`"}]}`, quick)
	require.NotNil(t, stale.Retry)
	applied := ask(t, dir, "", `{"path":"f.txt","edits":[{"op":"insert_after","anchor":"0:","content":"x"},{"op":"insert_after","anchor":"EOF","content":"\n"}]}`, quick)
	require.Equal(t, Applied, applied.Status)
	for _, a := range []*Answer{stale, applied} {
		ours, err := json.Marshal(a)
		require.NoError(t, err)
		std, err := stdjson.Marshal(a)
		require.NoError(t, err)
		require.JSONEq(t, string(ours), string(std))
	}
	text, err := json.Marshal(applied)
	require.NoError(t, err)
	require.Contains(t, string(text), `{"gap":55}`)
	require.Equal(t, 1, strings.Count(string(text), `"text":""`), "the blank line, and no gap")
	retry, err := stdjson.Marshal(stale.Retry)
	require.NoError(t, err)
	require.Empty(t, Decode(retry, "").Problems())
}
