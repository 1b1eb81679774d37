"""Rule sets: what each adds to the rules of the board, and how it ends and counts a game.

    from wei7core import rules

    board.is_legal(w7.BLACK, (3, 3), rules.AGA)
    board.is_legal(w7.BLACK, (3, 3), "aga")
    mine = dataclasses.replace(rules.CHINESE, name="club", ko=rules.Ko.POSITIONAL)

A `Rules` holds what a program can decide. What every named rule set is `about` (`print(rules.AGA.about)`) names its
text and what it leaves to people. The board itself plays any move (`PERMISSIVE`): rules only judge.
"""

from __future__ import annotations

import enum
import inspect
import math
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = [
    "AGA",
    "CHINESE",
    "ING",
    "JAPANESE",
    "KOREAN",
    "NAMED",
    "NEW_ZEALAND",
    "PERMISSIVE",
    "TROMP_TAYLOR",
    "Compensation",
    "Cycle",
    "Dead",
    "Handicap",
    "Ko",
    "Rules",
    "Scoring",
    "Verdict",
    "named",
    "recognised",
]


class Ko(enum.IntEnum):
    """Which repetitions a move may not make. A pass is always legal.

    Superko rules look back to the start of the game, set-up stones and all, or to the last `Board.edit`; the position
    before the move counts too, so that the suicide of one stone, which changes nothing, is a repetition under
    `POSITIONAL`. Moves that were taken back never happened. "Player to play" at an earlier time is the player of the
    next move in force, a pass included, so that games in which colors do not alternate have an answer too; after the
    move that is judged it is the opponent of its color.
    """

    NONE = 0
    """Everything may be repeated."""
    SIMPLE = 1
    """A stone that has just taken one stone may not be taken back at once, where that restores the position of two
    moves before (a ko recapture). A pass, or another move, in between lifts the ban."""
    POSITIONAL = 2
    """No earlier position may be recreated, whoever is to play. Passes make no new position."""
    SITUATIONAL = 3
    """No earlier position may be recreated with the same player to play. A pass hands the turn over,
    so that both players may have been to play in one position."""
    NATURAL = 4
    """No player may make, with a stone, a position that the same player made with a stone before. Positions that
    followed a pass, the start and what `Board.edit` made were made by nobody."""


class Scoring(enum.Enum):
    """The method of counting."""

    NONE = "none"
    """Nothing: the rules define no result."""
    AREA = "area"
    """Stones on the board, and empty points that only they reach."""
    TERRITORY = "territory"
    """Empty points that only one color reaches, and prisoners."""


class Dead(enum.Enum):
    """The decision on dead stones, which are removed before counting."""

    NONE = "none"
    """None: all stones stay, and dead ones must be captured."""
    AGREED = "agreed"
    """The players; where they do not agree, they play on, and all stones on the board in the end are alive."""
    CONFIRMED = "confirmed"
    """The players or a referee, by play that is only thought of: nothing a program can decide."""


class Cycle(enum.Enum):
    """The outcome of a game that repeats a position, as far as `ko` allows it."""

    GOES_ON = "goes on"
    """Play continues: the rules do not cover it."""
    NO_RESULT = "no result"
    """The game ends without a winner, if the players agree."""
    REFEREE = "referee"
    """A referee, or a rule that needs one to distinguish kinds of ko, decides."""


class Handicap(enum.Enum):
    """The form of the handicap."""

    FREE = "free"
    """Black puts that many stones anywhere."""
    FIXED = "fixed"
    """Stones on the star points, in a fixed order."""
    PASSES = "passes"
    """White passes the first moves, one less than the handicap."""


class Compensation(enum.Enum):
    """Points that White gets for the stones of a handicap, because with area scoring each of them counts."""

    NONE = "none"
    EACH = "each"
    """One for every stone."""
    EACH_BUT_ONE = "each but one"
    """One for every stone but the first."""


