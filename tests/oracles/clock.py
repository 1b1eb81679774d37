"""The clocks of a live game, in Python: the slow twin of `GameClock`."""

from __future__ import annotations

from typing import Any

from wei7core.play.live.clock import TimeLeft, TimeSetting


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
            return TimeLeft(left[0] - spent, *left[1:])
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
