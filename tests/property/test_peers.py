"""Other people's programs agree: sgfmill about positions, orjson about plain objects."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from helpers.cases import in_groups
from hypothesis import given
from hypothesis import strategies as st

import wei7core as w7

EXAMPLES = sorted((Path(__file__).parents[1] / "data" / "examples").rglob("*.wei7"))
LETTERS = {None: 0, "b": 1, "w": 2}


@given(st.integers(2, 25), st.integers(0, 2**32))
def test_sgfmill_plays_the_same_positions(size: int, seed: int) -> None:
    boards = pytest.importorskip("sgfmill.boards")
    board, peer, choose = w7.Board(size), boards.Board(size), random.Random(seed)
    for _ in range(min(400, 4 * size * size)):
        x, y, color = choose.randrange(size), choose.randrange(size), choose.choice("bw")
        if board[x, y]:
            continue
        board.play(LETTERS[color], (x, y))
        peer.play(size - 1 - y, x, color)
    rows = [[LETTERS[peer.get(size - 1 - y, x)] for x in range(size)] for y in range(size)]
    assert np.array_equal(board.to_array(), rows)


@in_groups("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_orjson_gives_and_takes_the_objects(path: Path) -> None:
    orjson = pytest.importorskip("orjson")
    data = path.read_bytes()
    revision = 2 if path.parent.name == "rev2" else 7
    game = w7.from_obj(orjson.loads(data), strict=False, revision=revision)
    assert game == w7.loads(data, strict=False, revision=revision)
    assert orjson.loads(orjson.dumps(game.to_obj())) == {"format": "wei7", **json.loads(data)}
