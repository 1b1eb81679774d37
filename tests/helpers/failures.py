"""The public corpus of failures: small records that other tools were reported to read wrong, and what is expected."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wei7core as w7

FILE = Path(__file__).parent.parent / "data" / "failures" / "failures.json"
"""A list of objects: `link` to the report, `what` fails, the `record` and its `encoding`, and what is expected: `size`,
`moves` of the main line, stones `x` of Black and `o` of White at its end as points of SGF, and facts by name; `bad`
for a text that is no record."""

Case = dict[str, Any]
Reading = dict[str, Any]
"""The facts that a reader found, of those that cases expect; a missing one was not asked for."""


def cases() -> list[Case]:
    """All cases, in the order of the file."""
    loaded: list[Case] = json.loads(FILE.read_text(encoding="utf-8"))
    return loaded


def data_of(case: Case) -> bytes:
    """The bytes of the record of a case."""
    text: str = case["record"]
    return text.encode(case["encoding"])


def differences(case: Case, read: Callable[[bytes, Case], Reading]) -> list[str]:
    """The names of what a reader did not find as expected; `error` where it raised."""
    try:
        found = read(data_of(case), case)
    except Exception as error:  # whatever a reader raises is its answer
        return [] if case.get("bad") else [f"error: {type(error).__name__}: {error}"]
    if case.get("bad"):
        return ["no error"]
    expected = {name: value for name, value in case.items() if name not in ("link", "what", "record", "encoding")}
    for name in ("x", "o", "marks"):
        if name in expected:
            expected[name] = sorted(expected[name].split())
    return [name for name, value in expected.items() if found.get(name, value) != value]


def by_wei7core(data: bytes, case: Case) -> Reading:
    """Read a record with wei7core, leniently where SGF continues; a text without a game raises."""
    game = w7.loads(data, strict=False)
    if not data or not (game.tree.steps or game.tree.pre or game.tree.branches):
        w7.loads(data)
    *_, end = game.main_line()
    board = end.board
    stones: dict[int, list[str]] = {1: [], 2: []}
    width, height = board.size
    for y in range(height):
        for x in range(width):
            if board[x, y]:
                stones[board[x, y]].append(name_of(x, y))
    pre = game.tree.pre
    found: Reading = {
        "size": f"{width}x{height}",
        "moves": board.move_count,
        "x": sorted(stones[1]),
        "o": sorted(stones[2]),
        "black": game.info.black_name,
        "white": game.info.white_name,
        "komi": None if game.info.rules is None or game.info.rules.komi is None else float(game.info.rules.komi),
        "comment": None if pre is None else pre.comment,
        "marks": [] if pre is None else sorted(name_of(*mark.point) for mark in pre.marks),
        "branches": len(first_fork(game).branches),
    }
    if "result" in case:
        found["result"] = str(w7.GameResult.parse(game.properties["RE"][0]))
    if "problem" in case:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", w7.LossWarning)
            tree = w7.convert(game, "wei7").tree
        found["problem"] = " ".join(branch.steps[0].action.evaluation or "" for branch in tree.branches)
    return found


def first_fork(game: w7.Game) -> Any:
    """The first branch of the main line that others start from."""
    branch = game.tree
    while len(branch.branches) == 1:
        branch = branch.branches[0]
    return branch


def name_of(x: int, y: int) -> str:
    """A point as SGF writes it."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return letters[x] + letters[y]


def by_sgfmill(data: bytes, case: Case) -> Reading:
    """Read a record with sgfmill; facts that it has no typed value for are not asked."""
    from sgfmill import sgf, sgf_moves

    game = sgf.Sgf_game.from_bytes(data)
    root = game.get_root()
    size = game.get_size()
    board, plays = sgf_moves.get_setup_and_moves(game)
    moves = 0
    for color, point in plays:
        if point is not None:
            board.play(*point, color)
        moves += 1
    stones: dict[str, list[str]] = {"b": [], "w": []}
    for color, (row, column) in board.list_occupied_points():
        stones[color].append(name_of(column, size - 1 - row))
    found: Reading = {
        "size": f"{size}x{size}",
        "moves": moves,
        "x": sorted(stones["b"]),
        "o": sorted(stones["w"]),
        "black": game.get_player_name("b"),
        "white": game.get_player_name("w"),
        "komi": float(game.get_komi()) if root.has_property("KM") else None,
        "comment": root.get("C") if root.has_property("C") else None,
    }
    node = root
    while len(node) == 1:
        node = node[0]
    found["branches"] = len(node)
    return found


def by_sente(data: bytes, case: Case) -> Reading:
    """Read a record with sente, by the interpreter that `SENTE_PYTHON` names: a crash is an error of one record."""
    program = Path(__file__).parent / "read_by_sente.py"
    done = subprocess.run(
        [os.environ.get("SENTE_PYTHON", sys.executable), program],
        input=data,
        capture_output=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").rstrip().rpartition("\n")[2] or str(done.returncode))
    found: Reading = json.loads(done.stdout)
    return found


READERS: dict[str, Callable[[bytes, Case], Reading]] = {
    "wei7core": by_wei7core,
    "sgfmill": by_sgfmill,
    "sente": by_sente,
}
