package searchreplace

import (
	"slices"
	"strings"
)

// text returns what stands in the parameter. A line break behind the opening tag
// and one before the closing tag belong to the tags, as does the CDATA around it.
func (p *param) text() string {
	if len(p.lines) == 1 {
		// As most names: there is nothing to take off.
		if raw := p.lines[0].raw; raw != "" && raw[0] > ' ' && raw[0] != '<' && raw[len(raw)-1] > ' ' {
			return raw
		}
	}
	var s strings.Builder
	crlf := p.crlf()
	lines := p.unwrapped()
	if len(lines) == 1 && !crlf {
		return lines[0].raw
	}
	for _, l := range lines {
		if raw, ok := strings.CutSuffix(l.raw, "\r\n"); ok && crlf {
			s.WriteString(raw)
			s.WriteByte('\n')
			continue
		}
		s.WriteString(l.raw)
	}
	return s.String()
}

// unwrapped returns the lines of the parameter without what belongs to the tags.
func (p *param) unwrapped() []line {
	lines, own := trimEnds(slices.Clone(p.lines))
	if len(lines) == 0 {
		return nil
	}
	head := strings.TrimLeft(lines[0].raw, " \t")
	foot := trimRight(lines[len(lines)-1].raw)
	if !strings.HasPrefix(head, cdataStart) || !strings.HasSuffix(foot, cdataEnd) || len(lines) == 1 && len(head) < len(cdataStart)+len(cdataEnd) {
		return p.withoutBreak(lines, own)
	}
	lines[0].raw = head[len(cdataStart):]
	if len(lines) == 1 {
		foot = trimRight(lines[0].raw)
	}
	lines[len(lines)-1].raw = strings.TrimSuffix(foot, cdataEnd)
	lines, own = trimEnds(lines)
	return p.withoutBreak(lines, own)
}

// trimEnds drops the rest of the line of the opening tag, if it is blank, and the
// blanks before the closing tag on a line of its own. own reports whether the
// closing tag has one.
func trimEnds(lines []line) (_ []line, own bool) {
	if len(lines) > 1 && isBlank(lines[0].raw) {
		lines = lines[1:]
		own = true
	}
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1].raw, "\n") && isBlank(lines[n-1].raw) && (own || lines[n-1].raw == "") {
		return lines[:n-1], true
	}
	return lines, false
}

// withoutBreak drops the line break before the closing tag, but of a whole file.
func (p *param) withoutBreak(lines []line, own bool) []line {
	if n := len(lines); own && n > 0 && roleOf(p.name) != contentRole {
		last := &lines[n-1]
		last.raw = strings.TrimSuffix(last.raw, "\n")
		if p.crlf() {
			last.raw = strings.TrimSuffix(last.raw, "\r")
		}
	}
	return lines
}

// crlf reports whether the line of the opening tag ends in "\r\n": then all do, and
// the "\r" is no text.
func (p *param) crlf() bool { return len(p.lines) > 0 && strings.HasSuffix(p.lines[0].raw, "\r\n") }
