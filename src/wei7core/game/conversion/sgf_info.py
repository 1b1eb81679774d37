"""The information about a game as properties of the root node of an SGF record."""

from __future__ import annotations

import re
from typing import Final

from ...formats.headers import with_implied_komi
from ...formats.sgf.info import SCORING_OF_TYPE
from ...record.document import Document, GameRules, Info, Participant, Player, Properties, Result
from .loss_paths import BLACK, COLOR_WORDS, WHITE, TextAdapter, drop_extra
from .report import LossReport


def info_for_sgf(document: Document, losses: LossReport, texts: TextAdapter) -> tuple[Info, Properties]:
    """Return the `Info` for SGF, and the properties of the root node with the date added.

    Participant 0 is Black and participant 1 White, as in every record read from SGF.
    """
    info = document.info
    properties = dict(document.properties)
    out = Info(name=texts.sgf_line(info.name, "info.name"), place=texts.sgf_line(info.place, "info.place"))
    drop_extra(losses, "info", info)
    for member in ("domain", "id"):
        if getattr(info, member):
            losses.add("identifier-dropped", f"info.{member}")
    if (day := day_of(info)) is not None:
        properties["DT"] = (day,)
        losses.add("time-of-day-dropped", "info.time")
    elif info.time is not None and "DT" not in properties:
        losses.add("date-dropped", "info.time")
    rules = info.rules if document.version is None else with_implied_komi(info).rules
    out.rules = _rules(rules, losses, texts)
    out.result = _result(info.result, losses)
    _people(info, out, losses, texts)
    return out, properties


def day_of(info: Info) -> str | None:
    """Return the day of the start, or None."""
    return None if info.time is None or not _DATE.match(info.time) else info.time[:10]


_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T")


def _rules(rules: GameRules | None, losses: LossReport, texts: TextAdapter) -> GameRules | None:
    if rules is None:
        return None
    drop_extra(losses, "info.rules", rules)
    kind = texts.sgf_line(rules.type, "info.rules.type")
    scoring = rules.scoring
    if kind is not None and kind not in SCORING_OF_TYPE:
        losses.add("scoring-unknown", "info.rules.type")
        kind = None
    if kind is not None:
        if scoring not in (None, SCORING_OF_TYPE[kind]):
            losses.add("scoring-dropped", "info.rules.scoring")
        scoring = SCORING_OF_TYPE[kind]
    elif scoring not in (None, "area", "territory"):
        losses.add("scoring-unknown", "info.rules.scoring")
        scoring = None
    made = GameRules(scoring, rules.komi, kind)
    return None if made == GameRules() else made


def _result(result: Result | None, losses: LossReport) -> Result | None:
    if result is None:
        return None
    drop_extra(losses, "info.result", result)
    if result.winner is None:
        if result.margin is not None:
            losses.add("margin-dropped", "info.result.margin")
        return Result(None)
    if result.winner not in COLOR_WORDS:
        losses.add("result-dropped", "info.result", "the winner of the result is neither Black nor White")
        return None
    return Result(result.winner, result.margin)


def _people(info: Info, out: Info, losses: LossReport, texts: TextAdapter) -> None:
    people = info.participants
    colors: dict[int, dict[int, None]] = {BLACK: {}, WHITE: {}}  # the participants of each, in order
    for row, player in enumerate(info.players):
        drop_extra(losses, f"info.players[{row}]", player)
        if not 0 <= player.participant < len(people) or player.color not in (None, BLACK, WHITE):
            losses.add("player-dropped", f"info.players[{row}]")
        elif player.color is not None:
            colors[player.color][player.participant] = None
    if max(map(len, colors.values())) > 1 or colors[BLACK].keys() & colors[WHITE]:
        losses.add("players-merged", "info.players")
    playing = {*colors[BLACK], *colors[WHITE]}
    for row, participant in enumerate(people):
        at = f"info.participants[{row}]"
        drop_extra(losses, at, participant)
        if row not in playing:
            losses.add("participant-dropped", at)
            continue
        for member in ("domain", "id"):
            if getattr(participant, member):
                losses.add("identifier-dropped", f"{at}.{member}")
        if participant.title:
            losses.add("participant-title-dropped", f"{at}.title")
    for color, rows in colors.items():
        at = f"info.participants[{next(iter(rows))}]" if rows else "info.participants"
        names = ", ".join(name for row in rows if (name := people[row].name))
        ranks = [rank for row in rows if (rank := people[row].rank)]
        out.participants.append(
            Participant(
                texts.sgf_line(names, f"{at}.name"), rank=texts.sgf_line(ranks[0] if ranks else None, f"{at}.rank")
            )
        )
        out.players.append(Player(color - 1, color))
    if all(participant == Participant() for participant in out.participants):
        out.participants, out.players = [], []
