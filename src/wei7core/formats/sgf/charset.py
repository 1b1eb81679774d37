"""The encoding of the texts of an SGF record, from its CA and from its bytes.

The order: UTF-16 and UTF-32 by their zero bytes; UTF-8 wherever the bytes are UTF-8, for no other text of
any length looks like it, also with some damage, but not where all of them are pairs that are words of the encoding of
East Asia that CA names as well; else what CA says, if nearly all of the text can be read so; else what
the user asked for; else UTF-8 with much damage, or what the bytes look like (`charset.h`).
"""

from __future__ import annotations

import codecs
import functools
import re
from dataclasses import dataclass, replace
from typing import Final

from .charset_tables import CODECS, tables

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
"""Why an encoding was chosen, by the detail of a problem; `charset.h` has the same order."""

DOUBTFUL: Final = (EVIDENCE[3], EVIDENCE[6], EVIDENCE[7])
"""Those of them by which another encoding may be the right one."""

DISAGREES: Final = "; records before it in the same file were read as "
"""Added to a problem where records of one file that name no encoding were read in different ones."""

_UTF8, _ASKED, _ZEROS = 0, 2, 4

_SURE: Final = 2  # of nearly_utf8
_SAMPLE: Final = 32_768  # bytes of text by which an encoding is judged that only Python knows
_LONGEST_NAME: Final = 64
_NAMES: Final = 96  # and the bytes of each, as in charset.h
_NAME_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class Choice:
    """The encoding of a record: `encoding`, a Python codec; the `code` of what is odd about it, or "".

    `evidence` says why it was chosen (an index of `EVIDENCE`), `undecodable` at which byte of the
    game the first text begins that cannot be read so, or -1.
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


# Names seen in real files that Python does not know, or takes for less than the files hold. They are
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
_WIDE_NAMES: Final = re.compile(r"(?:utf(?:16|32)|ucs[24])(?:le|be)?(?:bom)?")
_UNICODE: Final = ("utf-8", "ascii", "utf-8-sig")

_MARKS: Final = (
    (b"\xff\xfe\0\0", Wide("utf-32-le", "UTF-32", 4)),
    (b"\0\0\xfe\xff", Wide("utf-32-be", "UTF-32", 4)),
    (b"\xff\xfe", Wide("utf-16-le", "UTF-16", 2)),
    (b"\xfe\xff", Wide("utf-16-be", "UTF-16", 2)),
)
_ZERO_BYTES: Final = (
    (Wide("utf-32-le", "UTF-32", 0), (1, 2, 3)),
    (Wide("utf-32-be", "UTF-32", 0), (0, 1, 2)),
    (Wide("utf-16-le", "UTF-16", 0), (1,)),
    (Wide("utf-16-be", "UTF-16", 0), (0,)),
)

# Values with bytes beyond ASCII. Two bytes that may be one character stay together, so that no value
# ends in the middle of one; where they are none, the value takes in some ASCII, which does no harm.
_TEXT: Final = re.compile(rb"\[((?:[\x81-\xfe][\x30-\x7e\x80-\xfe]|\\.|[^\]\\])*)", re.DOTALL)
_MARKUP: Final = bytes(range(0x20, 0x7F))
_EVERY_BYTE: Final = bytes(range(256))
_NAMED: Final = re.compile(rb"CA\s*\[([^\]\\]{1,40})\]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")


ASCII: Final = Choice("ascii")


def codec(name: bytes) -> str | None:
    """Return the Python codec for the encoding that CA names, or None. Thread safe."""
    return _codec(name) if len(name) <= _LONGEST_NAME else None


@functools.lru_cache(maxsize=256)
def _codec(name: bytes) -> str | None:
    text = name.decode("ascii", "replace").strip().lower()
    plain = re.sub(r"[^a-z0-9]", "", text)
    if plain in _ALIASES:
        return _ALIASES[plain]
    if _WIDE_NAMES.fullmatch(plain):
        return "utf-32" if "32" in plain or "4" in plain else "utf-16"
    try:
        name_known = codecs.lookup(text).name
        if "escape" in name_known:
            return None
        # What Python calls codecs may be no encodings (rot13), not hold ASCII (cp037) or not accept every byte (idna).
        sound = _MARKUP.decode(name_known) == _MARKUP.decode("ascii")
        _EVERY_BYTE.decode(name_known, "replace")
    except (LookupError, ValueError):
        return None
    return name_known if sound else None


@functools.cache
def engine_tables() -> bytes:
    """Return `tables` and the names of their encodings, for readers in C. Thread safe."""
    names = [(name, CODECS.index(codec)) for name, codec in _ALIASES.items() if codec in CODECS]
    rows = [name.encode().ljust(_NAME_BYTES - 1, b"\0") + bytes([number]) for name, number in names]
    return tables() + b"".join(rows).ljust(_NAMES * _NAME_BYTES, b"\xff")


def double_byte(encoding: str) -> int:
    r"""Return 1 or 2 where second bytes of characters look like `\` or `]` (2: Shift_JIS), else 0. Thread safe."""
    return 2 if encoding in _SHIFT_JIS else _DOUBLE_BYTE.get(encoding, 0)


def characters(encoding: str) -> int:
    """Return how `_sgf.locate` is to count the characters of a line. Thread safe."""
    if encoding in _UNICODE:
        return 0
    return double_byte(encoding) or (1 if encoding in _PAIRS else 3)


def transcode_wide_to_utf8(data: bytes, start: int = 0) -> tuple[bytes, Wide | None]:
    """Return `data` from `start` on as UTF-8, and what it was, if it is UTF-16 or UTF-32; else `data`, and None.

    Thread safe.
    """
    head = data[start : start + 16]
    if head[:1].isascii() and 0 not in head[:4]:
        return data, None
    wide = next((wide for mark, wide in _MARKS if head.startswith(mark)), None)
    if wide is None and 0 in head[:4]:
        # Without a mark: text starts with characters of ASCII, so the place of the zero bytes decides.
        wide = next((wide for wide, zeros in _ZERO_BYTES if _has_zeros(head, wide, zeros)), None)
    if wide is None:
        return data, None
    text = data[start + wide.mark :].decode(wide.codec, "replace")
    # A mark alone may be damage at the start of some other text.
    if "(" not in text and ";" not in text:
        return data, None
    return text.encode("utf-8"), replace(wide, size=len(data) - start)


def _has_zeros(head: bytes, wide: Wide, zeros: tuple[int, ...]) -> bool:
    width = 4 if "32" in wide.codec else 2
    first = head[: len(head) // width * width]
    return len(first) >= width * 2 and all(
        (byte == 0) == (place % width in zeros) for place, byte in enumerate(first[: width * 2])
    )


_UTF8_AS_NAMED: Final = Choice("utf-8", "", _UTF8)


def choose_wide(named: bytes | None, is_ascii: bool) -> Choice:
    """Return the choice for a text that was UTF-16 or UTF-32; `named` is the value of CA. Thread safe."""
    if named is None or not named.strip():
        return Choice("utf-8", "" if is_ascii else "charset-assumed", _ZEROS)
    said = codec(named)
    fits = said is not None and said.startswith(_WIDE)
    return Choice("utf-8", "" if fits or is_ascii else "charset-contradicted", _ZEROS)


def choose(game: bytes, named: bytes | None, is_utf8: bool, wanted: str | None) -> Choice:
    """Return the encoding of the texts of `game`, bytes of one game tree some of which are beyond ASCII.

    `named` is what CA says or None, `wanted` the codec that the user asks for or None. Thread safe.
    """
    if is_utf8 and named is not None and named.upper() == b"UTF-8":
        return _UTF8_AS_NAMED
    said = None if named is None or not named.strip() else codec(named)
    if named is None or not named.strip():
        code = "charset-assumed"
    else:
        code = "charset-unknown" if said is None else "charset-contradicted"
    numbers = {name: number for number, name in enumerate(CODECS)}
    if is_utf8 and (said == "utf-8" or said not in numbers):
        return Choice("utf-8", "" if said == "utf-8" else code, _UTF8)
    from . import _decoder as _sgf  # which loads NumPy

    asked = None if wanted is None or wanted.startswith(_WIDE) else wanted
    if said is not None and said not in numbers and not said.startswith(_WIDE):
        sure = _sgf.nearly_utf8(game) == _SURE
        if not sure and _fits(b"\n".join(_texts(game)), said):
            return Choice(said, undecodable=_undecodable(game, said))
    by_bytes = -1 if asked is None else numbers.get(asked, -1)
    number, is_named, evidence, undecodable = _sgf.choose_charset(
        game, tables(), is_utf8, -1 if said is None else numbers.get(said, -1), by_bytes
    )
    if asked is not None and by_bytes < 0 and not is_named and not is_utf8 and _sgf.nearly_utf8(game) != _SURE:
        return Choice(asked, code, _ASKED, _undecodable(game, asked))
    return Choice(CODECS[number], "" if is_named else code, 0 if is_named else evidence, undecodable)


def first_high(text: bytes) -> int:
    """Return the offset of the first byte beyond ASCII; the length of `text` where there is none. Thread safe."""
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


def _texts(game: bytes) -> list[bytes]:
    """The values of a game with bytes beyond ASCII, up to the size of a sample."""
    found = []
    room = _SAMPLE
    at = 0
    while room > 0:
        high = _HIGH.search(game, at)
        if high is None:
            break
        begin, end = high.span()
        opened = game.rfind(b"[", at, begin)
        value = _TEXT.match(game, opened, opened + room + 1) if opened >= 0 else None
        if value is not None and value.end() > begin:
            begin, end = value.span(1)
        found.append(game[begin:end])
        room -= end - begin
        at = end
    return found


def _fits(sample: bytes, encoding: str) -> bool:
    """Whether nearly all of a text is valid: a few bytes may be damaged."""
    high = len(_HIGH.findall(sample))
    return sample.decode(encoding, "replace").count("\ufffd") * 20 <= high


def _undecodable(game: bytes, encoding: str) -> int:
    try:
        game.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return -1
