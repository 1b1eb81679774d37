"""Where the games of a text in SGF end, byte by byte from the rules: the obvious form of `formats/sgf/split.h`.

Which encoding a game is in is left to the package: that has tests of its own.
"""

import re

from wei7core.formats._native import PROPERTIES
from wei7core.formats.sgf.charset import double_byte_of

SMALL = 1 << 14
LONGEST_START = 1 << 12
SPACES = b"\t\n\v\f\r "
ROOTS = (b"FF", b"GM", b"SZ", b"CA", b"AP")
KNOWN = {name.encode() for name in PROPERTIES if name}
NAME_AT = re.compile(rb"([A-Z][A-Za-z0-9_]*)\[")
ENDS_ESCAPES_OR_LEADS = re.compile(rb"[]\\\x80-\xff]")
CAPITALS_AT = re.compile(rb"[A-Z]{1,40}\[")


def games(text):
    """(begin, end) of the games, in order and without gaps."""
    return [(begin, end) for begin, end, _ in pieces(text)]


def pieces(text, assumed=-1):
    """Yield the games as (begin, end, assumed): the encoding of games that name none, from there on; -1: not known."""
    begin = 0
    while True:
        start = find_start(text, begin)
        if start < 0:
            if text if begin == 0 else text[begin:].strip(SPACES):
                yield begin, len(text), assumed
            return
        close, double_byte = end_of(text, start, 0), 0
        if not is_utf8(text[start : len(text) if close < 0 else close]):
            ends = [end_of(text, start, number) for number in range(3)]
            close = ends[0]
            small = 0 <= close <= start + SMALL
            alike = ends[0] == ends[1] == ends[2] or not any(
                is_read_by_pairs(text, start, close, number) for number in (1, 2)
            )
            if not (small and alike):
                earliest = min((end for end in ends if end >= 0), default=-1)
                next_one = find_start(text, earliest) if earliest >= 0 else -1
                seen = text[begin : len(text) if next_one < 0 else earliest]
                double_byte, named = double_byte_of(seen, assumed)
                assumed = assumed if named else double_byte
                close = end_of(text, start, double_byte)
        if close < 0 or find_start(text, close) < 0:
            close = len(text)
        yield begin, close, assumed
        begin = close


def is_utf8(text):
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def spaces(text, at):
    while at < len(text) and text[at] in SPACES:
        at += 1
    return at


def is_confirmed(text, close):
    """Whether a game that ends at `close` does so whatever follows the text: enough of the next one is there."""
    start = find_start(text, close)
    at = spaces(text, start + 1)
    while text[at : at + 1] == b";":
        at = spaces(text, at + 1)
    return start >= 0 and (len(text) - at > 40 or len(text) - start > LONGEST_START)


def property_at(text, at):
    """The known short name of the property that begins there with its first value, or None."""
    found = NAME_AT.match(text, at, at + 40)
    if found is None or b"_" in found[1]:
        return None
    return bytes(c for c in found[1] if not chr(c).islower())


def find_start(text, at):
    while (at := text.find(b"(", at)) >= 0:
        inside = spaces(text, at + 1)
        if text[inside : inside + 1] == b";" or property_at(text, inside) in KNOWN:
            return at
        at += 1
    return -1


def is_new_game(text, at):
    inside = spaces(text, at + 1)
    return text[inside : inside + 1] == b";" and property_at(text, spaces(text, inside + 1)) in ROOTS


def is_pair(text, at, double_byte):
    if not double_byte or at + 1 >= len(text):
        return False
    lead, trail = text[at], text[at + 1]
    leads = 0x81 <= lead <= 0x9F or 0xE0 <= lead <= 0xFC if double_byte == 2 else 0x81 <= lead <= 0xFE
    return leads and trail >= 0x30 and trail not in (0x7F, 0xFF)


def goes_on(text, at):
    at = spaces(text, at)
    while text[at : at + 1] == b")":
        at = spaces(text, at + 1)
    if at == len(text):
        return True
    if text[at] == ord("("):
        at = spaces(text, at + 1)
    if text[at : at + 1] != b";":
        return property_at(text, at) in KNOWN
    while text[at : at + 1] == b";":
        at = spaces(text, at + 1)
    return CAPITALS_AT.match(text, at) is not None


def is_read_by_pairs(text, at, end, double_byte):
    """Whether the second byte of a pair may be taken for a bracket or a backslash."""
    while at < end:
        is_whole = at + 1 < end and is_pair(text, at, double_byte)
        if not is_whole or (text[at + 1] == ord("]") and goes_on(text, at + 2)):
            at += 1
        elif text[at + 1] in b"[\\]":
            return True
        else:
            at += 2
    return False


def end_of(text, start, double_byte):
    """After the last parenthesis of the game at `start`, or where another game begins inside it; -1 without either."""
    depth = 1
    at = start + 1
    while at < len(text):
        byte = text[at : at + 1]
        if byte == b"[":
            at = value_end(text, at + 1, double_byte)
            if at < 0:
                return -1
        elif byte == b"(":
            if is_new_game(text, at):
                return at
            depth += 1
        elif byte == b")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return -1


def value_end(text, at, double_byte):
    # Any other byte ends no value, escapes nothing and begins no pair.
    while (found := ENDS_ESCAPES_OR_LEADS.search(text, at)) is not None:
        at = found.start()
        if text[at : at + 1] == b"]":
            return at
        if text[at + 1 : at + 2] == b"]" and is_pair(text, at, double_byte) and goes_on(text, at + 2):
            return at + 1
        if text[at : at + 1] == b"\\":
            at += 1
            if at == len(text):
                return -1
        at += 2 if is_pair(text, at, double_byte) else 1
    return -1
