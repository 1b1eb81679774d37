"""Names of points, in GTP and in SGF."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.cases import in_groups

from wei7core import Board, OffBoardError, OffBoardMoveError, coordinates

SIZES = [(1, 1), (9, 9), (19, 19), (19, 13), (20, 3), (25, 25), (26, 26), (27, 52), (52, 4)]


@in_groups(
    ("x", "name"),
    [(0, "A"), (7, "H"), (8, "J"), (24, "Z"), (25, "AA"), (33, "AJ"), (49, "AZ"), (50, "BA"), (650, "AAA")],
)
def test_column_names_leave_out_i(x: int, name: str) -> None:
    assert coordinates.column_name(x) == name
    assert coordinates.from_gtp(f"{name}1", 1000, 1) == (x, 0)


def test_a_negative_column_has_no_name() -> None:
    with pytest.raises(ValueError, match="negative"):
        coordinates.column_name(-1)


def test_point_names_count_rows_from_the_bottom() -> None:
    assert coordinates.point_name((0, 0), 19) == "A19"
    assert coordinates.point_name((15, 3), 19) == "Q16"
    assert coordinates.point_name((8, 8), 9) == "J1"


@in_groups(("width", "height"), SIZES)
def test_every_point_has_a_name_of_its_own(width: int, height: int) -> None:
    points = [(x, y) for x in range(width) for y in range(height)]
    vertices = [coordinates.to_gtp(point, width, height) for point in points]
    assert [coordinates.from_gtp(vertex, width, height) for vertex in vertices] == points
    assert [coordinates.from_gtp(f" {vertex.lower()}\n", width, height) for vertex in vertices] == points
    assert len(set(vertices)) == len(points)
    letters = [coordinates.to_sgf(point, width, height) for point in points]
    assert [coordinates.from_sgf(f"\n{two} ", width, height) for two in letters] == points
    assert len(set(letters)) == len(points)


@pytest.mark.parametrize(
    ("vertex", "point"), [("D4", (3, 15)), ("q16", (15, 3)), ("j10", (8, 9)), ("A1", (0, 18)), ("T019", (18, 0))]
)
def test_vertices_of_gtp(vertex: str, point: tuple[int, int]) -> None:
    assert coordinates.from_gtp(vertex, 19, 19) == point


def test_passes() -> None:
    assert coordinates.to_gtp(None, 19, 19) == "pass"
    assert coordinates.to_sgf(None, 19, 19) == ""
    assert [coordinates.from_gtp(text, 19, 19) for text in ("pass", "PASS", " Pass ")] == [None] * 3
    assert [coordinates.from_sgf(text, 19, 19) for text in ("", "tt", " tt\n")] == [None] * 3
    assert coordinates.from_sgf("tt", 1, 1) is None
    assert coordinates.from_sgf("tt", 20, 20) == (19, 19)
    for size in ((20, 19), (19, 20)):
        with pytest.raises(OffBoardError):
            coordinates.from_sgf("tt", *size)


def test_letters_of_sgf() -> None:
    assert coordinates.from_sgf("dp", 19, 19) == (3, 15)
    assert coordinates.from_sgf("Dp", 19, 19) == coordinates.from_sgf("DP", 26, 26) == (3, 15)
    assert coordinates.from_sgf("DP", 52, 52) == (29, 41)
    assert coordinates.to_sgf((51, 26), 52, 52) == "ZA"


@in_groups(
    "vertex",
    ["", "resign", "I5", "AI5", "4D", "D", "D-4", "D4.", "D 4", "\uff244", "D\u0664", "A" * 99 + "1", "A" + "1" * 5000],
)
def test_what_is_no_vertex(vertex: str) -> None:
    with pytest.raises(ValueError, match="vertex is letters") as error:
        coordinates.from_gtp(vertex, 19, 19)
    assert not isinstance(error.value, OffBoardError)
    assert len(str(error.value)) < 120


@in_groups("value", ["d", "ddd", "d4", "d d", "\u00e9e", "aa:cc"])
def test_what_is_no_point_of_sgf(value: str) -> None:
    with pytest.raises(ValueError, match="two letters") as error:
        coordinates.from_sgf(value, 19, 19)
    assert not isinstance(error.value, OffBoardError)


def test_points_off_the_board() -> None:
    for vertex, point in (("U4", (19, 15)), ("D0", (3, 19)), ("D20", (3, -1)), ("AA1", (25, 18))):
        with pytest.raises(OffBoardError, match=f"'{vertex}' is off the 19 x 19 board") as error:
            coordinates.from_gtp(vertex, 19, 19)
        assert error.value.point == point
    with pytest.raises(OffBoardError, match="'td' is off the 19 x 19 board"):
        coordinates.from_sgf("td", 19, 19)
    for point in ((19, 0), (0, 19), (-1, 0), (0, -1)):
        for write in (coordinates.to_gtp, coordinates.to_sgf):
            with pytest.raises(OffBoardError) as error:
                write(point, 19, 19)
            assert error.value.point == point
    with pytest.raises(ValueError, match="52 columns"):
        coordinates.to_sgf((52, 0), 60, 60)


def test_the_longest_names_of_points() -> None:
    """Ten letters and ten digits are a point, though of no board; what is longer is none."""
    for vertex in ("A" * 10 + "1", "A" + "1" * 10):
        with pytest.raises(OffBoardError):
            coordinates.from_gtp(vertex, 19, 19)
    for vertex in ("A" * 11 + "1", "A" + "1" * 11):
        with pytest.raises(ValueError, match="a vertex is") as raised:
            coordinates.from_gtp(vertex, 19, 19)
        assert not isinstance(raised.value, OffBoardError)
    for length, shown in ((20, "!" * 20), (21, "!" * 20 + "..."), (30, "!" * 20 + "...")):
        with pytest.raises(ValueError, match="is two letters") as raised:
            coordinates.from_sgf("!" * length, 19, 19)
        assert str(raised.value).endswith(f"not {shown!r}")


def test_the_first_capital_means_the_first_small_letter() -> None:
    assert coordinates.from_sgf("AA", 26, 26) == coordinates.from_sgf("aA", 19, 19) == (0, 0)
    assert coordinates.from_sgf("AA", 27, 27) == (26, 26)
    with pytest.raises(OffBoardError) as raised:
        coordinates.from_sgf("zB", 19, 19)
    assert raised.value.point == (25, 27)


def test_a_message_has_the_coordinates_that_were_given() -> None:
    board = Board(9)
    for point in ((1 << 70, 1), (-(1 << 200), 3), (np.int64(9), 1), (9, -2)):
        with pytest.raises(OffBoardMoveError, match=re.escape(f"at ({int(point[0])}, {int(point[1])}): ")):
            board.play(1, point)
    with pytest.raises(OffBoardError, match=rf"the point \({1 << 70}, 1\) is off"):
        board[1 << 70, 1]
    with pytest.raises(OffBoardMoveError, match=r"\(9223372036854775807, 1\)"):
        board.play(1, (1 << 20_000, 1))
