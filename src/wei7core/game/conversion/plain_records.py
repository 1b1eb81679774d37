"""Records of SGF and wei7 of the plain kind in either format without documents: the tables for the writer in C.

Its output equals that of a conversion of the document, with the losses of properties and empty nodes, or of members of
`info`; it declines every other record.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import count, islice
from typing import Final, TypeAlias

from ...errors import Problem, Wei7Error
from ...formats._native import Writer, Writing
from ...formats.record_columns import EMBEDDED_IN, OF_ACTION, OF_MARK, OF_PRE, OF_ROOT, OF_STONE, OF_TREE, OF_VALUE
from ...formats.sgf.charset import number_of
from ...formats.sgf.charset_tables import CODECS
from ...formats.sgf.info import info_from_properties
from ...formats.sgf.properties import PROPERTIES, SHAPE_MARKS, is_name, is_value
from ...formats.sgf.write import document_to_sgf
from ...formats.wei7.decode import string_of
from ...formats.wei7.info import read_info
from ...formats.wei7.json_text import encode, plain_number
from ...formats.wei7.write import info_to_json, result_to_obj
from ...limits import DEFAULT_LIMITS
from ...record.document import Branch, Document, Extra, Properties
from ...record.record import Record
from ...replaying.cursor import Place
from ..output_formats import target_named
from .loss_paths import LossPath, TextAdapter, drop_extra
from .report import LISTED, Loss, LossReport, count_by_code
from .sgf_remarks import (
    OF_MOVES,
    REMARK_LABELS,
    add_clock,
    add_dropped,
    add_handicap_implied,
    add_moved,
    add_normalised,
    add_shape,
)
from .to_sgf import to_sgf
from .wei7_info import HELD, InfoForWei7, add_event_as_name

Moved: TypeAlias = "bytes | tuple[Loss, ...]"
"""The losses of a plain record: of one of SGF by the numbers of the writer."""


def plain_record(record: Record, format: str, problems: Iterable[Problem] = ()) -> tuple[bytes, Moved] | None:
    """Return a record with these problems, without errors, as bytes, and its losses for `moved_losses`.

    None if it must be converted as a document. Thread safe.
    """
    target = target_named(format).format
    if not _can_be(record.format, format, record.revision) or (record.format == target == "wei7" and any(problems)):
        return None
    made = _writer().write(record, target == "wei7")
    if made is not None or record.format != "sgf" or record.encoding in ("ascii", "utf-8"):
        return made
    # The text as a whole may have other characters than its values have.
    if any(problem.code in _OTHER_CHARACTERS for problem in problems):
        return None
    charset = number_of(record.encoding)
    return None if charset < 0 else _writer().write_in(record.source, charset, target == "wei7", DEFAULT_LIMITS)


_OTHER_CHARACTERS: Final = ("text-undecodable", "stray-text")


def root_as_read(document: Document) -> bytes | None:
    """Return the text in SGF of the root node of a document read from SGF.

    None if it has, or had, other properties than those of the game, or if these may have changed or are not plain.
    Thread safe.
    """
    record, tree = document.record_of_root, document.tree
    if record is None or len(record.pres) or tree.pre is not None or tree.title is not None:
        return None
    if (document.width, document.height) != (record.width, record.height):
        return None
    made = _writer().write(record, False, True) if record.format == "sgf" else None
    return made and made[0][1:]  # after the parenthesis


def plain_writing(source: str, format: str, revision: int = 7) -> Writing | None:
    """Return the writer of plain records of the format `source` in another format, for the engine that replays them.

    Of wei7 by `revision` it also writes records with problems as wei7, though only those without are plain. None for
    unsupported formats.
    """
    if source not in _WRITTEN or not _can_be(source, format, revision):
        return None
    return Writing(_writer(), target_named(format).format == "wei7")


def _can_be(source: str, format: str, revision: int) -> bool:
    """Whether plain records of a format, of wei7 of a revision, can be written in another."""
    target = target_named(format)
    return target.format in _WRITTEN and (source != target.format or source != "wei7" or target.revision == revision)


@cache
def _codec_of(charset: int) -> bytes | None:
    """The codec of an encoding by its number, if bytes of ASCII are characters of ASCII in every text."""
    codec = CODECS[charset]
    try:
        keeps_ascii = bytes(range(128)).decode(codec).encode() == bytes(range(128))
    except UnicodeDecodeError:
        return None
    return codec.encode() if keeps_ascii else None


def moved_losses(moved: Moved) -> tuple[Loss, ...]:
    """Return the losses of a plain record. Thread safe."""
    if isinstance(moved, tuple):
        return moved
    return (_short_losses if len(moved) < _SHORT else _losses)(moved)


def moved_counts(moved: Moved) -> Counter[str]:
    """Return how many losses of each code a plain record has. Thread safe."""
    if isinstance(moved, tuple):
        return count_by_code(moved)
    counts = _Counts()
    _report(moved, counts)
    return counts.counts


def _losses(numbers: bytes) -> tuple[Loss, ...]:
    losses = LossReport()
    _report(numbers, losses)
    return tuple(losses.losses())


_short_losses: Final = lru_cache(maxsize=4096)(_losses)
_SHORT: Final = 128


class _Counts(LossReport):
    """Counts losses without a list of them."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, code: str, *_at: object, **_options: object) -> None:
        self.counts[code] += 1

    def repeat(self, code: str, times: int, **_options: object) -> None:
        self.counts[code] += times


