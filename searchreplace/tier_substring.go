package searchreplace

import "strings"

// substring finds the search as text, which may begin and end within a line.
// Where it is whole lines, a line end at its end that the replacement lacks, or
// the other way round, is ignored: taken literally it would join lines, or leave a
// blank one.
func (t *try) substring(w *want) bool {
	hits := t.plainText().find(w.searchText, t.mostHits())
	if len(hits) == 0 {
		return false
	}
	return t.decideText(Substring, w, hits, func(int) int { return len(w.searchText) })
}

// mostCounted is how many places of a text are counted, where no more is asked than
// whether it is one.
const mostCounted = 1000

// mostHits returns how many places have to be found to choose among them.
func (t *try) mostHits() int {
	b := t.block
	if t.opt.All || b.All || b.Line > 0 || len(b.Context) > 0 || b.AtEnd {
		return len(t.plainText().text)
	}
	return mostCounted
}

// A textSpan replaces bytes of a plainText.
type textSpan struct {
	start, end  int
	replace     string
	first, last int // the lines that the search covers
}

// decideText settles a block by the places where its text stands; size is how many
// bytes it has at each.
func (t *try) decideText(tier Tier, w *want, hits []int, size func(start int) int) bool {
	p := t.plainText()
	width := size(hits[0]) // look-alikes make sizes differ, but then only All asks, and checks overlap
	starts, note := t.choose(hits, width, func(h int) (int, int) { return p.lines(h, h+size(h)) })
	if starts == nil {
		t.ambiguousText(tier, w, hits, size)
		return true
	}
	var places []Place
	var spans []textSpan
	ignored := false
	alreadyAt := 0
	reach := 0
	for _, start := range starts {
		end := start + size(start)
		if start < reach {
			continue
		}
		reach = end
		first, last := p.lines(start, end)
		places = append(places, Place{Start: first, End: last})
		replace, changed := p.wholeLines(w.searchText, w.replaceText, start, end)
		ignored = ignored || changed
		at, there := p.already(w.searchText, w.replaceText, start, end, false)
		if changed && !there {
			at, there = p.already(w.searchText, replace, start, end, true)
		}
		if there {
			if alreadyAt == 0 {
				alreadyAt = p.line(at) + 1
			}
			continue
		}
		if replace == string(p.text[start:end]) {
			continue
		}
		spans = append(spans, p.shrink(textSpan{start, end, replace, first, last}, w))
	}
	if note.Rule == NoteAll {
		note.Text = strings.Replace(note.Text, "were replaced", "were found", 1)
	}
	var notes []Note
	if note.Rule != "" {
		notes = append(notes, note)
	}
	if err := t.unwritableText(w, spans); err != nil {
		t.fail = err
		return true
	}
	t.settle(tier, places, notes)
	t.texts = spans
	t.result.Unchanged = len(spans) == 0
	if t.result.Unchanged && w.searchText != w.replaceText {
		t.result.AlreadyAt = max(alreadyAt, places[0].Start+1)
	}
	if ignored {
		t.note(NoteFinalNewline, "search and replacement differ in a line end at their end, which whole lines do not have; it was ignored")
	}
	return true
}

// unwritableText returns why the replacement cannot be written; nil if it can.
func (t *try) unwritableText(w *want, spans []textSpan) *Failure {
	for _, s := range spans {
		var fit fitting
		fit.unwritable(t.doc, w, s.replace, 0)
		if fit.err != nil {
			fit.err.Block = t.i
			return fit.err
		}
	}
	return nil
}

// wholeLines returns the replacement of the bytes from start to end, with or
// without the line end at its end that search has or lacks, if they are whole
// lines; changed reports that this made a difference.
func (p *plainText) wholeLines(search, replace string, start, end int) (fitted string, changed bool) {
	terminated := strings.HasSuffix(search, "\n")
	if replace == "" || terminated == strings.HasSuffix(replace, "\n") {
		return replace, false
	}
	if start > 0 && p.text[start-1] != '\n' || !terminated && end < len(p.text) && p.text[end] != '\n' {
		return replace, false
	}
	if terminated {
		return replace + "\n", true
	}
	return strings.TrimSuffix(replace, "\n"), true
}
