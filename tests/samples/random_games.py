"""Random games by rules, and their records."""

from __future__ import annotations

import random

import numpy as np

import wei7core as w7


def random_game(chance: random.Random, size: int, rules: str, length: int) -> list[int]:
    batch = w7.BoardBatch(1, size, rules=rules, auto_reset=False, max_moves=1000)
    while batch.move_count[0] < length and not batch.done[0]:
        legal = np.flatnonzero(batch.legal[0][:-1])
        is_pass = not len(legal) or chance.random() < 0.03
        batch.step([size * size if is_pass else chance.choice(legal.tolist())])
    return batch.moves(0)


def sgf(moves: list[int], size: int, komi: str = "") -> bytes:
    points = ["" if move == size * size else chr(97 + move % size) + chr(97 + move // size) for move in moves]
    nodes = "".join(f";{'WB'[k % 2 == 0]}[{point}]" for k, point in enumerate(points))
    return f"(;GM[1]FF[4]SZ[{size}]RE[B+2.5]{komi}{nodes})\n".encode()
