"""The encoding of the texts of an SGF record, from its CA and from its bytes.

The order: UTF-16 and UTF-32 by their zero bytes; UTF-8 wherever the bytes are UTF-8, for no other text of
any length looks like it, also with some damage, but not where all of them are pairs that are words of the encoding of
East Asia that CA names as well; else what CA names, if nearly all of the text can be read so, unless all of it can be
read in an encoding that gives far likelier characters (Latin letters never fill many words); else what the user
requested; else UTF-8 with much damage, or what the bytes look like (`charset.h`).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from .charset_names import OTHER_NAMES, PAIRS, SINGLES
from .charset_tables import CODECS, FREQUENT, other_pairs, other_singles, tables

EVIDENCE: Final = (
    "its bytes are UTF-8",
    "it gives the most probable characters",
    "it was asked for",
    "nothing else fits",
    "its zero bytes are those of that encoding",
    "most of its bytes are UTF-8",
    "it gives the most probable characters, but another encoding is nearly as probable",
    "escape sequences are not decoded",
)
"""The reason for the choice of an encoding, by the detail of a problem; `charset.h` has the same order."""

DOUBTFUL: Final = (EVIDENCE[3], EVIDENCE[6], EVIDENCE[7])
"""Those after which another encoding may be the right one."""

DISAGREES: Final = "; records before it in the same file were read as "
"""Added to a problem if records of one file that name no encoding were read in different ones."""

_UTF8, _ZEROS = 0, 4

_LONGEST_NAME: Final = 64
_NAMES: Final = 416  # and the bytes of each, as in charset.h
_NAME_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class Choice:
    """The encoding of a record: `encoding`, a Python codec; the `code` of its problem, or "".

    `evidence` is the reason for the choice (an index of `EVIDENCE`), `undecodable` the byte of the game at which the
    first undecodable text begins, or -1.
    """

    encoding: str
    code: str = ""
    evidence: int = 0
    undecodable: int = -1


@dataclass(frozen=True, slots=True)
class Wide:
    """A text in UTF-16 or UTF-32: its `codec`, the name to show, the bytes of its byte order mark, and of all of it."""

    codec: str
    name: str
    mark: int
    size: int = 0


# Names in real files that Python lacks, or reads as an encoding of fewer characters than the files have. They are
# compared without case and punctuation.
_ALIASES: Final = {
    "gb2312": "gb18030",
    "gb231280": "gb18030",
    "gbk": "gb18030",
    "gbk2312": "gb18030",
    "gb": "gb18030",
    "gb1803": "gb18030",
    "cp936": "gb18030",
    "936": "gb18030",
    "windows936": "gb18030",
    "ms936": "gb18030",
    "euccn": "gb18030",
    "xgbk": "gb18030",
    "hz": "gb18030",
    "hzgb2312": "gb18030",
    "chinese": "gb18030",
    "big5": "big5hkscs",
    "bigfive": "big5hkscs",
    "xxbig5": "big5hkscs",
    "cnbig5": "big5hkscs",
    "cp950": "big5hkscs",
    "950": "big5hkscs",
    "windows950": "big5hkscs",
    "ms950": "big5hkscs",
    "big5eten": "big5hkscs",
    "shiftjis": "cp932",
    "shiftjs": "cp932",
    "sjis": "cp932",
    "xsjis": "cp932",
    "sjift": "cp932",
    "mskanji": "cp932",
    "windows31j": "cp932",
    "932": "cp932",
    "windows932": "cp932",
    "ms932": "cp932",
    "euckr": "cp949",
    "ksc5601": "cp949",
    "ksc56011987": "cp949",
    "ksx1001": "cp949",
    "korean": "cp949",
    "949": "cp949",
    "windows949": "cp949",
    "ms949": "cp949",
    "uhc": "cp949",
    "utf8": "utf-8",
    "utf": "utf-8",
    "uft8": "utf-8",
    "ut8": "utf-8",
    "uf8": "utf-8",
    "utf8n": "utf-8",
    "utf8bom": "utf-8",
    "utf8sig": "utf-8",
    "unicode": "utf-8",
    "iso88591": "cp1252",
    "iso8859": "cp1252",
    "latin1": "cp1252",
    "latin": "cp1252",
    "isolatin1": "cp1252",
    "ansi": "cp1252",
    "cp1252": "cp1252",
    "windows1252": "cp1252",
    "gb18030": "gb18030",
    "big5hkscs": "big5hkscs",
    "cp932": "cp932",
    "eucjp": "euc_jp",
    "ujis": "euc_jp",
    "cp949": "cp949",
    "cp1251": "cp1251",
    "windows1251": "cp1251",
    "usascii": "ascii",
    "win1251": "cp1251",
}
_DOUBLE_BYTE: Final = {"gb18030": 1, "gbk": 1, "big5": 1, "big5hkscs": 1, "cp950": 1, "johab": 1}
_SHIFT_JIS: Final = ("cp932", "shift_jis", "shift_jisx0213", "shift_jis_2004")
_PAIRS: Final = ("gb2312", "euc_kr", "cp949", "euc_jp", "euc_jis_2004", "euc_jisx0213")
_WIDE: Final = ("utf-16", "utf-32")
_WIDE_NUMBER: Final = 250  # as in charset.h
_ENDINGS: Final = tuple((order, mark) for order in ("", "le", "be") for mark in ("", "bom"))
_UNICODE: Final = ("utf-8", "ascii", "utf-8-sig")

_MARKS: Final = (
    (b"\xff\xfe\0\0", Wide("utf-32-le", "UTF-32", 4)),
    (b"\0\0\xfe\xff", Wide("utf-32-be", "UTF-32", 4)),
    (b"\xff\xfe", Wide("utf-16-le", "UTF-16", 2)),
    (b"\xfe\xff", Wide("utf-16-be", "UTF-16", 2)),
)
_NOT_ZERO: Final = (
    (b"\1\0\0\0\1\0\0\0", Wide("utf-32-le", "UTF-32", 0)),
    (b"\0\0\0\1\0\0\0\1", Wide("utf-32-be", "UTF-32", 0)),
    (b"\1\0\1\0", Wide("utf-16-le", "UTF-16", 0)),
    (b"\0\1\0\1", Wide("utf-16-be", "UTF-16", 0)),
)
"""Which of the first bytes of two characters of ASCII are not zero."""

_NAMED: Final = re.compile(rb"CA\s*\[([^\]\\]{1,40})\]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")


ASCII: Final = Choice("ascii")


def codec(name: bytes) -> str | None:
    """Return the Python codec for the encoding that CA names, or None. Thread safe."""
    return _codec(name) if len(name) <= _LONGEST_NAME else None


@functools.lru_cache(maxsize=256)
def _codec(name: bytes) -> str | None:
    return _names().get(re.sub(r"[^a-z0-9]", "", name.decode("ascii", "replace").lower()))


@functools.cache
def _names() -> dict[str, str]:
    """The codecs of all encodings by their names in small letters and digits."""
    others = {name: codec for codec, (_, names) in SINGLES.items() for name in names.split()}
    others |= {name: codec for codec, names in PAIRS.items() for name in names.split()}
    wide = {f"{name}{order}{mark}": "utf-16" for name in ("utf16", "ucs2") for order, mark in _ENDINGS}
    wide |= {f"{name}{order}{mark}": "utf-32" for name in ("utf32", "ucs4") for order, mark in _ENDINGS}
    return {**wide, **others, **OTHER_NAMES, **_ALIASES}


@functools.cache
def engine_tables(with_others: bool = False) -> bytes:
    """Return `tables` and the names of all encodings, for readers in C. Thread safe.

    `with_others`: those of the encodings that are not guessed follow, which take some time to make.
    """
    numbers = {codec: number for number, codec in enumerate(CODECS)} | dict.fromkeys(_WIDE, _WIDE_NUMBER)
    rows = [name.encode().ljust(_NAME_BYTES - 1, b"\0") + bytes([numbers[codec]]) for name, codec in _names().items()]
    pairs = other_pairs() if with_others else b""
    return tables() + b"".join(rows).ljust(_NAMES * _NAME_BYTES, b"\xff") + other_singles() + pairs


def double_byte(encoding: str) -> int:
    r"""Return 1 or 2 where second bytes of characters look like `\` or `]` (2: Shift_JIS), else 0. Thread safe."""
    return 2 if encoding in _SHIFT_JIS else _DOUBLE_BYTE.get(encoding, 0)


def characters(encoding: str) -> int:
    """Return how `_native.locate_sgf` counts the characters of a line. Thread safe."""
    if encoding in _UNICODE:
        return 0
    return double_byte(encoding) or (1 if encoding in _PAIRS else 3)


def transcode_wide_to_utf8(data: bytes, start: int = 0) -> tuple[bytes, Wide | None]:
    """Return `data` from `start` on as UTF-8, and its original encoding, if that is UTF-16 or UTF-32; else `data`, and
    None.

    Thread safe.
    """
    head = data[start : start + 16]
    if head[:1].isascii() and 0 not in head[:4]:
        return data, None
    wide = next((wide for mark, wide in _MARKS if head.startswith(mark)), None)
    if wide is None and 0 in head[:4]:
        # Without a mark: text starts with characters of ASCII, so the place of the zero bytes decides.
        bits = bytes(byte > 0 for byte in head)
        wide = next((wide for shape, wide in _NOT_ZERO if bits.startswith(shape)), None)
    if wide is None:
        return data, None
    text = data[start + wide.mark :].decode(wide.codec, "replace")
    # A mark alone may be damage at the start of some other text.
    if "(" not in text and ";" not in text:
        return data, None
    return text.encode("utf-8"), Wide(wide.codec, wide.name, wide.mark, len(data) - start)


_UTF8_AS_NAMED: Final = Choice("utf-8", "", _UTF8)


def choose_wide(named: bytes | None, is_ascii: bool) -> Choice:
    """Return the choice for a text that was UTF-16 or UTF-32; `named` is the value of CA. Thread safe."""
    if named is None or not named.strip():
        return Choice("utf-8", "" if is_ascii else "charset-assumed", _ZEROS)
    declared = codec(named)
    fits = declared is not None and declared.startswith(_WIDE)
    return Choice("utf-8", "" if fits or is_ascii else "charset-contradicted", _ZEROS)


def choose(game: bytes, named: bytes | None, is_utf8: bool, wanted: str | None) -> Choice:
    """Return the encoding of the texts of `game`, bytes of one game tree some of which are beyond ASCII.

    `named` is the value of CA or None, `wanted` the requested codec or None. Thread safe.
    """
    if is_utf8 and named is not None and named.upper() == b"UTF-8":
        return _UTF8_AS_NAMED
    declared = None if named is None or not named.strip() else codec(named)
    if named is None or not named.strip():
        code = "charset-assumed"
    else:
        code = "charset-unknown" if declared is None else "charset-contradicted"
    if is_utf8 and declared not in FREQUENT:
        return Choice("utf-8", "" if declared == "utf-8" else code, _UTF8)
    from .. import _native  # which loads NumPy

    number, is_named, evidence, undecodable = _native.choose_charset(
        game, engine_tables(declared in PAIRS or wanted in PAIRS), is_utf8, number_of(declared), number_of(wanted)
    )
    return Choice(CODECS[number], "" if is_named else code, 0 if is_named else evidence, undecodable)


def number_of(codec: str | None) -> int:
    """Return the number in `CODECS`; -1 for UTF-16, UTF-32 and None. Thread safe."""
    return CODECS.index(codec) if codec in CODECS else -1


def first_high(text: bytes) -> int:
    """Return the offset of the first byte beyond ASCII, or the length of `text`. Thread safe."""
    found = _HIGH.search(text)
    return len(text) if found is None else found.start()


def double_byte_of(game: bytes, assumed: int) -> tuple[int, bool]:
    """Return the `double_byte` of a game that is no UTF-8, and whether it names its encoding.

    `assumed` is the encoding of a neighbouring game that names none, -1 for no such game. Thread safe.
    """
    named = _NAMED.search(game)
    if named is None and assumed >= 0:
        return assumed, False
    return double_byte(choose(game, None if named is None else named[1], False, None).encoding), named is not None