class Verdict(enum.Enum):
    """The verdict of a rule set on a move; true if it is legal.

    Values are the codes of arrays of verdicts. Where a move breaks several rules it is the first of these in the order
    of their codes.
    """

    LEGAL = 0
    OCCUPIED = 1
    """The point has a stone."""
    SUICIDE = 2
    """The stone would leave its own block without liberties, after captures."""
    KO_RECAPTURE = 3
    """`Ko.SIMPLE`."""
    POSITIONAL_REPEAT = 4
    """`Ko.POSITIONAL`."""
    SITUATIONAL_REPEAT = 5
    """`Ko.SITUATIONAL`."""
    NATURAL_REPEAT = 6
    """`Ko.NATURAL`."""
    OFF_BOARD = 7
    """There is no such point."""

    def __bool__(self) -> bool:
        return self is Verdict.LEGAL

    @property
    def legal(self) -> bool:
        """Whether the move is legal, as `bool(verdict)` is."""
        return self is Verdict.LEGAL

    @property
    def reason(self) -> str:
        """`legal`, or the name of the rule that fired, spelled as `IllegalMoveError.reason` is: `ko-recapture`."""
        return self.name.lower().replace("_", "-")

    def __str__(self) -> str:
        return self.reason


BLACK_OR_WHITE: Final = (1, 2)


def komi_of(komi: Any) -> float:
    """Return points of komi as a float. Raises `TypeError` for what is no number, `ValueError` for one not finite."""
    if isinstance(komi, (bool, str, bytes, bytearray)) or not hasattr(komi, "__float__"):
        raise TypeError(f"komi is a number of points, not {komi!r}")
    number = float(komi)
    if not math.isfinite(number):
        raise ValueError(f"komi is a number of points, not {komi!r}")
    return number


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Rules:
    """A rule set, as far as a program can decide it. Immutable, hashable, picklable; equal where all fields are.

    `name`: what it is called. `ko`, `suicide`: which stones may be put; whether a block of one's own may lose its last
    liberty by it. `cycle`: what becomes of a game that repeats itself as far as `ko` lets it. `passes`: passes in a
    row that stop play, 0 where none do; then `dead`: how dead stones are found. `last_pass`: the color that must
    pass last, or 0. `pass_stones`: whether a pass hands the opponent a prisoner. `scoring`: what counts; `seki`:
    whether points that are surrounded in seki do. `komi`: points that White gets in an even game, `handicap_komi` in
    one with handicap; None where the rules leave them open. `handicap`: how a handicap is given, None where the rules
    have none; `compensation`: what White gets for it. `tie`: the color that wins a tie, 0 where it is a draw. `about`:
    the text of the rules and what they leave to people; no part of comparisons.

    Everything but `name`, `ko` and `suicide` has a default. Raises `ValueError` for a value that is none of those a
    field may have.
    """

    name: str
    ko: Ko
    suicide: bool
    cycle: Cycle = Cycle.GOES_ON
    passes: int = 2
    dead: Dead = Dead.AGREED
    scoring: Scoring = Scoring.AREA
    seki: bool = True
    last_pass: int = 0
    pass_stones: bool = False
    komi: float | None = None
    handicap_komi: float | None = None
    handicap: Handicap | None = None
    compensation: Compensation = Compensation.NONE
    tie: int = 0
    about: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.ko, bool):
            raise ValueError(f"ko is a wei7core.rules.Ko, not {self.ko!r}")
        object.__setattr__(self, "ko", Ko(self.ko))
        if isinstance(self.about, str):
            object.__setattr__(self, "about", inspect.cleandoc(self.about))
        for name, kind in (("cycle", Cycle), ("dead", Dead), ("scoring", Scoring), ("compensation", Compensation)):
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"{name} is a wei7core.rules.{kind.__name__}, not {getattr(self, name)!r}")
        if self.handicap is not None and not isinstance(self.handicap, Handicap):
            raise ValueError(f"handicap is a wei7core.rules.Handicap or None, not {self.handicap!r}")
        for name in ("suicide", "seki", "pass_stones"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is True or False, not {getattr(self, name)!r}")
        for name in ("last_pass", "tie"):
            if isinstance(getattr(self, name), bool) or getattr(self, name) not in (0, *BLACK_OR_WHITE):
                raise ValueError(f"{name} is 0, 1 (black) or 2 (white), not {getattr(self, name)!r}")
        if isinstance(self.passes, bool) or not hasattr(self.passes, "__index__") or self.passes < 0:
            raise ValueError(f"passes is a number of passes, 0 or more, not {self.passes!r}")
        for name in ("name", "about"):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"{name} is a text, not {getattr(self, name)!r}")
        for name in ("komi", "handicap_komi"):
            value = getattr(self, name)
            try:
                komi_of(0 if value is None else value)
            except (TypeError, ValueError):
                raise ValueError(f"{name} is a number of points or None, not {value!r}") from None

    def __repr__(self) -> str:
        ko = "no ko rule" if self.ko is Ko.NONE else f"{self.ko.name.lower()} ko"
        suicide = "suicide" if self.suicide else "no suicide"
        scoring = "no score" if self.scoring is Scoring.NONE else f"{self.scoring.value} scoring"
        komi = "" if self.komi is None else f", komi {self.komi:g}"
        return f"<wei7core.Rules {self.name}: {ko}, {suicide}, {scoring}{komi}>"

    def handicap_points(self, stones: int) -> int:
        """Return the points that White gets for a handicap of that many stones, in addition to `handicap_komi`."""
        if self.compensation is Compensation.EACH:
            return stones
        return max(stones - 1, 0) if self.compensation is Compensation.EACH_BUT_ONE else 0


