package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/hlkit/hlkit/internal/near"
)

// MaxRequest is the largest request in bytes that Decode takes.
const MaxRequest = 64 << 20

// Decode returns the request that data holds. All that is wrong with it is kept in
// its [Request.Problems]; the request then holds what could be read, so that
// [Workspace.Edit], which writes nothing, can report what else is wrong. file is
// the one file that the request is for, or ""; if given, a bare list of edits will
// do, and "path" may be left out.
//
// Decode is lenient where the meaning is certain: "edits" may be one object, or
// a JSON string that holds it or the list; "file_path" stands for "path"; a bare
// line number may be a JSON number. It is strict everywhere else.
func Decode(data []byte, file string) *Request {
	d := &decoder{}
	req := &Request{}
	d.decode(req, data, file)
	req.problems = d.failures
	return req
}

func (d *decoder) decode(req *Request, data []byte, file string) {
	if len(data) > MaxRequest {
		d.fail(TooLarge, "", "the request is over %d MiB; split it, or write the text with another tool", MaxRequest>>20)
		return
	}
	value, err := parseJSON(data)
	if err != nil {
		d.fail(InvalidInput, "", "%s", syntaxMessage(data, err))
		return
	}
	switch {
	case value.Kind() == '[' && file != "":
		req.Files = []FileRequest{{Path: file, Edits: d.edits("", value)}}
	case value.Kind() == '[':
		d.fail(InvalidInput, "", `a bare list of edits does not say which file it is for; send {"path": "…", "edits": […]}`)
	case value.Kind() != '{':
		d.fail(InvalidInput, "", `the request is %s; send {"path": "…", "edits": […]}`, kindName(value))
	default:
		d.request(req, value, file)
	}
}

// A decoder collects what is wrong with a request.
type decoder struct {
	failures []Failure
}

func (d *decoder) fail(code Code, field, format string, args ...any) {
	d.failures = append(d.failures, Failure{Code: code, Field: field, Message: fmt.Sprintf(format, args...)})
}

// request decodes an object into req.
func (d *decoder) request(req *Request, value jsontext.Value, file string) {
	list := members(value)
	one := false // value is an edit, not a request
	for _, m := range list {
		switch m.name {
		case "files":
			d.files(req, list, m.value, file)
			return
		case "op":
			one = true
		}
	}
	if one && file != "" && !slices.ContainsFunc(list, func(m member) bool { return m.name == "edits" }) {
		d.fail(InvalidInput, "", `the request is one edit; send it in a list: [{"op": …}]`)
		return
	}
	if one && !slices.ContainsFunc(list, func(m member) bool { return m.name == "edits" }) {
		d.fail(InvalidInput, "edits", `the request is one edit; send it as {"path": "…", "edits": [{"op": …}]}`)
		return
	}
	f := d.file("", list, file)
	req.Files = []FileRequest{f}
}

// files decodes the form for several files.
func (d *decoder) files(req *Request, list []member, value jsontext.Value, file string) {
	for _, m := range list {
		if m.name != "files" {
			d.fail(InvalidInput, m.name, `%q stands beside "files"; move it into the files it is meant for`, m.name)
		}
	}
	if value.Kind() != '[' {
		d.fail(InvalidInput, "files", `"files" is %s; send a list of {"path": "…", "edits": […]}`, kindName(value))
		return
	}
	all := elements(value)
	if len(all) == 0 {
		d.fail(InvalidInput, "files", `"files" is empty; name at least one file`)
	}
	for i, v := range all {
		at, before := fmt.Sprintf("files[%d]", i), len(d.failures)
		f := FileRequest{}
		if v.Kind() != '{' {
			d.fail(InvalidInput, at, `%s is %s; send {"path": "…", "edits": […]}`, at, kindName(v))
		} else {
			f = d.file(at+".", members(v), file)
		}
		for n := range d.failures[before:] {
			d.failures[before+n].entry, d.failures[before+n].File = i, f.Path
		}
		req.Files = append(req.Files, f)
	}
}

// file decodes the members of the request for one file. at is what stands before
// its field names in messages.
func (d *decoder) file(at string, list []member, file string) FileRequest {
	f := FileRequest{}
	seen := map[string]bool{}
	for _, m := range list {
		name := m.name
		if name == "file_path" {
			name = "path"
		}
		if seen[name] {
			d.fail(InvalidInput, at+m.name, `"path" and "file_path" are the same field; send one`)
			continue
		}
		seen[name] = true
		switch name {
		case "path":
			f.Path = d.name(at+m.name, m.value, "name a file")
		case "base":
			f.Base = d.name(at+m.name, m.value, "copy the 16 digits of base= from a read of the whole file, or leave it out")
		case "encoding":
			f.Encoding = d.name(at+m.name, m.value, "send a WHATWG name such as windows-1252, or leave it out")
		case "edits":
			f.Edits = d.edits(at, m.value)
		default:
			d.unknown(at, m.name, "a request", []string{"path", "base", "encoding", "edits", "files"})
		}
	}
	switch {
	case file != "" && f.Path == "":
		f.Path = file
	case !seen["path"]:
		d.fail(InvalidInput, at+"path", `"path" is missing; send {"path": "…", "edits": […]}`)
	}
	if !seen["edits"] {
		d.fail(InvalidInput, at+"edits", `"edits" is missing; send {"path": "…", "edits": […]}`)
	}
	return f
}

// edits decodes a list of edits, one edit, or a string that holds either.
func (d *decoder) edits(at string, value jsontext.Value) []Edit {
	if value.Kind() == '"' {
		inner := d.str(at+"edits", value)
		v, err := parseJSON([]byte(inner))
		if err != nil || v.Kind() != '[' && v.Kind() != '{' {
			d.fail(InvalidInput, at+"edits", `"edits" is a string that is no JSON list; send the list itself`)
			return nil
		}
		value = v
	}
	if value.Kind() == '{' {
		return []Edit{d.edit(0, value)}
	}
	if value.Kind() != '[' {
		d.fail(InvalidInput, at+"edits", `"edits" is %s; send a list like [{"op": "replace", "anchor": "22:ab:rstu", "content": "…"}]`, kindName(value))
		return nil
	}
	all := elements(value)
	if len(all) == 0 {
		d.fail(InvalidInput, at+"edits", `"edits" is empty; send at least one edit`)
	}
	edits := make([]Edit, len(all))
	for i, v := range all {
		edits[i] = d.edit(i, v)
	}
	return edits
}

// str returns a JSON string, or reports that value is none.
func (d *decoder) str(field string, value jsontext.Value) string {
	s, ok := unquote(value)
	if !ok {
		d.fail(InvalidInput, field, "%q is %s; send a string", field, kindName(value))
	}
	return s
}

// name is str for a string that must not be empty.
func (d *decoder) name(field string, value jsontext.Value, next string) string {
	s := d.str(field, value)
	if s == "" && value.Kind() == '"' {
		d.fail(InvalidInput, field, "%q is empty; %s", field, next)
	}
	return s
}

// unknown reports a field that what does not have, and names the nearest of
// those that it has.
func (d *decoder) unknown(at, name, what string, known []string) {
	d.fail(InvalidInput, at+name, "%s", unknownMessage(name, what, known))
}

func unknownMessage(name, what string, known []string) string {
	hint := ""
	if best := near.Best(strings.ToLower(name), known); best != "" {
		hint = fmt.Sprintf("; did you mean %q?", best)
	}
	fields := "its fields: " + join(known)
	if len(known) == 0 {
		fields = "it has none"
	}
	return fmt.Sprintf("%s has no field %q%s (%s)", what, clip(name), hint, fields)
}

// clip shortens s for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
