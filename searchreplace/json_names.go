package searchreplace

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
)

// callNames is a set of kinds of names that stand in a JSON value.
type callNames uint

const (
	hasOld     callNames = 1 << iota // or new: of no other use
	hasPath                          // of a file
	hasContent                       // what is to be in it
	hasTool                          // what a tool is called
	hasInput                         // its parameters
	hasCalls                         // a list of calls
)

func callName(name string) callNames {
	switch roleOf(name) {
	case oldRole, newRole:
		if name == "search" || name == "replace" {
			return hasContent
		}
		return hasOld
	case pathRole:
		return hasPath
	case diffRole, contentRole, sketchRole:
		return hasContent
	}
	switch name {
	case "edits":
		return hasContent
	case "name", "tool", "tool_name", "function", "type", "action":
		return hasTool
	case "input", "arguments", "parameters", "args", "kwargs", "tool_input", "action_input":
		return hasInput
	case "tool_calls", "function_call", "functionCall":
		return hasCalls
	}
	return 0
}

// call reports whether a value that cannot be read was to be a call.
func (n callNames) call() bool {
	return n&(hasOld|hasCalls) != 0 || n&hasPath != 0 && n&hasContent != 0 || n&hasTool != 0 && n&hasInput != 0
}

// place returns a JSON pointer as a message names a field: edits[2].old_string.
func place(p jsontext.Pointer) string {
	s := ""
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			s += "[" + token + "]"
			continue
		}
		s = join(s, token)
	}
	return quote(s)
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// A member is a name and a value of a JSON object. at is where the value begins
// in the text that it is read from.
type member struct {
	name  string
	value jsontext.Value
	at    int
}

// membersOf returns the members of an object, or the elements of an array, in
// order. value is valid JSON and begins at byte at. The values are parts of it.
func membersOf(value []byte, at int) []member {
	list := make([]member, 0, 4)
	object := value[0] == '{'
	for i := nextValue(value, 1); value[i] != '}' && value[i] != ']'; i = nextValue(value, i) {
		m := member{}
		if object {
			end := valueEnd(value, i)
			name := member{value: value[i:end]}
			m.name, _ = name.str()
			i = nextValue(value, end)
		}
		end := valueEnd(value, i)
		m.at, m.value = at+i, value[i:end]
		list = append(list, m)
		i = end
	}
	return list
}

// nextValue returns where the value begins, or the end of a list, that stands in
// valid JSON behind blanks, commas and colons from byte i on.
func nextValue(value []byte, i int) int {
	for isBlankByte(value[i]) || value[i] == ',' || value[i] == ':' {
		i++
	}
	return i
}

// valueEnd returns where the value ends that begins at byte i of valid JSON.
func valueEnd(value []byte, i int) int {
	for depth := 0; ; {
		switch c := value[i]; c {
		case '"':
			i = stringEnd(value, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			for i < len(value) && bytes.IndexByte([]byte(",:]} \t\r\n\"[{"), value[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
		i = nextValue(value, i)
	}
}

// stringEnd returns where the string ends that begins at byte i of valid JSON.
func stringEnd(value []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(value[i:], '"')
		escapes := i
		for value[escapes-1] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 0 {
			return i + 1
		}
	}
}

// parseJSON returns the one JSON value that s holds, or what is wrong with it.
func parseJSON(s string) (value []byte, problem string) {
	dec := jsontext.NewDecoder(strings.NewReader(s))
	value, err := dec.ReadValue()
	at, syntactic := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case err == nil && isBlank(s[dec.InputOffset():]):
		return bytes.Clone(value), ""
	case err == nil:
		return nil, "more stands behind its end"
	case errors.Is(err, jsontext.ErrDuplicateName):
		return nil, place(at.JSONPointer) + " is there twice; send it once"
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || !syntactic:
		return nil, "it ends too early"
	}
	return nil, "byte " + strconv.FormatInt(at.ByteOffset+1, 10) + ": " + at.Err.Error()
}

// str returns the text of a JSON string.
func (m member) str() (string, bool) {
	if m.value.Kind() != '"' {
		return "", false
	}
	if text := m.value[1 : len(m.value)-1]; bytes.IndexByte(text, '\\') < 0 {
		return string(text), true // as most names and paths
	}
	return unquote(m.value[1 : len(m.value)-1]), true
}

// unquote returns the text between the quotes of a valid JSON string. Long texts come
// through here, so it is copied once.
func unquote(s []byte) string {
	var text strings.Builder
	text.Grow(len(s))
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			text.Write(s)
			return text.String()
		}
		text.Write(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n':
			text.WriteByte('\n')
		case 't':
			text.WriteByte('\t')
		case 'r':
			text.WriteByte('\r')
		case 'b':
			text.WriteByte('\b')
		case 'f':
			text.WriteByte('\f')
		case 'u':
			r := hexRune(s)
			s = s[4:]
			if utf16.IsSurrogate(r) && len(s) >= 6 {
				r = utf16.DecodeRune(r, hexRune(s[2:]))
				s = s[6:]
			}
			text.WriteRune(r)
		default:
			text.WriteByte(c)
		}
	}
}

// hexRune returns the four hexadecimal digits that s begins with as a number.
func hexRune(s []byte) rune {
	n, _ := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(n)
}

// kind names what the value is.
func (m member) kind() string {
	switch m.value.Kind() {
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