PERMISSIVE: Final = Rules(
    name="permissive",
    ko=Ko.NONE,
    suicide=True,
    passes=0,
    dead=Dead.CONFIRMED,
    scoring=Scoring.NONE,
    about="""The rules of the wei7 format, which the board plays: any stone on any empty point.

    Left to people: everything else; a wei7 record says its result itself.""",
)

TROMP_TAYLOR: Final = Rules(
    name="tromp-taylor",
    ko=Ko.POSITIONAL,
    suicide=True,
    passes=2,
    dead=Dead.NONE,
    scoring=Scoring.AREA,
    about="""John Tromp and Bill Taylor, "The Game of Go" (the logical rules), https://tromp.github.io/go.html.

    "A turn is either a pass; or a move that doesn't repeat an earlier grid coloring"; "the game ends after two
    consecutive passes"; a score is the number of points of a color plus those empty that reach only that color.
    Suicide of one stone repeats the present position, so that only that of several stones is legal.

    Left to people: the komi and the handicap, which the rules do not name. Nothing else.""",
)

CHINESE: Final = Rules(
    name="chinese",
    ko=Ko.SIMPLE,
    suicide=False,
    cycle=Cycle.REFEREE,
    passes=2,
    dead=Dead.AGREED,
    scoring=Scoring.AREA,
    komi=7.5,
    handicap_komi=0.0,
    handicap=Handicap.FREE,
    compensation=Compensation.EACH,
    about="""Rules of Weiqi of the Chinese Weiqi Association, 2002 edition (articles 5, 6, 8, 9, 11, 13 and 20).

    Article 6 forbids to bring a whole position back; article 20, by which referees decide, forbids the immediate
    recapture and cycles without real life ("false life"), but lets a game of triple ko, quadruple ko, eternal life and
    the like end undecided. Tournaments play the latter: the rule here is the simple ko, and longer cycles are for a
    referee. Servers that follow the letter of article 6 play `dataclasses.replace(CHINESE, ko=Ko.POSITIONAL)`. The
    komi is 3 3/4 stones, 7.5 points. The text names no handicap: free stones and a point back for each are the custom.

    Left to people: longer cycles, dead stones, who passed by mistake.""",
)

