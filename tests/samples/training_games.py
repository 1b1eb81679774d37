"""Training rows made of games: every position of each, with the move played as its policy."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

import wei7core as w7
from samples import corpus
from wei7core import Board
from wei7core.training.rows import TrainingRows

HISTORY = 7


def some_games(count: int) -> list[corpus.Game]:
    """Return real games where the corpus is, else games of random moves that are legal by Japanese rules."""
    path = corpus.folder()
    return list(random_games(count) if path is None else corpus.tygem_games(path, count))


def random_games(count: int, length: int = 210) -> Iterator[corpus.Game]:
    chance = random.Random(20240229)
    for number in range(count):
        board = Board(19)
        while board.move_count < length:
            color = 1 + board.move_count % 2
            legal = board.children(color, "japanese").legal
            near = np.argwhere(legal[:8, :8])  # where stones meet, and kos come
            y, x = chance.choice((near if len(near) else np.argwhere(legal)).tolist())
            board.play(color, (x, y))
        yield corpus.Game(f"random-{number}", 19, 19, board.moves())


def rows_of(games: Iterable[corpus.Game], *, every: int = 1) -> tuple[TrainingRows, list[Board]]:
    """Return sound rows of every so-manieth position of the games, and their boards; even games are won by Black."""
    boards: list[Board] = []
    colors, policies, numbers, counts = [], [], [], []
    for number, game in enumerate(games):
        board = Board(game.width, game.height)
        for count, (color, point) in enumerate(game.moves):
            if count % every == 0:
                boards.append(board.copy())
                colors.append(color)
                policies.append(game.width * game.height if point is None else point[1] * game.width + point[0])
                numbers.append(number)
                counts.append(count)
            board.play(color, point)
    made = w7.to_planes(boards, colors, history=HISTORY)
    to_move, game_numbers = np.array(colors), np.array(numbers)
    policy = np.zeros((len(boards), made[0, 0].size + 1), np.float32)
    policy[np.arange(len(boards)), policies] = 1
    outcome = np.where(to_move == 1 + game_numbers % 2, 1.0, -1.0)
    fields: dict[str, Any] = {
        "own": made[:, 0], "opponent": made[:, 1], "ko": made[:, 9], "to_move": to_move, "policy": policy,
        "history": made[:, 10:].reshape(len(boards), HISTORY, 2, *made.shape[2:]), "outcome": outcome,
        "value": outcome * 0.5, "score": outcome * 3.5, "game": game_numbers, "move_number": np.array(counts),
    }  # fmt: skip
    return TrainingRows(**{name: np.ascontiguousarray(array) for name, array in fields.items()}), boards


def records_of(games: Sequence[corpus.Game]) -> list[w7.Game]:
    """Return the games as records, with the results that `rows_of` gives them."""
    records = []
    for number, game in enumerate(games):
        record = w7.Game((game.width, game.height))
        for color, point in game.moves:
            record.tree.play(color, point)
        record.info.result = w7.GameResult.parse("B+3.5" if number % 2 == 0 else "W+3.5").to_result()
        records.append(w7.loads(w7.dumps(record)))
    return records
