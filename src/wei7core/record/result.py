"""Results of games: RE of SGF and `result` of wei7, in the spellings of servers and newspapers.

    GameResult.parse("B+3.5") == GameResult.parse("黑胜1又3/4子")

All functions are pure; any thread may call them.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from .document import Result
from .points import decimal_text, from_zi, to_fraction, to_json_number, to_zi, zi_text

__all__ = ["Ending", "GameResult"]

BLACK: Final = 1
WHITE: Final = 2


class Ending(enum.Enum):
    """The way in which a game ended."""

    POINTS = "points"
    """Counted, with a winner."""
    RESIGNATION = "resignation"
    """Resignation. wei7 uses it for all games that were decided before counting (clause 3.8)."""
    TIME = "time"
    """Loss on time."""
    FORFEIT = "forfeit"
    """Forfeit: a player did not appear, or broke a rule."""
    OTHER = "other"
    """A win without a stated way, or with an unknown one."""
    DRAW = "draw"
    VOID = "void"
    """No result: the game was abandoned, or repeated itself."""
    UNKNOWN = "unknown"
    """The record states that the result is unknown."""


_WITHOUT_WINNER: Final = frozenset({Ending.DRAW, Ending.VOID, Ending.UNKNOWN})


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game: ending, winner and margin. Immutable, hashable.

    `winner` is 1 (Black), 2 (White), or None for `DRAW`, `VOID` and `UNKNOWN`. `margin` is in points (目), exact, for
    `POINTS` alone; 0 is the margin of a tie that the rules award to one color. `str()` is the text of RE of SGF:
    `B+3.5`, `W+R`, `W+T`, `W+F`, `W+`, `0`, `Void`, `?`.

    Raises `ValueError` for a winner or margin that does not fit the ending.
    """

    ending: Ending
    winner: int | None = None
    margin: Fraction | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.ending, Ending):
            raise TypeError(f"expected an Ending, got {self.ending!r:.80}")
        if (self.winner is None) != (self.ending in _WITHOUT_WINNER) or self.winner not in (None, BLACK, WHITE):
            raise ValueError(f"a game that ended by {self.ending.value} cannot have winner {self.winner!r}")
        if (self.margin is None) != (self.ending is not Ending.POINTS):
            raise ValueError(f"a game that ended by {self.ending.value} cannot have margin {self.margin!r}")
        if self.margin is not None:
            object.__setattr__(self, "margin", to_fraction(self.margin))
            if self.margin < 0:
                raise ValueError(f"negative margin {self.margin}")

    @classmethod
    def parse(cls, text: str) -> GameResult:
        """Parse a text in the form of RE of SGF or in Chinese, Japanese, Korean or English words.

        Stones (子) become points. A winner with an unknown word is a win by `OTHER` means, and so is a margin of 0,
        which servers write for games that were not counted. Raises `ValueError` for any other text.
        """
        if not isinstance(text, str):
            raise TypeError(f"a result is parsed from text, not from {text!r:.40}")
        result = _read(text) if len(text) <= _MOST_LETTERS else None
        if result is None:
            raise ValueError(f"{text[:80]!r} is not a result of a game")
        return result

    @classmethod
    def from_result(cls, result: Result) -> GameResult:
        """Return the result of a record: without margin, it was won before counting (clause 3.8).

        Raises `ValueError` for an invalid winner or margin.
        """
        if not isinstance(result, Result):
            raise TypeError(f"expected a Result, got {result!r}")
        if result.winner is None:
            return cls(Ending.DRAW)
        if result.margin is None:
            return cls(Ending.RESIGNATION, result.winner)
        return cls(Ending.POINTS, result.winner, to_fraction(result.margin))

    def to_result(self) -> Result | None:
        """Return the value for `Info.result`: winner and margin; None without winner or draw.

        It is None for `VOID` and `UNKNOWN`, and for a margin that is not a finite decimal number.
        """
        if self.ending in (Ending.VOID, Ending.UNKNOWN):
            return None
        if self.margin is None:
            return Result(self.winner)
        try:
            return Result(self.winner, to_json_number(self.margin))
        except ValueError:
            return None

    def text(self, language: str) -> str:
        """Return the result in words that `parse` reads as the same: `Black wins by 3.5 points`, `黒3目半勝ち`.

        `language` is `en`, `zh`, `zh-zi` (Chinese, the margin in stones: `黑胜1又3/4子`), `ja` or `ko`. Raises
        `ValueError` for another one.
        """
        if language not in _WORDS:
            raise ValueError(f"unknown language {language!r} (choose from {', '.join(_WORDS)})")
        colors, endings = _WORDS[language][:2], _WORDS[language][2:]
        text = endings[list(Ending).index(self.ending)]
        if self.winner is None:
            return text
        margin = "" if self.margin is None else _margin_text(self.margin, language)
        return text.format(colors[self.winner - 1], colors[2 - self.winner], margin)

    def __str__(self) -> str:
        if self.winner is None:
            return _TEXTS[self.ending]
        how = _TEXTS[self.ending] if self.margin is None else decimal_text(self.margin)
        return f"{'B' if self.winner == BLACK else 'W'}+{how}"


