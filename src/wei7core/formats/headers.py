"""The game's rules, komi, result, handicap and times, from the `Info` of a record and the properties of its root.

One place for `Game`, `check` and the columns of metadata. All functions are pure; any thread may call them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from ..record.document import Info, Properties
from ..record.points import komi_in_points
from ..record.result import Ending, GameResult
from ..rules import NAMED, Rules, recognised
from .sgf.info import property_text, rank_of, seconds
from .sgf.text_values import simple_text

ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.POINTS: "score",
    Ending.RESIGNATION: "resign",
    Ending.TIME: "time",
    Ending.FORFEIT: "forfeit",
    Ending.OTHER: "unknown",
    Ending.DRAW: "draw",
    Ending.VOID: "void",
    Ending.UNKNOWN: "unknown",
}
"""The kinds of endings, as values of the column `ending`."""

_WHOLE: Final = re.compile(r"\+?[0-9]{1,7}", re.ASCII)
_TIME: Final = re.compile(
    r"([0-9]{1,9}(?:\.[0-9]{0,9})?)\s*(?:(h|hours?|hrs?|小时|小時|時間|시간)|(m|mins?|minutes?|分|分钟|分鐘|분)"
    r"|(?:s|secs?|seconds?|秒|초)?)",
    re.ASCII,
)


def rules_of(info: Info, properties: Properties) -> Rules | None:
    """Return the rule set that a record names, in RU of SGF or `info.rules.type`; None if it is not recognised, or if
    the record contradicts itself about the scoring.
    """
    rules = info.rules
    if rules is None:
        return None
    names = (rules.type,) if rules.type is not None else map(simple_text, properties.get("RU", ())[:1])
    for name in names:
        found = recognised(name)
        is_typed_alone = rules.type is not None and rules.scoring is None
        if found is not None and (is_typed_alone or rules.scoring == found.scoring.value):
            return found
    return None


def named_set(rules: Rules | None) -> str | None:
    """Return the name of one of the named rule sets; None for any other."""
    return rules.name if rules is not None and NAMED.get(rules.name) == rules else None


def komi_of(info: Info, rules: Rules | None) -> Fraction | None:
    """Return the komi in points; None without a readable one."""
    komi = None if info.rules is None else info.rules.komi
    try:
        return None if komi is None else komi_in_points(komi, rules)
    except (TypeError, ValueError):
        return None


def with_implied_komi(info: Info) -> Info:
    """Return `info` of wei7 2.x with the komi of 0 that rules without a komi imply (clause 3.6)."""
    rules = info.rules
    if rules is None or rules.komi is not None or "komi" in rules.extra:
        return info
    return replace(info, rules=replace(rules, komi=0))


def result_of(info: Info, properties: Properties) -> GameResult | None:
    """Return the result: RE of SGF if `info.result` agrees with it, else the latter; None if the record has none."""
    result = info.result
    for text in properties.get("RE", ())[:1]:
        try:
            found = GameResult.parse(simple_text(text))
        except ValueError:
            break
        if found.to_result() == result:
            return found
    try:
        return None if result is None else GameResult.from_result(result)
    except ValueError:
        return None


def handicap_of(properties: Properties, stones: int) -> int:
    """Return the number of handicap stones: HA of SGF, else `stones`; 0 if HA is no number, and not empty."""
    text = simple_text(next(iter(properties.get("HA", ())), "")).strip()
    return (whole_number(text) or 0) if text else stones


def whole_number(text: str) -> int | None:
    """Return a number of SGF from 0 on, which may have a plus sign; None for any other text."""
    return int(text) if _WHOLE.fullmatch(text) else None


def time_limit_of(properties: Properties) -> float | None:
    """Return the main time of each player in seconds, from TM; None for an unknown form."""
    values = seconds(properties.get("TM", ()), properties)
    match = _TIME.fullmatch(simple_text(values[0]).strip().lower()) if values else None
    if match is None:
        return None
    return float(Fraction(match[1]) * (3600 if match[2] else 60 if match[3] else 1))


def header_texts(info: Info, properties: Properties) -> dict[str, str | None]:
    """Return the header of a record as texts, by the names of the columns of metadata; absent ones are None.

    Names are as written, those of several players of a color joined by `, `. In formats that write winner and margin,
    `result_raw` is the value that RE of SGF would have.
    """
    rules = info.rules
    result = property_text(properties, "RE")
    if result is None and info.result is not None:
        found = result_of(info, properties)
        result = None if found is None else str(found)
    texts = {
        "black": info.black_name,
        "white": info.white_name,
        "black_rank": rank_of(info, 1),
        "white_rank": rank_of(info, 2),
        "black_team": property_text(properties, "BT"),
        "white_team": property_text(properties, "WT"),
        "event": property_text(properties, "EV"),
        "round": property_text(properties, "RO"),
        "place": info.place,
        "date_raw": property_text(properties, "DT") or info.time,
        "rules_raw": property_text(properties, "RU") or (rules and (rules.type or rules.scoring)) or None,
        "overtime": property_text(properties, "OT"),
        "result_raw": result,
        "source_program": property_text(properties, "AP"),
    }
    return {name: text if text is not None and text.strip() else None for name, text in texts.items()}
