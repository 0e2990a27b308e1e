package searchreplace

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hlkit/hlkit/text"
)

// mostPlaces is how many places a failure shows.
const mostPlaces = 5

func (t *try) failed(code Code, format string, args ...any) *Failure {
	t.fail = &Failure{Code: code, Block: t.i, Message: fmt.Sprintf(format, args...)}
	return t.fail
}

// ambiguous fails a block that stands in several places, with what it would come
// to in each.
func (t *try) ambiguous(tier Tier, f *finding) {
	fail := t.failed(MultipleMatches, "the search stands in %d places (%s)%s; add lines around it until it stands in one", len(f.hits), lineNumbers(f.hits, 1), byTier(tier))
	fail.Tier, fail.Count, fail.Places = tier, len(f.hits), t.placesOf(f)
}

// doubtful fails a block that stands nowhere as it is, but nearly so in the places
// of f and of its rivals. The first of f's is always among those shown.
func (t *try) doubtful(tier Tier, f *finding, rivals []*finding) {
	places, n, or := t.placesOf(f), 0, ""
	var why []string
	for _, f := range append([]*finding{f}, rivals...) {
		n += len(f.hits)
		if len(f.hits) >= mostCounted {
			or = " or more"
		}
		for i, s := range f.want.search {
			if d := t.differs(s, f.hits[0]+i, false); d != "" && len(why) < mostWhy {
				why = append(why, d)
				break
			}
		}
	}
	for _, other := range rivals {
		places = append(places, t.placesOf(other)...)
	}
	places = places[:min(len(places), mostPlaces)]
	slices.SortFunc(places, func(a, b Place) int { return cmp.Compare(a.Start, b.Start) })
	places = slices.CompactFunc(places, func(a, b Place) bool { return a.Start == b.Start })
	var starts []int
	for _, p := range places {
		starts = append(starts, p.Start)
	}
	more := ""
	if n > len(places) {
		more = ", …"
	}
	fail := t.failed(MultipleMatches, "the search stands nowhere as it is, and nearly so in %d places%s (%s%s); copy it from the file as it is now, with lines around it", n, or, lineNumbers(starts, 1), more)
	fail.Tier, fail.Count, fail.Places, fail.Why = tier, n, places, why
}

// placesOf returns the first few places of f, with what the block would come to there.
func (t *try) placesOf(f *finding) []Place {
	var places []Place
	for _, start := range f.hits[:min(len(f.hits), mostPlaces)] {
		w, fit := f.want, f.fit(f.want, start)
		if fit.want != nil {
			w, start = fit.want, fit.start
		}
		p := Place{Start: start, End: start + len(w.search)}
		if fit.ok || fit.tooLittle {
			p.Edits = fit.edits
		}
		if fit.ok {
			if _, is := t.already(w, start, fit); is {
				p.Edits = nil
			}
		}
		places = append(places, p)
	}
	return places
}

func byTier(tier Tier) string {
	switch tier {
	case Exact, Substring:
		return ""
	case Trailing:
		return ", blanks at line ends aside"
	case Indent, Trimmed, BlankEdge:
		return ", indentation aside"
	}
	return " by the tier " + string(tier)
}

func (t *try) ambiguousText(tier Tier, w *want, hits []int, size func(int) int) {
	p := t.plainText()
	var starts []int
	var places []Place
	for _, at := range hits[:min(len(hits), mostPlaces)] {
		first, last := p.lines(at, at+size(at))
		starts = append(starts, first)
		replace, _ := p.wholeLines(w.searchText, w.replaceText, at, at+size(at))
		saved := t.texts
		t.texts = []textSpan{{at, at + size(at), replace, first, last}}
		var edits []text.Edit
		for _, o := range t.alone() {
			edits = append(edits, o.edit)
		}
		t.texts = saved
		places = append(places, Place{first, last, edits})
	}
	more := ""
	if len(hits) > len(starts) {
		more = ", …"
	}
	or := ""
	if len(hits) >= mostCounted {
		or = " or more"
	}
	f := t.failed(MultipleMatches, "the search stands in %d places%s (%s%s)%s; add text around it until it stands in one", len(hits), or, lineNumbers(starts, 1), more, byTier(tier))
	f.Tier, f.Count, f.Places = tier, len(hits), places
}

// alone returns the edits of the pieces of text of one block.
func (t *try) alone() []owned {
	r := *t.resolver
	r.tries = []*try{{resolver: &r, texts: t.texts}}
	return r.foldTexts()
}

// tooLittle fails a block that stands in one place only, but not as it is written,
// and says too little to be believed there.
func (t *try) tooLittle(tier Tier, w *want, start int, fit fitting) {
	n := len(w.search)
	hint := "if it is meant, send it as the file has it, or with more lines around it"
	at := t.standsAlready(w)
	if at > 0 {
		hint = fmt.Sprintf("the replacement already stands at line %d: is the block still needed?", at)
	}
	fail := t.failed(NoMatch, "the search stands only at line %d with other indentation, and too little tells that place from one that looks like it; %s", start+1, hint)
	fail.Tier, fail.Count, fail.TooLittle, fail.AlreadyAt = tier, 1, true, at
	fail.Places = []Place{{start, start + n, fit.edits}}
	fail.Why = []string{fit.why}
}

// blame records why a place was no hit.
func (t *try) blame(start, n int, why string) {
	if why == "" {
		return
	}
	s := fmt.Sprintf("%s could be meant, but %s", lineRange(start, start+n), why)
	for _, w := range t.why {
		if w == s {
			return
		}
	}
	t.why = append(t.why, s)
}

// lineNumbers lists the first five of lines as numbers, from the first of which
// plus one is that of the line.
func lineNumbers(lines []int, plus int) string {
	var b strings.Builder
	noun := "line "
	if len(lines) > 1 {
		noun = "lines "
	}
	b.WriteString(noun)
	for i, l := range lines[:min(len(lines), mostPlaces)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(l + plus))
	}
	if len(lines) > mostPlaces {
		b.WriteString(", …")
	}
	return b.String()
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clip cuts a line to what a message can show.
func clip(s string) string {
	const most = 80
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

func quoted(s string) string { return strconv.Quote(clip(s)) }