# The kinds of formats/sgf/write_losses.h.
_AS_NAME, _IMPOSSIBLE, _NORMALISED, _AS_STONES, _MOVED, _LEFT_OUT, _CLOCK_LOST = range(7)
_SHAPE_LOST, _NODE_LOST, _AT, _TIMES = range(7, 11)
_KIND: Final = 1 << 10
_IN_INFO: Final = "KMRURE"  # in the order of their losses


def _report(numbers: bytes, losses: LossReport) -> None:
    """List the losses by the numbers of the writer."""
    left_out: list[str] = []
    for kind, place, text, at in sorted(_rows(numbers), key=_order):
        name = _names().get(place, "")
        if kind == _MOVED:
            add_moved(losses, name, at)
        elif kind == _LEFT_OUT:
            left_out.append(text)
            add_dropped(losses, text, at)
        elif kind == _CLOCK_LOST:
            add_clock(losses, name, at)
        elif kind == _SHAPE_LOST:
            add_shape(losses, *SHAPE_MARKS[name], at)
        elif kind == _NODE_LOST:
            losses.add("node-dropped", at)
        elif kind == _AS_NAME:
            add_event_as_name(losses)
        elif kind == _IMPOSSIBLE:
            _info_of(name, text, losses)
        elif kind == _NORMALISED:
            add_normalised(losses, name, at)
        elif kind == _AS_STONES:
            add_handicap_implied(losses, at)
        elif place:
            losses.repeat("property-dropped", int(text) - 1, kind=left_out[place - 1])
        else:
            losses.repeat("time-dropped", int(text) - LISTED)


def _order(row: tuple[int, int, str, str]) -> tuple[int, int]:
    return (row[0], _IN_INFO.find(_names()[row[1]])) if row[0] < _MOVED else (_MOVED, 0)


def _rows(numbers: bytes) -> Iterator[tuple[int, int, str, str]]:
    """Yield the kind of each row, the place of a name or in a list, a text, and the path of the node."""
    rest = iter(memoryview(numbers).cast("H").tolist())
    at = "-;0"
    for number in rest:
        kind, place = divmod(number, _KIND)
        if kind == _AT:
            branches = [*islice(rest, next(rest))]
            at = f"{'.'.join(map(str, reversed(branches))) or '-'};{_long(rest)}"
            continue
        text = ""
        if kind in (_IMPOSSIBLE, _LEFT_OUT):
            text = bytes(islice(rest, next(rest))).decode()
        elif kind == _TIMES:
            text = str(_long(rest))
        yield kind, place, text, at


def _long(rest: Iterator[int]) -> int:
    return next(rest) + (next(rest) << 16)


@cache
def _names() -> dict[int, str]:
    return {_place_of(name): name for name in PROPERTIES}


_WRITTEN: Final = ("sgf", "wei7")

