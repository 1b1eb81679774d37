"""Reads the corpus of real games, which is not part of the project, and the sample of generated games, which is.

The environment variable WEI7CORE_CORPUS names the folder of the corpus; without it the folder `shared/corpus`
next to the project is taken, if there is one.
"""

from __future__ import annotations

import array
import csv
import functools
import gzip
import hashlib
import json
import os
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from wei7core.board.board import Board

Point = tuple[int, int]
Move = tuple[int, Point | None]

TESTS = Path(__file__).resolve().parents[1]
RANDOM_RULES_SAMPLE = TESTS / "data" / "random-rules-sample.jsonl.gz"
COLORS = {"B": 1, "W": 2}

_GAME_NAME = re.compile(r"GN\[(\d+)\]")
_MOVE = re.compile(r";([BW])\[(?:([a-s])([a-s]))?\]")


@dataclass(frozen=True)
class Game:
    """One real game: moves in order, colours 1 and 2, None for a pass."""

    id: str
    width: int
    height: int
    moves: list[Move]


def folder() -> Path | None:
    """Return the folder of the corpus, or None."""
    named = os.environ.get("WEI7CORE_CORPUS")
    path = Path(named) if named else TESTS.parent.parent / "shared" / "corpus"
    return path if path.is_dir() else None


def require() -> Path:
    """Return the folder of the corpus; skip the test where there is none."""
    path = folder()
    if path is None:
        pytest.skip("the corpus of real games is not here (WEI7CORE_CORPUS names its folder)")
    return path


@functools.cache
def _move(color: str, column: str, row: str) -> Move:
    return COLORS[color], (ord(column) - 97, ord(row) - 97) if column else None


def tygem_games(path: Path, limit: int | None = None, name: str = "tygem-dev") -> Iterator[Game]:
    """Yield the games of `tygem-dev.sgf.gz`, or a file like it: a header line, then a line of moves."""
    with gzip.open(path / f"{name}.sgf.gz", "rt", encoding="utf-8") as lines:
        count = 0
        game = ""
        for line in lines:
            if line.startswith("(;"):
                found = _GAME_NAME.search(line)
                assert found, line
                game = found[1]
            elif line.startswith(";"):
                if count == limit:
                    return
                count += 1
                yield Game(game, 19, 19, [_move(*parts) for parts in _MOVE.findall(line)])


def tygem_texts(path: Path, name: str = "tygem-dev") -> Iterator[tuple[str, list[str]]]:
    """Yield the number and the moves of each of the games as they are written, `B[pd]`, which is quicker."""
    with gzip.open(path / f"{name}.sgf.gz", "rt", encoding="utf-8") as lines:
        game = ""
        for line in lines:
            if line.startswith("(;"):
                found = _GAME_NAME.search(line)
                assert found, line
                game = found[1]
            elif line.startswith(";"):
                yield game, line.removesuffix(")\n")[1:].split(";")


def letters(point: Point | None) -> str:
    """Return a point as SGF has it."""
    return "".join(chr(97 + value) for value in point or ())


def tygem_expected(path: Path, name: str = "tygem-dev") -> list[dict[str, str]]:
    """Return the rows of `tygem-dev.expected.csv.gz`, or a file like it, in the order of the games."""
    with gzip.open(path / f"{name}.expected.csv.gz", "rt", encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def random_rules_games(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the machine-made games of a JSON Lines file, each with its expected `final` and `captured`."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def random_rules_file() -> Path:
    """Return all 5,000 machine-made games where the corpus is, the sample otherwise."""
    path = folder()
    return RANDOM_RULES_SAMPLE if path is None else path / "random-rules.jsonl.gz"


def generated_games(count: int, *, seed: int = 20240229, length: int = 210) -> Iterator[Game]:
    """Yield distinct games of random moves on 19 x 19: for clones without the corpus."""
    chance = random.Random(seed)
    points = [(x, y) for y in range(19) for x in range(19)]
    for number in range(count):
        board = Board(19)
        while board.move_count < length:
            point = chance.choice(points)
            if board[point] == 0:
                board.play(1 + board.move_count % 2, point)
        yield Game(f"generated-{seed}-{number}", 19, 19, board.moves())


PLACEMENT = np.dtype([("x", "i4"), ("y", "i4"), ("color", "u1")], align=True)
"""A move as `w7_placement` of the kernel lays it out; a pass is at (-1, -1)."""


def placements(moves: Iterable[Move]) -> npt.NDArray[np.void]:
    """Return moves as the kernel reads them."""
    return np.array([(*(point or (-1, -1)), color) for color, point in moves], dtype=PLACEMENT)


def pack(games: Iterable[Game]) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
    """Return all moves as the kernel reads them, and where each game begins and ends."""
    offsets = [0]
    moves: list[Move] = []
    for game in games:
        moves.extend(game.moves)
        offsets.append(len(moves))
    return placements(moves), np.array(offsets, dtype=np.int64)


def packed_tygem_games(path: Path) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
    """Return `pack(tygem_games(path))`, which takes four times as long for 20,000 games."""
    points = [None, *((x, y) for y in range(19) for x in range(19))]
    every = [(color, point) for color in (1, 2) for point in points]
    numbers = {f"{'BW'[color - 1]}[{letters(point)}]": number for number, (color, point) in enumerate(every)}
    offsets, played = [0], array.array("H")
    for _, moves in tygem_texts(path):
        played.extend(map(numbers.__getitem__, moves))
        offsets.append(len(played))
    return placements(every)[np.frombuffer(played, np.uint16)], np.array(offsets, dtype=np.int64)


def board_text(cells: npt.NDArray[np.uint8]) -> str:
    """Return a position as the corpus writes it: `.`, `X`, `O`, row by row."""
    return cells.tobytes().translate(bytes.maketrans(b"\0\1\2", b".XO")).decode()


def sha16(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
