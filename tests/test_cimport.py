"""The board can be cimported by another package: build one against this wei7core and run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from helpers import native
from oracles.board import OracleBoard

PROGRAM = """
import json
import replay_games
from wei7core.board import Board
board = Board(5)
hashes = [replay_games.play_on(board, *move) for move in [(1, 0, 0), (2, 1, 0), (2, 0, 1), (1, -1, -1)]]
try:
    replay_games.play_on(board, 2, 1, 0)
except ValueError as error:
    refused = str(error)
print(json.dumps([hashes, board.moves(), board.black_captured, refused]))
"""


def test_an_extension_outside_the_package_plays_on_a_board() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=native.built("cimport"),
        env=native.environment(),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    hashes, moves, black_captured, refused = json.loads(done.stdout)
    oracle = OracleBoard(5, 5)
    expected = []
    for color, point in [(1, (0, 0)), (2, (1, 0)), (2, (0, 1)), (1, None)]:
        oracle.play(color, point)
        expected.append(oracle.hash)
    assert hashes == expected
    assert moves == [[1, [0, 0]], [2, [1, 0]], [2, [0, 1]], [1, None]]
    assert black_captured == oracle.captured[1] == 1
    assert refused == "status 2"


@pytest.mark.exhaustive
@pytest.mark.skipif(not native.SOURCE.is_dir(), reason="the source tree is not here")
def test_a_wheel_holds_the_headers_that_an_extension_outside_needs_and_no_others(tmp_path: Path) -> None:
    native.require_compiler()
    root, package = native.SOURCE.parents[1], tmp_path / "package"
    command = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(package)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    held = {path.relative_to(package / "wei7core").as_posix() for path in package.rglob("*.h")}
    assert {"board/kernel/board.h", "board/kernel/legality.h", "record/record.h"} <= held
    assert not held & {"board/kernel/children.h", "batch/engine.h", "formats/wei7/decode.h"}
    for suffix in EXTENSION_SUFFIXES:
        for path in native.PACKAGE.rglob(f"*{suffix}"):
            shutil.copy(path, package / "wei7core" / path.relative_to(native.PACKAGE))
    native.build("cimport", tmp_path / "example", {**os.environ, "PYTHONPATH": str(package), "CFLAGS": "-O0"})