# The numbers of formats/sgf/write.h and write_node.h.
_OF_ROOT: Final = 0x80
_DECLINED, _OF_TEXT, _MEMBER, _EVENT, _READ, _HANDICAP, _LINES = range(7)
_LINE, _OF_VALUES, _TO_PLAY, _UNTIMED, _DROPPED, _SHAPES, _LABELS, _WORTH = range(7, 15)
_KINDS: Final = {
    **dict.fromkeys(OF_MOVES, _DECLINED),
    **dict.fromkeys(SHAPE_MARKS, _SHAPES),
    "LB": _LABELS,
    "TE": _WORTH,
    "BM": _WORTH,
    **dict.fromkeys(REMARK_LABELS, _LINE),
    **dict.fromkeys(HELD, _MEMBER),
    **dict.fromkeys(("FF", "CA", "GM", "SZ"), _OF_TEXT),
    **dict.fromkeys(("EV", "RO"), _EVENT),
    **dict.fromkeys(("KM", "RU", "RE"), _READ),
    "HA": _HANDICAP,
    "GC": _LINES,
    "TB": _OF_VALUES,
    "TW": _OF_VALUES,
    "PL": _TO_PLAY,
    **{name: _UNTIMED for name, known in PROPERTIES.items() if known.place == "timing"},
}


def _place_of(name: str) -> int:
    """The place of the name of a property in the tables of `Writer`: one for each of one or two capitals."""
    if not 1 <= len(name) <= 2 or not is_name(name):
        return _PLACES - 1
    return (ord(name[0]) - 65) * 27 + (ord(name[1]) - 64 if len(name) == 2 else 0)


_PLACES: Final = 26 * 27 + 1


@cache
def _writer() -> Writer:
    ranks = bytearray([len(PROPERTIES)]) * _PLACES
    kinds = bytearray([_DROPPED]) * _PLACES
    labels: list[bytes | None] = [None] * _PLACES
    of_root = set()
    for name, known in PROPERTIES.items():
        # Moves of both colours stay in their order.
        ranks[_place_of(name)] = PROPERTIES["B" if name == "W" else name].rank
        if known.place in ("root", "game-info") or name in ("AB", "AW", "AE"):
            of_root.add(name)
    for name, kind in _KINDS.items():
        kinds[_place_of(name)] = kind
        labels[_place_of(name)] = REMARK_LABELS.get(name, "").encode()
    for name in of_root:
        kinds[_place_of(name)] |= _OF_ROOT
    return Writer(bytes(ranks), bytes(kinds), labels, _codec_of, _read, _info_of_wei7, _lost_in_tree)


def _lost_in_tree(
    kept: Iterable[tuple[int, int, int, bytes, bytes]], unreadable: int, lost: tuple[Loss, ...]
) -> tuple[Loss, ...] | None:
    """`lost` and the losses of the one branch of a record of wei7 in SGF, for `Writer`, which see."""
    extras: dict[tuple[int, bool], Extra] = {}  # by owners, in the order of these and their values
    for owner, row, inside, key, value in kept:
        place = _PLACES_OF_KEPT.get(owner, row)
        if owner in (OF_PRE, OF_STONE, OF_MARK) or (owner == OF_TREE and row):
            return None
        name = string_of(key)
        within = "action" if owner == OF_ACTION else EMBEDDED_IN[inside]
        extra = extras.setdefault((place, owner == OF_VALUE), {})
        extra[name if within is None else (within, name)] = value
    if any(loss.code == "member-dropped" for loss in lost):
        return None  # of these the first are listed
    losses, branch, kept_in = LossReport(), Place(Branch()), Branch()
    last = (unreadable, False) if unreadable >= 0 else (_NO_STEP, True)
    for step, of_value in sorted(extras):
        if (step, of_value) <= last:
            at = "$" if step == _RECORD else LossPath(branch, "branch" if step == _BRANCH else step)
            kept_in.extra = extras[step, of_value]
            drop_extra(losses, at, kept_in)
    if unreadable >= 0:
        losses.add("step-unreadable", LossPath(branch, unreadable))
    return (*lost, *losses.losses())


