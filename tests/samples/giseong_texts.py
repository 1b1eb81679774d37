"""Giseong records made up at random."""

from __future__ import annotations

import random

from oracles.board import OracleBoard

WORDS = ["해설", "가.나", "abc 1w", "(흑) 12; [끝]", "  ", "묘수"]
CONTROLS = ["&[9w", "&[9;1w", "&[9;3w", "&[3w", "&[7w", "&[8w", "&[13w", "&[10;1;5w", "&[11w"]
LABELS = {4: 26, 5: 26, 6: 100, 7: 100, 11: 8, 12: 8}
NAMES = ["&[4w홍길동 4급&[5w", "&[4w임꺽정 3급&[6w", "&[4w응창기배 결승 제2국&[12w", "&[4wKim&[5w"]


def record(chance: random.Random, *, jumps: str = "any") -> str:
    """Return a record without mistakes.

    `jumps`: `any`, `shown` (those whose trees can all be written again), or `none`.
    """
    codes = ["&[1w"]
    codes += [code for code in NAMES if chance.random() < 0.3]
    board = OracleBoard(19, 19)
    saved: dict | None = None
    before: dict | None = None
    size = chance.choice([2, 3, 5, 19])
    for _ in range(chance.randrange(40)):
        what = chance.random()
        if what < 0.6:
            codes += stone(chance, board, size)
        elif what < 0.7:
            codes.append(chance.choice(WORDS))
        elif what < 0.8:
            codes.append(chance.choice(CONTROLS))
        elif what < 0.85:
            codes.append(f"&[1;{chance.randint(1, 19)};{chance.randint(1, 19)};{chance.randrange(14)}@")
        elif jumps == "none":
            continue
        elif what < 0.93:
            if before is None:
                codes.append("{{")
                before = dict(board.stones)
            else:
                codes.append("}}")
                board.stones, before = before, None
        elif before is not None and jumps == "shown":
            continue
        elif what < 0.96:
            codes.append("&[8@")
            saved = dict(board.stones)
        elif what < 0.98 and saved is not None and jumps != "shown":
            codes.append("&[9@")
            board.stones = dict(saved)
        elif what > 0.99:
            codes.append("&[10@")
            board.stones = {}
    if before is not None:
        codes.append("}}")
    codes.append("&[2w")
    return chance.choice(["", "\n"]).join(codes)


def stone(chance: random.Random, board: OracleBoard, size: int) -> list[str]:
    """A stone on an empty point, or a label on a stone."""
    x, y = chance.randrange(size), chance.randrange(size)
    color = board.stones.get((x, y))
    kinds = [2, 3, *LABELS] if color is None else [kind for kind in LABELS if kind % 2 == (color == 2) or kind > 10]
    if color is not None:
        kinds = [kind for kind in LABELS if (1 if kind in (4, 6, 11) else 2) == color]
    kind = chance.choice(kinds)
    index = f";{chance.randrange(LABELS[kind])}" if kind in LABELS else ""
    if color is None:
        board.play(1 if kind in (2, 4, 6, 11) else 2, (x, y))
    return [f"&[{kind};{y + 1};{x + 1}{index}@"]
