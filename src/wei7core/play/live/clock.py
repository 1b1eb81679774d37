"""Clocks of a live game: how much time each side has, judged from the times of its moves alone.

All times are seconds since the start of the game. Nothing here looks at a real clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Literal, NamedTuple

__all__ = ["Clock", "TimeLeft", "TimeSetting"]

_new_tuple: Final = tuple.__new__  # a fifth of the time of the constructor of a named tuple

Kind = Literal["absolute", "byo-yomi", "canadian", "fischer"]


@dataclass(frozen=True, slots=True)
class TimeSetting:
    """How much time each side has; use the four functions of this class.

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
        if self.periods < 0 or self.stones < 0:
            raise ValueError("a clock has no negative numbers of periods and stones")
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


class Clock:
    """The clocks of both sides of one game.

    The clock of `running` runs from `since` on. Thread safety: one thread at a time.
    """

    __slots__ = ("_left", "running", "setting", "since")

    def __init__(self, setting: TimeSetting, first: int = 1) -> None:
        self.setting = setting
        self.running = first
        self.since = 0.0
        start = TimeLeft(setting.main, setting.seconds, setting.periods, setting.stones)
        if setting.kind == "fischer":
            start = TimeLeft(setting.main)
        self._left = {1: start, 2: start}

    def left(self, color: int, time: float) -> TimeLeft:
        """Return the time of a side at a time, with its clock running if it is `running`."""
        left = self._left[color]
        spent = time - self.since
        if color != self.running or spent <= 0:
            return left
        if spent <= left[0]:
            # At the last moment of main time the next move is in time; without overtime a later one is not.
            return _new_tuple(TimeLeft, (left[0] - spent, *left[1:]))
        return self._after_main(left, spent - left[0])

    def expired(self, time: float) -> int | None:
        """Return the color that has lost on time at `time`, or None."""
        return next((color for color in (1, 2) if self.left(color, time).expired), None)

    def move(self, color: int, time: float) -> None:
        """Stop the clock that runs, for a move at a time, and start that of the opponent of `color`.

        Raises `ValueError` where the time is over.
        """
        left = self.left(self.running, time)
        if left.expired:
            raise ValueError("the time is over")
        self.pass_on(color, time, left)

    def pass_on(self, color: int, time: float, left: TimeLeft) -> None:
        """Carry out `move`, with what `left` returned for the side whose clock runs."""
        is_as_it_was = left[0] > 0 and self.setting.kind != "fischer"
        self._left[self.running] = left if is_as_it_was else self._renewed(left)
        self.running = 3 - color
        if time > self.since:  # noqa: PLR1730 - a call of max costs more
            self.since = time

    def take_back(self, color: int, time: float) -> None:
        """Let the clock of `color` run, whose turn it is after a takeback; the time until then is that of the other.

        A period of byo-yomi begins anew. Raises `ValueError` where the time is over.
        """
        left = self.left(self.running, time)
        if left.expired:
            raise ValueError("the time is over")
        self._left[self.running] = left
        self.running = color
        self.since = max(self.since, time)

    def state(self) -> tuple[Any, ...]:
        """Return what `restore` takes back."""
        return dict(self._left), self.running, self.since

    def restore(self, state: tuple[Any, ...]) -> None:
        """Go back to a state."""
        left, self.running, self.since = state
        self._left = dict(left)

    def _after_main(self, left: TimeLeft, over: float) -> TimeLeft:
        """The time that remains after a side thought for `over` seconds more than it had of main time."""
        setting = self.setting
        if setting.kind == "byo-yomi":
            whole = int(over // setting.seconds)
            if over > 0 and over % setting.seconds == 0:
                whole -= 1  # a move at the last moment of a period is in time
            if whole >= left.periods:
                return TimeLeft(0.0, 0.0, 0, 0, True)
            return TimeLeft(0.0, setting.seconds * (whole + 1) - over, left.periods - whole)
        if setting.kind == "canadian" and over <= left.seconds:
            return TimeLeft(0.0, left.seconds - over, 0, left.stones)
        return TimeLeft(0.0, 0.0, 0, 0, True)

    def _renewed(self, left: TimeLeft) -> TimeLeft:
        """The time that remains once the move is made."""
        setting = self.setting
        if setting.kind == "fischer":
            main = left.main + setting.seconds
            return TimeLeft(main if setting.most is None else max(left.main, min(main, setting.most)))
        if left.main > 0:
            return left
        if setting.kind == "byo-yomi":
            return TimeLeft(0.0, setting.seconds, left.periods)
        if setting.kind == "canadian":
            stones = left.stones - 1
            return (
                TimeLeft(0.0, left.seconds, 0, stones) if stones else TimeLeft(0.0, setting.seconds, 0, setting.stones)
            )
        return left
