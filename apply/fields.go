package apply

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// fieldsOf lists the fields of each op, "op" aside.
var fieldsOf = map[string][]string{
	"replace":        {"anchor", "end_anchor", "content", "whole"},
	"delete":         {"anchor", "end_anchor", "content", "whole"},
	"insert_after":   {"anchor", "content"},
	"insert_before":  {"anchor", "content"},
	"search_replace": {"anchor", "end_anchor", "search", "replace", "expect"},
	"write":          {"content", "blind", "whole"},
	"move":           {"anchor", "end_anchor", "to", "place", "to_path"},
	"copy":           {"anchor", "end_anchor", "to", "place", "to_path"},
	"create":         {"content"},
	"remove":         {},
	"rename":         {"to_path"},
}

// opNames lists the ops, as messages name them.
var opNames = []string{"replace", "delete", "insert_after", "insert_before", "search_replace", "move", "copy", "write", "create", "remove", "rename"}

// edit decodes one edit. What is wrong with it is reported and kept in it, the
// first of several.
func (d *decoder) edit(i int, value jsontext.Value) Edit {
	e := Edit{}
	fail := func(code Code, field, format string, args ...any) {
		f := Failure{Code: code, Edit: &i, Field: field, Message: fmt.Sprintf(format, args...)}
		d.failures = append(d.failures, f)
		if e.problem == nil {
			e.problem = &f
		}
	}
	if value.Kind() != '{' {
		fail(InvalidInput, "", `it is %s; send an object like {"op": "replace", "anchor": "22:ab:rstu", "content": "…"}`, kindName(value))
		return e
	}
	list := members(value)
	for _, m := range list {
		if m.name == "op" {
			op, ok := unquote(m.value)
			if !ok {
				fail(InvalidInput, "op", `"op" is %s; send a string`, kindName(m.value))
				return e
			}
			e.Op = op
		}
	}
	fields, known := fieldsOf[e.Op]
	switch {
	case e.Op == "":
		fail(InvalidInput, "op", `"op" is missing; it is one of %s`, join(opNames))
		return e
	case !known:
		fail(InvalidInput, "op", "%s", unknownOp(e.Op))
		return e
	}
	for _, m := range list {
		if m.name == "op" {
			continue
		}
		if !slices.Contains(fields, m.name) {
			fail(InvalidInput, m.name, "%s", unknownField(e.Op, m.name, fields))
			continue
		}
		if problem := e.set(m); problem != "" {
			fail(InvalidInput, m.name, "%s", problem)
		}
	}
	return e
}

// set sets the field of e that m names, or returns what is wrong with it.
func (e *Edit) set(m member) (problem string) {
	wrong := func(want string) string {
		hint := ""
		if m.value.Kind() == 'n' && m.name != "search" && m.name != "replace" {
			hint = "leave it out, or "
		}
		return fmt.Sprintf("%q is %s; %ssend %s", m.name, kindName(m.value), hint, want)
	}
	switch m.name {
	case "anchor", "end_anchor", "to":
		s, ok := unquote(m.value)
		if !ok && m.value.Kind() == '0' {
			s, ok = string(m.value), true // a bare line number
		}
		if !ok {
			return wrong(`a string like "22:ab:rstu"`)
		}
		if s == "" {
			return fmt.Sprintf(`%q is empty; copy an anchor whole from a read, like "22:ab:rstu"`, m.name)
		}
		switch m.name {
		case "anchor":
			e.Anchor = s
		case "end_anchor":
			e.EndAnchor = s
		case "to":
			e.To = s
		}
	case "place":
		if e.Place, _ = unquote(m.value); e.Place != "after" && e.Place != "before" {
			return `"place" is neither "after" nor "before"; send one of them, or leave it out for "after"`
		}
	case "to_path":
		s, ok := unquote(m.value)
		if !ok {
			return wrong("a path")
		}
		if s == "" {
			return `"to_path" is empty; name a file`
		}
		e.ToPath = s
	case "search", "replace":
		s, ok := unquote(m.value)
		if !ok {
			return wrong("a string")
		}
		if m.name == "search" {
			e.Search = &s
		} else {
			e.Replace = &s
		}
	case "expect":
		const want = "the number of places to replace, 1 or more"
		if m.value.Kind() != '0' {
			return wrong(want)
		}
		n, err := strconv.Atoi(string(m.value))
		if err != nil || n < 1 {
			return fmt.Sprintf(`"expect" is %s; send %s`, clip(string(m.value)), want)
		}
		e.Expect = &n
	case "whole", "blind":
		if k := m.value.Kind(); k != 't' && k != 'f' {
			return fmt.Sprintf("%q is %s; send true, or leave it out", m.name, kindName(m.value))
		}
		yes := m.value.Kind() == 't'
		if m.name == "whole" {
			e.Whole = yes
		} else {
			e.Blind = yes
		}
	case "content":
		if e.Content, problem = contentOf(m.value); problem != "" {
			return problem
		}
	}
	return ""
}

// contentOf returns v as content, or what is wrong with it.
func contentOf(v jsontext.Value) (c Content, problem string) {
	switch v.Kind() {
	case 'n':
		return Content{kind: nullContent}, ""
	case '"':
		s, _ := unquote(v)
		return Text(s), ""
	case '[':
		lines := []string{}
		for i, element := range elements(v) {
			s, ok := unquote(element)
			if !ok {
				return Content{}, fmt.Sprintf(`element %d of "content" is %s; send the lines as strings`, i, kindName(element))
			}
			lines = append(lines, s)
		}
		return Lines(lines...), ""
	}
	return Content{}, fmt.Sprintf(`"content" is %s; send a string, a list of strings, or null`, kindName(v))
}

// unknownField says that op has no field name, and what was probably meant.
func unknownField(op, name string, fields []string) string {
	meant := map[string]string{
		"text": "content", "new_text": "content", "lines": "content", "new_content": "content",
		"start": "anchor", "line": "anchor", "end": "end_anchor", "end_line": "end_anchor", "start_anchor": "anchor",
	}[name]
	switch name {
	case "old_string", "new_string", "old_str", "new_str", "old_text":
		return fmt.Sprintf(`%s has no field %q: an anchor names the old text; to replace text by text use "op": "search_replace" with "search" and "replace"`, op, name)
	}
	if meant != "" && slices.Contains(fields, meant) {
		return fmt.Sprintf("%s has no field %q; did you mean %q? (its fields: %s)", op, name, meant, join(fields))
	}
	return unknownMessage(name, op, fields)
}
