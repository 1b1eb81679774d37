"""Whole games against results that other software computed."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import native
from samples import corpus

from wei7core.board.board import Board


@pytest.mark.exhaustive
def test_machine_made_games_end_as_expected() -> None:
    """Every rectangle, takebacks, suicides of many stones; see the corpus for how they were made."""
    count = 0
    for game in corpus.random_rules_games(corpus.random_rules_file()):
        board = Board(game["width"], game["height"])
        for name, *value in game["steps"]:
            if name == "takeback":
                board.undo(value[0])
            else:
                board.play(corpus.COLORS[name], None if value[0] is None else tuple(value))
        assert corpus.board_text(board.to_array()) == game["final"]
        assert [board.black_captured, board.white_captured] == game["captured"]
        board._check()
        count += 1
    assert count >= 200


@pytest.mark.exhaustive
def test_real_games_end_as_expected() -> None:
    path = corpus.require()
    expected = corpus.tygem_expected(path)
    moves, offsets = corpus.packed_tygem_games(path)
    few, ends = corpus.pack(corpus.tygem_games(path, 50))
    assert offsets[:51].tolist() == ends.tolist()
    assert (moves[: len(few)] == few).all()
    boards = np.empty((len(expected), 19, 19), dtype=np.uint8)
    captured = np.empty((len(expected), 2), dtype=np.int64)
    assert len(offsets) - 1 == len(expected) == 20_000
    played = native.replay_games().replay_games(19, 19, moves, offsets, boards, captured)
    assert played == len(moves)
    for row, cells, counts in zip(expected, boards, captured.tolist(), strict=True):
        assert corpus.sha16(corpus.board_text(cells)) == row["final_sha16"], row["id"]
        assert counts == [int(row["black_captured"]), int(row["white_captured"])], row["id"]


def test_the_shipped_sample_is_worth_replaying() -> None:
    games = list(corpus.random_rules_games(corpus.RANDOM_RULES_SAMPLE))
    assert len({(game["width"], game["height"]) for game in games}) == 200
    assert all(any(game["captured"]) for game in games)