JAPANESE: Final = Rules(
    name="japanese",
    ko=Ko.SIMPLE,
    suicide=False,
    cycle=Cycle.NO_RESULT,
    passes=2,
    dead=Dead.CONFIRMED,
    scoring=Scoring.TERRITORY,
    seki=False,
    komi=6.5,
    handicap_komi=0.0,
    handicap=Handicap.FIXED,
    about="""Japanese Rules of Go of Nihon Ki-in and Kansai Ki-in, 10 April 1989 (articles 4 to 10 and 12).

    Article 6 forbids the player whose ko stone was captured to capture in that ko on the next move. By article 9 two
    passes stop the game; article 12 ends a game whose whole position repeats without result, if the players agree.
    Article 8 counts no territory in seki. The komi is that of tournaments since 2002, no part of the rules.

    Left to people: life and death and seki by article 7, with its own rules of ko in confirmation, agreement on the
    end, resumption, no result, both players losing (article 13).""",
)

KOREAN: Final = Rules(
    name="korean",
    ko=Ko.SIMPLE,
    suicide=False,
    cycle=Cycle.NO_RESULT,
    passes=2,
    dead=Dead.CONFIRMED,
    scoring=Scoring.TERRITORY,
    seki=False,
    komi=6.5,
    handicap_komi=0.0,
    handicap=Handicap.FIXED,
    about="""Rules of Baduk of the Korea Baduk Association, 2016.

    Like the Japanese rules, which they share the count with, as far as a program can see; they differ in how life and
    death are found when the players do not agree, and in that a repetition makes the game a draw.

    Left to people: what the Japanese rules leave to them.""",
)

AGA: Final = Rules(
    name="aga",
    ko=Ko.SITUATIONAL,
    suicide=False,
    passes=2,
    dead=Dead.AGREED,
    scoring=Scoring.AREA,
    last_pass=2,
    pass_stones=True,
    komi=7.5,
    handicap_komi=0.5,
    handicap=Handicap.FIXED,
    compensation=Compensation.EACH_BUT_ONE,
    about="""American Go Association, "Official AGA Rules of Go" of 1991, and "Concise Rules"; komi as amended.

    Rule 6: "It is illegal to play in such a way as to recreate a previous board position from the game, with the same
    player to play." Rule 7: a pass hands over a stone as a prisoner. Rule 9: two passes in a row end the game; White
    must make the last one, which may be a third. Rule 12 counts area or territory: with pass stones and equal numbers
    of moves both say the same, and area is what is counted here.

    Left to people: dead stones (rule 10), if need be by playing on.""",
)

NEW_ZEALAND: Final = Rules(
    name="new-zealand",
    ko=Ko.SITUATIONAL,
    suicide=True,
    passes=2,
    dead=Dead.AGREED,
    scoring=Scoring.AREA,
    komi=7.0,
    handicap_komi=0.0,
    handicap=Handicap.PASSES,
    about="""New Zealand Go Society, "New Zealand Rules of Go", https://go.org.nz/index.php/about-go/new-zealand-rules-of-go.

    A play may not repeat "the whole board position as it was after any of that player's previous moves", a pass being
    a move: so it is situational superko. That text leaves the position before the first move out, here it counts: they
    differ where suicide or captures leave the board as it was at the start. "White passes the first n - 1 moves" of a
    handicap game, without komi. The players agree that the game is finished; two passes are taken for that.

    Left to people: dead stones, if need be by playing on; who moves next after a dispute.""",
)

ING: Final = Rules(
    name="ing",
    ko=Ko.SIMPLE,
    suicide=True,
    cycle=Cycle.REFEREE,
    passes=2,
    dead=Dead.AGREED,
    scoring=Scoring.AREA,
    komi=8.0,
    handicap_komi=0.0,
    handicap=Handicap.FREE,
    tie=1,
    about="""Ing Chang-Ki, "Ing's SST Laws of Wei-Ch'i" of 1991, and "Ing's Goe Rules" of 1996.

    Moves are free but for the ko rule, so that suicide is legal, where it is no "invariation": the suicide of one
    stone, which the ko rule of the text forbids, is legal here. Komi is 8 points and Black wins ties. Two passes in a
    row stop play, two more end the game. The count is by filling in; it comes to the same as area.

    Left to people: the ko rule beyond the immediate recapture, which distinguishes fighting from disturbing kos, the
    latter to be broken off; dead stones, by playing on.""",
)