_RECORD, _BRANCH, _NO_STEP = -2, -1, 1 << 40
_PLACES_OF_KEPT: Final = {OF_ROOT: _RECORD, OF_TREE: _BRANCH}


_Parts = tuple[bytes | None, bytes | None, bool, bool, bool]


def _read(key: bytes, value: bytes) -> _Parts | None:
    """The value of KM, RU or RE of the root in `info`, whether it is complete, in the same words, and possible; None:
    unknown.
    """
    name = key.decode()
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return None
    if not is_value(text):
        return None
    losses = LossReport()
    info = _info_of(name, text, losses)
    is_possible = not losses.losses()
    if info.lines:
        return None
    is_complete = name not in info.remaining_properties(0, LossPath(Place(Branch()), 0))
    rest = is_complete, is_possible and not losses.losses(), is_possible
    rules, result = info.info.rules, info.info.result
    if name == "RE":
        return None if result is None else encode(result_to_obj(result)), None, *rest
    if rules is None:
        return None, None, *rest
    if name == "KM":
        return None if rules.komi is None else encode(plain_number(rules.komi)), None, *rest
    scoring, kind = (None if each is None else encode(each) for each in (rules.scoring, rules.type))
    return scoring, kind, *rest


def _info_of(name: str, value: str, losses: LossReport) -> InfoForWei7:
    properties: Properties = {name: (value,)}
    document = Document(info=info_from_properties(properties), properties=properties)
    return InfoForWei7(document, losses, TextAdapter(losses))


_InfoParts: TypeAlias = "tuple[tuple[bytes, ...], bytes, tuple[Loss, ...]]"


def _info_of_wei7(info: bytes, width: int, height: int, as_wei7: bool, is_kind: bool) -> _InfoParts | bytes | None:
    """Convert the `info` of a record of wei7 for `Writer`, which see.

    The conversion does not depend on the words of its texts: one serves all of a kind, which differ only in these.
    """
    if not is_kind and (plain := _unescaped(info)) is not None:
        return plain
    marks = count(_FIRST_MARK)
    info_text = info.decode("utf-8", "surrogateescape")
    if is_kind:
        info_text = re.sub("\0", lambda _: chr(next(marks)), info_text)
    made = _member(info_text) if as_wei7 else _root(info_text, width, height)
    if made is None or not is_kind:
        return made and ((made[0].encode("utf-8", "backslashreplace"),), b"", made[1])
    text = made[0] if as_wei7 else made[0].replace(f"[{_NO_DATE}]", f"[{chr(next(marks))}]")
    parts = re.split("([\ue000-\uf8ff])", text)
    numbers = bytes(ord(mark) - _FIRST_MARK for mark in parts[1::2])
    return tuple(part.encode() for part in parts[::2]), numbers, made[1]


def _unescaped(info: bytes) -> bytes | None:
    """Return JSON with its `\\uXXXX` as characters, where no other character is escaped; None if none is."""
    if b"\\" not in info:
        return None
    text = info.decode("utf-8", "surrogateescape")
    plain = _ESCAPED.sub(lambda escaped: str(json.loads(f'"{escaped[0]}"')), text)
    is_same = plain.isprintable() and "\\" not in plain and plain.count('"') == text.count('"')
    return plain.encode() if is_same else None


_Made: TypeAlias = "tuple[str, tuple[Loss, ...]] | None"


def _member(info_text: str) -> _Made:
    """The member `info` of a record of wei7 without problems, as `write_document` writes it, with a comma before it."""
    info = read_info(info_text.encode("utf-8", "surrogateescape"))
    info.kept_empty = frozenset()
    return "" if info.is_empty else f',"info":{info_to_json(info)}', ()


def _root(info: str, width: int, height: int) -> _Made:
    """The start of a record of SGF, up to the properties of the game, and the losses of `info`."""
    try:
        parsed = read_info(info.encode("utf-8", "surrogateescape"))
        document, losses = to_sgf(Document(width, height, info=parsed))
        return document_to_sgf(document).decode()[:-2], tuple(losses)  # without the end of the record
    except (Wei7Error, ValueError):
        return None


_ESCAPED: Final = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+")
_NO_DATE: Final = "0000-00-00"
_FIRST_MARK: Final = 0xE000