_TEXTS: Final = {
    Ending.RESIGNATION: "R",
    Ending.TIME: "T",
    Ending.FORFEIT: "F",
    Ending.OTHER: "",
    Ending.DRAW: "0",
    Ending.VOID: "Void",
    Ending.UNKNOWN: "?",
}


_CHINESE: Final = (
    "黑", "白", "{0}胜{2}", "{0}中盘胜", "{0}超时胜", "{1}弃权负", "{0}胜", "和棋", "无胜负", "不明",
)  # fmt: skip
_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "Black", "White", "{0} wins by {2}", "{0} wins by resignation", "{0} wins on time", "{0} wins by forfeit",
        "{0} wins", "draw", "no result", "unknown",
    ),
    "zh": _CHINESE,
    "zh-zi": _CHINESE,
    "ja": (
        "黒", "白", "{0}{2}勝ち", "{0}中押し勝ち", "{0}時間切れ勝ち", "{0}不戦勝", "{0}勝ち", "持碁", "無勝負", "不明",
    ),
    "ko": (
        "흑", "백", "{0} {2}승", "{0} 불계승", "{0} 시간승", "{0} 부전승", "{0}승", "무승부", "무효", "불명",
    ),
}  # fmt: skip
"""Black and White; then, in the order of `Ending`, the phrases with winner {0}, loser {1} and margin {2}."""


def _margin_text(margin: Fraction, language: str) -> str:
    if language == "zh-zi":
        return zi_text(to_zi(margin))
    if language == "en":
        return f"{decimal_text(margin)} point{'s' * (margin != 1)}"
    unit, half = ("집", "반") if language == "ko" else ("目", "半")
    whole, part = divmod(margin, 1)
    if part != Fraction(1, 2):
        return f"{decimal_text(margin)}{unit}"
    return f"{whole}{unit}{half}" if whole else f"{half}{unit}"


_SINGLE_WORDS: Final[dict[Ending, tuple[str, ...]]] = {
    Ending.DRAW: (
        "0", "draw", "drawn", "tie", "jigo", "和棋", "和局", "和", "平局", "持碁", "ジゴ", "じご", "빅", "무승부",
    ),
    Ending.VOID: (
        "void", "no result", "无胜负", "無勝負", "无结果", "無結果", "無效", "无效", "ノーゲーム", "무효",
    ),
    Ending.UNKNOWN: ("?", "unknown", "未知", "不明", "不详", "불명"),
}  # fmt: skip
"""Results of a single word."""

_HOW: Final[dict[Ending, tuple[str, ...]]] = {
    Ending.RESIGNATION: (
        "r", "resign", "resigned", "resigns", "resignation", "中盘", "中盤", "中押し", "中押", "不计点", "不計點",
        "不计目", "投了", "认输", "認輸", "불계",
    ),
    Ending.TIME: (
        "t", "time", "timeout", "time out", "超时", "超時", "时间", "時間", "時間切れ", "時間切", "時間攻め",
        "读秒超时", "시간", "시간초과",
    ),
    Ending.FORFEIT: (
        "f", "forfeit", "forfeits", "弃权", "棄權", "棄権", "不战", "不戰", "不戦", "反则", "反則", "犯规", "犯規",
        "반칙", "부전", "기권", "실격",
    ),
}  # fmt: skip
"""Ways to win; also ways to lose, before a word for losing."""

_DRAWN: Final = {text: ending for ending, texts in _SINGLE_WORDS.items() for text in texts}
_ENDINGS: Final = {text: ending for ending, texts in _HOW.items() for text in texts}
_COLORS: Final = {
    **dict.fromkeys(("b", "black", "黑", "黒", "흑"), BLACK),
    **dict.fromkeys(("w", "white", "白", "백"), WHITE),
}

