//go:build fire

package realedits

import "strings"

// A pin is a module and versions of it that were published one after the other.
type pin struct {
	module   string
	versions string
	sample   string // those of the sample, if any
}

// pins is what the edits are taken from. The modules beside golang.org/x are
// there for what Go files lack: chroma for XML and JSON in one line of thousands
// of bytes, goldmark and toml for Markdown, JSON and test data without final
// newlines, with lone carriage returns and NULs, go-mssqldb for CRLF.
var pins = []pin{
	{"golang.org/x/tools", "v0.34.0 v0.35.0 v0.36.0 v0.37.0 v0.38.0 v0.39.0 v0.40.0 v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0 v0.51.0 v0.52.0", "v0.51.0 v0.52.0"},
	{"golang.org/x/text", "v0.10.0 v0.11.0 v0.12.0 v0.13.0 v0.14.0 v0.15.0 v0.16.0 v0.17.0 v0.18.0 v0.19.0 v0.20.0 v0.21.0 v0.22.0 v0.23.0 v0.24.0 v0.25.0", ""},
	{"golang.org/x/text", "v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0", "v0.33.0 v0.34.0"},
	{"golang.org/x/net", "v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0 v0.51.0 v0.52.0 v0.53.0 v0.54.0 v0.55.0 v0.56.0 v0.57.0 v0.58.0 v0.59.0 v0.60.0 v0.61.0 v0.62.0", "v0.61.0 v0.62.0"},
	{"golang.org/x/sys", "v0.27.0 v0.28.0 v0.29.0 v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0 v0.38.0 v0.39.0 v0.40.0 v0.41.0 v0.42.0 v0.43.0 v0.44.0 v0.45.0 v0.46.0 v0.47.0 v0.48.0 v0.49.0 v0.50.0", "v0.48.0 v0.49.0 v0.50.0"},
	{"github.com/alecthomas/chroma/v2", "v2.14.0 v2.15.0 v2.16.0 v2.17.2 v2.19.0 v2.20.0 v2.21.0 v2.21.1 v2.23.0 v2.23.1 v2.24.0 v2.24.1 v2.25.0 v2.26.0 v2.26.1 v2.27.0", "v2.23.1 v2.24.0 v2.24.1 v2.25.0"},
	{"github.com/yuin/goldmark", "v1.7.0 v1.7.1 v1.7.2 v1.7.4 v1.7.5 v1.7.6 v1.7.7 v1.7.8 v1.7.10 v1.7.11 v1.7.12 v1.7.13 v1.7.14 v1.7.15 v1.7.16 v1.7.17 v1.8.0 v1.8.1 v1.8.2 v1.8.3 v1.8.4 v1.8.5 v1.8.6 v1.8.7", "v1.7.17 v1.8.0"},
	{"github.com/BurntSushi/toml", "v1.0.0 v1.1.0 v1.2.0 v1.2.1 v1.3.0 v1.3.2 v1.4.0 v1.5.0 v1.6.0", "v1.3.2 v1.4.0"},
	{"github.com/denisenkom/go-mssqldb", "v0.10.0 v0.12.0 v0.12.2 v0.12.3", "v0.10.0 v0.12.0"},
}

// A step is two versions of a module, one after the other.
type step struct{ module, from, to string }

// steps returns the steps of all versions of pins, or those of the sample.
func steps(pins []pin, all bool) []step {
	var list []step
	for _, p := range pins {
		versions := strings.Fields(p.sample)
		if all {
			versions = strings.Fields(p.versions)
		}
		for i := 1; i < len(versions); i++ {
			list = append(list, step{p.module, versions[i-1], versions[i]})
		}
	}
	return list
}
