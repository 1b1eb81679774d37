"""`LiveGame`: a game that grows by one judged action at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, NoReturn

from ..._util.words import counted
from ...board.board import Board
from ...errors import ActionRefusedError, IllegalMoveError
from ...formats.wei7.json_text import encode_text, read_number
from ...game.dump import dumps
from ...game.game import Game
from ...game.load import loads
from ...game.moves import AnyMove, move_of
from ...record.document import Info, MarkAction, Message, Move, Number, Participant, Result, Takeback
from ...replaying.cursor import GrowingLine
from ...rules import Rules, named
from .clock import Clock, TimeLeft, TimeSetting
from .event import MOVE_PIECES, Event, LiveAction, action_from_obj, event_from_obj
from .journal import Journal, read_journal

_SECONDS: Final = 86_400  # clause 3.14: a time is less than a day
_MOST_ACTORS: Final = 10_000
_SYMBOLS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&?")
_END: Final = b'{"end":true}'


class LiveGame:
    """A game while it is played: actions are judged by the position, the players and the clocks, and kept in order.

    `LiveGame(19)` or `LiveGame((9, 13))`. `journal` is the path of a new file that takes each action before `append`
    returns; `sync` also waits until it is on the disk. `info` names the participants, who are the possible actors; a
    player with one color plays no other; without participants any number from 0 is an actor. `rules` (a name or
    `Rules`) judge each move; without them all that the format allows is legal. `clock` needs a time with every move.
    `first` is the color whose clock runs first.

    Attributes: `size`, `info`, `rules`, `clock` (None without one), `events` (a tuple), `closed`.

    Raises `BoardSizeError`, `ValueError` for unknown rules, `TypeError` for other types, `FileExistsError` for a
    journal that exists, and `OSError` where it cannot be written.

    Thread safety: one thread at a time for a game; games share nothing.
    """

    __slots__ = (
        "_actors",
        "_board",
        "_events",
        "_journal",
        "_last_color",
        "_line",
        "_sides",
        "clock",
        "closed",
        "info",
        "rules",
        "size",
    )

    _journal: Journal | None

    def __init__(
        self,
        size: int | tuple[int, int] = 19,
        *,
        journal: str | os.PathLike[str] | None = None,
        info: Info | None = None,
        rules: Rules | str | None = None,
        clock: TimeSetting | None = None,
        first: int = 1,
        sync: bool = False,
    ) -> None:
        self._begin(size, info, rules, clock, first)
        if journal is not None:
            self._keep(Journal.create(journal, self._head(first), sync=sync))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a live game cannot be copied or pickled: its events, or its record, can")

    def _begin(
        self,
        size: int | tuple[int, int],
        info: Info | None,
        rules: Rules | str | None,
        clock: TimeSetting | None,
        first: int,
    ) -> None:
        sides = size if isinstance(size, tuple) else (size, size)
        if info is not None and not isinstance(info, Info):
            raise TypeError(f"info is a wei7core.Info, not {info!r}")
        if clock is not None and not isinstance(clock, TimeSetting):
            raise TypeError(f"a clock is a wei7core.TimeSetting, not {clock!r}")
        self._board = Board(*sides)
        self.size: tuple[int, int] = self._board.size
        self.info = Info() if info is None else info
        self.rules = None if rules is None else named(rules)
        if first not in (1, 2):
            raise ValueError(f"the first color is 1 or 2, not {first!r}")
        self.clock = None if clock is None else Clock(clock, first)
        self.closed = False
        self._events: list[Event] = []
        self._journal = None
        self._last_color = 3 - first
        self._actors = len(self.info.participants) or _MOST_ACTORS
        self._sides = {actor: side for actor in range(len(self.info.participants)) if (side := self.info.side(actor))}
        # Plain moves are judged and added by the line itself, those that are refused by `_add`.
        self._line = line = GrowingLine()
        line.board, line.actions, line.kind, line.pieces = self._board, self._events, Event, MOVE_PIECES
        line.actors, line.sides, line.most_time, line.time = self._actors, self._sides, _SECONDS, 0
        line.rules, line.clock = self.rules, self.clock

    def _keep(self, journal: Journal) -> None:
        """Write what follows to a journal."""
        self._journal = journal
        self._line.lines, self._line.write = journal.lines, journal.write

    def _head(self, first: int) -> dict[str, Any]:
        game = Game(self.size)
        game.info = self.info
        if self.rules is not None and self.rules != named(self.rules.name):
            raise ValueError("a journal names its rules: use one of the rule sets of wei7core.rules")
        return {
            "record": dumps(game).decode("utf-8"),
            "rules": None if self.rules is None else self.rules.name,
            "clock": None if self.clock is None else self.clock.setting.to_obj(),
            "first": first,
        }

    # --- what there is --------------------------------------------------------------------------------

    @property
    def events(self) -> tuple[Event, ...]:
        """The actions so far, in their order."""
        return tuple(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def events_from(self, number: int) -> list[Event]:
        """Return the events from a number on: what another side that has `number` of them lacks."""
        return self._events[max(0, number) :]

    @property
    def board(self) -> Board:
        """A copy of the current position."""
        return self._board.copy()

    @property
    def to_play(self) -> int:
        """Whose turn it is: the opponent of the last move in force, or of the color that did not begin."""
        last = self._board.last_move
        return 3 - (self._last_color if last is None else last[0])

    def time_left(self, color: int, time: Number) -> TimeLeft:
        """Return the time of a side at `time`. Raises `ValueError` without a clock."""
        if self.clock is None:
            raise ValueError("the game has no clock")
        return self.clock.left(color, float(time))

    def marks(self, time: Number, seconds: float = 1.0) -> list[MarkAction]:
        """Return the marks shown at `time`: each for a number of seconds from its own time on (Q&A 4.10), which is not
        less than that of any action before it.
        """
        shown: list[MarkAction] = []
        end, last = float(time), 0.0
        for event in self._events:
            if event.time is None:
                continue
            last = max(last, float(event.time))
            if last > end:
                break
            if isinstance(event.action, MarkAction) and last > end - seconds:
                shown.append(event.action)
        return shown

    # --- what happens ---------------------------------------------------------------------------------

    def append(
        self, action: LiveAction | AnyMove | dict[str, Any], actor: int | None = None, time: Number | None = None
    ) -> Event:
        """Judge an action, carry it out, and return its event.

        `action` is a `Move`, `Takeback`, `Result`, `MarkAction` or `Message`; or a move as text or a point, as "D4",
        with its color, as ("B", "D4"), if it is not that of the player to move; or the `action` of a step as JSON has
        it. `time` is in seconds since the start; one that is less than that before it counts as the same time
        (3.15.3.1).

        Raises `ActionRefusedError`, which names the clause, and then nothing has changed; `OSError` where the journal
        cannot be written, and then nothing has changed either.
        """
        if type(action) is not Move and type(action) not in _KINDS:
            action = self._read(action)
        event: Event | None = self._line.add_move(action, actor, time)
        if event is not None:
            return event
        return self._add(action, actor, time)  # type: ignore[arg-type]  # `_read` returns an action

    def apply(self, event: Event | str | bytes | dict[str, Any]) -> bool:
        """Carry out an event of another side, or its JSON; return False, and do nothing, for an event that is known
        already.

        JSON may be a text or what it was parsed to.

        Events come in their order: one that skips a number is refused (reason `order`), as is one that differs from the
        event of its number (reason `conflict`). Raises the exceptions of `append`.
        """
        if not isinstance(event, Event):
            event = event_from_obj(event) if isinstance(event, dict) else Event.from_json(event)
        count = len(self._events)
        if event.number > count:
            raise ActionRefusedError(f"event {event.number} came before event {count}", reason="order")
        if event.number < count:
            if self._events[event.number] != event:
                raise ActionRefusedError(f"event {event.number} is another one here", reason="conflict")
            return False
        if self._line.add_move(event.action, event.actor, event.time) is None:
            self._add(event.action, event.actor, event.time)
        return True

    def close(self) -> Game:
        """End the game and return its record; the journal is closed too. Once more returns another copy.

        Actors without a participant in `info` get one without a name.
        """
        game = self.to_game()
        if not self.closed:
            if self._journal is not None:
                self._journal.write(_END + b"\n")
                self._journal.close()
            self.closed = self._line.is_closed = True
        return game

    def to_game(self) -> Game:
        """Return the record of the actions so far; the game continues."""
        game = Game(self.size)
        game.tree.steps = [event.to_step() for event in self._events]
        last = max((event.actor for event in self._events if event.actor is not None), default=-1)
        missing = last + 1 - len(self.info.participants)
        nameless = [Participant() for _ in range(missing)]
        game.info = replace(self.info, participants=[*self.info.participants, *nameless])
        return loads(dumps(game, validate=False), strict=False)  # a copy, that shares nothing with the live game

    @staticmethod
    def recover(path: str | os.PathLike[str], *, sync: bool = False) -> LiveGame:
        """Return the game of a journal, as it was when its process ended; the journal is continued.

        The incomplete line of a killed process is cut off. Raises `OSError`, and
        `ValueError` if the file is not a journal or contains an action that is refused.
        """
        head, lines, size = read_journal(path)
        name = os.fspath(path)
        try:
            game = loads(head["record"])
            setting = None if head["clock"] is None else TimeSetting.from_obj(head["clock"])
            live = LiveGame.__new__(LiveGame)
            live._begin(game.size, game.info, head["rules"], setting, head["first"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{name}: the first line of the journal cannot be read: {error}") from None
        for number, line in enumerate(lines, start=2):
            if line == _END:
                live.closed = live._line.is_closed = True
                return live
            try:
                live.apply(line)
            except ActionRefusedError as error:
                raise ValueError(f"{name}, line {number}: {error}") from None
        live._keep(Journal(path, size, sync=sync))
        return live

    # --- judgement ------------------------------------------------------------------------------------

    def _read(self, action: Any) -> LiveAction:
        if isinstance(action, dict):
            return action_from_obj(action)
        try:
            color, point = move_of(action, self.size)
        except (TypeError, ValueError) as error:
            raise ActionRefusedError(str(error), reason="syntax", clause="3.15.3.2.1") from None
        return Move(self.to_play if color is None else color, point)

    def _add(self, action: LiveAction, actor: int | None, time: Number | None) -> Event:
        if self.closed:
            raise ActionRefusedError("the game is closed", reason="closed")
        if time is not None:
            _require_time(time)
            if isinstance(time, Decimal):
                time = read_number(encode_text(time))  # as the other side and the record have it
        elif self.clock is not None:
            raise ActionRefusedError("an action has a time where there is a clock", reason="time", clause="3.15.3.1")
        if actor is not None and not (type(actor) is int and 0 <= actor < self._actors):
            raise ActionRefusedError(
                f"the actor {actor!r:.40} is not one of {self._actors} participants", reason="actor", clause="3.15.3.3"
            )
        event = Event(len(self._events), action, actor, time)
        undo: Any = None
        if type(action) is Move:
            undo = self._play(action, actor, time)
        elif type(action) is Takeback:
            undo = self._take_back(action, time)
        else:
            _require_speech(action, self.size)
        if self._journal is not None:
            try:
                self._journal.write(f"{event.to_json()}\n".encode())
            except BaseException:
                self._withdraw(action, undo)
                raise
        self._events.append(event)
        if time is not None and time > self._line.time:
            self._line.time = time
        return event

    def _play(self, move: Move, actor: int | None, time: Number | None) -> Any:
        color, point = move.color, move.point
        if move.evaluation is not None or move.problem is not None or move.extra:
            raise ActionRefusedError("a live move has a color and a point alone", reason="syntax", clause="3.15.3.2.1")
        if self._sides and actor is not None:
            side = self._sides.get(actor)
            if side is not None and side != color:
                raise ActionRefusedError(
                    f"participant {actor} plays {_NAMES[side]}, not {_NAMES.get(color, color)}",
                    reason="role",
                    clause="3.10.7",
                )
        if type(color) is not int or color not in (1, 2):
            raise ActionRefusedError(f"a color is 1 or 2, not {color!r:.40}", reason="color", clause="3.15.3.2.1.1")
        if self.rules is not None and (point is None or self._is_empty(point)):
            verdict = self._board.is_legal(color, point, self.rules)
            if not verdict:
                raise ActionRefusedError(
                    f"{self.rules.name} rules forbid the move: {verdict.reason}", reason="rules", clause="3.10.1"
                )
        state = None
        if self.clock is not None and time is not None:
            state = self.clock.state
            try:
                self.clock.move(color, float(max(time, self._line.time)))
            except ValueError:
                raise self._lost_on_time() from None
        try:
            if point is not None and not (type(point) is tuple and type(point[0]) is int and type(point[1]) is int):
                raise TypeError(f"a point is (x, y), not {point!r:.40}")
            self._board.play(color, point)
        except (IndexError, TypeError, ValueError) as error:
            if self.clock is not None and state is not None:
                self.clock.state = state
            reason = error.reason if isinstance(error, IllegalMoveError) else "syntax"
            raise ActionRefusedError(str(error), reason=reason, clause="3.15.3.2.1.2") from None
        return state

    def _is_empty(self, point: Any) -> bool:
        try:
            return self._board[point] == 0
        except (TypeError, ValueError, IndexError):
            return False

    def _take_back(self, action: Takeback, time: Number | None) -> Any:
        count = action.count
        if type(count) is not int or not 1 <= count <= self._board.move_count:
            raise ActionRefusedError(
                f"a takeback of {count!r:.40} moves is not possible: {self._board.move_count} are in force",
                reason="takeback",
                clause="3.15.3.2.2",
            )
        moves = self._board.moves()[-count:]
        state = None
        if self.clock is not None and time is not None:
            state = self.clock.state
            try:
                self.clock.take_back(moves[0][0], float(max(time, self._line.time)))
            except ValueError:
                raise self._lost_on_time() from None
        self._board.undo(count)
        return moves, state

    def _lost_on_time(self) -> ActionRefusedError:
        assert self.clock is not None
        return ActionRefusedError(f"{_NAMES[self.clock.running]} has lost on time", reason="time", clause="3.15.3.1")

    def _withdraw(self, action: LiveAction, undo: Any) -> None:
        """Go back to before an action that the journal did not take."""
        if type(action) is Move:
            self._board.undo(1)
            if self.clock is not None and undo is not None:
                self.clock.state = undo
        elif type(action) is Takeback:
            moves, state = undo
            for color, point in moves:
                self._board.play(color, point)
            if self.clock is not None and state is not None:
                self.clock.state = state

    def __repr__(self) -> str:
        width, height = self.size
        events = counted(len(self._events), "event")
        return f"<LiveGame {width} x {height}, {events}{', closed' if self.closed else ''}>"


_KINDS: Final = frozenset({Takeback, Result, MarkAction, Message})
_NAMES: Final = {1: "Black", 2: "White"}


def _require_time(time: Any) -> None:
    is_number = type(time) is int or type(time) is float or (isinstance(time, Decimal) and time.is_finite())
    if not (is_number and 0 <= time < _SECONDS):  # NaN is not, whatever it is compared with
        raise ActionRefusedError(
            f"a time is 0 seconds or more and less than {_SECONDS}, not {time!r:.40}", reason="time", clause="3.15.3.1"
        )


def _require_speech(action: LiveAction, size: tuple[int, int]) -> None:
    """Refuse a message, a mark or a claim that no record could hold."""
    if isinstance(action, Message):
        if not isinstance(action.text, str) or not _is_text(action.text):
            raise ActionRefusedError("a message is a text", reason="syntax", clause="3.15.3.2.5")
        return
    if isinstance(action, MarkAction):
        point = action.point
        if not _is_point(point, size):
            raise ActionRefusedError(f"the mark at {point!r:.40} is off the board", reason="off-board", clause="3.6")
        if action.extra or not (isinstance(action.symbol, str) and action.symbol in _SYMBOLS):
            raise ActionRefusedError(
                f"the symbol of a mark is one of a-z A-Z 0-9 @ # $ % & ?, not {action.symbol!r:.40}",
                reason="syntax",
                clause="3.12",
            )
        return
    assert isinstance(action, Result)
    if action.extra:  # the event has no place for it: the other side would claim another result
        raise ActionRefusedError("a live claim has a winner and a margin alone", reason="syntax", clause="3.8")
    game = Game(1)
    try:
        game.tree.claim(action.winner, action.margin)
        problems: Iterable[Any] = game.check()
    except (TypeError, ValueError) as error:
        raise ActionRefusedError(str(error), reason="syntax", clause="3.8") from None
    for problem in problems:
        if problem.severity == "error":
            raise ActionRefusedError(problem.message, reason="syntax", clause=problem.clause or "3.8")


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_point(point: Any, size: tuple[int, int]) -> bool:
    return (
        isinstance(point, tuple)
        and len(point) == 2
        and all(type(value) is int for value in point)
        and 0 <= point[0] < size[0]
        and 0 <= point[1] < size[1]
    )
