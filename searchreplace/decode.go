package searchreplace

import (
	"fmt"
	"strings"
)

// A Format says which dialects a decoder looks for.
type Format int

const (
	Auto Format = iota // all of them, mixed as they come
	FormatCline
	FormatGit // aider's fences and file names included
	FormatCall
	FormatUnified
	FormatPatch
)

var formatNames = [...]string{"auto", "cline", "git", "call", "unified", "patch"}

func (f Format) String() string { return formatNames[f] }

// ParseFormat returns the format of a name: auto, cline, git, call, unified or
// patch.
func ParseFormat(name string) (Format, error) {
	for f, s := range formatNames {
		if s == name {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q; use %s or patch", name, strings.Join(formatNames[:len(formatNames)-1], ", "))
}

// DecodeOptions say how a reply is read. The zero value detects everything.
type DecodeOptions struct {
	// Format is the one dialect to look for: blocks of others are prose. Tool calls
	// are read with any format, for the blocks of that format in them.
	Format Format
}

// A Reply is what a model's reply holds.
type Reply struct {
	Text   string  // the prose, in order, without the blocks, their fences and file names
	Blocks []Block // the complete blocks, in order
	Shell  []Shell // fences of shell commands, which nothing runs

	// Problems are what could not be read, in order. If there is one, nothing of the
	// reply may be applied: a reply that was cut off ends in one.
	Problems []Problem
}

// Decode returns what reply holds. It is a [Decoder] fed whole, so the two cannot
// differ.
func Decode(reply []byte, opt DecodeOptions) *Reply {
	// In pieces, so that the events of a large reply do not exist all at once.
	const piece = 64 << 10
	d := NewDecoder(opt)
	d.quiet = true
	r := &Reply{}
	var blocks []*Block
	var text []string
	collect := func() {
		for i := range d.out {
			switch e := &d.out[i]; e.Kind {
			case Prose:
				text = append(text, e.Text)
			case Completed:
				blocks = append(blocks, e.Block)
			case Failed:
				r.Problems = append(r.Problems, *e.Problem)
			case ShellSeen:
				r.Shell = append(r.Shell, *e.Shell)
			}
		}
		d.out = d.out[:0]
	}
	for len(reply) > 0 {
		n := min(len(reply), piece)
		d.feed(string(reply[:n]))
		reply = reply[n:]
		collect()
	}
	d.close()
	collect()
	r.Text = strings.Join(text, "")
	if len(blocks) > 0 {
		r.Blocks = make([]Block, len(blocks))
	}
	for i, b := range blocks {
		r.Blocks[i] = *b
	}
	return r
}

// A Decoder reads a reply while it comes. Feed it the pieces, then Close it.
// It holds back the last line until it is complete, and no more than the block
// that is being read.
type Decoder struct {
	opt  DecodeOptions
	top  *scope
	part []byte  // the beginning of a line whose end has not come
	n    int     // lines so far
	out  []Event // not yet returned
	text []byte  // prose that has no event yet

	blocks int     // begun so far
	failed int     // problems so far
	path   string  // of the last block
	prev   Dialect // its own
	called bool    // it stood in a call
	doubt  string  // why nobody knows which file the open block is for; "" if it is known
	tool   string  // of the last call in tags
	closed bool
	quiet  bool // nobody looks at previews

	texts      strings.Builder // of blocks
	slab       []Block         // not yet begun
	spare      *markers        // for the next block
	spareScope *scope
	spareHunk  *hunk
	spareJSON  *jsonMachine
}

// newBlock returns a block. Where all blocks are kept anyway, many are made at once.
func (d *Decoder) newBlock() *Block {
	if !d.quiet {
		return &Block{}
	}
	if len(d.slab) == 0 {
		d.slab = make([]Block, 64)
	}
	b := &d.slab[0]
	d.slab = d.slab[1:]
	return b
}

// room returns a builder with room for a text of n bytes; the text is what is behind
// from. Where all blocks are kept anyway, their texts share memory.
func (d *Decoder) room(n int) (texts *strings.Builder, from int) {
	const chunk = 64 << 10
	if !d.quiet || n > chunk/4 {
		texts = &strings.Builder{}
		texts.Grow(n)
		return texts, 0
	}
	if d.texts.Cap()-d.texts.Len() < n {
		d.texts = strings.Builder{}
		d.texts.Grow(chunk)
	}
	return &d.texts, d.texts.Len()
}

// NewDecoder returns a Decoder at the beginning of a reply.
func NewDecoder(opt DecodeOptions) *Decoder {
	d := &Decoder{opt: opt}
	free, body, calls := d.starters()
	d.top = &scope{d: d, starts: free, body: body, calls: calls}
	return d
}

// wants reports whether blocks of a dialect are looked for.
func (d *Decoder) wants(dialect Dialect) bool {
	return d.opt.Format == Auto || d.opt.Format == Format(dialect)+FormatCline
}

// Feed takes the next piece of the reply, of any size, and returns what it
// brought to light, in order. It keeps nothing of p. Prose comes in pieces that
// depend on how the reply was cut; all else does not.
func (d *Decoder) Feed(p []byte) []Event {
	d.feed(string(p))
	return d.take()
}

// Close says that the reply is complete, and returns what is left to say. It is
// strict: a block, a call or a marker that is not finished is a problem. The
// decoder is of no use after it.
func (d *Decoder) Close() []Event {
	d.close()
	return d.take()
}

func (d *Decoder) take() []Event {
	out := d.out
	d.out = nil
	return out
}

func (d *Decoder) feed(p string) {
	if d.closed {
		panic("searchreplace: Feed after Close")
	}
	for {
		i := strings.IndexByte(p, '\n')
		if i < 0 {
			break
		}
		raw := p[:i+1]
		p = p[i+1:]
		if len(d.part) > 0 {
			raw = string(append(d.part, raw...))
			d.part = d.part[:0]
			if cap(d.part) > 64<<10 {
				d.part = nil // a long line was an exception
			}
		}
		d.line(raw)
	}
	d.part = append(d.part, p...)
	d.flush()
}

// line takes a complete line. A byte order mark before the first is no part of the
// reply: a file name or a marker would not be one behind it.
func (d *Decoder) line(raw string) {
	if d.n++; d.n == 1 {
		raw = strings.TrimPrefix(raw, "\uFEFF")
	}
	if raw != "" {
		d.top.line(line{raw: raw, n: d.n})
	}
}

func (d *Decoder) close() {
	if d.closed {
		return
	}
	d.closed = true
	if len(d.part) > 0 {
		d.line(string(d.part))
		d.part = nil
	}
	d.top.end()
	d.flush()
}

// emit adds an event behind the prose before it.
func (d *Decoder) emit(e Event) {
	d.flush()
	d.out = append(d.out, e)
}

// preview is emit for an event that only shows what is to come.
func (d *Decoder) preview(e Event) {
	if !d.quiet {
		d.emit(e)
	}
}

// flush makes an event of the prose that has none.
func (d *Decoder) flush() {
	if len(d.text) > 0 {
		d.out = append(d.out, Event{Kind: Prose, Text: string(d.text)})
		d.text = d.text[:0]
	}
}