NAMED: Final[dict[str, Rules]] = {
    rules.name: rules for rules in (PERMISSIVE, TROMP_TAYLOR, CHINESE, JAPANESE, KOREAN, AGA, NEW_ZEALAND, ING)
}
"""The named rule sets."""


def named(rules: Rules | str) -> Rules:
    """Return the rule set of that name, in capitals or small letters, or a `Rules` as it is.

    Raises `ValueError` for another name, `TypeError` for anything else.
    """
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"rules are a wei7core.rules.Rules or the name of one, not {rules!r}")
    found = NAMED.get(rules.strip().casefold().replace("_", "-").replace(" ", "-"))
    if found is None:
        raise ValueError(f"unknown rule set {rules!r} (choose from {', '.join(NAMED)})")
    return found


_ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "tromp-taylor": ("tt", "logical", "cgos"),
    "chinese": ("cn", "china", "中国", "中國", "中国数子", "数子", "중국"),
    "japanese": ("jp", "japan", "日本", "nihonkiin", "日本棋院", "일본"),
    "korean": ("kr", "korea", "韩国", "韓國", "韓国", "한국"),
    "aga": ("american", "bga", "british", "french", "ffg", "美国", "米国", "アメリカ", "미국"),
    "new-zealand": ("nz", "新西兰", "新西蘭", "ニュージーランド", "뉴질랜드"),
    "ing": ("goe", "sst", "ingsst", "inggoe", "应氏", "應氏", "応氏", "应氏计点", "應氏計點", "응씨", "잉창치"),
}
"""Other names of the named rule sets, in the spelling of `_plain`. Those of Britain and France are the AGA's."""

_KATAGO: Final = re.compile(
    r"ko(?P<ko>simple|positional|situational)score(?P<scoring>area|territory)tax(?P<tax>none|seki)sui(?P<suicide>[01])"
    r"(?:button0)?(?:whb(?P<bonus>0|n|n-1))?(?:fpok(?P<agreed>[01]))?"
)


def recognised(text: str) -> Rules | None:
    """Return the rules that a record names, in RU of SGF or `rules.type` of wei7; None if unknown.

    Names are recognised in English, Chinese, Japanese and Korean, in any case, with or without the word for "rules", as
    are the two-letter codes of servers. Texts by KataGo become a rule set of that name:
    `koPOSITIONALscoreAREAtaxNONEsui1`; they are unknown with a group tax, a button or a ko rule without a `Ko`.
    """
    plain = _plain(text)
    if plain in _BY_NAME:
        return _BY_NAME[plain]
    match = _KATAGO.fullmatch(text.strip().casefold())
    if match is None:
        return None
    is_area = match["scoring"] == "area"
    return Rules(
        name=text.strip(),
        ko=Ko[match["ko"].upper()],
        suicide=match["suicide"] == "1",
        dead=Dead.CONFIRMED if not is_area else Dead.AGREED if match["agreed"] == "1" else Dead.NONE,
        scoring=Scoring(match["scoring"]),
        seki=match["tax"] == "none",
        compensation={"n": Compensation.EACH, "n-1": Compensation.EACH_BUT_ONE}.get(match["bonus"], Compensation.NONE),
    )


def _plain(text: str) -> str:
    """A name in normalised spelling."""
    letters = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
    return re.sub(r"(?:围棋|圍棋|囲碁)?(?:rules?|ruleset|规则|規則|规约|規約|ルール|룰|규칙)$", "", letters)


_BY_NAME: Final = {_plain(name): rules for name, rules in NAMED.items() if name != PERMISSIVE.name} | {
    name: NAMED[of] for of, names in _ALIASES.items() for name in names
}
