"""The information about a game as the element `game` of wei7 2.x (clauses 3.5 to 3.9)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Final

from ...formats.wei7xml.values import is_date_time
from ...record.document import GameRules, Info, Participant, Player, Result
from .loss_paths import BLACK, COLOR_WORDS, WHITE, TextAdapter, drop_extra
from .report import LossReport

_SCORINGS: Final = ("area", "territory")
_TYPES: Final = ("Chinese", "Japanese", "Korean")
_MEMBERS: Final = ("domain", "id", "title", "rank")
_DATE_TIME: Final = re.compile(r"([0-9]{4})-(.{5})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]+)?)?Z", re.ASCII)
_LEAP_SECOND: Final = "60"


def is_plain(info: Info) -> bool:
    """Return whether `game` can represent everything: at most one Black and one White, and no `place`."""
    colors = [player.color for player in info.players]
    return (
        info.place is None
        and sorted(player.participant for player in info.players) == list(range(len(info.participants)))
        and len(set(colors)) == len(colors)
        and set(colors) <= set(COLOR_WORDS)
    )


def info_for_wei7xml(info: Info, losses: LossReport, texts: TextAdapter, *, no_komi: bool) -> tuple[Info, list[str]]:
    """Return the `Info` for 2.x, and lines with its cut texts.

    `no_komi`: an absent komi means none, as in a record of 2.x.
    """
    lines: list[str] = []
    drop_extra(losses, "info", info)

    def short(text: str | None, at: str, label: str) -> str | None:
        if text is None:
            return None
        line, whole = texts.xml_line(text, at)
        if whole is not None:
            lines.append(f"{label}: {whole}")
        return line

    out = Info(
        short(info.domain, "info.domain", "Domain"),
        short(info.id, "info.id", "Identifier"),
        short(info.name, "info.name", "Name"),
    )
    if info.place is not None:
        losses.add("place-dropped", "info.place")
    if info.place:
        lines.append(f"Place: {texts.xml(info.place, 'info.place')}")
    out.rules = _rules(info.rules, losses, no_komi=no_komi)
    out.time = _time(info.time, losses)
    out.result = _result(info.result, losses)
    _people(info, out, losses, short)
    return out, lines


def _rules(rules: GameRules | None, losses: LossReport, *, no_komi: bool) -> GameRules | None:
    if rules is None:
        return None
    drop_extra(losses, "info.rules", rules)
    made = GameRules(komi=rules.komi or None)
    for member, known in (("scoring", _SCORINGS), ("type", _TYPES)):
        value = getattr(rules, member)
        if value is not None and value not in known:
            losses.add("scoring-unknown", f"info.rules.{member}")
        else:
            setattr(made, member, value)
    if rules.komi is None and not no_komi:
        losses.add("komi-implied", "info.rules")
    return made


def _time(time: str | None, losses: LossReport) -> str | None:
    """A time of 3.0 as a dateTime, which has seconds, but no year 0 and no second 60."""
    if time is None or is_date_time(time):
        return time
    match = _DATE_TIME.fullmatch(time)
    if match is None or not match[1].strip("0"):
        losses.add("date-dropped", "info.time")
        return None
    year, day, hour, minute, second, fraction = match.groups()
    if second == _LEAP_SECOND:
        losses.add("time-rounded", "info.time", "a leap second became the second after it")
        try:
            date = datetime.date.fromisoformat(f"{year}-{day}") + datetime.timedelta(days=1)
        except (ValueError, OverflowError):
            losses.add("date-dropped", "info.time")
            return None
        return f"{date.isoformat()}T00:00:00Z"
    return f"{year}-{day}T{hour}:{minute}:{second or '00'}{fraction or ''}Z"


def _result(result: Result | None, losses: LossReport) -> Result | None:
    if result is None:
        return None
    drop_extra(losses, "info.result", result)
    if result.winner is not None and result.winner not in COLOR_WORDS:
        losses.add("result-dropped", "info.result", "the winner of the result is neither Black nor White")
        return None
    return Result(result.winner, result.margin)


def _people(info: Info, out: Info, losses: LossReport, short: Callable[[str | None, str, str], str | None]) -> None:
    people = info.participants
    rows: dict[int, list[int]] = {BLACK: [], WHITE: []}
    for row, player in enumerate(info.players):
        if player.color not in rows or not 0 <= player.participant < len(people):
            losses.add("player-dropped", f"info.players[{row}]", "a player without a colour is omitted")
        elif player.participant not in rows[player.color]:
            rows[player.color].append(player.participant)
    if max(map(len, rows.values())) > 1 or set(rows[BLACK]) & set(rows[WHITE]):
        losses.add("players-merged", "info.players")
    for row, participant in enumerate(people):
        drop_extra(losses, f"info.participants[{row}]", participant)
        if row not in rows[BLACK] and row not in rows[WHITE]:
            losses.add("participant-dropped", f"info.participants[{row}]")
    for color, indexes in rows.items():
        if not indexes:
            continue
        at = f"info.participants[{indexes[0]}]"
        names = [name for row in indexes if (name := people[row].name) is not None]
        person = Participant(short(", ".join(names) if names else None, f"{at}.name", f"Name of {COLOR_WORDS[color]}"))
        for member in _MEMBERS:
            values = [value for row in indexes if (value := getattr(people[row], member)) is not None]
            label = f"{member.capitalize()} of {COLOR_WORDS[color]}"
            setattr(person, member, short(values[0] if values else None, f"{at}.{member}", label))
        out.players.append(Player(len(out.participants), color))
        out.participants.append(person)