# 3, 3.5, 3,5, 3/4, 1 3/4, 1又3/4, 3目半, 3집반; 半目 and 四分之三 were rewritten before.
_AMOUNT: Final = (
    r"(?:(?:(?P<whole>[0-9]{1,6})\s*(?:又|と|-|\s)\s*)?(?P<over>[0-9]{1,6})\s*/\s*(?P<under>[0-9]{1,6})"
    r"|(?P<decimal>[0-9]{1,20}(?:[.,][0-9]{0,20})?))"
    r"\s*(?P<unit>点|點|目|子|집|zi|moku|points?|pts?)?(?P<half>[半반](?![目子]))?"
)
_EASTERN_HOW: Final = "|".join(
    sorted((re.escape(text) for text in _ENDINGS if not text.isascii()), key=len, reverse=True)
)
# Compiled on demand: most results match the first one.
_PATTERNS: Final = (
    # B+3.5, W+R, W+, b + time, B+中盘胜
    rf"(?P<winner>b|w|black|white)\s*\+\s*(?:{_AMOUNT}|(?P<how>[^\W\d][\w ]*?)[胜勝승]?)?",
    # 黑胜, 黑中盘胜, 黒中押し勝ち, 白6目半勝ち, 흑 불계승
    rf"(?P<winner>[黑黒白흑백])(?:方|棋|番|이|은)?\s*(?:(?P<how>{_EASTERN_HOW})|{_AMOUNT})?\s*(?:[胜勝]ち?|승)",
    # 黑胜3目半, 白胜1又3/4子
    rf"(?P<winner>[黑黒白])(?:方|棋|番)?\s*(?:[胜勝]ち?)\s*{_AMOUNT}",
    # 白超时负, 백 시간패, 黑负3/4子
    rf"(?P<loser>[黑黒白흑백])(?:方|棋|番|이|은)?\s*(?:(?P<how>{_EASTERN_HOW})|{_AMOUNT})?\s*(?:[负負败敗]け?|패)",
    rf"(?P<loser>[黑黒白])(?:方|棋|番)?\s*[负負败敗]\s*{_AMOUNT}",
    # 黑认输, 白投了, 白超时
    r"(?P<loser>[黑黒白])(?:方|棋|番)?\s*(?P<how>认输|認輸|投了|超时|超時)",
    # Black wins by 3.5 points, White wins on time, White resigns
    rf"(?P<winner>b|w|black|white)\s+(?:wins|won)(?:\s+(?:by|on)\s+(?:{_AMOUNT}|(?P<how>[a-z]+)))?\.?",
    r"(?P<loser>black|white)\s+(?P<how>resigned|resigns|forfeits)\.?",
)
_MOST_LETTERS: Final = 200
_VULGAR: Final = str.maketrans({"¼": " 1/4", "½": " 1/2", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⁄": "/"})
_NUMERALS: Final = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
                    "八": 8, "九": 9, "十": 10, "百": 100}  # fmt: skip


@lru_cache(maxsize=512)  # results are the same in many records, and a header is looked at several times
def _read(text: str) -> GameResult | None:
    words = unicodedata.normalize("NFKC", text.translate(_VULGAR)).replace("⁄", "/").strip().casefold()
    if words in _DRAWN:
        return GameResult(_DRAWN[words])
    words = re.sub(f"[{''.join(_NUMERALS)}]+", lambda match: str(_numeral(match[0])), words)
    words = re.sub(r"([0-9]+)分之([0-9]+)", r"\2/\1", words)
    words = re.sub(r"(?<![目집0-9])(?:半(?=[目子])|반(?=집))", "0.5", words)
    for pattern in _PATTERNS:
        match = re.fullmatch(pattern, words)
        if match:
            return _result(match.groupdict())
    return None


def _result(groups: dict[str, str | None]) -> GameResult | None:
    winner = _COLORS[groups.get("winner") or ""] if groups.get("winner") else 3 - _COLORS[groups.get("loser") or ""]
    how = groups.get("how")
    if how is not None:
        return GameResult(_ENDINGS.get(how.strip(), Ending.OTHER), winner)
    margin = _margin(groups)
    if margin is None:
        return None
    return GameResult(Ending.POINTS, winner, margin) if margin else GameResult(Ending.OTHER, winner)


def _margin(groups: dict[str, str | None]) -> Fraction | None:
    """The points of an amount, 0 where there is none; None where it cannot be one."""
    decimal, over = groups.get("decimal"), groups.get("over")
    if decimal is not None:
        margin = Fraction(decimal.replace(",", "."))
    elif over is not None:
        under = int(groups.get("under") or 0)
        if not under:
            return None
        margin = int(groups.get("whole") or 0) + Fraction(int(over), under)
    else:
        return Fraction(0)
    margin += Fraction(1, 2) if groups.get("half") else 0
    return from_zi(margin) if groups.get("unit") in ("子", "zi") else margin


def _numeral(text: str) -> int:
    """The value of a Chinese numeral: 百二十三, 二〇."""
    total = digit = 0
    for letter in text:
        value = _NUMERALS[letter]
        if value >= 10:
            total, digit = total + (digit or 1) * value, 0
        else:
            digit = digit * 10 + value
    return total + digit
