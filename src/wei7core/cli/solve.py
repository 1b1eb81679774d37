"""`wei7core solve`: solving a problem of a record in the terminal."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, TextIO

from .._util.words import counted
from ..board import draw
from ..coordinates import to_gtp
from ..game.game import Game
from ..play.attempt import Answer, Attempt
from ..sources.sources import STDIN
from .arguments import UsageError, check_paths
from .console import has_colors, has_stones, plain
from .show import find_game

if TYPE_CHECKING:
    import argparse

_COLORS: Final = {1: "Black", 2: "White"}
_VERDICTS: Final = {
    "right": "Right: the problem is solved.",
    "wrong": "Wrong.",
    "continue": "Right so far.",
    "unknown": "The record does not judge this move.",
}
_HELP: Final = "a point as C5, pass, hint, give up, restart, quit"


def solve_problem(args: argparse.Namespace) -> bool:
    """Solve the requested problem with moves of standard input; return whether it was solved. Raises `UsageError`."""
    check_paths([args.path], [])
    if args.path == STDIN:
        raise UsageError("standard input is used for the moves; name a file")
    outcome, game = find_game(args)
    if game is None:
        return False
    try:
        colored = has_colors(sys.stdout) and has_stones(sys.stdout)
        return solve(game, args.branch, args.seed, sys.stdin, sys.stdout, colored=colored)
    except (ValueError, IndexError) as error:
        raise UsageError(f"{outcome.label}: {error}") from None


def solve(game: Game, branch: str | None, seed: int, words: Iterable[str], out: TextIO, *, colored: bool) -> bool:
    """Read moves, one a line of `words`, and print their evaluation to `out`; return whether the problem was solved.

    Raises the exceptions of `Attempt`.
    """
    attempt = Attempt(game, branch, seed)
    _show(attempt, out, colored)
    if attempt.comment:
        out.write(_text(attempt.comment))
    out.write(f"{_COLORS[attempt.color]} to play: {_HELP}\n")
    for word in _lines(words, out):
        command = word.strip().lower()
        if command in ("quit", "q", "exit"):
            break
        if command == "restart":
            attempt.restart()
            _show(attempt, out, colored)
        elif command == "hint" and not attempt.over:
            out.write(_hint(attempt))
        elif command == "give up":
            line = ", ".join(f"{_COLORS[color]} {_name(attempt, point)}" for color, point in attempt.give_up())
            out.write(f"The answer: {line or 'the record has none from here'}.\n")
        elif command:
            _play(attempt, word.strip(), out, colored)
        if attempt.solved:
            break
    out.write(f"{counted(attempt.mistakes, 'mistake')}, {counted(attempt.hints, 'hint')}\n")
    return attempt.solved


def _lines(words: Iterable[str], out: TextIO) -> Iterator[str]:
    waiting = iter(words)
    while True:
        out.write("> ")
        out.flush()
        word = next(waiting, None)
        if word is None:
            out.write("\n")
            return
        yield word


def _hint(attempt: Attempt) -> str:
    point = attempt.hint()
    if point is None:  # a pass, or no right move
        line = copy.copy(attempt).give_up()
        if line[:1] != [(attempt.color, None)]:
            return "The record has no right move here.\n"
    return f"Look at {_name(attempt, point)}.\n"


def _play(attempt: Attempt, word: str, out: TextIO, colored: bool) -> None:
    if attempt.over:
        out.write("The attempt is over: restart or quit.\n")
        return
    try:
        answer = attempt.play(word)
    except ValueError as error:
        out.write(f"{plain(str(error))}\n")
        return
    if answer.verdict != "unknown":
        _show(attempt, out, colored)
    out.write(f"{_VERDICTS[answer.verdict]}{_replies(attempt, answer)}\n")
    if answer.comment:
        out.write(_text(answer.comment))


def _replies(attempt: Attempt, answer: Answer) -> str:
    names = ", ".join(_name(attempt, point) for point in answer.replies)
    return f" {_COLORS[3 - attempt.color]} plays {names}." if names else ""


def _name(attempt: Attempt, point: tuple[int, int] | None) -> str:
    return to_gtp(point, *attempt.node.board.size)


def _show(attempt: Attempt, out: TextIO, colored: bool) -> None:
    board = attempt.node.board
    last = board.last_move
    point = None if last is None else last[1]
    cells = board.to_array()
    drawn = draw.terminal(cells, last=point) if colored else draw.text(cells, last=point)
    out.write(f"{drawn}\n\n")


def _text(comment: str) -> str:
    return "".join(f"{plain(line)}\n" for line in comment.splitlines())
