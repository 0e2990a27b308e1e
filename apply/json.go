package apply

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A member is one name and value of a JSON object.
type member struct {
	name  string
	value jsontext.Value
}

// parseJSON returns data as one JSON value, or an error of the first byte that
// is none.
func parseJSON(data []byte) (jsontext.Value, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	value, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); err == nil {
		return nil, errTrailing
	} else if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return nil, fmt.Errorf("%w: %w", errTrailing, syntactic)
	}
	return value, nil
}

var errTrailing = errors.New("there is more after the end of the JSON value; send one value")

// members returns the members of an object that is valid JSON, in order.
func members(value jsontext.Value) []member {
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))
	var list []member
	dec.ReadToken() // {
	for dec.PeekKind() != '}' {
		name, _ := dec.ReadToken()
		m := member{name: name.String()}
		v, err := dec.ReadValue()
		if err != nil {
			break // not possible: value is valid
		}
		m.value = v.Clone()
		list = append(list, m)
	}
	return list
}

// elements returns the elements of an array that is valid JSON.
func elements(value jsontext.Value) []jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))
	var list []jsontext.Value
	dec.ReadToken() // [
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			break // not possible: value is valid
		}
		list = append(list, v.Clone())
	}
	return list
}

func unquote(value jsontext.Value) (s string, ok bool) {
	if value.Kind() != '"' {
		return "", false
	}
	b, err := jsontext.AppendUnquote(nil, value)
	return string(b), err == nil
}

func kindName(v jsontext.Value) string {
	switch v.Kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "a list"
	}
	return "an object"
}

// syntaxMessage says where data stops being JSON, and why.
func syntaxMessage(data []byte, err error) string {
	if len(bytes.TrimSpace(data)) == 0 {
		return `the request is empty; send {"path": "…", "edits": […]}`
	}
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		if errors.Is(err, errTrailing) {
			return errTrailing.Error()
		}
		return "the request is not whole JSON: it ends too early"
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return fmt.Sprintf("%s is there twice; send it once", fieldOf(syntactic.JSONPointer))
	}
	at := min(int(syntactic.ByteOffset), len(data))
	line := bytes.Count(data[:at], []byte("\n")) + 1
	column := at - bytes.LastIndexByte(data[:at], '\n')
	reason := syntactic.Err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "it ends before the value does"
	}
	if errors.Is(err, errTrailing) {
		reason = errTrailing.Error()
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("```")) {
		reason = "it is in a fence; send the JSON alone"
	}
	return fmt.Sprintf("the request is not JSON: line %d, byte %d: %s", line, column, reason)
}

// fieldOf returns a JSON pointer as a message names a field: edits[2].op.
func fieldOf(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			fmt.Fprintf(&b, "[%s]", token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(plain(clip(token)))
	}
	return b.String()
}

// plain returns name, quoted if it could be taken for more than a name.
func plain(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
