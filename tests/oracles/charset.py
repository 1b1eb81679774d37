"""A guess at the encoding of a text, character by character: the slow twin of `formats/sgf/charset.h`.

Names of players are often all there is: four bytes that are sound in every encoding of East Asia. So
what counts is whether characters are common in the language of the encoding, and common in records of Go.
"""

from __future__ import annotations

import re
from typing import Final

from wei7core.formats.sgf.charset_tables import FREQUENT

CODECS: Final = (*FREQUENT, "cp1251", "cp1252")

_ENOUGH: Final = 4096  # bytes

_HIGH: Final = re.compile(r"[^\x00-\x7f]+")


def guess(text: bytes) -> str | None:
    """Return the codec of `CODECS` whose characters for `text` are the likeliest, or None. Thread safe.

    None where none can read nearly all of it.
    """
    best, best_score = None, 0.0
    for codec in CODECS:
        score = _score(text[:_ENOUGH], codec)
        if codec == "cp949" and _characters(text, codec) >= 3:
            score *= 1.25
        if score > best_score:
            best, best_score = codec, score
    return best


def _characters(text: bytes, codec: str) -> int:
    return sum(map(len, _HIGH.findall(text.decode(codec, "replace"))))


def _score(text: bytes, codec: str) -> float:
    """How likely the characters beyond ASCII are on average, in hundredths from 0 on."""
    runs = _HIGH.findall(text.decode(codec, "replace"))
    count = sum(map(len, runs))
    if count == 0 or sum(run.count("\ufffd") for run in runs) * 20 > count:
        return 0
    if codec in {"cp1251", "cp1252"}:
        return sum(_alphabetic(run, codec) for run in runs) / count
    words = FREQUENT[codec]
    return sum(_ideographic(c, codec) + 50 * (c in words) for run in runs for c in run) / count


def _alphabetic(run: str, codec: str) -> float:
    """Letters with accents are single among those of ASCII; Cyrillic ones fill words, capitals first."""
    if codec == "cp1252":
        return sum(c.isalpha() for c in run) * (90 if len(run) <= 2 else 10)
    cyrillic = sum("\u0400" <= c <= "\u04ff" and c not in "Ѕѕ" for c in run)
    is_word = all("\u0400" <= c <= "\u04ff" or c in "«»“”„‘’–—…•№°\xa0\ufffd" for c in run) and not set("Ѕѕ") & set(run)
    is_cased = run[1:] == run[1:].lower() or run == run.upper()
    return cyrillic * (85 if is_word and is_cased else 10) * (len(run) > 1)


def _ideographic(c: str, codec: str) -> float:
    """How common a character is: standards list the common ones first, in the rows with the lower lead bytes."""
    if "\u3000" <= c <= "\u3020" or "\uff01" <= c <= "\uff5e":
        return 60
    if "\u3041" <= c <= "\u30fe":
        return 100 if codec in {"cp932", "euc_jp"} else 20
    lead = c.encode(codec, "replace")[0]
    if "\uac00" <= c <= "\ud7a3":
        return 50 if lead >= 0xB0 else 10
    if not "\u4e00" <= c <= "\u9fff":
        return 0
    common = {
        "gb18030": 0xB0 <= lead <= 0xD7,
        "big5hkscs": 0xA4 <= lead <= 0xC6,
        "cp932": 0x88 <= lead <= 0x97,
        "euc_jp": 0xB0 <= lead <= 0xCF,
        "cp949": False,
    }[codec]
    rare = codec == "gb18030" and (lead < 0xB0 or c.encode(codec)[1] < 0xA1)
    return 60 if common and not rare else 10 if rare else 30
