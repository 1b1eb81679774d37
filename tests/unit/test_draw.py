"""Drawings: what each character and each shape means."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers.cases import in_groups

from wei7core.board import draw

SVG = "{http://www.w3.org/2000/svg}"


def board(picture: str) -> np.ndarray:
    return np.array([[".XO".index(point) for point in row] for row in picture.split()], dtype=np.uint8)


def empty(width: int, height: int) -> np.ndarray:
    return np.zeros((height, width), dtype=np.uint8)


def circles(picture: str, radius: float) -> list[tuple[float, float]]:
    root = ET.fromstring(picture)
    return [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{SVG}circle") if c.get("r") == f"{radius:g}"]


def stones(picture: str, fill: str) -> int:
    groups = [g for g in ET.fromstring(picture).iter(f"{SVG}g") if g.get("stroke") and g.get("fill") == fill]
    return sum(len(list(group)) for group in groups)


@in_groups(
    ("size", "points"),
    [
        ((19, 19), {(x, y) for x in (3, 9, 15) for y in (3, 9, 15)}),
        ((13, 13), {(3, 3), (9, 3), (3, 9), (9, 9), (6, 6)}),
        ((9, 9), {(2, 2), (6, 2), (2, 6), (6, 6), (4, 4)}),
        ((8, 8), {(2, 2), (5, 2), (2, 5), (5, 5)}),
        ((9, 13), {(2, 3), (6, 3), (2, 9), (6, 9), (4, 6)}),
        ((19, 9), {(3, 2), (15, 2), (3, 6), (15, 6), (9, 2), (9, 6), (9, 4)}),
        ((7, 7), {(3, 3)}),
        ((19, 4), set()),
        ((1, 1), set()),
    ],
)
def test_star_points(size: tuple[int, int], points: set[tuple[int, int]]) -> None:
    found = draw.star_points(*size)
    assert set(found) == points
    assert len(found) == len(points)


def test_text_shows_stones_star_points_and_the_last_move() -> None:
    cells = empty(9, 9)
    cells[2, 6], cells[4, 4], cells[8, 8] = 1, 2, 1
    assert draw.text(cells, last=(6, 2)) == "\n".join(
        [
            "  A B C D E F G H J",
            "9 . . . . . . . . . 9",
            "8 . . . . . . . . . 8",
            "7 . . + . . .(X). . 7",
            "6 . . . . . . . . . 6",
            "5 . . . . O . . . . 5",
            "4 . . . . . . . . . 4",
            "3 . . + . . . + . . 3",
            "2 . . . . . . . . . 2",
            "1 . . . . . . . . X 1",
            "  A B C D E F G H J",
        ]
    )


def test_text_lists_marks_and_hides_no_stone() -> None:
    drawn = draw.text(board("X. .O"), marks=[((1, 1), "a"), ((1, 0), "X")])
    assert drawn.splitlines()[1:3] == ["2 X . 2", "1 . O 1"]
    assert drawn.splitlines()[-1] == "marks: a at B1, X at B2"


def test_text_writes_long_column_names_downwards() -> None:
    lines = draw.text(empty(27, 1)).splitlines()
    assert lines[0] == " " * (2 + 2 * 25) + "A A"
    assert lines[1].endswith("Y Z A B")
    assert {len(line) for line in lines} == {2 + 2 * 27 - 1, 3 + 2 * 27}


def test_text_marks_a_last_move_that_was_suicide() -> None:
    assert draw.text(empty(1, 1), last=(0, 0)).splitlines() == ["  A", "1(.)1", "  A"]


def test_text_pads_row_numbers_and_has_no_trailing_spaces() -> None:
    lines = draw.text(empty(3, 10)).splitlines()
    assert lines[1] == "10 . . . 10"
    assert lines[-2] == " 1 . . . 1"
    assert all(line == line.rstrip() for line in lines)


def test_svg_has_each_stone_once_at_its_place() -> None:
    picture = draw.svg(board("XO. ..X O.X"))
    assert stones(picture, "#000") == 3
    assert stones(picture, "#fff") == 2
    places = circles(picture, 13.25)
    xs, ys = sorted({x for x, _ in places}), sorted({y for _, y in places})
    assert {(xs.index(x), ys.index(y)) for x, y in places} == {(0, 0), (1, 0), (2, 1), (0, 2), (2, 2)}


def test_svg_describes_in_words_what_it_shows() -> None:
    root = ET.fromstring(draw.svg(board("XO. ..X O.X"), last=(1, 0), marks=[((0, 1), "<")]))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Go board, 3 x 3"
    assert root.findtext(f"{SVG}desc") == "Black stones: 3. White stones: 2. Last move: B3, white. Marks: < at A2."


@in_groups("symbol", ["&", "<", '"', "'", "]", "a", "围", "12", "123"])
def test_svg_keeps_any_symbol_whole(symbol: str) -> None:
    root = ET.fromstring(draw.svg(empty(2, 2), marks=[((1, 0), symbol)], coordinates=False))
    assert [text.text for text in root.iter(f"{SVG}text")] == [symbol]


def test_svg_writes_symbols_in_the_other_colour() -> None:
    marks = [((0, 0), "a"), ((1, 0), "b"), ((2, 0), "c")]
    root = ET.fromstring(draw.svg(board("XO."), marks=marks, coordinates=False))
    assert [text.get("fill") for text in root.iter(f"{SVG}text")] == ["#fff", "#000", "#000"]
    assert len(circles(draw.svg(board("XO."), marks=marks), 9.5)) == 1, "paper under the symbol of an empty point"


def test_svg_marks_the_last_move() -> None:
    cells = board("XO.")
    assert 'r="4.5" fill="#fff"' in draw.svg(cells, last=(0, 0))
    assert 'r="4.5" fill="#000"' in draw.svg(cells, last=(1, 0))
    assert "l10 10m0-10l-10 10" in draw.svg(cells, last=(2, 0)), "a cross where the stone is gone"
    assert 'r="11"' in draw.svg(cells, last=(0, 0), marks=[((0, 0), "a")]), "a ring round a symbol"
    assert 'r="4.5"' not in draw.svg(cells)


def test_svg_coordinates_go_round_the_board() -> None:
    root = ET.fromstring(draw.svg(empty(2, 3)))
    assert sorted(text.text for text in root.iter(f"{SVG}text")) == sorted("AABB112233")
    assert not list(ET.fromstring(draw.svg(empty(2, 3), coordinates=False)).iter(f"{SVG}text"))


@in_groups("size", [(1, 1), (1, 5), (5, 1), (2, 2), (30, 3), (3, 120)])
def test_svg_of_any_size_is_inside_its_picture(size: tuple[int, int]) -> None:
    cells = np.ones(size[::-1], dtype=np.uint8)
    picture = draw.svg(cells, last=(0, 0))
    root = ET.fromstring(picture)
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    for x, y in circles(picture, 13.25):
        assert 14 <= x <= width - 14
        assert 14 <= y <= height - 14


@pytest.mark.exhaustive
def test_svg_refuses_a_board_too_large_to_look_at() -> None:
    draw.svg(np.zeros((1, draw.MAX_SVG_POINTS), dtype=np.uint8))
    with pytest.raises(ValueError, match="400 x 251 points is too large: at most 100,000"):
        draw.svg(empty(400, 251))


@pytest.mark.parametrize("draw_it", [draw.text, draw.svg])
class TestWrongArguments:
    @pytest.mark.parametrize("shape", [(0, 3), (3,), (), (1, 1, 1)])
    def test_shape(self, draw_it, shape) -> None:
        with pytest.raises(ValueError, match="shape"):
            draw_it(np.zeros(shape, dtype=np.uint8))

    @pytest.mark.parametrize("value", [-1, 3, 0.5])
    def test_value(self, draw_it, value) -> None:
        with pytest.raises(ValueError, match=r"0 \(empty\), 1 \(black\) or 2 \(white\)"):
            draw_it(np.array([[value]]))

    @pytest.mark.parametrize("point", [(-1, 0), (0, -1), (3, 0), (0, 2)])
    def test_point(self, draw_it, point) -> None:
        with pytest.raises(ValueError, match="off the 3 x 2 board"):
            draw_it(empty(3, 2), last=point)
        with pytest.raises(ValueError, match="off the 3 x 2 board"):
            draw_it(empty(3, 2), marks=[(point, "a")])

    @pytest.mark.parametrize("symbol", ["", "\x00", "\n", "\ud800"])
    def test_symbol(self, draw_it, symbol) -> None:
        with pytest.raises(ValueError, match="printable"):
            draw_it(empty(3, 2), marks=[((0, 0), symbol)])
