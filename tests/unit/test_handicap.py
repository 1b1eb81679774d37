"""Handicap stones on a board: fixed places, and free ones against a slow twin."""

from __future__ import annotations

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.board.handicap import fixed_handicap, free_handicap, most_fixed

GTP_2 = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


@in_groups("stones", range(2, 10))
def test_fixed_places_of_gtp(stones: int) -> None:
    board, same = w7.Board(19), w7.Board(19)
    points = board.handicap(stones)
    same.setup([(w7.BLACK, point) for point in GTP_2[stones].split()])
    assert board == same
    assert points == sorted(points, key=lambda point: point[::-1])
    assert len(points) == stones
    assert (board.to_play, board.move_count) == (w7.WHITE, 0)
    assert board.move("K11") == 0
    assert board.last_move == (w7.WHITE, (9, 8))


def free_slowly(stones: int, width: int, height: int) -> list[tuple[int, int]]:
    most = min(stones, most_fixed(width, height))
    chosen = fixed_handicap(most, width, height) if most else []
    while len(chosen) < stones:
        found = (0, 0, 0)
        for y in range(height):
            for x in range(width):
                to_outside = min(x + 1, y + 1, width - x, height - y)
                room = min([to_outside, *(abs(x - a) + abs(y - b) for a, b in chosen)])
                found = max(found, (room, -y, -x))
        assert found[0] > 0
        chosen.append((-found[2], -found[1]))
    return sorted(chosen, key=lambda point: point[::-1])


@in_groups("size", [(2, 2), (3, 1), (6, 5), (7, 7), (8, 9), (9, 9), (13, 13), (19, 19), (5, 20)])
def test_free_places(size: tuple[int, int]) -> None:
    for stones in {2, 3, 5, 9, 10, 17} & set(range(size[0] * size[1])):
        assert free_handicap(stones, *size) == free_slowly(stones, *size)
    board = w7.Board(*size)
    points = board.handicap(2, "free")
    assert [board[point] for point in points] == [w7.BLACK, w7.BLACK]
    assert board.to_play == w7.WHITE


def test_free_handicap_of_almost_a_whole_board() -> None:
    board = w7.Board(4, 3)
    board.handicap(11, placement="free")
    assert (board.to_array() == 0).sum() == 1


@in_groups(
    ("size", "stones", "placement", "words"),
    [
        ((19, 19), 1, "fixed", "2 to 9 handicap stones"),
        ((19, 19), 10, "fixed", "2 to 9 handicap stones"),
        ((19, 19), -(2**70), "fixed", "2 to 9 handicap stones"),
        ((8, 9), 5, "fixed", "2 to 4 handicap stones"),
        ((6, 9), 2, "fixed", "no places"),
        ((3, 3), 9, "free", "number of free handicap stones"),
        ((3, 3), 1, "free", "number of free handicap stones"),
        ((9, 9), 2, "random", '"fixed" or "free"'),
    ],
)
def test_refused_handicaps(size: tuple[int, int], stones: int, placement: str, words: str) -> None:
    board = w7.Board(*size)
    with pytest.raises(ValueError, match=words):
        board.handicap(stones, placement)  # type: ignore[arg-type]  # the test passes a wrong type
    assert not board.to_array().any()


def test_a_handicap_needs_an_empty_board() -> None:
    board = w7.Board(9)
    board.edit([(w7.WHITE, (4, 3))])
    with pytest.raises(w7.IllegalPositionError, match="empty board") as refused:
        board.handicap(2)
    assert (refused.value.point, refused.value.reason) == ((4, 3), "occupied")
    board = w7.Board(9)
    board.move(None)
    with pytest.raises(w7.IllegalPositionError, match="after a move") as refused:
        board.handicap(2)
    assert refused.value.reason == "after-move"
    with pytest.raises(TypeError):
        w7.Board(9).handicap("two")  # type: ignore[arg-type]  # the test passes a wrong type
