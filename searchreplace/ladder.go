package searchreplace

import (
	"fmt"
	"slices"
	"strings"
)

// A Tier is one rule by which the lines of a search may stand in a file. The
// names are API: answers give them. Each tier's file states its rule.
type Tier string

const (
	Exact                Tier = "exact"
	Trailing             Tier = "trailing"
	Indent               Tier = "indent"
	BlankEdge            Tier = "blank-edge"
	Trimmed              Tier = "trimmed"
	Elision              Tier = "elision"
	BlanksRemoved        Tier = "blanks-removed"
	Escapes              Tier = "escapes"
	EscapesBlanksRemoved Tier = "escapes+blanks-removed"
	Confusables          Tier = "confusables"
	Ends                 Tier = "ends"

	// Substring is where Block.Substring is found literally, which every ladder
	// tries first; it is no part of one.
	Substring Tier = "substring"

	// Empty is the place of a block without a search: an empty file, the line after
	// its context, or what Options.OnEmpty says; it is no part of a ladder.
	Empty Tier = "empty"
)

// A Ladder is tiers in the order in which they are tried. The first that has any
// place decides.
type Ladder []Tier

var tiers = Ladder{Exact, Trailing, Indent, BlankEdge, Trimmed, Elision, BlanksRemoved, Escapes, EscapesBlanksRemoved, Confusables, Ends}

// presetNames are the names that ParseLadder takes, in the order it lists them.
var presetNames = []string{"strict", "default", "cline", "avante", "aider", "grok"}

// Preset returns the ladder of a name: "default", "strict", or that of a tool
// whose manners it keeps as far as they are safe: "cline", "avante", "aider",
// "grok". ok is false for any other name.
func Preset(name string) (l Ladder, ok bool) {
	switch name {
	case "strict":
		return Ladder{Exact}, true
	case "default":
		return Ladder{Exact, Trailing, Indent, BlankEdge, Trimmed, Elision}, true
	case "cline":
		return Ladder{Exact, Trimmed, Ends}, true
	case "avante":
		return Ladder{Exact, Trailing, BlanksRemoved, Escapes, EscapesBlanksRemoved}, true
	case "aider":
		return Ladder{Exact, Indent, BlankEdge, Elision}, true
	case "grok":
		return Ladder{Exact, Confusables}, true
	}
	return nil, false
}

// ParseLadder returns the ladder that s names: a preset, or tiers separated by
// commas, in the order to try them.
func ParseLadder(s string) (Ladder, error) {
	if l, ok := Preset(s); ok {
		return l, nil
	}
	var l Ladder
	for name := range strings.SplitSeq(s, ",") {
		t := Tier(strings.TrimSpace(name))
		if !slices.Contains(tiers, t) {
			if _, ok := Preset(string(t)); ok {
				return nil, fmt.Errorf("%q is a preset, which stands alone; join tiers, which are %s", t, tiers)
			}
			return nil, fmt.Errorf("no tier or preset %q: presets are %s; tiers, to be joined by commas, are %s", name, strings.Join(presetNames, ", "), tiers)
		}
		if slices.Contains(l, t) {
			return nil, fmt.Errorf("tier %q is named twice", t)
		}
		l = append(l, t)
	}
	return l, nil
}

// String returns l as ParseLadder reads it.
func (l Ladder) String() string {
	names := make([]string, len(l))
	for i, t := range l {
		names[i] = string(t)
	}
	return strings.Join(names, ",")
}
