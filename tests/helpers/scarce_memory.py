"""`cd tests; python -m helpers.scarce_memory`: the compiled modules at work while their calls for memory fail, each at
a time.

Runs with `tests/data/scarce_memory` loaded before the C library. Each job is done once with enough memory; then again
and again while the first call for memory fails, the second, and so on, until none does: it ends with MemoryError, or,
where it can do without, with the same result. Prints for each job in how many of its runs memory failed.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import random
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
from samples import server_texts

import wei7core
from wei7core import BLACK, WHITE, Board, PointSet
from wei7core.batch._engine import replay_block, replay_lines
from wei7core.batch.summaries import game_facts
from wei7core.board.area import count_area
from wei7core.formats import _native
from wei7core.formats.servers import gib
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.wei7 import decode as wei7
from wei7core.replaying.replay import pause_points, pause_points_size, replay_record
from wei7core.tables.columns import Numbers, Texts
from wei7core.tables.row_text import text_of_rows

MOST_CALLS = 3_000
POINTS = [(x, y) for y in range(9) for x in range(9)]
LETTERS = [f"{'abcdefghi'[x]}{'abcdefghi'[y]}" for x, y in POINTS]


def played(width: int = 9, height: int = 9, moves: int = 60) -> Board:
    """Return a board on which blocks were captured, and their points taken again."""
    board = Board(width, height)
    chance = np.random.default_rng(9)
    for number in range(moves):
        color = 1 + number % 2
        points = board.legal_points(color)
        board.play(color, points[chance.integers(len(points))])
    return board


def sgf_text() -> bytes:
    nodes = "".join(
        f";{'BW'[k % 2]}[{point}]C[{k}]TR[{point}]XY[{k}]" if k % 3 else f";AE[aa:cc]AB[{point}]"
        for k, point in enumerate(LETTERS)
    )
    return f"(;SZ[9]GN[a]AB[aa:cc]LB[aa:A]{nodes}(;B[aa])(;W[??];B[bb](;W[zz])))".encode()


def wei7_text() -> bytes:
    moves = [
        {"action": {"type": "move", "value": {"color": 1 + k % 2, "point": {"x": x, "y": y}}}, "odd": k}
        for k, (x, y) in enumerate(POINTS)
    ]
    back = {"action": {"type": "takeback", "value": 40}, "comment": "back"}
    tree = {"steps": moves, "branches": [{"steps": [back, {"action": {"type": "move", "value": 3}}]}, {"steps": []}]}
    info = {"id": "a", "players": [{"participant": 0}, {"participant": 7}]}
    return json.dumps({"format": "wei7", "version": "3.0", "size": 9, "info": info, "tree": tree}).encode()


def plain_text(name: str) -> bytes:
    moves = "".join(f";{'BW'[k % 2]}[{point}]" for k, point in enumerate(LETTERS[:70]))
    return f"(;SZ[9]GN[{name}]{moves})".encode()


SGF, WEI7 = sgf_text(), wei7_text()
GIB = server_texts.gib(random.Random(1)).encode()
PLAIN = [plain_text(f"game {number}") for number in range(70)]
BLOCK = b"".join(PLAIN)
BOARD, WIDE, LARGE = played(), played(40, 3, 70), Board(70)
ROWS = [Texts.of(['x"y\n' * 9, None] * 800), Numbers.of(range(1600), np.int64)]
SET = PointSet.from_array(BOARD.to_array() == BLACK)


def figures(board: Board) -> tuple[Any, ...]:
    board._check()
    return board.hash, board.canonical_hash, board.moves(), board.to_array().tobytes()


def set_up() -> Any:
    board = Board(9)
    board.setup([(1 + k % 2, point) for k, point in enumerate(POINTS[:40:2])])
    return figures(board)


def edited() -> Any:
    board = Board(9)
    for number, point in enumerate(POINTS[:50]):
        board.edit([(1 + number % 2, point)])
    board._rewind(0, 3)
    return figures(board)


def copied() -> Any:
    board = played(9, 9, 20)
    other = board.copy()
    other.play(BLACK, None)
    board.undo(3)
    return figures(board), figures(other), board == other


def expanded() -> Any:
    table = wei7core.expand([BOARD, BOARD.position(), WIDE], BLACK, "chinese")
    return [column.to_list(0, len(column)) for column in table.data.values()]


def children(board: Board) -> Any:
    found = [board.children(color, rules) for color in (BLACK, WHITE) for rules in ("chinese", "tromp-taylor")]
    return [(one.legal.tobytes(), one.reason.tobytes(), one.hash.tobytes(), one.captured.tobytes()) for one in found]


def steps(text: bytes, decode: Callable[[bytes], Any]) -> Any:
    record = decode(text)
    return record.steps.tobytes(), [str(problem) for problem in record.problems]


def replayed(text: bytes, decode: Callable[[bytes], Any]) -> Any:
    record = decode(text)
    done = replay_record(record)
    return done.hash, done.moves, list(pause_points(record)), pause_points_size(record)


def pieces(format: str, texts: list[bytes]) -> Any:
    ends = np.cumsum([len(text) for text in texts])
    piece = replay_block(
        b"".join(texts), ends - [len(text) for text in texts], ends, format, board=True, positions=True, facts=True
    )
    return piece.rows.tobytes(), piece.ids, piece.letters, piece.facts.tobytes(), str(piece.positions)


def lines(texts: list[bytes]) -> Any:
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(b"\n".join(texts))
        memory = bytearray(1 << 14)
        piece, lefts, _, place, error = replay_lines(
            file.fileno(), 0, None, memory, "wei7", limit=1 << 14, board=True, positions=True
        )
    made = piece.arrays()
    return made.rows.tobytes(), made.ids, made.letters, str(made.positions), lefts, place, error


def sizes() -> Any:
    """More sizes than are kept, so that each asks for its tables."""
    return [len(Board(width, height).children(BLACK)) for width in range(1, 10) for height in range(1, 10)]


def whole(found: tuple[Any, ...]) -> Any:
    return [part.tobytes() if isinstance(part, np.ndarray) else part for part in found]


JOBS: dict[str, Callable[[], Any]] = {
    "board": lambda: figures(played()),
    "wide board": lambda: figures(played(40, 3, 70)),
    "setup": set_up,
    "edits": edited,
    "copies": copied,
    "transformed": lambda: figures(BOARD.transformed(3)),
    "array": lambda: figures(Board.from_array(BOARD.to_array())),
    "position": lambda: figures(Board.from_position(BOARD.position())),
    "blocks": lambda: [(tuple(one), tuple(one.liberties), len(one.neighbours)) for one in BOARD.blocks()],
    "block": lambda: tuple(BOARD.block(BOARD.moves()[-1][1] or (0, 0))),
    "pass-alive": lambda: [BOARD.pass_alive(color) for color in (BLACK, WHITE)],
    "ladders": lambda: [BOARD.ladder(point) for point in POINTS if BOARD[point] and len(BOARD.liberties(point)) < 3],
    "children": lambda: children(BOARD),
    "children on a wide board": lambda: children(WIDE),
    "children on boards of many sizes": sizes,
    "expansion": expanded,
    "planes": lambda: wei7core.to_planes([BOARD, played()], [1, 2], history=3).tobytes(),
    "score": lambda: wei7core.score(BOARD, "japanese", pass_alive=True),
    "area": lambda: str(count_area(LARGE)),
    "point sets": lambda: [tuple(part) for part in (SET | SET.dilate()).components()] + [tuple(~SET)],
    "sgf": lambda: steps(SGF, sgf.decode),
    "wei7": lambda: steps(WEI7, wei7.decode),
    "replay of sgf": lambda: replayed(SGF, sgf.decode),
    "replay of wei7": lambda: replayed(WEI7, wei7.decode),
    "block of sgf": lambda: pieces("sgf", [*PLAIN, SGF]),
    "block of wei7": lambda: pieces("wei7", [WEI7, WEI7]),
    "lines of a file": lambda: lines([WEI7, b"{", WEI7]),
    "facts": lambda: game_facts(9, 9, [], BOARD.moves()).tobytes(),
    "games": lambda: whole(_native.split_games(BLOCK, 0, True, -1)),
    "lines": lambda: whole(_native.split_lines(b"\n".join([b"{}"] * 100), 0, True, 1000)),
    "places in sgf": lambda: _native.locate_sgf(SGF, list(range(0, len(SGF), 40)), 0, 0),
    "places in wei7": lambda: _native.locate_wei7(WEI7, list(range(0, len(WEI7), 400))),
    "rows": lambda: text_of_rows(["a", "b"], ROWS, "csv"),
    "rows in json": lambda: text_of_rows(["a", "b"], ROWS, "jsonl"),
    "record of a server": lambda: steps(GIB, gib.decode),
}


def scarce(job: Callable[[], Any]) -> int:
    memory = ctypes.PyDLL(None)
    memory.scarce_memory_begin.argtypes = [ctypes.c_int64, ctypes.c_int]
    memory.scarce_memory_end.restype = ctypes.c_int64
    expected = job()
    assert memory.scarce_memory_find_modules() > 8
    runs = 0
    for once in (1, 0):
        for calls in itertools.count():
            assert calls < MOST_CALLS
            found: list[Any] = []
            memory.scarce_memory_begin(calls, once)
            try:
                found.append(job())
            except MemoryError:
                pass
            finally:
                failures = memory.scarce_memory_end()
            assert not found or found == [expected]
            if not failures:
                assert found
                break
            runs += 1
        assert job() == expected
    return runs


if __name__ == "__main__":
    print(json.dumps({name: scarce(job) for name, job in JOBS.items()}))
