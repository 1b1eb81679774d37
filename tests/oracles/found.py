"""A slow, obvious search for patterns: regular expressions on the text of every position of every game."""

from __future__ import annotations

import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from oracles.board import EditedBoard, Point, Stones

ALLOWED = {".": {0}, "X": {1}, "O": {2}, "?": {0, 1, 2}, "x": {0, 1}, "o": {0, 2}, "*": {1, 2}}
CLASSES = {".": r"\.", "X": "X", "O": "O", "?": "[.XO]", "x": "[.X]", "o": "[.O]", "*": "[XO]"}
EXCHANGED = {".": ".", "X": "O", "O": "X", "?": "?", "x": "o", "o": "x", "*": "*"}
SIGNS = ".XO"


@dataclass
class Listed:
    """A game as a list of events: `("move", color, point)`, `("setup", stones)`, `("takeback", count)`."""

    width: int
    height: int
    start: list[tuple[int, Point]] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    winner: int | None = None
    played: list[Frame] | None = None
    texts: dict[int, str] = field(default_factory=dict)


@dataclass
class Frame:
    """A position in force, and the move that follows it at once."""

    number: int
    stones: Stones
    color: int = 0
    move: tuple[int, Point | None] | None = None
    next: tuple[int, Point | None] | None = None
    to_play: int = 0


def frames(game: Listed) -> list[Frame]:
    """Play a game, once, and return its positions in force, in order."""
    if game.played is not None:
        return game.played
    board = EditedBoard(game.width, game.height)
    board.stones = {point: color for color, point in game.start}
    kept = [Frame(0, dict(board.stones))]
    for kind, *event in game.events:
        if kind == "takeback":
            board.undo(event[0])
            kept = [frame for frame in kept if frame.number <= len(board.moves)]
            continue
        if kind == "move":
            play(board, *event)
            kept.append(Frame(len(board.moves), dict(board.stones), color=event[0], move=tuple(event)))
        else:
            board.edit(event[0])
            kept.append(Frame(len(board.moves), dict(board.stones)))
    made = [frame.move for frame in kept]
    last = 0
    for number, frame in enumerate(kept):
        last = frame.color or last
        frame.next = made[number + 1] if number + 1 < len(kept) else None
        following = next((later.color for later in kept[number + 1 :] if later.color), 0)
        frame.to_play = following or (3 - last if last else 0)
    game.played = kept
    return kept


def play(board: EditedBoard, color: int, point: Point | None) -> None:
    """Play a move, which in SGF may replace a stone."""
    if point in board.stones:
        board.edit([(0, point)])
    board.play(color, point)


def turned(rows: list[str], symmetry: int) -> list[str]:
    if symmetry & 4:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    if symmetry & 1:
        rows = [row[::-1] for row in rows]
    return rows[::-1] if symmetry & 2 else rows


def search(
    games: list[Listed], rows: list[str], region: str, symmetry: bool, either_color: bool, to_play: int | None = None,
    max_move: int | None = None, chosen: set[int] | None = None, contiguous: bool = False,
    order: list[tuple[int, int]] | None = None,
) -> tuple[list[tuple[int, int, int, bool]], dict[tuple[str, int], tuple[int, int, int, int]]]:  # fmt: skip
    """Return rows (game, move, symmetry, swapped), and of each next move (games, black wins, white wins, other).

    `order`: the points of the pattern in the order in which their stones are to be put, where it is `contiguous`.
    """
    hits, followed = [], defaultdict(dict)
    for number, game in enumerate(games):
        if chosen is not None and number not in chosen:
            continue
        for frame, form, swapped, (x, y) in first_forms(
            game, rows, region, symmetry, either_color, to_play, max_move, contiguous, order
        ):
            hits.append((number, frame.number, form, swapped))
            if frame.next is not None:
                color, point = frame.next
                winner = game.winner
                if swapped:
                    color, winner = 3 - color, winner and 3 - winner
                followed[name(game, point, form, x, y, rows), color].setdefault(number, winner)
    counts = {
        key: (len(by), *(sum(winner == color for winner in by.values()) for color in (1, 2, None)))
        for key, by in followed.items()
    }
    return hits, counts


