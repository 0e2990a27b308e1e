package hashline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Window is the lines First to Last, 1-based and inclusive. Last is ToEnd for
// all lines from First on.
type Window struct {
	First, Last int
}

// ToEnd is the Last of a window without an end.
const ToEnd = math.MaxInt

func (w Window) String() string {
	if w.Last == ToEnd {
		return strconv.Itoa(w.First) + "-"
	}
	return strconv.Itoa(w.First) + "-" + strconv.Itoa(w.Last)
}

// ParseWindows returns the windows that s lists, such as "10-40,90-" or "7", in
// order and without overlap; "all" is every line.
func ParseWindows(s string) ([]Window, error) {
	if s == "all" {
		return []Window{{1, ToEnd}}, nil
	}
	var list []Window
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(part, "-")
		w := Window{}
		var err1, err2 error
		w.First, err1 = parseLine(first)
		switch {
		case !isRange:
			w.Last = w.First
		case last == "":
			w.Last = ToEnd
		default:
			w.Last, err2 = parseLine(last)
		}
		if err1 != nil || err2 != nil || w.First < 1 || w.Last < w.First {
			return nil, fmt.Errorf("%q is no range of lines; use for example 10-40,90- or all", part)
		}
		list = append(list, w)
	}
	return MergeWindows(list), nil
}

// parseLine is strconv.Atoi without its signs.
func parseLine(s string) (int, error) {
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
}

// MergeWindows returns windows in order, those that overlap or touch as one.
func MergeWindows(windows []Window) []Window {
	sorted := slices.SortedFunc(slices.Values(windows), func(a, b Window) int { return cmp.Compare(a.First, b.First) })
	var merged []Window
	for _, w := range sorted {
		if n := len(merged); n > 0 && w.First-1 <= merged[n-1].Last {
			merged[n-1].Last = max(merged[n-1].Last, w.Last)
			continue
		}
		merged = append(merged, w)
	}
	return merged
}
