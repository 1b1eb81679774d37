"""Superko in real games that repeat positions, against a history of whole positions."""

from __future__ import annotations

import pytest
from samples import corpus

from wei7core.board.board import Board
from wei7core.rules import Ko, Rules

pytestmark = pytest.mark.exhaustive

RULES = [Rules(name=ko.name, ko=ko, suicide=True) for ko in Ko]
NAMES = ["legal", "ko-recapture", "positional-repeat", "situational-repeat", "natural-repeat"]


class History:
    """Every position of the game so far, as bytes: with who was to play, and who had made it with a stone."""

    def __init__(self) -> None:
        self.rows: list[tuple[bytes, int, int]] = []

    def verdicts(self, board: Board, color: int, point: corpus.Point) -> list[str]:
        """Return what the rule sets say of a move on an empty point, by playing it."""
        now = board.to_array().tobytes()
        rows = [*self.rows, (now, color, self.maker(board))]
        board.play(color, point)
        after = board.to_array().tobytes()
        board.undo()
        recapture = len(rows) > 1 and after == rows[-2][0] and after != now
        same = [row for row in rows if row[0] == after]
        fired = [
            False,
            recapture,
            bool(same),
            any(to_play == 3 - color for _, to_play, _ in same),
            any(made_by == color for _, _, made_by in same),
        ]
        return [name if it_did else "legal" for name, it_did in zip(NAMES, fired, strict=True)]

    @staticmethod
    def maker(board: Board) -> int:
        last = board.last_move
        return 0 if last is None or last[1] is None else last[0]

    def add(self, board: Board, to_play: int) -> None:
        self.rows.append((board.to_array().tobytes(), to_play, self.maker(board)))


def test_repeats_in_irregular_games() -> None:
    path = corpus.require()
    expected = {row["id"]: row for row in corpus.tygem_expected(path, "tygem-tom-irregular")}
    repeating = 0
    for game in corpus.tygem_games(path, name="tygem-tom-irregular"):
        board, history = Board(19), History()
        repeats = recaptures = 0
        for color, point in game.moves[: int(expected[game.id]["played"])]:
            if point is not None:
                said = [board.is_legal(color, point, rules).reason for rules in RULES]
                assert said == history.verdicts(board, color, point)
                repeats += said[2] != "legal"
                recaptures += said[1] != "legal"
                if said[2] != "legal":
                    # Where one move repeats, others may.
                    for y, x in zip(*(board.to_array() == 0).nonzero(), strict=True):
                        said = [board.is_legal(color, (x, y), rules).reason for rules in RULES]
                        assert said == history.verdicts(board, color, (x, y))
            history.add(board, color)
            board.play(color, point)
        assert repeats == int(expected[game.id]["repeats"])
        assert recaptures == int(expected[game.id]["ko_retakes"])
        repeating += repeats > 0
    assert repeating == 34


@pytest.mark.parametrize("ko", [Ko.POSITIONAL, Ko.SITUATIONAL, Ko.NATURAL])
def test_generated_games_that_were_taken_back(ko: Ko) -> None:
    """Machine-made games full of takebacks, on all boards: each move in its turn, none asked about twice."""
    rules = Rules(name=ko.name, ko=ko, suicide=True)
    number = ("POSITIONAL", "SITUATIONAL", "NATURAL").index(ko.name) + 2
    fired = 0
    for game in list(corpus.random_rules_games(corpus.RANDOM_RULES_SAMPLE))[::3]:
        board, history = Board(game["width"], game["height"]), History()
        for step in game["steps"]:
            if step[0] == "takeback":
                board.undo(step[1])
                del history.rows[board.move_count :]
                continue
            color, point = corpus.COLORS[step[0]], None if step[1] is None else (step[1], step[2])
            if point is not None:
                reason = board.is_legal(color, point, rules).reason
                assert reason == history.verdicts(board, color, point)[number]
                fired += reason != "legal"
            history.add(board, color)
            board.play(color, point)
    assert fired > 100
