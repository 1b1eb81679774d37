"""A slow, obvious search for patterns: every position of every game, point by point."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from oracles.board import EditedBoard, Point, Stones

ALLOWED = {".": {0}, "X": {1}, "O": {2}, "?": {0, 1, 2}, "x": {0, 1}, "o": {0, 2}, "*": {1, 2}}
EXCHANGED = {".": ".", "X": "O", "O": "X", "?": "?", "x": "o", "o": "x", "*": "*"}


@dataclass
class Listed:
    """A game as a list of events: `("move", color, point)`, `("setup", stones)`, `("takeback", count)`."""

    width: int
    height: int
    start: list[tuple[int, Point]] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    winner: int | None = None
    played: list[Frame] | None = None


@dataclass
class Frame:
    """A position in force, and the move that follows it at once."""

    number: int
    stones: Stones
    color: int = 0
    move: tuple[int, Point | None] | None = None
    next: tuple[int, Point | None] | None = None
    to_play: int = 0
    images: dict[int, Stones] = field(default_factory=dict)


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


@functools.cache
def places(across: int, down: int, region: str, width: int, height: int) -> list[tuple[int, int]]:
    """Where the upper left point of a pattern of a size may be on a board in the orientation of the pattern."""
    right, below = width - across, height - down
    if right < 0 or below < 0 or (region == "board" and (right or below)):
        return []
    return [
        (x, y)
        for y in range(below + 1 if region == "anywhere" else 1)
        for x in range(right + 1 if region in ("side", "anywhere") else 1)
    ]


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
        for frame in frames(game):
            if max_move is not None and frame.number > max_move:
                continue
            found = first_form(game, frame, rows, region, symmetry, either_color, to_play, contiguous, order)
            if found is None:
                continue
            form, swapped, (x, y) = found
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


@functools.cache
def points_of(rows: tuple[str, ...], swapped: bool) -> list[tuple[int, int, set[int]]]:
    """The points of a pattern that are not any, with what they may hold; stones first, since most boards lack them."""
    if swapped:
        rows = tuple("".join(map(EXCHANGED.__getitem__, row)) for row in rows)
    points = [(x, y, ALLOWED[sign]) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "?"]
    return sorted(points, key=lambda point: 0 in point[2])


# Arguments of the function under test.
def first_form(game, frame, rows, region, symmetry, either_color, to_play, contiguous=False, order=None):  # type: ignore[no-untyped-def]
    for swapped in (False, True) if either_color else (False,):
        if to_play and frame.to_play != (3 - to_play if swapped else to_play):
            continue
        points = points_of(tuple(rows), swapped)
        for form in range(8) if symmetry else (0,):
            # The board is turned back to where the pattern is as it was given.
            stone = seen(game, frame, form).get
            sides = (game.height, game.width) if form & 4 else (game.width, game.height)
            for x, y in places(len(rows[0]), len(rows), region, *sides):
                for i, j, allowed in points:
                    if stone((x + i, y + j), 0) not in allowed:
                        break
                else:
                    wanted = ["".join(map(EXCHANGED.__getitem__, row)) for row in rows] if swapped else rows
                    if not contiguous or in_turn(game, frame, wanted, form, x, y, order):
                        return form, swapped, (x, y)
    return None


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


def seen(game: Listed, frame: Frame, form: int) -> Stones:
    if form not in frame.images:
        frame.images[form] = {unturned(game, point, form): color for point, color in frame.stones.items()}
    return frame.images[form]


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
