"""Compare steps of `w7.BoardBatch` with `w7.Board`: legal points, hashes, ends. Exit status 1 where any differ.

    python ci/board_batch_steps.py [STEPS]

STEPS are those of all sizes and rule sets together, 10,000,000 unless given: some minutes.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import wei7core as w7

SIZES = [(2, 2), (3, 3), (4, 5), (9, 9), (19, 19), (30, 30)]
RULES = ["tromp-taylor", "aga", "new-zealand", "japanese", "chinese"]
BOARDS = 64


def play(size: tuple[int, int], rules: str, steps: int) -> int:
    """Return the number of steps in which a board of the batch differs from `w7.Board`."""
    width, height = size
    points = width * height
    generator = np.random.default_rng(steps + points)
    batch = w7.BoardBatch(BOARDS, size, rules=rules)
    boards = [w7.Board(*size) for _ in range(BOARDS)]
    colors = [w7.BLACK] * BOARDS
    wrong = 0
    for _ in range(-(-steps // BOARDS)):
        legal = batch.legal
        noise = generator.random(legal.shape) * legal
        noise[:, -1] *= 0.02
        actions = noise.argmax(axis=1)
        batch.step(actions)
        moves, done, hashes, legal = actions.tolist(), batch.done.tolist(), batch.hash.tolist(), batch.legal
        for index, (move, is_over, digest) in enumerate(zip(moves, done, hashes, strict=True)):
            if is_over:
                boards[index], colors[index] = w7.Board(*size), w7.BLACK
            else:
                boards[index].play(colors[index], None if move == points else (move % width, move // width))
                colors[index] = 3 - colors[index]
            board = boards[index]
            same = board.children(colors[index], rules).legal.tobytes() == legal[index, :-1].tobytes()
            wrong += not (same and board.hash == digest)
        wrong += int(batch.errors.any())
    return wrong


def main() -> int:
    """Compare all; print a line for each size and rule set."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    each = -(-steps // (len(SIZES) * len(RULES)))
    wrong = 0
    for size in SIZES:
        for rules in RULES:
            start = time.process_time()
            found = play(size, rules, each)
            wrong += found
            print(f"{size[0]} x {size[1]} {rules}: {found} of {each:,} differ, {time.process_time() - start:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
