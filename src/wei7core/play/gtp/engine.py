"""The engine side of GTP: a Python function that chooses moves becomes a program that any controller can run."""

from __future__ import annotations

import inspect
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import IO, Any, Final, TypeVar

from ... import _version
from ...board.board import Board
from ...coordinates import Point
from ...errors import CommandError, IllegalMoveError
from ...rules import Rules, named
from ..evaluation import MoveInfo, Report
from .commands import STANDARD, Handler, Parameters, arguments_of
from .protocol import format_response, parse_command, vertex_of

GenMove = Callable[[Board, int], "Point | str | None"]
Analyze = Callable[[Board, "AnalyzeRequest"], Iterable["Report | list[MoveInfo]"]]
Dead = Callable[[Board], Iterable[Point]]
_Function = TypeVar("_Function", bound=Callable[..., Any])

_LONGEST_LINE: Final = 1 << 24
_PIECE: Final = 1 << 16
LARGEST_SIZE: Final = 25
"""Columns that GTP has letters for (2.11)."""


@dataclass(slots=True)
class AnalyzeRequest:
    """The request of an analysis command.

    `color` is to play; `interval` are the seconds between two reports; `decides`: a move is required, so the reports
    have to end. `min_moves`, `max_moves` bound the candidates (None: no bound); `ownership` requests
    `Report.ownership`; `options` has every other option by its name, as text. `interrupted` turns true once the
    controller wants the reports to end; the engine looks after each report, a long search looks more often.
    """

    color: int
    interval: float = 1.0
    decides: bool = False
    min_moves: int | None = None
    max_moves: int | None = None
    ownership: bool = False
    root_info: bool = False
    options: dict[str, str] = field(default_factory=dict)
    is_interrupted: Callable[[], bool] = lambda: False

    @property
    def interrupted(self) -> bool:
        """Whether the controller has sent something, which ends the analysis."""
        return not self.decides and self.is_interrupted()


