package searchreplace

import "strings"

// A thought is what a model thinks before it answers, from <think> to </think>. Blocks
// and calls in it are drafts, so all of it is text.
type thought struct {
	tag   tag
	first int
}

var thoughtTags = [...]string{"think", "thinking", "reasoning"}

// startThought begins a thought at a tag that is alone on its line, or the first that a
// reply says: prose speaks of the tag, too.
func startThought(sc *scope, l line) machine {
	s := trimLeft(l.raw)
	if !strings.HasPrefix(s, "<") || sc.prose.fence.open() {
		return nil
	}
	for _, name := range thoughtTags {
		if !strings.HasPrefix(s[1:], name) {
			continue
		}
		t := parseTag(s)
		if t.name == name && t.attrs == "" && (isBlank(s[t.length:]) || !sc.spoke && sc.d.blocks == 0 && sc.d.failed == 0) {
			return &thought{t, l.n}
		}
	}
	return nil
}

func (m *thought) line(sc *scope, l line) verdict {
	if l.n == m.first {
		sc.prose.flush(sc)
		sc.spoke = true
	}
	i := strings.Index(l.raw, m.tag.closer())
	if i < 0 {
		sc.d.text = append(sc.d.text, l.raw...)
		return taken
	}
	end := i + len(m.tag.closer())
	if isBlank(l.raw[end:]) {
		end = len(l.raw)
	} else {
		sc.giveBack([]line{{raw: l.raw[end:], n: l.n, mid: true}})
	}
	sc.d.text = append(sc.d.text, l.raw[:end]...)
	return last
}

func (m *thought) end(sc *scope) {
	sc.fail(nil, m.first, "invalid_input", "%q is not closed, so that nothing behind it is read; send the answer behind %q", "<"+m.tag.word+">", m.tag.closer())
}

// thoughtEnd reports the end of a thought whose beginning the reply does not have, as
// where the tag is in the prompt: what was read until then is of the thought.
func (s *strays) thoughtEnd(sc *scope, l line, text string) {
	if sc.d.blocks == 0 || !strings.HasSuffix(text, ">") {
		return
	}
	for _, name := range thoughtTags {
		if strings.HasSuffix(text, "</"+name+">") {
			sc.d.failAt(sc, "", l.n, "invalid_input", "a thought ends here, and blocks stand in it; send the answer alone, or the thought with its beginning")
		}
	}
}
