package main

import (
	"runtime"
	"time"

	"github.com/hlkit/hlkit/hashline"
)

// This file holds the prose of the report.

func (p *report) opening(c *corpus, res *results, sample float64, set settings) {
	p.printf(`# Anchors: the evidence

Measured by %s on %s with seed %d (%s): the .go files of
that release's src without testdata, sample %g: %s files, %s lines, %.1f MB.
Of these %s files with %s lines were measured.
Every kind of change was made to every file, rounds: %d; whole files were shifted by up
to %d lines both ways, chunks by up to %d; the lines of %g of the anchors were looked
for. Rows other than %s and %s: one shift in %d, and one
change in %d, drawn by chance: the same for all of them. Two rows with a * are the
defaults on these shifts and changes: compare the other rows with those.

Everything is asked of the library: anchors come from Format.Annotate with the sizes
of the row, an old anchor is accepted if it is the new anchor of its number, and a
line is where a refused Format.Resolve says it is. The truth comes from the change
itself, and from 64-bit hashes of lines: only letters can collide. Line ends are made
"\n".

`, "`go run ./anchors`", time.Now().UTC().Format(time.DateOnly), set.seed, runtime.Version(),
		sample, group(int64(len(c.files))), group(int64(c.lines)), float64(c.bytes)/1e6, group(int64(res.files)), group(int64(res.lines)),
		set.rounds, set.shifts, set.pairs, set.draw, chunkName, sealName, set.thin, set.thin)
	p.printf(definitions)
}

const definitions = `**Rows.** "chunk 2+4, 16 lines" has two letters of the line and four of a chunk of
sixteen lines; "seal 6" six of both; "chain 2+4, 32 lines" four of the lines from a
checkpoint, one every 32 lines, down to the line; "content 3" three of the line alone,
to compare with. The format's defaults are chunk 2+4 and seal 6 of 16 lines, chain 2+4
of 32.

**Checks.** Each old anchor is checked at its number. What stands there now is
* *stale*: another line than the anchor was made for, or that line with another text.
  *Different text*; or *equal text*, but another line, of which the window (what the
  anchor proves: its chunk, or its chain) *differs*, or is equal: a *twin*, which no
  anchor with that window can tell;
* or the *very line* with its text: its window has *changed*, or *all stands*.

A number past the new end is refused and counts nowhere else.

**Staleness as a judgement.** Precision: of the anchors refused, the part that is
stale (the rest are very lines whose window changed: a refusal that one more round
trip mends). Recall: of the stale anchors, the part that is refused.

**Recovery.** Of the refused anchors whose line moved: *right*, one place is named and
it is the line's; *wrong*, one place is named and it is not; *ambiguous*, several;
*none*. *Not cut*: all lines of the window are still there, next to each other, and a
last, shorter chunk still ends the file. Anchors of moved lines that are accepted where
they were count in all percentages.

**Changes.** New lines come from a random place of the corpus. Delete, rewrite,
re-indent, duplicate and move take 1 to 20 lines at a random place; a rewrite gives 1
to 20 new ones; a duplicate goes right behind its block or anywhere; scatter is five
single lines inserted, deleted or edited; the chain is twenty of insert (1, 2, 3, 5,
10, 16 or 100 lines), delete, token edit, re-indent, rewrite, duplicate and move, one
after the other. *One change*: the inserts, the delete and the rewrite.

`

const relocateText = `
## What --relocate would do

Every refused anchor for which one place is named, also those whose line stayed, was
deleted or was edited: to name any place for one of these is wrong. An equal line in an
equal window is one that nobody can tell from the line by what the anchor proves: a
copy, if the change was a duplicate.

`

const costsText = `
## Costs

Times are of one machine that had other work: compare them with each other. A check
of one anchor is a request with it on a file that is parsed already. Tokens are those
of o200k, above the text alone.

`

// body prints the tables of what was counted.
func (p *report) body(res *results, rows []row) {
	p.printf("## What is promised\n\n")
	p.claimTable(claims(res, rows))
	p.printf("\n## Stale anchors: whole files shifted\n\nLines inserted at the top, and deleted there: no two checks compare the same two\nchunks, but where files repeat themselves.\n\n")
	p.staleTable(rows, func(r int) *counts { return &res.shifted[r] })
	p.printf("\n## Stale anchors: changes at random places\n\nAll kinds. Many checks compare the same two chunks, so that one collision counts\nmany times.\n\n")
	p.staleTable(rows, func(r int) *counts { return everyKind(res.kinds[r]) })
	p.printf("\n## The very line, its chunk changed\n\nThe lines of a chunk behind a random one are shifted, as by a delete there or a\ncopy of the lines above. A pair of an old and a new chunk counts once (%s repeated\nones do not). What \"chunk 2+4\" accepts here \"chunk 3+4\" accepts, too.\n\n", group(res.pairs.repeated))
	p.pairTable(res, rows)
	p.printf("\n## Staleness as a judgement, and survival over the chain\n\n")
	p.judgeTable(res, rows)

	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	p.printf("\n## Recovery after one insert, delete or rewrite\n\n")
	p.recoveryTable("scheme", names, func(r int) *counts { return oneChange(res.kinds[r]) })
	var kindNames []string
	for _, k := range kinds() {
		kindNames = append(kindNames, k.name)
	}
	for r, row := range rows {
		if row.isDefault() {
			p.printf("\n## Recovery by kind of change: %s\n\n", row.name)
			p.recoveryTable("change", kindNames, func(k int) *counts { return &res.kinds[r][k] })
		}
	}
	p.printf(relocateText)
	p.relocateTable("one change", names, func(r int) *counts { return oneChange(res.kinds[r]) })
	p.printf("\n")
	p.relocateTable("all kinds", names, func(r int) *counts { return everyKind(res.kinds[r]) })
	for r, row := range rows {
		if row.isDefault() || row.scheme == hashline.Chain && row.grid() == 32 {
			p.printf("\n### %s\n\n", row.name)
			p.relocateTable("change", kindNames, func(k int) *counts { return &res.kinds[r][k] })
		}
	}
}
