"""The game information of an SGF root node as `Info`, and back.

Values determined by the text alone become typed; all others stay in the properties of the root. The start of the game
is never typed, because DT has no time of day. All functions are pure; any thread may call them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeVar

from ...record.document import GameRules, Info, Number, Participant, Player, Properties, Result
from ...record.points import decimal_text, to_json_number
from ...record.result import GameResult
from ...rules import recognised
from ..wei7.json_text import without_exponent
from .properties import escape
from .text_values import simple_text

BLACK: Final = 1
WHITE: Final = 2


def info_from_properties(properties: Properties) -> Info:
    """Return the game information of a root node: name, place, players, rules, komi, result.

    If a name or rank of either player is given, participant 0 is Black and participant 1 White.
    """
    info = shared_info(properties)
    rules, result = info.rules, info.result
    return Info(
        name=info.name,
        place=info.place,
        rules=None if rules is None else GameRules(rules.scoring, rules.komi, rules.type),
        participants=[Participant(each.name, rank=each.rank) for each in info.participants],
        players=[Player(each.participant, each.color) for each in info.players],
        result=None if result is None else Result(result.winner, result.margin),
    )


def shared_info(properties: Properties) -> Info:
    """Return what `info_from_properties` returns, for comparison only: callers share the object."""
    values = tuple(tuple(properties.get(name, ())) for name in _NAMES)
    is_short = sum(len(text) for texts in values for text in texts) < _SHORT_INFO
    return _kept_info(*values) if is_short else _info(properties)


@lru_cache(maxsize=32)  # a record is examined several times while it is written
def _kept_info(*values: tuple[str, ...]) -> Info:
    return _info(dict(zip(_NAMES, values, strict=True)))


_SHORT_INFO: Final = 1000
_NAMES: Final = ("GN", "PC", "PB", "BR", "PW", "WR", "RU", "KM", "RE")


def _info(properties: Properties) -> Info:
    info = Info(name=property_text(properties, "GN"), place=property_text(properties, "PC"))
    names = [
        (property_text(properties, "PB"), property_text(properties, "BR")),
        (property_text(properties, "PW"), property_text(properties, "WR")),
    ]
    if any(name is not None or rank is not None for name, rank in names):
        info.participants = [Participant(name, rank=rank) for name, rank in names]
        info.players = [Player(0, BLACK), Player(1, WHITE)]
    kind, scoring = _rules(property_text(properties, "RU")) or (None, None)
    komi = _komi(property_text(properties, "KM"))
    if (kind, scoring, komi) != (None, None, None):
        info.rules = GameRules(scoring, komi, kind)
    result = _result(property_text(properties, "RE"))
    info.result = None if result is None else Result(*result)
    return info


def changed_properties(info: Info, properties: Properties) -> dict[str, tuple[str, ...] | None]:
    """Return the properties of the root that have to change to agree with `info`; None removes one.

    Properties that agree with `info` already are not named. Members of `info` without a property are skipped. Raises
    `ValueError` for a komi or margin that is no finite number.
    """
    old = shared_info(properties)
    changes: dict[str, tuple[str, ...] | None] = {}
    if info == old:
        return changes
    for name, get, write in MEMBERS:
        value = get(info)
        if value != get(old):
            written = None if value is None else write(value)
            changes[name] = None if written is None else (written,)
    return changes


def seconds(values: tuple[str, ...], properties: Properties) -> tuple[str, ...]:
    """Return values of TM in seconds, as FF[4] has them; in FF[1] they are minutes. Text that is no number stays.

    Where FF is absent, which would mean FF[1], they are taken as seconds: programs that leave it out write seconds.
    """
    if (properties.get("FF") or ("",))[0].strip() != "1":
        return values
    matches = ((value, _MINUTES.fullmatch(value)) for value in values)
    return tuple(decimal_text(Fraction(match[1]) * 60) if match else value for value, match in matches)


_MINUTES: Final = re.compile(r"\s*([0-9]{1,20}(?:\.[0-9]{0,20})?)\s*", re.ASCII)


def property_text(properties: Properties, name: str) -> str | None:
    """Return the SimpleText of the first value of a property; None if it is absent or white space."""
    values = properties.get(name)
    text = simple_text(values[0]) if values else ""
    return text if text.strip() else None


_T = TypeVar("_T")


def _remembered(read: Callable[[str], _T]) -> Callable[[str | None], _T | None]:
    """`read` with a cache of its results for short texts: komi, rules and results recur in many records."""
    cached = lru_cache(maxsize=512)(read)

    def call(text: str | None) -> _T | None:
        if text is None:
            return None
        return cached(text) if len(text) < _SHORT else read(text)

    return call


_SHORT: Final = 64


@_remembered
def _rules(text: str) -> tuple[str | None, str | None]:
    """Type and scoring; rules of another name have a scoring only if it is certain."""
    rules = recognised(text)
    if rules is not None:
        kind = rules.name.capitalize()
        return (kind if kind in SCORING_OF_TYPE else None), rules.scoring.value
    words = text.strip().casefold()
    if words == "area" or "scorearea" in words:
        return None, "area"
    return None, "territory" if words == "territory" or "scoreterritory" in words else None


SCORING_OF_TYPE: Final = {"Chinese": "area", "Japanese": "territory", "Korean": "territory"}
"""Types of rules that RU can name, with the scoring that each implies."""


@_remembered
def _komi(text: str) -> Number | None:
    if not _REAL.fullmatch(text.strip()):
        return None
    exact = Fraction(text.strip())
    if abs(exact) > _MOST_KOMI:
        return None
    # Fox writes 6.5 as 650, 0.5 as 50 and 3.75, which are stones, as 375.
    if exact >= _HUNDREDTHS_FROM and exact % 25 == 0 and "." not in text:
        exact /= 100
    return to_json_number(exact)


_REAL: Final = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{0,20})?|[+-]?\.[0-9]{1,20}", re.ASCII)
_MOST_KOMI: Final = 10_000
_HUNDREDTHS_FROM: Final = 50


@_remembered
def _result(text: str) -> tuple[int | None, Number | None] | None:
    """Winner and margin, None where the result is unknown, void or free text."""
    try:
        result = GameResult.parse(text).to_result()
    except ValueError:
        return None
    return None if result is None else (result.winner, result.margin)


def rank_of(info: Info, color: int) -> str | None:
    """Return the first rank among the players of a colour, or None."""
    for player in info.players:
        if player.color == color and 0 <= player.participant < len(info.participants):
            rank = info.participants[player.participant].rank
            if rank:
                return rank
    return None


def _rules_name(info: Info) -> tuple[str | None, str | None] | None:
    names = (info.rules.type, info.rules.scoring) if info.rules else (None, None)
    return None if names == (None, None) else names


def _write_komi(komi: Number) -> str:
    written = without_exponent(komi, "SGF")
    # Read back as the whole number it is, and not as hundredths.
    return written if "." in written or _komi(written) == komi else f"{written}.0"


def _write_rules(rules: tuple[str | None, str | None]) -> str | None:
    kind, scoring = rules
    return escape(kind or scoring or "") or None


def _write_result(result: tuple[int | None, Number | None]) -> str:
    winner, margin = result
    if winner is None:
        return "0"
    return f"{'B' if winner == BLACK else 'W'}+{'R' if margin is None else without_exponent(margin, 'SGF')}"


# Property, reader and writer of its value; an equal value before and after means no change.
MEMBERS: Final[tuple[tuple[str, Callable[[Info], Any], Callable[[Any], str | None]], ...]] = (
    ("GN", lambda info: info.name, escape),
    ("PC", lambda info: info.place, escape),
    ("PB", lambda info: info.black_name, escape),
    ("BR", lambda info: rank_of(info, BLACK), escape),
    ("PW", lambda info: info.white_name, escape),
    ("WR", lambda info: rank_of(info, WHITE), escape),
    ("KM", lambda info: info.rules and info.rules.komi, _write_komi),
    ("RU", _rules_name, _write_rules),
    ("RE", lambda info: info.result and (info.result.winner, info.result.margin), _write_result),
)


def set_member(info: Info, name: str, source: Info) -> None:
    """Copy the member of the property `name`, one of `MEMBERS`, from `source` to `info`."""
    if name == "GN":
        info.name = source.name
    elif name == "PC":
        info.place = source.place
    elif name == "RE":
        info.result = source.result
    elif name in ("KM", "RU"):
        given = source.rules or GameRules()
        rules = info.rules = info.rules or GameRules()
        if name == "KM":
            rules.komi = given.komi
        else:
            rules.type, rules.scoring = given.type, given.scoring
        if rules == GameRules():
            info.rules = None
    else:
        color = BLACK if name in ("PB", "BR") else WHITE
        participant = _participant(info, color)
        if name in ("PB", "PW"):
            participant.name = source.player_name(color)
            for other in [player for player in info.players if player.color == color][1:]:
                other.color = None  # the name is that of a whole team
        else:
            participant.rank = rank_of(source, color)


def _participant(info: Info, color: int) -> Participant:
    """The first player of a colour, who is added where there is none; Black comes before White in a new list."""
    for player in info.players:
        if player.color == color and 0 <= player.participant < len(info.participants):
            return info.participants[player.participant]
    if not info.participants and not info.players:
        info.participants, info.players = [Participant(), Participant()], [Player(0, BLACK), Player(1, WHITE)]
        return info.participants[color - 1]
    info.participants.append(Participant())
    info.players.append(Player(len(info.participants) - 1, color))
    return info.participants[-1]
