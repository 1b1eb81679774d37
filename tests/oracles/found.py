"""A slow, obvious search for patterns: every point of a pattern at every place of every position of every game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from oracles.board import EditedBoard, Point, Stones

ALLOWED = {".": {0}, "X": {1}, "O": {2}, "?": {0, 1, 2}, "x": {0, 1}, "o": {0, 2}, "*": {1, 2}}
BITS = {sign: sum(1 << color for color in colors) for sign, colors in ALLOWED.items()}
EXCHANGED = {".": ".", "X": "O", "O": "X", "?": "?", "x": "o", "o": "x", "*": "*"}
Boards = npt.NDArray[np.uint8]


@dataclass
class Listed:
    """A game as a list of events: `("move", color, point)`, `("setup", stones)`, `("takeback", count)`."""

    width: int
    height: int
    start: list[tuple[int, Point]] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    winner: int | None = None
    played: list[Frame] | None = None
    boards: Boards | None = None


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
    of_sizes = defaultdict(list)
    for number, game in enumerate(games):
        if chosen is None or number in chosen:
            of_sizes[game.width, game.height].append((number, game))
    firsts = [
        first
        for some in of_sizes.values()
        for first in first_forms(some, rows, region, symmetry, either_color, to_play, max_move, contiguous, order)
    ]
    hits, followed = [], defaultdict(dict)
    for number, frame, form, swapped, (x, y) in sorted(firsts, key=lambda first: first[0]):
        hits.append((number, frame.number, form, swapped))
        if frame.next is not None:
            color, point = frame.next
            winner = games[number].winner
            if swapped:
                color, winner = 3 - color, winner and 3 - winner
            followed[name(games[number], point, form, x, y, rows), color].setdefault(number, winner)
    counts = {
        key: (len(by), *(sum(winner == color for winner in by.values()) for color in (1, 2, None)))
        for key, by in followed.items()
    }
    return hits, counts


def first_forms(  # type: ignore[no-untyped-def]
    games, rows, region, symmetry, either_color, to_play=None, max_move=None, contiguous=False, order=None
) -> Iterator[tuple[int, Frame, int, bool, tuple[int, int]]]:
    """Yield the positions that have the pattern, in order, each with the first form and place that fits.

    `games` are of one size, each with its number.
    """
    played = [(number, game, frame) for number, game in games for frame in frames(game)]
    boards = np.concatenate([boards_of(game) for _, game in games])
    found: dict[int, tuple[int, bool, tuple[int, int]]] = {}
    for swapped in (False, True) if either_color else (False,):
        signs = ["".join(map(EXCHANGED.__getitem__, row)) for row in rows] if swapped else rows
        color = 3 - to_play if to_play and swapped else to_play
        wanted = np.array([
            place not in found and color in (None, frame.to_play) and (max_move is None or frame.number <= max_move)
            for place, (_, _, frame) in enumerate(played)
        ])  # fmt: skip
        for form in range(8) if symmetry else (0,):
            places = np.flatnonzero(wanted)
            fitting = fits(turned_boards(boards[places], form), signs, region)
            for row, y, x in np.argwhere(fitting).tolist():
                place = int(places[row])
                _, game, frame = played[place]
                if wanted[place] and (not contiguous or in_turn(game, frame, signs, form, x, y, order)):
                    found[place] = form, swapped, (x, y)
                    wanted[place] = False
    for place in sorted(found):
        number, _, frame = played[place]
        yield number, frame, *found[place]


def fits(boards: Boards, rows: list[str], region: str) -> npt.NDArray[np.bool_]:
    """Whether a pattern fits each of the boards with its upper left point at each place, row by row."""
    height, width = len(rows), len(rows[0])
    down, across = boards.shape[1] - height + 1, boards.shape[2] - width + 1
    if region == "board" and (down, across) != (1, 1):
        down = 0
    if region in ("corner", "side"):
        down = min(down, 1)
    if region == "corner":
        across = min(across, 1)
    found = np.ones((len(boards), max(down, 0), max(across, 0)), bool)
    for y, row in enumerate(rows if found.size else ()):
        for x, sign in enumerate(row):
            if sign != "?":
                found &= boards[:, y : y + down, x : x + across] & BITS[sign] != 0
    return found


def boards_of(game: Listed) -> Boards:
    """Of each point of all positions of a game one bit, by its color."""
    if game.boards is None:
        game.boards = np.full((len(frames(game)), game.height, game.width), 1 << 0, np.uint8)
        for board, frame in zip(game.boards, frames(game), strict=True):
            for (x, y), color in frame.stones.items():
                board[y, x] = 1 << color
    return game.boards


def turned_boards(boards: Boards, form: int) -> Boards:
    """Boards turned back to where a pattern is as it was given."""
    if form & 1:
        boards = boards[:, :, ::-1]
    if form & 2:
        boards = boards[:, ::-1]
    return np.ascontiguousarray(boards.transpose(0, 2, 1) if form & 4 else boards)


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
