"""What the replay of a record finds: moves and setups that cannot be played, limits, and the error that ended it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..errors import ERROR, PROBLEM_CODES, Problem
from ..limits import Limits
from ..record.record import Record

Stop = int | tuple[int] | None
"""What ended a branch: a problem of the replay, by its index, or of the decoder, by the offset of the step; or none."""

_COLORS: Final = {1: "black", 2: "white"}
_MESSAGES: Final = {
    "occupied": "move {number}, {color} ({x}, {y}), is on an occupied point",
    "replaced": "move {number}, {color} ({x}, {y}), is on an occupied point, whose stone it replaces",
    "no-liberty": "the {color} stone ({x}, {y}) or one next to it has no liberty",
    "takeback-of-setup": "a takeback reaches before stones that were set up later",
    "limit": "replaying takes more than {limits.max_moves} moves, takebacks and stones set up",
    "more-moves": "more than {limits.max_problems} moves are on occupied points",
    "more-stops": "more than {limits.max_problems} branches cannot be replayed",
}
_CODES: Final = {code.name: code for code in PROBLEM_CODES}
# Problems of SGF: those for which the whole record is refused, and those that make a step unplayable.
_NO_GAME: Final = frozenset({"game-not-go", "no-game-tree"})
_NO_MOVE: Final = frozenset({"move-invalid", "point-off-board"})
_OF_SIZE: Final = re.compile(r"(?:\$\.|/wei7/)size(?![0-9A-Za-z_-])")


def stop_message(kind: str, limits: Limits, number: int, color: int, x: int, y: int) -> str:
    """Return the message of what was found at move `number`, or at the stone of `color` on (x, y). Thread safe."""
    return _MESSAGES[kind].format(limits=limits, number=number, color=_COLORS.get(color, ""), x=x, y=y)


def problems_and_error(
    record: Record, found: Sequence[tuple[str, int, str]], main_stop: Stop, side_stop: Stop, has_trees: bool
) -> tuple[tuple[Problem, ...], Problem | None]:
    """Return all problems of a record and its replay, and the error that ended the replay early. Thread safe.

    `found` has the (code, offset, message) of each problem of the replay.
    """
    located = _located(record, found)
    problems = tuple(sorted([*record.problems, *located], key=_offset)) if located else record.problems
    refused = next((problem for problem in problems if problem.code in _NO_GAME), None)
    if refused is not None:
        return problems, refused
    if main_stop is None and record.broken_off:
        return problems, _break(record.problems)
    if main_stop is None and not has_trees:
        return problems, _first_error(problems)
    stop = side_stop if main_stop is None else main_stop
    if isinstance(stop, tuple):
        return problems, _step_error(record, problems, stop[0])
    return problems, None if stop is None else located[stop]


def size_error(record: Record) -> Problem | None:
    """Return the error for which a record has no board; None if that is its size, without a problem. Thread safe."""
    errors = [problem for problem in record.problems if problem.severity == ERROR]
    if record.width > 0:
        return next((problem for problem in errors if problem.code == "board-size-unsupported"), None)
    sizes = (
        problem
        for problem in errors
        if (_OF_SIZE.match(problem.path) and problem.code != "limit-problems") or problem.code == "missing-element"
    )
    return next(sizes, None) or _break(errors)


def _offset(problem: Problem) -> int:
    return problem.offset


def _located(record: Record, found: Sequence[tuple[str, int, str]]) -> list[Problem]:
    """The `Problem` of each (code, offset, message), in order."""
    order = sorted(range(len(found)), key=lambda index: found[index][1])
    located = record.locate([(found[index][0], found[index][1], 0) for index in order])
    problems = {index: replace(problem, message=found[index][2]) for index, problem in zip(order, located, strict=True)}
    return [problems[index] for index in range(len(found))]


def _first_error(problems: Sequence[Problem], offset: int = 0) -> Problem | None:
    """The first error at or after `offset`, or else the last one before it."""
    start = bisect_left(problems, offset, key=_offset)
    for problem in (*problems[start:], *reversed(problems[:start])):
        if problem.severity == ERROR:
            return problem
    return None


def _step_error(record: Record, problems: Sequence[Problem], offset: int) -> Problem | None:
    """The error for which the decoder marked the step at `offset` of the source as unreadable."""
    if record.format != "sgf":
        return _first_error(problems, offset)
    # Offsets of problems refer to the original bytes of the record, those of steps to `source`.
    offset = record.locate([("move-invalid", offset, 0)])[0].offset
    moves = (problem for problem in problems if problem.code in _NO_MOVE and problem.offset >= offset)
    return next(moves, None) or _first_error(problems, offset)


def _break(problems: Iterable[Problem]) -> Problem | None:
    """The error at which the text is truncated."""
    errors = [problem for problem in problems if problem.severity == ERROR]
    final = [problem for problem in errors if _CODES[problem.code].syntax or _CODES[problem.code].limit]
    return next(reversed(final or errors), None)
