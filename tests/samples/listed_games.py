"""Random games with passes, suicides, setups and takebacks, as lists of events, in SGF and in wei7."""

from __future__ import annotations

import json
import random
import string

from oracles import found
from oracles.board import EditedBoard

SIZES = [(5, 5), (5, 5), (5, 5), (4, 4), (5, 3), (3, 5), (9, 9), (1, 1)]
LETTERS = string.ascii_lowercase


def listed(chance: random.Random, number: int) -> found.Listed:
    """A game with passes, suicides, setups or takebacks, as its format has them."""
    width, height = SIZES[number % len(SIZES)]
    game = found.Listed(width, height, winner=chance.choice([1, 2, None]))
    board = EditedBoard(width, height)
    points = [(x, y) for x in range(width) for y in range(height)]
    if width > 2 and chance.random() < 0.3:
        game.start = [(chance.choice((1, 2)), points[0]), (1, points[-1])]
        board.stones = {point: color for color, point in game.start}
    color = 1
    for _ in range(chance.randrange(width * height + 6)):
        kind = chance.random()
        if kind < 0.08 and board.moves:
            count = chance.randrange(1, len(board.moves) + 1) if is_wei7(number) else 0
            if count:
                board.undo(count)
                game.events.append(("takeback", count))
        elif kind < 0.16 and not is_wei7(number):
            stones = [(chance.randrange(3), chance.choice(points)) for _ in range(chance.randrange(1, 3))]
            stones = list({point: (color, point) for color, point in stones}.values())
            board.edit(stones)
            game.events.append(("setup", stones))
        else:
            # In SGF a stone may replace another one.
            free = [point for point in points if point not in board.stones or (kind < 0.2 and not is_wei7(number))]
            point = chance.choice(free) if free and chance.random() > 0.05 else None
            found.play(board, color, point)
            game.events.append(("move", color, point))
            color = 3 - color if chance.random() < 0.9 else color
    return game


def full_at_first(chance: random.Random, width: int, height: int, count: int) -> found.Listed:
    """White's stones are on all points but one, and the first move takes them; then come random moves."""
    points = [(x, y) for x in range(width) for y in range(height)]
    game = found.Listed(width, height, start=[(2, point) for point in points[1:]])
    board = EditedBoard(width, height)
    board.stones = {point: color for color, point in game.start}
    for k in range(count):
        free = points[:1] if k == 0 else [point for point in points if point not in board.stones]
        point = chance.choice(free) if free else None
        found.play(board, 1 + k % 2, point)
        game.events.append(("move", 1 + k % 2, point))
    return game


def is_wei7(number: int) -> bool:
    return number % 3 == 0


def sgf(game: found.Listed) -> bytes:
    def at(point):
        return "" if point is None else LETTERS[point[0]] + LETTERS[point[1]]

    def stones(some):
        return "".join(f"A{'EBW'[color]}[{at(point)}]" for color, point in some)

    result = {1: "B+R", 2: "W+3.5", None: "Void"}[game.winner]
    text = f"(;GM[1]FF[4]SZ[{game.width}:{game.height}]RE[{result}]{stones(game.start)}"
    if game.width == game.height:
        text = text.replace(f"SZ[{game.width}:{game.height}]", f"SZ[{game.width}]")
    for kind, *event in game.events:
        text += f";{'BW'[event[0] - 1]}[{at(event[1])}]" if kind == "move" else f";{stones(event[0])}"
    return f"{text})".encode()


def wei7(game: found.Listed) -> bytes:
    def at(point):
        return point and {"x": point[0], "y": point[1]}

    steps = [
        {"action": {"type": "takeback", "value": event[0]}}
        if kind == "takeback"
        else {"action": {"type": "move", "value": {"color": event[0], "point": at(event[1])}}}
        for kind, *event in game.events
    ]
    tree = {"steps": steps}
    if game.start:
        tree["pre"] = {"stones": [{"color": color, "point": at(point)} for color, point in game.start]}
    size = game.width if game.width == game.height else {"width": game.width, "height": game.height}
    info = {} if game.winner is None else {"info": {"result": {"winner": game.winner}}}
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, **info, "tree": tree}).encode()


def written(games: list[found.Listed]) -> list[bytes]:
    return [wei7(game) if is_wei7(number) else sgf(game) for number, game in enumerate(games)]
