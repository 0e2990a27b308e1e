package main

import (
	"slices"

	"github.com/hlkit/hlkit/searchreplace"
	"github.com/hlkit/hlkit/text"
)

// several measures blocks of one request, which are not in the order of the file.
func (w *worker) several(d int, p *pair) {
	var list []*sample
	for range 8 {
		s := draw(w.rng, p, drawLength(w.rng))
		if s == nil || len(list) == 5 {
			continue
		}
		if !slices.ContainsFunc(list, func(o *sample) bool {
			return s.start <= o.start+len(o.clean) && o.start <= s.start+len(s.clean)
		}) {
			list = append(list, s)
		}
	}
	if len(list) < 2 {
		return
	}
	slices.SortFunc(list, func(a, b *sample) int { return b.start - a.start })
	if w.rng.IntN(2) == 0 {
		w.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	var blocks []searchreplace.Block
	for _, s := range list {
		blocks = append(blocks, s.block())
	}
	doc, err := text.Parse([]byte(list[0].join(p.old)), nil)
	if err != nil {
		return
	}
	for preset, l := range w.ladders {
		if preset > 0 && !w.thick {
			continue
		}
		r := searchreplace.Resolve(doc, blocks, searchreplace.Options{Ladder: l, Partial: true, AllowPlaceholder: true})
		failed, idle := map[int]bool{}, map[int]bool{}
		for _, f := range r.Failures {
			failed[f.Block] = true
		}
		// From the bottom, so that places stay where they are.
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return list[b].start - list[a].start })
		want := slices.Clone(p.old)
		for _, i := range order {
			s := list[i]
			if failed[i] {
				continue
			}
			if idle[i] = r.Results[i].Unchanged; !idle[i] {
				want = slices.Concat(want[:s.start], s.wants, want[s.start+len(s.clean):])
			}
		}
		right := r.Spliced != nil && string(r.Spliced.Bytes()) == list[0].join(want)
		for i, s := range list {
			o := outcomes{all: 1}
			switch {
			case failed[i]:
				o.refused = 1
			case idle[i]:
				o.unchanged = 1
			case right:
				o.solved = 1
			default:
				o.wrong = 1
			}
			kind := s.classOf()
			w.count(key{preset: preset, damage: d, lines: len(s.clean), full: full(s.clean)}, kind, &o)
			if preset == 0 && w.told.most > 0 {
				w.told.tell(w.damages[d].name, there, kind, &o, s, nil, &r.Results[i], r.Edits)
			}
		}
	}
}
