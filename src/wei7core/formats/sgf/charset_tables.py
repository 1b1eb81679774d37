"""The tables of character probabilities by encoding with which `charset.h` guesses.

Names of players are often the only text: four bytes that are valid in every encoding of East Asia. So the guess depends
on how common the characters are in the language of the encoding and in records of Go.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from ..._util.lazy_numpy import np
from .charset_names import PAIRS, SINGLES

if TYPE_CHECKING:
    import numpy.typing as npt

_NUMBERS: Final = "九八七六五四三二一第年月日"
_JAPANESE: Final = (
    "の黒白目勝負半中押盤先手番碁囲段級局戦名人本因坊王座天元聖棋国対会時間定石互込井山田村藤林小大高木野原川橋島松竹"
    "坂石佐加岡谷和正光秀治雄夫郎太子美" + _NUMBERS
)

FREQUENT: Final = {
    "gb18030": "的是不了这应在好黑白子目胜负半中盘先手棋围段级局赛杯战名人王天元国韩本业余对贴超时认输轮决冠军"
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶余潘杜戴夏钟汪田任"
    "姜方石姚谭廖邹金陆郝崔康毛邱秦史侯孟龙柯古常孔唐范朴檀连党江" + _NUMBERS,
    "big5hkscs": "的是不了這應在好黑白子目勝負半中盤先手棋圍段級局賽盃杯戰名人王天元國韓本業餘對貼超時認輸輪決冠軍"
    "王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉余潘杜戴夏鍾汪田任"
    "姜方石姚譚廖鄒金陸郝崔康毛邱秦史侯孟龍簡賴洪" + _NUMBERS,
    "cp932": _JAPANESE,
    "euc_jp": _JAPANESE,
    "cp949": "흑백집승패불계단급국제회배전결대의기선수중덤반이박김최강조윤홍한송신안원유목진장서오정임"
    "은는을를가에로다고지도사하세돌창호준상동영훈현진성철민우재경용태규욱연희미혜숙환석명병종",
}
"""Characters that records are full of, by encoding, in the order in which encodings are tried."""
_LETTERS: Final = ("cp1251", "cp1252")
_PUNCTUATION: Final = "«»“”„‘’–—…•№°\xa0"  # next to words of Cyrillic letters; other symbols are in none
_NO_CYRILLIC: Final = "Ѕѕ"  # letters of one language, and rare in it
CODECS: Final = ("utf-8", *FREQUENT, *_LETTERS, *SINGLES, *PAIRS)
"""The encodings that records can have, by their numbers in `charset.h`; UTF-16 and UTF-32 are made UTF-8 first."""

_NONE: Final = 255
_LEAD: Final = 254
_LETTER: Final = 1
_CAPITAL: Final = 2
_STRANGE: Final = 3
_LONG: Final = {
    "gb18030": range(0x81, 0xFF),
    **dict.fromkeys(("euc_jp", "euc_jis_2004", "euc_jisx0213"), (0x8F,)),
}  # first bytes of characters of three and four bytes

# First bytes of the characters that the standards list first, because they are common.
_COMMON: Final = {
    "gb18030": (0xB0, 0xD7),
    "big5hkscs": (0xA4, 0xC6),
    "cp932": (0x88, 0x97),
    "euc_jp": (0xB0, 0xCF),
    "cp949": (0x100, 0),
}


@functools.cache
def tables() -> bytes:
    """Return the tables that `charset.h` describes. Thread safe."""
    return b"".join([*map(_pairs, FREQUENT), *map(_letters, _LETTERS)])


@functools.cache
def other_singles() -> bytes:
    """Return the tables of `SINGLES`, of 128 bytes each. Thread safe."""
    return bytes(_NONE * (missing >> place & 1) for missing, _ in SINGLES.values() for place in range(128))


@functools.cache
def other_pairs() -> bytes:
    """Return the tables of `PAIRS`. Thread safe."""
    return b"".join(map(_pairs, PAIRS))


def _pairs(codec: str) -> bytes:
    """The characters of an encoding of East Asia, of single bytes and of pairs."""
    singles = [_decoded(bytes([byte]), codec) for byte in range(0x80, 0x100)]
    # Each pair on a line of its own: no character of these encodings has a line break among its bytes.
    lead, trail = np.repeat(np.arange(0x80, 0x100), 0xD0), np.tile(np.arange(0x30, 0x100), 128)
    lines = np.stack([lead, trail, np.full(len(lead), 0x0A)], axis=1).astype(np.uint8).tobytes()
    text = np.frombuffer(lines.decode(codec, "replace").encode("utf-32-le"), "<u4")
    ends = np.flatnonzero(text == 0x0A)
    begins = np.concatenate([[0], ends[:-1] + 1])
    chars, last = text[begins], text[ends - 1]
    # Two characters of a byte each are no pair, but some pairs of Big5 are two characters.
    whole = (chars != 0xFFFD) & (last != 0xFFFD) & (last >= 0x80) & (ends - begins <= 2)
    whole &= np.repeat(np.array([char is None for char in singles]), 0xD0)
    table = np.full((128, 256), _NONE, np.uint8)
    scores = _likelihood(chars, lead, trail, codec) if codec in FREQUENT else np.zeros(len(chars), np.uint8)
    table[:, 0x30:] = np.where(whole, scores, _NONE).reshape(128, 0xD0)
    leads = set(np.flatnonzero((table != _NONE).any(axis=1)).tolist())
    leads |= {byte - 0x80 for byte in _LONG.get(codec, ())}
    alone = bytes(
        _LEAD if place in leads else _NONE if char is None else 20 if "\u3041" <= char <= "\u30fe" else 0
        for place, char in enumerate(singles)
    )
    return alone + table.tobytes()


def _decoded(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _likelihood(
    chars: npt.NDArray[Any], lead: npt.NDArray[Any], trail: npt.NDArray[Any], codec: str
) -> npt.NDArray[np.uint8]:
    """The frequency of characters, in hundredths: standards list the common ones first, in the lower lead bytes."""
    first, last = _COMMON[codec]
    rare = (lead < 0xB0) | (trail < 0xA1) if codec == "gb18030" else np.zeros(len(chars), bool)
    common = (lead >= first) & (lead <= last)
    is_japanese = codec in ("cp932", "euc_jp")
    scores = np.select(
        [
            ((chars >= 0x3000) & (chars <= 0x3020)) | ((chars >= 0xFF01) & (chars <= 0xFF5E)),
            (chars >= 0x3041) & (chars <= 0x30FE),
            (chars >= 0xAC00) & (chars <= 0xD7A3),
            (chars >= 0x4E00) & (chars <= 0x9FFF),
        ],
        [
            60,
            100 if is_japanese else 20,
            np.where(lead >= 0xB0, 50, 10),
            np.where(rare, 10, np.where(common, 60, 30)),
        ],
        0,
    )
    likelihood: npt.NDArray[np.uint8] = (scores + 50 * np.isin(chars, [ord(char) for char in FREQUENT[codec]])).astype(
        np.uint8
    )
    return likelihood


def _letters(codec: str) -> bytes:
    """The characters of an encoding of one byte."""
    return bytes(map(_kind, (_decoded(bytes([byte]), codec) for byte in range(0x80, 0x100)), [codec] * 128))


def _kind(char: str | None, codec: str) -> int:
    if char is None:
        return _NONE
    if codec == "cp1252":
        return _LETTER * char.isalpha()
    if char not in _NO_CYRILLIC and "\u0400" <= char <= "\u04ff":
        return _CAPITAL if char != char.lower() else _LETTER
    return _STRANGE * (char not in _PUNCTUATION)