class Engine:
    """A program that plays by GTP, version 2.

        import random
        import wei7core as w7

        engine = w7.gtp.Engine("random")

        @engine.genmove
        def choose(board, color):
            points = board.legal_points(color, engine.rules)
            return random.choice(points) if points else None

        engine.run()

    `name` and `version` are reported to controllers; `rules` (a `Rules` or its name) decide what is legal and how a
    game is counted, `komi` is in points. `largest` is the longest side of a board that it accepts.

    A function given to `genmove` chooses moves; the decorators `analyze`, `dead` and `command` add the rest. All
    required commands of GTP 2 are there, and undo, loadsgf, printsgf, showboard, the handicap, time, score and status
    commands; `kata-analyze`, `lz-analyze` and their like where there is an `analyze` handler.

    Attributes that handlers use: `board`, `komi`, `rules`, `handicap` (stones), `time_settings` (main time, overtime,
    stones of an overtime, in seconds; None where none were given), `time_left` (seconds and stones by color).

    A handler that raises `CommandError` answers with that message; any other exception is answered as an internal error
    and written to standard error, and the engine continues.

    Thread safety: one thread at a time.
    """

    def __init__(
        self,
        name: str = "wei7core",
        version: str = _version.__version__,
        *,
        rules: Rules | str = "tromp-taylor",
        komi: float = 7.5,
        size: int | tuple[int, int] = 19,
        largest: int = LARGEST_SIZE,
    ) -> None:
        self.name = name
        self.version = version
        self.rules = named(rules)
        self.komi = komi
        self.largest = largest
        self.board = Board(*((size, size) if isinstance(size, int) else size))
        self.handicap = 0
        self.time_settings: tuple[float, float, int] | None = None
        self.time_left: dict[int, tuple[float, int]] = {}
        self.finished = False
        self.choose: GenMove | None = None
        self.reports: Analyze | None = None
        self.find_dead: Dead | None = None
        self._commands: dict[str, tuple[Handler, Parameters | None]] = dict(STANDARD)
        self._signatures: dict[str, inspect.Signature] = {}  # of handlers that `command` added

    # --- handlers ---

    def genmove(self, function: GenMove) -> GenMove:
        """Take `function(board, color)` as the chooser of moves; usable as a decorator.

        It returns a point (x, y), None for a pass, or text: "resign" or a vertex. The board is the engine's own: a
        search plays on a copy. A move that is not legal is not played but answered as an error.
        """
        self.choose = function
        return function

    def analyze(self, function: Analyze) -> Analyze:
        """Take `function(board, request)` as the source of analysis; usable as a decorator.

        It is called with an `AnalyzeRequest` and yields a `Report`, or a list of `MoveInfo`, each `request.interval`
        seconds or so. The commands are `kata-analyze`, `lz-analyze`, `analyze` and each of them with `genmove_`.
        """
        self.reports = function
        return function

    def dead(self, function: Dead) -> Dead:
        """Take `function(board)`, which returns the points of dead stones, for the score; usable as a decorator.

        Without it every stone counts as alive.
        """
        self.find_dead = function
        return function

    def command(self, name: str) -> Callable[[_Function], _Function]:
        """Return a decorator that makes a function the handler of the command `name`, one of the standard ones too.

        The function is called with the words of the command and returns the text of the response, or None. A number of
        words that it does not take is a syntax error.
        """
        if len(name.split()) != 1:
            raise ValueError(f"the name of a command is one word, not {name!r}")

        def add(function: _Function) -> _Function:
            self._signatures[name] = inspect.signature(function)
            self._commands[name] = lambda _, *words: function(*words), None
            return function

        return add

    @property
    def commands(self) -> list[str]:
        """The names of all commands, sorted."""
        return sorted(name for name in self._commands if self._is_supported(name))

    def _is_supported(self, name: str) -> bool:
        entry = self._commands.get(name)
        return entry is not None and (entry[1] is None or not entry[1].needs or bool(getattr(self, entry[1].needs)))

    # --- running ---

    def run(self, input: IO[bytes] | None = None, output: IO[bytes] | None = None) -> None:
        """Answer commands until `quit` or the end of the input.

        `input` and `output` are binary files, by default standard input and output. What handlers print is written
        to standard error: standard output belongs to the protocol. Returns where the controller closes the output.
        """
        target = sys.stdout.buffer if output is None else output
        lines = _InputLines(sys.stdin.buffer if input is None else input)
        try:
            with redirect_stdout(sys.stderr):
                while not self.finished and (line := lines.get()) is not None:
                    for text in self.respond(line, lambda: not lines.empty):
                        target.write(text.encode("utf-8", "surrogateescape"))
                        target.flush()
        except BrokenPipeError:
            return

    def execute(self, line: str) -> str:
        """Return the whole response to one line, "" without a command. A command of analysis reports once."""
        return "".join(self.respond(line, lambda: True))

    def respond(self, line: str, is_interrupted: Callable[[], bool] = lambda: False) -> Iterator[str]:
        """Yield the response to one line, piece by piece; nothing for a line without a command.

        `is_interrupted` returns whether the controller has sent more, which ends an analysis.
        """
        command = parse_command(line)
        if command is None:
            return
        try:
            result = self._call(command.name, command.arguments, is_interrupted)
        except CommandError as error:
            yield format_response(False, command.id, str(error))
            return
        except Exception as error:
            yield format_response(False, command.id, self._internal(error))
            return
        if result is None or isinstance(result, str):
            yield format_response(True, command.id, result or "")
            return
        yield f"={command.id}\n"
        try:
            for text in result:
                yield text + "\n"
        except Exception as error:
            self._internal(error)
        yield "\n"

    def _call(self, name: str, words: tuple[str, ...], is_interrupted: Callable[[], bool]) -> Any:
        """Return the text of the response, None for none, or an iterator over its lines."""
        if not self._is_supported(name):
            raise CommandError("unknown command")
        handler, parameters = self._commands[name]
        if parameters is None:
            try:
                self._signatures[name].bind(*words)
            except TypeError as error:
                raise CommandError(f"syntax error: {name}: {error}") from None
            return handler(self, *words)
        arguments = arguments_of(name, words, parameters, self.board)
        return handler(self, *arguments, is_interrupted) if parameters.streams else handler(self, *arguments)

    @staticmethod
    def _internal(error: Exception) -> str:
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
        return " ".join(f"internal error: {type(error).__name__}: {error}".split())

    # --- what handlers of commands use ---

    def chosen(self, color: int) -> Point | str | None:
        """Return the move that the `genmove` handler chooses: a point, None for a pass, or "resign".

        Raises `CommandError` without a handler, and for an illegal move.
        """
        if self.choose is None:
            raise CommandError("this engine chooses no moves")
        return self.checked(color, self.choose(self.board, color))

    def checked(self, color: int, move: Point | str | None) -> Point | str | None:
        """Return a move as a point, None or "resign". Raises `CommandError` for an invalid or illegal move."""
        try:
            move = vertex_of(move, *self.board.size) if isinstance(move, str) else move
        except ValueError as error:
            raise CommandError(f"the engine chose no move: {error}") from None
        if not isinstance(move, str):
            self.require_legal(color, move)
        return move

    def require_legal(self, color: int, point: Point | None) -> None:
        """Raise `CommandError` where the rules forbid a move."""
        try:
            verdict = self.board.is_legal(color, point, self.rules)
        except (IllegalMoveError, TypeError, ValueError) as error:
            raise CommandError(f"illegal move: {error}") from None
        if not verdict:
            raise CommandError("illegal move")

    def restart(self, width: int, height: int) -> None:
        """Take an empty board."""
        self.board = Board(width, height)
        self.handicap = 0


class _InputLines:
    """The lines of an input, read by a thread so that an analysis can see whether more has come."""

    def __init__(self, source: IO[bytes]) -> None:
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # It ends with the input. It is a daemon because a read from a terminal cannot be ended otherwise.
        threading.Thread(target=self._read, args=(source,), daemon=True, name="gtp-input").start()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to read."""
        return self._queue.empty()

    def get(self) -> str | None:
        """Return the next line, None at the end of the input."""
        return self._queue.get()

    def _read(self, source: IO[bytes]) -> None:
        parts: list[bytes] = []  # of a line that is not complete
        size = 0
        try:
            for data in _pieces(source):
                *lines, rest = data.split(b"\n")
                for line in lines:
                    self._queue.put(b"".join([*parts, line]).decode("utf-8", "surrogateescape"))
                    parts.clear()
                    size = 0
                parts.append(rest)
                size += len(rest)
                if size > _LONGEST_LINE:
                    break
            if size:
                self._queue.put(b"".join(parts).decode("utf-8", "surrogateescape"))
        except (OSError, ValueError):
            pass  # the file was closed
        finally:
            self._queue.put(None)


def _pieces(source: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file as it arrives."""
    try:
        number = source.fileno()
    except (AttributeError, OSError):
        yield from source
        return
    # A thread blocked in a method of the file would prevent the interpreter from closing it at exit.
    while data := os.read(number, _PIECE):
        yield data
