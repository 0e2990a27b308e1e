package searchreplace

import (
	"strconv"
	"strings"
)

// quote quotes s for a message, and shortens it where it is long.
func quote(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "…"
}
