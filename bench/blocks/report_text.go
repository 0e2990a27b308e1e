package main

const openingText = `# Blocks: no wrong write

Measured by ` + "`go run ./blocks%s`" + ` on %s (%s) on real edits: %s files that differ
between two consecutive versions of Go modules (12 to 700 lines, LF, UTF-8; %s lines,
%s hunks), seed %d, %d rounds of up to four blocks of a file, until there were %s of every
kind of damage with the file in every state. Presets other than default got the blocks of
a file in one round of %d.

`

const termsText = `**Blocks.** A search is a window of 1 to 30 lines of the older version around a hunk,
and its replacement the window with all hunks in it made. It is the first text of the
block; then it is damaged, so that who knows the damage can undo it:

* *indentation removed*: all that the lines of both sides share; *half removed*; *added*,
  one to three levels of the file's manner;
* *tabs as 4 blanks*, *as 2 or 8 blanks* (half of the blocks each), *blanks as tabs*: where
  the indentation of no line mixes them;
* *first line only*: both sides trimmed, where their first lines have one indentation;
* *trailing blanks*: of the file, or of the block, its new lines aside, where none of these
  is one of the search as well; *blank edges*: one blank line, or two in
  one of eight, at one end or both, of the search or of both sides, where the file has none
  there and where no other block with another such damage would read the same;
* *elision*: a run of lines that both sides keep is "..." on both;
* *curly quotes*, of the block or of the file, but not of new lines; *over-escaped*: \" and
  in part \\ and \t, on both sides; *CRLF* of the block or of the file; *gutter*: line
  numbers as four views print them, read by the decoder, in one of five not on the
  replacement;
* *blocks in another order*: two to five blocks of one request;
* *one wrong character*, one too many or one missing; *a lookalike elsewhere*: the file
  has a copy of the target at another depth, with another word, with another middle, with
  trailing blanks, or the same, and the block is whole or has lost indentation.

**States.** The target is *there*; or it has *changed*: half of these are searches of the
older version in the newer one, where a hunk changed them, with a change of one word as
replacement, and half have words changed or a line more or less in the target; or it is
*gone*, its lines taken from the file. A planted lookalike of a stale target differs in
words: one that differs in blanks alone is a target that moved.

**Truth.** Brute force on lines, with nothing of the ladder: the file with the undamaged
replacement in the target's place, byte for byte. (Where trailing blanks or quotes are
of the file, which of several equal lines stayed is open, and with it their blanks.)
*Ambiguous* blocks must be refused: what they mean stands in several places, by the
weakest comparison that the damage needs. *Apart* are blocks that, as they are, blank
edges aside, stand byte for byte in another place than the target, or, if the target is
stale, whose undamaged search does: no rule can tell. *Unit unknown* are blocks with two
or eight blanks for a tab that do not show it: all lines of the search that are not blank
have one indentation, and the indentation of all lines of the block is whole levels of
four blanks. They read as well with four to a tab, at another depth. The rest is *left*:
*solved*, *refused*, *unchanged* (said to be there already; nothing is written), or
*wrong*; *merged* is a changed target in which just the lines that the replacement
changes were replaced. Placeholders in replacements are allowed: their refusal is no
matter of the ladder.

`
