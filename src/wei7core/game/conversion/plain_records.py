"""Records of SGF of the plain kind as bytes of SGF or wei7, without documents: the tables for the writer in C.

What it writes is what a conversion of the document writes, without another loss than that of properties of the root
without a member in wei7; it declines every other record.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from ...formats.sgf._decoder import AS_NAME, AS_STONES, NORMALISED, Writer, Writing, place_of_name
from ...formats.sgf.info import info_from_properties
from ...formats.sgf.properties import PROPERTIES, is_value
from ...formats.wei7.json_text import encode, plain_number
from ...formats.wei7.write import result_to_obj
from ...limits import Limits
from ...record.document import Branch, Document, Properties
from ...record.record import Record
from ...replaying.cursor import Place
from .loss_paths import LossPath, TextAdapter
from .output_formats import target_named
from .report import Loss, LossReport
from .sgf_remarks import REMARK_LABELS, add_handicap_implied, add_moved, add_normalised
from .wei7_info import HELD, InfoForWei7, add_event_as_name


def plain_record(record: Record, format: str) -> tuple[bytes, bytes] | None:
    """Return a record without errors as bytes, and its losses for `moved_losses`.

    None where it takes the way of documents. Thread safe.
    """
    target = target_named(format).format
    return _writer().write(record, target == "wei7") if target in _WRITTEN else None


def root_as_read(document: Document) -> bytes | None:
    """Return the text in SGF of the root node of a document read from SGF.

    None if it has, or had, more than properties of the game, if they may have changed, and if they are not plain.
    Thread safe.
    """
    record, tree = document.record_of_root, document.tree
    if record is None or len(record.pres) or tree.pre is not None or tree.title is not None:
        return None
    if (document.width, document.height) != (record.width, record.height):
        return None
    return _writer().root(record)


def plain_writing(format: str) -> Writing | None:
    """Return what writes plain records for the engine that replays them; None for a format that it does not write."""
    target = target_named(format).format
    return Writing(_writer(), target == "wei7") if target in _WRITTEN else None


def plain_texts(texts: Iterable[tuple[bytes, str]], format: str, limits: Limits) -> list[tuple[bytes, bytes] | None]:
    """Return what `plain_record` returns for records of SGF without errors, each in an encoding.

    None also where it takes the way of documents. Thread safe.
    """
    in_utf8 = (_in_utf8(text, codec) for text, codec in texts)
    return _writer().write_texts(in_utf8, target_named(format).format == "wei7", limits)


def _in_utf8(text: bytes, codec: str) -> bytes | None:
    if not _keeps_ascii(codec):
        return None
    # Codecs of many bytes take their time for ASCII as well: they get the part with all other characters alone.
    first, last = 0, len(text)
    while first < last:
        middle = (first + last) // 2
        if text[middle:].isascii():
            last = middle
        else:
            first = middle + 1
    end = first + 1  # the last character may have one more byte
    try:
        return text[:end].decode(codec).encode() + text[end:]
    except UnicodeDecodeError:
        return None


@cache
def _keeps_ascii(codec: str) -> bool:
    """Whether bytes of ASCII are characters of ASCII in every text."""
    try:
        return bytes(range(128)).decode(codec).encode() == bytes(range(128))
    except UnicodeDecodeError:
        return False


@lru_cache(maxsize=4096)
def moved_losses(moved: bytes) -> tuple[Loss, ...]:
    """Return the losses of a plain record: its properties without a member in wei7. Thread safe."""
    losses = LossReport()
    places = memoryview(moved).cast("H").tolist()
    names = _names()
    at = LossPath(Place(Branch()), 0)
    if any(place & AS_NAME for place in places):
        add_event_as_name(losses)
    for name in ("KM", "RU", "RE"):
        if place_of_name(name) | NORMALISED in places:
            add_normalised(losses, name, at)
    if any(place & AS_STONES for place in places):
        add_handicap_implied(losses, at)
    for place in places:
        if not place & (AS_NAME | AS_STONES | NORMALISED):
            add_moved(losses, names[place], at)
    return tuple(losses.losses())


@cache
def _names() -> dict[int, str]:
    return {place_of_name(name): name for name in REMARK_LABELS}


_WRITTEN: Final = ("sgf", "wei7")

# The numbers of formats/sgf/write.h and write_wei7.h.
_OF_ROOT: Final = 0x80
_OF_TEXT, _MEMBER, _EVENT, _READ, _HANDICAP, _LINE, _LINES = range(1, 8)
_KINDS: Final = {
    **dict.fromkeys(REMARK_LABELS, _LINE),
    **dict.fromkeys(HELD, _MEMBER),
    **dict.fromkeys(("FF", "CA", "GM", "SZ"), _OF_TEXT),
    **dict.fromkeys(("EV", "RO"), _EVENT),
    **dict.fromkeys(("KM", "RU", "RE"), _READ),
    "HA": _HANDICAP,
    "GC": _LINES,
}
_LISTED: Final = ("PL", "V", "TB", "TW")  # they have words of their own, or lists of points


@cache
def _writer() -> Writer:
    places = place_of_name("") + 1
    ranks = bytearray([len(PROPERTIES)]) * places
    kinds = bytearray(places)
    labels: list[bytes | None] = [None] * places
    for name, known in PROPERTIES.items():
        # Moves of both colours stay in their order.
        ranks[place_of_name(name)] = PROPERTIES["B" if name == "W" else name].rank
        if known.place in ("root", "game-info") or name in ("AB", "AW", "AE"):
            kinds[place_of_name(name)] = _OF_ROOT
    for name, kind in _KINDS.items():
        if name not in _LISTED:
            kinds[place_of_name(name)] |= kind
            labels[place_of_name(name)] = REMARK_LABELS.get(name, "").encode()
    return Writer(bytes(ranks), bytes(kinds), labels, _read)


_Parts = tuple[bytes | None, bytes | None, bool, bool]
_MOST_BYTES: Final = 64


def _read(name: str, value: bytes) -> _Parts | None:
    """What KM, RU or RE of the root becomes in `info`, whether it is all of it, in the same words; None: unknown."""
    return _read_short(name, value) if len(value) <= _MOST_BYTES else None


@lru_cache(maxsize=4096)
def _read_short(name: str, value: bytes) -> _Parts | None:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return None
    if not is_value(text):
        return None
    properties: Properties = {name: (text,)}
    losses = LossReport()
    info = InfoForWei7(
        Document(info=info_from_properties(properties), properties=properties), losses, TextAdapter(losses)
    )
    if losses.losses() or info.lines:
        return None
    is_complete = name not in info.properties_left(0, LossPath(Place(Branch()), 0))
    is_normal = not losses.losses()
    rules, result = info.info.rules, info.info.result
    if name == "RE":
        return None if result is None else encode(result_to_obj(result)), None, is_complete, is_normal
    if rules is None:
        return None, None, is_complete, is_normal
    if name == "KM":
        return None if rules.komi is None else encode(plain_number(rules.komi)), None, is_complete, is_normal
    scoring, kind = (None if each is None else encode(each) for each in (rules.scoring, rules.type))
    return scoring, kind, is_complete, is_normal
