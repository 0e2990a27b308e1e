#!/usr/bin/env python3
"""Shows files in the hashline format, written from SPEC.md (sections 1-4) alone.

Usage: reader.py [--scheme NAME] [--lines LIST] FILE...

Where the comments say "guess", SPEC.md left room; NOTES.md has the list.
"""

import argparse
import functools
import os
import re
import stat
import struct
import sys

MASK = 0xFFFFFFFFFFFFFFFF
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

CHUNK, CHECKPOINT = 16, 32
CUT, VIEW_LINES, VIEW_BYTES = 2000, 2000, 256 * 1024
BIG_FILE = 16 * 1024 * 1024
MAX_LINE = 2**63 - 1
SCHEMES = ("chunk", "seal", "chain", "content", "file")


class Refused(Exception):
    """A file that is not shown; its argument is the code of the spec."""


# --- Hashes and letters (section 2) ---------------------------------------

def xxh64(data):
    """XXH64 with seed 0. It masks only where bits above 64 could come back down."""
    m, p1, p2 = MASK, P1, P2  # globals are slow in a loop
    size = len(data)
    pos = size & ~31
    if pos:
        a, b, c, d = (p1 + p2) & m, p2, 0, -p1 & m
        for w, x, y, z in struct.iter_unpack("<4Q", data[:pos]):
            a = (a + w * p2) & m
            a = ((a << 31 | a >> 33) * p1) & m
            b = (b + x * p2) & m
            b = ((b << 31 | b >> 33) * p1) & m
            c = (c + y * p2) & m
            c = ((c << 31 | c >> 33) * p1) & m
            d = (d + z * p2) & m
            d = ((d << 31 | d >> 33) * p1) & m
        acc = ((a << 1 | a >> 63) + (b << 7 | b >> 57)
               + (c << 12 | c >> 52) + (d << 18 | d >> 46))
        for v in (a, b, c, d):
            v = (v * p2) & m
            acc ^= ((v << 31 | v >> 33) * p1) & m
            acc = (acc * p1 + P4) & m
    else:
        acc = P5
    acc = (acc + size) & m

    while pos + 8 <= size:
        v = (struct.unpack_from("<Q", data, pos)[0] * p2) & m
        acc ^= ((v << 31 | v >> 33) * p1) & m
        acc = ((acc << 27 | acc >> 37) * p1 + P4) & m
        pos += 8
    if pos + 4 <= size:
        acc ^= (struct.unpack_from("<I", data, pos)[0] * p1) & m
        acc = ((acc << 23 | acc >> 41) * p2 + P3) & m
        pos += 4
    for byte in data[pos:]:
        acc ^= (byte * P5) & m
        acc = ((acc << 11 | acc >> 53) * p1) & m

    acc = ((acc ^ acc >> 33) * p2) & m
    acc = ((acc ^ acc >> 29) * P3) & m
    return acc ^ acc >> 32


def hash_of(values):
    """H(a, b, ...) of the spec."""
    return xxh64(struct.pack("<%dQ" % len(values), *values))


def letters(x, n):
    out = ""
    for _ in range(n):
        x, digit = divmod(x, 26)
        out = chr(97 + digit) + out
    return out


