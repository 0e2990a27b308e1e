package searchreplace

import "strings"

// ranges is what the "@@" line of a hunk says.
type ranges struct {
	counted    bool // it has both counts
	oldN, newN int
	line       int    // where the old lines begin; 0 if it does not say
	context    string // the text behind the numbers, or in their place
	odd        bool   // it has numbers that are not read
}

// parseRanges reads "@@ -1,3 +1,4 @@ func f() {", "@@", "@@ func f() {" and what
// stands between these. text begins with "@@", or is "".
func parseRanges(text string) ranges {
	s := trimBlanks(strings.TrimPrefix(text, "@@"))
	numbers, rest, closed := strings.Cut(s, "@@")
	if line, oldN, newN, ok := bothRanges(trimBlanks(numbers)); ok && closed {
		r := ranges{counted: true, oldN: oldN, newN: newN, line: line, context: trimBlanks(rest)}
		return r
	}
	if len(s) > 1 && s[0] == '-' && isDigit(s[1]) {
		r := ranges{odd: true}
		if closed {
			r.context = trimBlanks(rest)
		}
		// The place is only a hint, so the first number will do.
		r.line, _, _ = cutNumber(s[1:])
		return r
	}
	if s = trimBlanks(strings.TrimSuffix(s, "@@")); strings.Trim(s, ".…") == "" {
		s = ""
	}
	return ranges{context: s}
}

// bothRanges reads "-1,3 +1,4"; a count that is left out is 1.
func bothRanges(s string) (line, oldN, newN int, ok bool) {
	s, ok = strings.CutPrefix(s, "-")
	if !ok {
		return 0, 0, 0, false
	}
	line, oldN, s, ok = cutRange(s)
	if !ok {
		return 0, 0, 0, false
	}
	s, ok = strings.CutPrefix(strings.TrimLeft(s, " "), "+")
	if !ok {
		return 0, 0, 0, false
	}
	_, newN, s, ok = cutRange(s)
	if oldN == 0 && line > 0 {
		line++ // nothing, behind that line
	}
	return line, oldN, newN, ok && s == ""
}

func cutRange(s string) (start, count int, rest string, ok bool) {
	start, s, ok = cutNumber(s)
	if !ok {
		return 0, 0, "", false
	}
	count = 1
	if after, found := strings.CutPrefix(s, ","); found {
		count, s, ok = cutNumber(after)
	}
	return start, count, s, ok
}

// cutNumber reads the number that s begins with, of nine digits at most.
func cutNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 10 && isDigit(s[i]) {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 || i == 10 {
		return 0, s, false
	}
	return n, s[i:], true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