def first_forms(  # type: ignore[no-untyped-def]
    game, rows, region, symmetry, either_color, to_play=None, max_move=None, contiguous=False, order=None
) -> Iterator[tuple[Frame, int, bool, tuple[int, int]]]:
    """Yield the positions that have the pattern, in order, each with the first form and place that fits."""
    played = frames(game)
    found: dict[int, tuple[int, bool, tuple[int, int]]] = {}
    for swapped in (False, True) if either_color else (False,):
        signs = ["".join(map(EXCHANGED.__getitem__, row)) for row in rows] if swapped else rows
        color = 3 - to_play if to_play and swapped else to_play
        wanted = {
            number
            for number, frame in enumerate(played)
            if number not in found and color in (None, frame.to_play) and (max_move is None or frame.number <= max_move)
        }
        for form in range(8) if symmetry else (0,):
            for number, place in matches(game, form, tuple(signs), region, wanted):
                if not contiguous or in_turn(game, played[number], signs, form, *place, order):
                    found[number] = form, swapped, place
                    wanted.remove(number)
    for number in sorted(found):
        yield played[number], *found[number]


def matches(
    game: Listed, form: int, rows: tuple[str, ...], region: str, wanted: set[int]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield numbers of wanted positions with each place of the upper left point of a pattern, row by row."""
    width, height = (game.height, game.width) if form & 4 else (game.width, game.height)
    if region == "board" and (len(rows[0]), len(rows)) != (width, height):
        return
    text = text_of(game, form)
    pattern = expression(rows, width, region)
    size = 1 + height * (width + 1)
    begin, end = 0, len(text) // size
    while wanted and (match := pattern.search(text, begin)):
        number, at = divmod(match.start("upper"), size)
        y, x = divmod(at - 1, width + 1)
        if number in wanted and not (region == "side" and y):
            yield number, (x, y)
            begin = match.start("upper") + 1
            if number in wanted:
                continue
        number += 1
        while number not in wanted and number < end:
            number += 1
        begin = number * size


@functools.cache
def expression(rows: tuple[str, ...], width: int, region: str) -> re.Pattern[str]:
    """A pattern in the text of positions; what is between its rows does not reach into another position."""
    between = f"[^=]{{{width + 1 - len(rows[0])}}}"
    runs = ([(sign, len(list(run))) for sign, run in itertools.groupby(row)] for row in rows)
    body = between.join("".join(f"{CLASSES[sign]}{{{count}}}" for sign, count in row) for row in runs)
    return re.compile(f"{'=' if region in ('board', 'corner') else ''}(?P<upper>{body})")


def text_of(game: Listed, form: int) -> str:
    """All positions of a game, each behind `=`, a row a line, turned back to where a pattern is as it was given."""
    if form not in game.texts:
        texts = []
        for frame in frames(game):
            stone = frame.stones.get
            rows = ["".join(SIGNS[stone((x, y), 0)] for x in range(game.width)) for y in range(game.height)]
            if form & 1:
                rows = [row[::-1] for row in rows]
            if form & 2:
                rows = rows[::-1]
            if form & 4:
                rows = ["".join(column) for column in zip(*rows, strict=True)]
            texts.append("=" + "".join(f"{row}\n" for row in rows))
        game.texts[form] = "".join(texts)
    return game.texts[form]


def in_turn(game, frame, rows, form, left, top, order):  # type: ignore[no-untyped-def]
    """Whether the stones of a pattern were put by moves that follow one another, the last ones onto its stones."""
    signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if not ALLOWED[sign] & {0}}
    moves = []
    played = frames(game)
    for earlier in played[: [one is frame for one in played].index(True) + 1]:
        point = None
        if earlier.move is not None and earlier.move[1] is not None:
            across, down = unturned(game, earlier.move[1], form)
            point = across - left, down - top
        moves.append((earlier.move and earlier.move[0], point))
    while moves and moves[-1][1] not in signs:
        moves.pop()
    last = moves[len(moves) - len(signs) :] if len(moves) >= len(signs) else []
    points = [point for _, point in last]
    if order is not None and points != order:
        return False
    return set(points) == set(signs) and all(color in ALLOWED[signs[point]] for color, point in last)


def unturned(game: Listed, point: Point, form: int) -> Point:
    x, y = point
    if form & 1:
        x = game.width - 1 - x
    if form & 2:
        y = game.height - 1 - y
    return (y, x) if form & 4 else (x, y)


def name(game: Listed, point: Point | None, form: int, x: int, y: int, rows: list[str]) -> str:
    if point is None:
        return "pass"
    across, down = unturned(game, point, form)
    across, down = across - x, down - y
    if not (0 <= across < len(rows[0]) and 0 <= down < len(rows)):
        return "tenuki"
    return "ABCDEFGHJKLMNOPQRSTUVWXYZ"[across] + str(len(rows) - down)
