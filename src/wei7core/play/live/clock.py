"""Clocks of a live game: how much time each side has, judged from the times of its moves alone.

All times are seconds since the start of the game. Nothing here looks at a real clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Literal, NamedTuple

from ...replaying.cursor import GameClock

_MOST_PERIODS: Final = 1_000_000_000

Kind = Literal["absolute", "byo-yomi", "canadian", "fischer"]


@dataclass(frozen=True, slots=True)
class TimeSetting:
    """The time of each side, made by the four functions of this class.

    `main` is in seconds. Byo-yomi: after it `periods` of `seconds` each, of which one is used up whenever a move takes
    that long. Canadian: after it `stones` moves in every `seconds`. Fischer: each move adds `seconds`, up to `most`.
    """

    kind: Kind
    main: float
    seconds: float = 0.0
    periods: int = 0
    stones: int = 0
    most: float | None = None

    def __post_init__(self) -> None:
        numbers = (self.main, self.seconds, 0.0 if self.most is None else self.most)
        if any(isinstance(number, bool) or not isfinite(number) or number < 0 for number in numbers):
            raise ValueError("the seconds of a clock are finite and not negative")
        counts = (self.periods, self.stones)
        if any(type(count) is not int or not 0 <= count <= _MOST_PERIODS for count in counts):
            raise ValueError(f"a clock has 0 to {_MOST_PERIODS} periods and stones")
        if self.kind == "byo-yomi" and not (self.periods and self.seconds):
            raise ValueError("byo-yomi has one period or more, of more than no time")
        if self.kind == "canadian" and not (self.stones and self.seconds):
            raise ValueError("Canadian time has one stone or more, in more than no time")

    @staticmethod
    def absolute(main: float) -> TimeSetting:
        """All moves in `main` seconds."""
        return TimeSetting("absolute", main)

    @staticmethod
    def byo_yomi(main: float, periods: int, seconds: float) -> TimeSetting:
        """After `main` seconds, `periods` of `seconds` each."""
        return TimeSetting("byo-yomi", main, seconds, periods)

    @staticmethod
    def canadian(main: float, stones: int, seconds: float) -> TimeSetting:
        """After `main` seconds, `stones` moves in every `seconds`."""
        return TimeSetting("canadian", main, seconds, 0, stones)

    @staticmethod
    def fischer(main: float, increment: float, most: float | None = None) -> TimeSetting:
        """`increment` seconds more after each move; never more than `most`."""
        return TimeSetting("fischer", main, increment, most=most)

    def to_obj(self) -> dict[str, Any]:
        """Return the setting as JSON has it."""
        return {name: getattr(self, name) for name in ("kind", "main", "seconds", "periods", "stones", "most")}

    @staticmethod
    def from_obj(value: dict[str, Any]) -> TimeSetting:
        """Return the setting that `to_obj` made."""
        return TimeSetting(**value)


class TimeLeft(NamedTuple):
    """The time of a side: `main` seconds; then `seconds` of the period that runs; periods left, this one included;
    stones.

    `expired`: it has lost on time.
    """

    main: float
    seconds: float = 0.0
    periods: int = 0
    stones: int = 0
    expired: bool = False


class Clock(GameClock):
    """The clocks of both sides of one game.

    The clock of `running` runs from `since` on. Thread safety: one thread at a time.
    """

    __slots__ = ("setting",)

    def __init__(self, setting: TimeSetting, first: int = 1) -> None:
        super().__init__(setting, first)
        self.setting = setting

    def left(self, color: int, time: float) -> TimeLeft:
        """Return the time of a side at a time, with its clock running if it is `running`."""
        return TimeLeft(*self.time_of(color, time))

    def expired(self, time: float) -> int | None:
        """Return the color that has lost on time at `time`, or None."""
        return next((color for color in (1, 2) if self.left(color, time).expired), None)

    def move(self, color: int, time: float) -> None:
        """Stop the clock that runs, for a move at a time, and start that of the opponent of `color`.

        Raises `ValueError` where the time is over.
        """
        if not self.stop(color, time, True):
            raise ValueError("the time is over")

    def take_back(self, color: int, time: float) -> None:
        """Let the clock of `color` run, whose turn it is after a takeback; the time until then is that of the other.

        A period of byo-yomi begins anew. Raises `ValueError` where the time is over.
        """
        if not self.stop(color, time, False):
            raise ValueError("the time is over")
