package hashline_test

import (
	"strings"
	"testing"

	"github.com/hlkit/hlkit/hashline"
	"github.com/stretchr/testify/assert"
)

func TestContentCopiedFromAViewIsSeen(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          bool
	}{
		{"every line with an anchor", "22:ab:rstu→a\n23:cd:rstu→b", true},
		{"one line", "22:ab:rstu→a", true},
		{"one line of each scheme", "22.abcdef→a\n22:ab~rstu→b\n22:abc→c", true},
		{"a blank line with its anchor", "22:ab:rstu→", true},
		{"blank lines between", "\n22:ab:rstu→a\n \t\n23:cd:rstu→b\n\n", true},
		{"numbers in any order behind letters", "30:ab:rstu→a\n22:cd:rstu→b", true},
		{"numbers that count up", "7→a\n8→b", true},
		{"numbers that count up over blank lines", "9→a\n\n10→b\n11→", true},
		{"text that holds anchors itself", "22:ab:rstu→3:ab:rstu→x", true},

		{"nothing", "", false},
		{"blank lines", "\n \n\t", false},
		{"one line without", "22:ab:rstu→a\nb\n24:cd:rstu→c", false},
		{"one number alone", "7→a", false},
		{"numbers that stand still", "7→a\n7→b", false},
		{"numbers that leave one out", "7→a\n9→b", false},
		{"numbers that count down", "8→a\n7→b", false},
		{"letters and numbers", "22:ab:rstu→a\n23→b", false},
		{"numbers and letters", "22→a\n23:ab:rstu→b", false},
		{"numbers and one with letters", "22→a\n23→b\n24:ab:rstu→c", false},
		{"anchors without an arrow", "22:ab:rstu\n23:cd:rstu", false},
		{"another arrow", "22:ab:rstu->a", false},
		{"an anchor further on", " 22:ab:rstu→a", false},
		{"C++", "foo::bar->baz", false},
		{"a time", "12:30→", false},
		{"times", "12:30→13:30\n12:31→13:31", false},
		{"a mapping of one to one", "1→one", false},
		{"a type", "Map<1:2>", false},
		{"a table", "a→b\nc→d", false},
		{"an anchor in capitals", "22:AB:RSTU→a", false},
		{"an anchor with a part dropped", "22:ab→a", false},
		{"places", "0:→a\nEOF→b", false},
		{"a line zero", "0→a\n1→b", false},
		{"a number too large", "9223372036854775807→a\n9223372036854775808→b", false},
		{"YAML", "22: abc\n23: abd", false},
		{"a diff of a view", "-22:ab:rstu→a\n+22:ab:rstu→b", false},
	} {
		lines := strings.Split(tt.content, "\n")
		assert.Equal(t, tt.want, hashline.Format{}.ContentHasAnchors(lines), tt.name)
		for i := range lines {
			lines[i] += "\r"
		}
		assert.Equal(t, tt.want, hashline.Format{}.ContentHasAnchors(lines), "%s, with carriage returns", tt.name)
	}
	assert.False(t, hashline.Format{}.ContentHasAnchors(nil))
	other := hashline.Format{ContentLetters: 2}
	assert.True(t, other.ContentHasAnchors([]string{"12:ab→"}), "other formats have other anchors")
}
