package searchreplace

import "strings"

// A lost is what stands in a fence and would be a change, if it could be read.
type lost struct {
	line          int
	code, message string
}

// isSketch reports whether a line of code stands for code that was left out.
func isSketch(s string) bool {
	if !strings.Contains(s, "...") && !strings.Contains(s, "…") {
		return false
	}
	s = strings.ToLower(s)
	return strings.Contains(s, "existing code") || strings.Contains(s, "rest of the code") || strings.Contains(s, "rest of code") || strings.Contains(s, "unchanged code")
}

// diffLine takes a line in the fence of a diff that is in no hunk. Its first lines may
// name the file.
func (p *prose) diffLine(n int, text string) {
	switch path := pathLine(text); {
	case strings.HasPrefix(text, "--- "):
		p.nameIn(cutPrefix(strings.TrimPrefix(text, "--- "), 'a'))
	case strings.HasPrefix(text, "+++ "):
		p.nameIn(cutPrefix(strings.TrimPrefix(text, "+++ "), 'b'))
	case path != "" && p.inside == 1:
		p.named = path
	case text != "" && (text[0] == '-' || text[0] == '+'):
		p.diff = n
	}
}

// nameIn notes the file that a line in the fence of a diff names.
func (p *prose) nameIn(text string) {
	if name, _ := diffName(text); looksLikePath(name) {
		p.named = name
	}
}

const sketchMessage = `a sketch with "... existing code ..." cannot be merged; send the change as SEARCH/REPLACE blocks`
