"""The information about a game as `info` of wei7 (clause 3.10)."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from typing import Final

from ...formats.sgf.info import info_from_properties, seconds
from ...formats.sgf.text_values import simple_text
from ...record.document import Document, GameRules, Info, Number, Participant, Player, Properties, Result
from .loss_paths import COLOR_WORDS, LossPath, TextAdapter, drop_extra
from .report import LossReport
from .sgf_remarks import add_handicap_implied, add_normalised

_SCORINGS: Final = ("area", "territory")
_TYPES: Final = ("Chinese", "Japanese", "Korean")
_MOST_MARGIN: Final = 512
_MOST_KOMI: Final = 10


def valid_result(result: Result) -> bool:
    """Return whether a result is valid by clause 3.8."""
    margin = result.margin
    return (result.winner is None or result.winner in COLOR_WORDS) and (
        margin is None or (0 < margin < _MOST_MARGIN and _is_half(margin))
    )


def add_event_as_name(losses: LossReport) -> None:
    """Report that a game without a name got that of its event and round."""
    losses.add("event-as-name", "info.name")


def _is_half(number: Number) -> bool:
    return number * 2 == int(number * 2)


class InfoForWei7:
    """The `info` of wei7, and `lines` of a comment for the rest."""

    def __init__(self, document: Document, losses: LossReport, texts: TextAdapter) -> None:
        self._losses = losses
        self._texts = texts
        self._source = document.info
        self._properties = document.properties
        self.lines: list[str] = []
        source = document.info
        drop_extra(losses, "info", source)
        self.info = Info(
            self._short(source.domain, "domain", "Domain"),
            self._short(source.id, "id", "Identifier"),
            self._short(self._name(), "name", "Name"),
            self._rules(),
            self._time(),
            self._short(source.place, "place", "Place"),
            [self._participant(row, participant) for row, participant in enumerate(source.participants)],
            self._players(),
            self._result(),
        )

    def remaining_properties(self, handicap: int, at: LossPath) -> Properties:
        """Return the properties of the root not in `info`; a position with `handicap` stones implies HA.

        Reports those at `at` whose value `info` has in other words.
        """
        remaining = {name: values for name, values in self._properties.items() if name not in self._held}
        if "TM" in remaining:
            remaining["TM"] = seconds(remaining["TM"], self._properties)
        read = info_from_properties(self._properties)
        source, info = self._source, self.info
        # A property that was contradicted after reading is obsolete.
        for name, stale, is_complete in (
            ("KM", _komi(read) != _komi(source), info.rules is not None and info.rules.komi is not None),
            ("RU", _kind(read) != _kind(source), _kind(info)[0] is not None or self._text("RU") in _SCORINGS),
            ("RE", read.result != source.result, info.result is not None and self._is_plain_result()),
            ("DT", source.time is not None, False),
            ("HA", False, self._text("HA") in ("0", str(handicap))),
        ):
            if (stale or is_complete) and remaining.pop(name, None) is not None and not stale:
                if name == "HA" and handicap:
                    add_handicap_implied(self._losses, at)
                elif name != "HA" and not self._is_normal(name):
                    add_normalised(self._losses, name, at)
        # Only the first value of a property counts, but all were written.
        return remaining | {
            name: others
            for name, values in self._properties.items()
            if name not in remaining
            and (others := tuple(value for value in values[1:] if value not in (values[0], "")))
        }

    @property
    def _held(self) -> frozenset[str]:
        return _EVENT_TOO if self._source.name is None else HELD

    def _text(self, name: str) -> str:
        values = self._properties.get(name)
        return simple_text(values[0]).strip() if values else ""

    def _name(self) -> str | None:
        """The name of the game; else the event it belongs to."""
        if self._source.name is not None:
            return self._source.name
        name = ", ".join(text for text in (self._text("EV"), self._text("RO")) if text)
        if name:
            add_event_as_name(self._losses)
        return name or None

    def _is_plain_result(self) -> bool:
        """Whether a known result is the whole content of RE."""
        assert self.info.result is not None
        if self.info.result.winner is None:
            return True
        return _RESIGNED.fullmatch(self._text("RE")) is not None or self.info.result.margin is not None

    def _is_normal(self, name: str) -> bool:
        """Whether KM, RU or RE is equal to the value written from `info`, except for trailing zeros and case."""
        text, info = self._text(name).casefold(), self.info
        if name == "RU":
            return text in (word.casefold() for word in _kind(info) if word is not None)
        if name == "KM":
            return _plain(text) == f"{_komi(info)}"
        if info.result is None or info.result.winner is None:
            return text in ("0", "draw")
        if info.result.margin is None:
            return True
        return _plain(text) == f"{' bw'[info.result.winner]}+{info.result.margin}"

    def _short(self, text: str | None, member: str, label: str) -> str | None:
        if text is None:
            return None
        short, whole = self._texts.short(text, f"info.{member}")
        if whole is not None:
            self.lines.append(f"{label}: {whole}")
        return short

    def _rules(self) -> GameRules | None:
        rules = self._source.rules
        if rules is None:
            return None
        drop_extra(self._losses, "info.rules", rules)
        made = replace(rules, extra={})
        if rules.komi is not None and not (0 <= rules.komi < _MOST_KOMI and _is_half(rules.komi)):
            self._losses.add("komi-dropped", "info.rules.komi", f"wei7 does not support a komi of {rules.komi}")
            made.komi = None
            if "KM" not in self._properties:
                self.lines.append(f"Komi: {rules.komi}")
        for member, known in (("scoring", _SCORINGS), ("type", _TYPES)):
            value = getattr(rules, member)
            if value is not None and value not in known:
                self._losses.add("scoring-unknown", f"info.rules.{member}")
                setattr(made, member, None)
                if value:
                    self.lines.append(f"Rules: {self._texts.decodable(str(value), 'info.rules')}")
        return None if made == GameRules() and rules != GameRules() else made

    def _time(self) -> str | None:
        time = self._source.time
        if time is None or _is_date_time(time):
            return time
        self._losses.add("date-dropped", "info.time")
        if time:
            self.lines.append(f"Date: {self._texts.decodable(time, 'info.time')}")
        return None

    def _participant(self, row: int, participant: Participant) -> Participant:
        at = f"participants[{row}]"
        drop_extra(self._losses, f"info.{at}", participant)
        made = Participant()
        for member in ("name", "domain", "id", "title", "rank"):
            setattr(made, member, self._short(getattr(participant, member), f"{at}.{member}", member.capitalize()))
        return made

    def _players(self) -> list[Player]:
        made = []
        for row, player in enumerate(self._source.players):
            at = f"info.players[{row}]"
            drop_extra(self._losses, at, player)
            if 0 <= player.participant < len(self._source.participants) and player.color in (None, *COLOR_WORDS):
                made.append(Player(player.participant, player.color))
            else:
                self._losses.add("player-dropped", at)
        return made

    def _result(self) -> Result | None:
        result = self._source.result
        if result is None:
            return None
        drop_extra(self._losses, "info.result", result)
        if valid_result(result):
            return replace(result, extra={})
        self._losses.add("result-dropped", "info.result")
        if "RE" not in self._properties:
            self.lines.append(f"Result: {COLOR_WORDS.get(result.winner or 0, 'nobody')} by {result.margin}")
        return None


# Properties that are not about the game, or that `info` contains.
HELD: Final = frozenset({"FF", "CA", "GM", "SZ", "GN", "PC", "PB", "BR", "PW", "WR"})
_EVENT_TOO: Final = HELD | {"EV", "RO"}
_RESIGNED: Final = re.compile(r"[BW]\+R(esign)?", re.IGNORECASE)
_ZEROS: Final = re.compile(r"\.0*$|(\.[0-9]*?[1-9])0+$", re.ASCII)
_DATE_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?Z", re.ASCII
)


def _plain(number: str) -> str:
    """The text of a number without zeros at its end."""
    return _ZEROS.sub(r"\1", number)


def _komi(info: Info) -> Number | None:
    return info.rules.komi if info.rules else None


def _kind(info: Info) -> tuple[str | None, str | None]:
    return (info.rules.type, info.rules.scoring) if info.rules else (None, None)


def _is_date_time(text: str) -> bool:
    """Whether a time exists and has one of the three forms of clause 3.10.2; 24:00 and 23:59:60 are valid."""
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        return False
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        # Year 0 is a leap year, as 2000 is.
        datetime.date(year or 2000, month, day)
    except ValueError:
        return False
    if (hour, minute, second) == (24, 0, 0):
        return not int(match[7] or 0)
    return hour < 24 and minute < 60 and (second < 60 or (hour, minute, second) == (23, 59, 60))