def anchors(scheme, lines):
    """A function from a line number to its anchor; hashes are made once, if needed."""
    line_hash = functools.cache(lambda n: xxh64(lines[n - 1]))

    def span(first, last):
        return hash_of([line_hash(n) for n in range(first, last + 1)])

    @functools.cache
    def chunk(k):
        return span(CHUNK * k + 1, min(CHUNK * k + CHUNK, len(lines)))

    def anchor(n):
        if scheme == "file":
            return str(n)
        h = line_hash(n)
        if scheme == "content":
            return f"{n}:{letters(h, 3)}"
        if scheme == "chain":
            start = (n - 1) // CHECKPOINT * CHECKPOINT + 1
            return f"{n}:{letters(h, 2)}~{letters(span(start, n), 4)}"
        proof = chunk((n - 1) // CHUNK)
        if scheme == "seal":
            return f"{n}.{letters(hash_of((h, proof)), 6)}"
        return f"{n}:{letters(h, 2)}:{letters(proof, 4)}"

    return anchor


# --- Text (section 1) -----------------------------------------------------

# In UTF-8 the byte ED is a lead byte only, so this finds just surrogates.
LONE_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")


def text_of(raw):
    """The text, and whether it may hold surrogates without a partner: in a big file
    those behind the window must not refuse it, so they are left to check()."""
    if raw[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        raise Refused("encoding_error")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        codec = "utf-16-le" if raw[0] == 0xFF else "utf-16-be"
        # Guess: the size of a file is known, so odd ones are always refused.
        if len(raw) % 2:
            raise Refused("encoding_error")
        return raw[2:].decode(codec, "surrogatepass").encode("utf-8", "surrogatepass"), True
    return raw.removeprefix(b"\xef\xbb\xbf"), False


def lines_of(text):
    parts = text.split(b"\n")
    # What follows the last line feed has no ending: its carriage return stays.
    rest = parts.pop()
    lines = [p[:-1] if p.endswith(b"\r") else p for p in parts]
    if rest:
        lines.append(rest)
    return lines


def check(lines, decoded):
    """Refuses lines that must not be shown. Guess: bad UTF-16 goes before NUL."""
    if decoded and any(LONE_SURROGATE.search(line) for line in lines):
        raise Refused("encoding_error")
    if any(b"\0" in line for line in lines):
        raise Refused("binary_file")


# --- Views (section 4) ----------------------------------------------------

GO_ESCAPES = {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r",
              "\t": r"\t", "\v": r"\v", '"': r"\"", "\\": r"\\"}


def quoted(path):
    """The path in a header, as bytes; in the way of Go's strconv.Quote if needed."""
    # One surrogate for each byte that is not UTF-8, which is how Go counts, too.
    chars = os.fsencode(path).decode("utf-8", "surrogateescape")
    # Guess: "a quote" is the double one. isprintable() is false for categories
    # C and Z except the space, which is just what does not print for Go.
    if chars and chars.isprintable() and not re.search('[ "\\\\\ufffd]', chars):
        return chars.encode()
    out = ""
    for c in chars:
        code = ord(c)
        if c in GO_ESCAPES:
            out += GO_ESCAPES[c]
        elif c.isprintable():
            out += c
        elif code < 0x80 or 0xDC80 <= code <= 0xDCFF:
            out += "\\x%02x" % (code & 0xFF)
        else:
            out += ("\\u%04x" if code < 0x10000 else "\\U%08x") % code
    return f'"{out}"'.encode()


def shown(line):
    if len(line) <= CUT:
        return line
    places = (n for n in range(CUT, CUT - 4, -1) if line[n] & 0xC0 != 0x80)
    size = next(places, CUT)
    return line[:size] + f"…+{len(line) - size}b".encode()


def default_end(lines):
    """The last line of a view without ranges."""
    total = 0
    for i, line in enumerate(lines[:VIEW_LINES]):
        # Guess: a cut line counts 2,000, even if a character made it 1,997.
        total += min(len(line), CUT)
        if total > VIEW_BYTES:
            return i
    return min(len(lines), VIEW_LINES)


def view(path, raw, scheme, ranges):
    text, decoded = text_of(raw)
    lines = lines_of(text)
    count = len(lines)
    if ranges is None:
        ranges = [(1, default_end(lines))]
    parts = [(a, min(b, count)) for a, b in ranges if a <= min(b, count)]
    last = parts[-1][1] if parts else 0
    whole = sum(b - a + 1 for a, b in parts) == count

    # What a reader of a window has to read: files that are not big in full, for
    # TOTAL; of big ones what the anchors prove; to look for a line behind the
    # end, everything.
    needed = count
    if len(raw) > BIG_FILE and parts:
        needed = last
        if scheme in ("chunk", "seal"):
            needed = min(-(-last // CHUNK) * CHUNK, count)
    check(lines[:needed], decoded)
    if scheme == "file" and not whole:
        raise Refused("invalid_input")  # guess: the spec names no code

    out = [b"%s base=%s lines %s/%s" % (
        quoted(path),
        b"%016x" % xxh64(raw) if whole else b"-",
        ",".join(f"{a}-{b}" for a, b in parts or [(0, 0)]).encode(),
        b"%d" % count if needed == count else b"?")]
    anchor = anchors(scheme, lines)
    before = 0
    for a, b in parts:
        if before:
            out.append(f"… {a - before - 1} lines".encode())
        out += (f"{anchor(n)}→".encode() + shown(lines[n - 1]) for n in range(a, b + 1))
        before = b
    if 0 < last < count:
        out.append(b"more: --lines %d-" % (last + 1))
    return b"\n".join(out) + b"\n"


# --- The program ----------------------------------------------------------

def parse_lines(value):
    """`all` or ranges, sorted and joined where they meet (the spec has no grammar)."""
    if value == "all":
        return [(1, MAX_LINE)]
    ranges = []
    for item in value.split(","):
        match = re.fullmatch(r"([0-9]+)(?:(-)([0-9]*))?", item)
        first = int(match[1]) if match else 0
        last = int(match[3] or MAX_LINE) if match and match[2] else first
        if not 1 <= first <= last:
            raise argparse.ArgumentTypeError(f"no range of lines: {item!r}")
        ranges.append((first, last))
    joined = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            first, end = joined.pop()
            last = max(last, end)
        joined.append((first, last))
    return joined


def read(path):
    try:
        # Before it is opened: to open a named pipe would wait for a writer.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Refused("not_regular")
        with open(path, "rb") as f:
            return f.read()
    except OSError as err:
        missing = isinstance(err, FileNotFoundError)
        raise Refused("file_not_found" if missing else "io_error") from err


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scheme", choices=SCHEMES, default="chunk")
    parser.add_argument("--lines", type=parse_lines)
    parser.add_argument("files", nargs="+", metavar="FILE")
    args = parser.parse_args()
    status = 0
    for path in args.files:
        try:
            sys.stdout.buffer.write(view(path, read(path), args.scheme, args.lines))
        except Refused as err:
            sys.stderr.buffer.write(b"%s %s\n" % (str(err).encode(), quoted(path)))
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
