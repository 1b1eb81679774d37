"""Pictures of boards and nodes: files to compare with, what each option adds, what is refused."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from random import Random

import numpy as np
import pytest
from helpers.cases import in_groups
from samples.pictures import SGF, board, pictures

import wei7core as w7
from wei7core.board import draw
from wei7core.board.drawing import geometry
from wei7core.board.drawing.themes import THEMES, Theme

GOLDEN = Path(__file__).resolve().parent.parent / "data" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
PICTURES = dict(pictures())


def words(picture: str) -> str:
    return ET.fromstring(picture).findtext(f"{SVG}desc")


@in_groups("name", PICTURES)
def test_pictures_are_those_that_were_looked_at(name: str) -> None:
    assert PICTURES[name] + "\n" == (GOLDEN / f"{name}.svg").read_text(encoding="utf-8")
    assert ET.fromstring(PICTURES[name]).get("role") == "img"


@in_groups("name", PICTURES)
def test_pictures_can_be_rendered(name: str) -> None:
    resvg_py = pytest.importorskip("resvg_py", reason="the renderer of the extra png is not installed")
    image = bytes(resvg_py.svg_to_bytes(svg_string=PICTURES[name]))
    assert image.startswith(b"\x89PNG") and len(image) > 1000


def test_every_file_has_a_picture() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(PICTURES)


def test_words_describe_what_is_drawn() -> None:
    assert words(PICTURES["print"]) == (
        "Black stones: 4. White stones: 1. Last move: D4, black. Moves: 1 at C5, 3 at B4, 4 at E3, 5 at C3, 7 at D4."
    )
    assert "Marks: triangle at E3. Arrows: C5 to E3." in words(PICTURES["dark"])
    assert "Values of points: -3 to 6." in words(PICTURES["heat"])
    assert "Points owned: Black 12, White 12." in words(PICTURES["ownership"])
    assert words(PICTURES["alive"]).count("Alive: ") == 1
    assert words(board().svg(alt="a corner", title="Go")) == "a corner"


def test_a_node_shows_its_marks_and_shapes() -> None:
    nodes = list(w7.loads(SGF).walk())
    listed = words(nodes[0].svg())
    assert "triangle at B6, circle at G1, square at F6" in listed and "long label at B1" in listed
    assert "Arrows: B2 to D2. Lines: E3 to E1." in listed
    assert "territory of Black at A6" in words(nodes[1].svg(marks=[("A1", "z")]))
    assert "z at A1" in words(nodes[1].svg(marks=[("A1", "z")]))
    assert "Not on the board: white A at D5, white B at D3." in words(nodes[1].svg(variations=True))
    assert "Arrows" not in words(nodes[0].svg(arrows=()))


def test_a_mark_is_named_once_for_all_its_points() -> None:
    game = w7.loads(b"(;SZ[9]TB[aa:ca]TW[ii]TR[ee]LB[gg:x][hh:x][gh:y];B[ed]TB[aa][aa]TW[aa])")
    listed = words(game.root.svg())
    assert "territory of Black at A9 B9 C9, territory of White at J1" in listed
    assert "triangle at E5" in listed and "x at G3 H2" in listed and "y at G2" in listed
    assert "territory of White at A9" in words(game.root.next.svg()), "of several marks the last one"


def test_the_last_mark_of_a_point_is_drawn_whatever_was_drawn_before(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    points = [(x, y) for x in range(9) for y in range(9)]
    cells = np.array([[random.randrange(3) for _ in range(9)] for _ in range(9)], dtype=np.uint8)

    def mark() -> tuple[object, dict[tuple[int, int], str]]:
        kind, point, text = random.randrange(4), random.choice(points), random.choice("abcd")
        if kind == 0:
            some = random.sample(points, 3)
            return ("TR", some), dict.fromkeys(some, "triangle")
        if kind == 1:
            return (list(point), text), {point: text}
        return w7.Mark(point, text), {point: text}

    def draw_all(bound: int) -> list[str]:
        monkeypatch.setattr(geometry, "_MOST_DRAWN", bound)
        geometry._kept.cache_clear()
        random.seed(11)
        drawn = []
        for _ in range(60):
            marks, wanted = [], {}
            for _ in range(random.randrange(1, 60)):
                one, signs = mark()
                marks.append(one)
                wanted.update(signs)
            numbers = dict.fromkeys(random.sample(points, 4), "7") if random.random() < 0.5 else None
            picture = draw.svg(cells, marks=marks, numbers=numbers)
            places: dict[str, set[str]] = {}
            for (x, y), sign in wanted.items():
                places.setdefault(sign, set()).add("ABCDEFGHJ"[x] + str(9 - y))
            listed = words(picture).partition("Marks: ")[2]
            names_of = dict(part.split(" at ") for part in listed.rstrip(".").split(", "))
            assert {sign: set(names.split()) for sign, names in names_of.items()} == places
            only_numbered = len((numbers or {}).keys() - wanted.keys())
            texts = [element.text for element in ET.fromstring(picture).iterfind(".//*[@dy='.36em']")]
            assert sorted(texts) == sorted([s for s in wanted.values() if len(s) == 1] + ["7"] * only_numbered)
            drawn.append(picture)
        return drawn

    assert draw_all(10) == draw_all(5000)


def test_shown_and_dimmed_points_hold_until_they_are_changed() -> None:
    game = w7.loads(b"(;SZ[3]DD[aa]VW[aa:bb];B[aa](;W[bb]VW[];B[cc]DD[])(;W[ba]))")
    covers = [node.svg().count('fill-opacity="1"') for node in game.walk() if node.step is not None]
    faint = [node.svg().count('fill-opacity="0.6"') for node in game.walk() if node.step is not None]
    assert (covers, faint) == ([1, 0, 0, 1], [1, 1, 0, 1])


def test_a_game_shows_the_end_of_its_main_line() -> None:
    game = w7.loads(SGF)
    *_, end = game.main_line()
    assert game.svg(theme="dark") == end.svg(theme="dark")
    first = next(game.walk())
    assert game.svg(first) == first.svg() == first._repr_svg_()


def test_marks_of_a_record_can_be_drawn_as_they_are() -> None:
    node = next(w7.loads(b"(;SZ[9]TR[aa]LB[ii:long label][ba:\x07])").walk())
    for picture in (draw.svg(node.board.to_array(), marks=node.marks), node.svg()):
        assert "triangle at A9, long label at J1" in words(picture)
    assert draw.text(node.board.to_array(), marks=node.marks).endswith("long label at J1, \ufffd at B9")


def test_numbers_are_those_of_stones_that_are_still_there() -> None:
    here = w7.Board(3)
    for color, point in ((1, (0, 0)), (2, (1, 0)), (1, None), (2, (0, 1)), (1, (2, 2)), (2, (0, 0))):
        here.play(color, point)
    assert "Moves: 2 at B3, 4 at A2, 5 at C1, 6 at A3." in words(here.svg(numbers=True))
    assert "Moves: 1 at A2, 2 at C1, 3 at A3." in words(here.svg(numbers=4, first_number=1))
    assert "Moves" not in words(here.svg(numbers=False))
    assert "Moves: x at B2." in words(here.svg(numbers={"B2": "x"}))


@in_groups(
    ("region", "shown"),
    [
        ("top left", "A9 to F4"),
        ("bottom-right", "D6 to J1"),
        ("left", "A9 to F1"),
        (("C3", (4, 4)), "C5 to E3"),
        ("J1:G3", "G3 to J1"),
        ("stones", "C6 to G1"),
    ],
)
def test_a_region_is_cut_out(region: object, shown: str) -> None:
    here = w7.Board(9)
    here.play(1, (3, 4)), here.play(2, (5, 6))
    picture = here.svg(region=region, last=None)
    first, _, last = shown.partition(" to ")
    (x0, y0), (x1, y1) = (w7.coordinates.from_gtp(name, 9, 9) for name in (first, last))
    bottom_left, top_right = f"{first[0]}{last[1:]}", f"{last[0]}{first[1:]}"
    assert words(picture).startswith(f"Shown: {bottom_left} to {top_right}.")
    columns = {text.text for text in ET.fromstring(picture).iter(f"{SVG}text")}
    assert columns == {w7.coordinates.column_name(x) for x in range(x0, x1 + 1)} | {
        str(9 - y) for y in range(y0, y1 + 1)
    }


def test_coordinates_of_each_kind() -> None:
    here = w7.Board(2, 21)
    texts = [text.text for text in ET.fromstring(here.svg(coordinates="kanji")).iter(f"{SVG}text")]
    assert texts[:4] == ["1", "1", "2", "2"]
    assert [texts[4 + y] for y in (0, 8, 9, 10, 18, 19, 20)] == ["一", "九", "十", "十一", "十九", "二十", "二十一"]
    assert [t.text for t in ET.fromstring(here.svg(coordinates="sgf")).iter(f"{SVG}text")][4:6] == ["a", "b"]
    assert "<text" not in here.svg(coordinates=None) + here.svg(coordinates=False)
    assert here.svg(coordinates=True) == here.svg(coordinates="gtp")


def test_heat_maps_have_the_colors_of_their_values() -> None:
    here = w7.Board(2)
    theme = THEMES["print"]
    picture = here.svg(heat={"A1": -1.0, (1, 0): 1.0, "A2": 0}, coordinates=None)
    assert picture.count(theme.cold) == 1 + 4 and picture.count(theme.warm) == 1 + 5, "one path, and the legend"
    plain = here.svg(heat={"A1": -1.0}, legend=False)
    assert ET.fromstring(plain).get("height") == ET.fromstring(here.svg()).get("height")
    nothing = here.svg(heat=[[np.nan] * 2] * 2)
    assert nothing == here.svg()
    assert here.svg(ownership=[0.0, 0.01, 0.9, -0.9]).count("<rect") == here.svg().count("<rect") + 2


def test_colors_of_ones_own() -> None:
    theme = Theme(*(f"#0000{i:02x}" for i in range(13)))
    assert all(color in board().svg(theme=theme) for color in ("#000000", "#000003", "#000004"))


@in_groups(
    ("options", "error", "text"),
    [
        ({"colour": 1}, TypeError, "no option colour; it has theme, size"),
        ({"theme": "paper"}, ValueError, "theme is one of print, wood, dark"),
        ({"size": 0}, ValueError, "size is a number of pixels"),
        ({"region": "middle"}, ValueError, "region is stones, top"),
        ({"region": ("A1", "H9")}, w7.OffBoardError, "off the 7 x 7 board"),
        ({"coordinates": "wei7"}, ValueError, "coordinates are one of gtp, sgf, kanji"),
        ({"heat": [1, 2]}, ValueError, r"heat must have the shape \(height, width\)"),
        ({"heat": np.full((7, 7), np.inf)}, ValueError, "finite"),
        ({"ownership": np.zeros((7, 6))}, ValueError, "ownership must have the shape"),
        ({"ghosts": [(3, "A1")]}, ValueError, "the color of a ghost"),
        ({"arrows": [("A1", "A9")]}, w7.OffBoardError, "off the 7 x 7 board"),
        ({"marks": [("TR", "pass")]}, ValueError, "a pass has no point"),
        ({"last": (7, 0)}, w7.OffBoardError, "off the 7 x 7 board"),
        ({"ladder": "A1"}, ValueError, "no stone"),
        ({"marks": ["D4"]}, TypeError, "a mark is a point and a text, a shape and its points, or a Mark, not 'D4'"),
        ({"arrows": ["D4"]}, TypeError, "an arrow or a line is a pair of points, not 'D4'"),
        ({"title": 5}, TypeError, "title is a text, not 5"),
        ({"alt": b"x"}, TypeError, "alt is a text, not b'x'"),
        ({"title": "a\0"}, ValueError, "title has characters that no XML has"),
        ({"alt": "\ud800"}, ValueError, "alt has characters that no XML has"),
        ({"ghosts": ["D4"]}, TypeError, "a ghost is a color, a point and, if wanted, a text, not 'D4'"),
        ({"ghosts": [(1,)]}, ValueError, r"a ghost is a color, a point and, if wanted, a text, not \(1,\)"),
        ({"ghosts": [(True, "A1")]}, ValueError, "the color of a ghost is 1"),
        ({"ghosts": [(1, "A1", "a\0")]}, ValueError, "the text of a stone has printable characters"),
        ({"numbers": {"A1": "\ud800", "A2": "1"}}, ValueError, "the text of a stone has printable characters"),
        ({"numbers": 1.5}, TypeError, r"numbers is an integer, not 1\.5"),
        ({"numbers": "x"}, TypeError, "numbers is an integer, not 'x'"),
        ({"first_number": "a"}, TypeError, "first_number is an integer, not 'a'"),
        ({"ownership": [2] * 49}, ValueError, "ownership must have values from -1 to 1"),
        ({"region": "top left bottom"}, ValueError, "region is stones, top"),
        ({"region": "left right"}, ValueError, "region is stones, top"),
        ({"region": ""}, ValueError, "region is stones, top"),
        ({"region": ("A1",)}, ValueError, "a region is a name or two points"),
        ({"region": 5}, TypeError, "a region is a name or two points, not 5"),
        ({"arrows": [("A1",)]}, ValueError, "an arrow or a line is a pair of points"),
        ({"lines": [5]}, TypeError, "an arrow or a line is a pair of points, not 5"),
        ({"marks": [5]}, TypeError, "a mark is a point and a text, a shape and its points, or a Mark, not 5"),
        ({"marks": [("TR",)]}, ValueError, "a mark is a point and a text, a shape and its points"),
        ({"marks": [("TR", 5)]}, TypeError, "a mark is a point and a text, a shape and its points"),
        ({"dim": "A1"}, TypeError, "points are a list of them, not 'A1'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        board().svg(**options)


def test_terminals_show_numbers_marks_and_regions() -> None:
    cells = board().to_array()
    plain = draw.terminal(cells, numbers={"C5": 101}, marks=[("TR", "E3"), ("A1", "围棋")], colored=False)
    lines = plain.splitlines()
    assert lines[3] == "5   ├  ┼ 01  ┼  ┼  ┼  ┤  5"
    assert lines[5] == "3   ├  ┼  ●  ┼  ▲  ┼  ┤  3"
    assert lines[7] == "1  围  ┴  ┴  ┴  ┴  ┴  ┘  1"
    assert lines[0] == lines[-1] == "    A  B  C  D  E  F  G"
    last = draw.terminal(cells, region="A3:C5", numbers={"C3": 7}, last="C3", coordinates=None, colored=False)
    assert last.splitlines()[-1] == " ├ ┼(7)"
    last = draw.terminal(cells, region="A3:C5", numbers={"B3": 17}, last="B3", coordinates=None, colored=False)
    assert last.splitlines()[-1] == "  ├(17) ●"
    assert draw.terminal(cells, region="A1:B2", coordinates=None, colored=False) == " ├ ┼\n └ ┴"
    assert draw.terminal(cells, region="A1:A1", last="A1").count("48;2;190") == 1


def test_inherited_views_follow_changes_of_earlier_nodes():
    game = w7.loads(b"(;SZ[3];B[aa]C[a];W[bb]C[b];B[cc]C[c])")
    cursor = game.cursor()
    cursor.forward(3)
    plain = cursor.node.svg()
    assert cursor.node.svg() == plain
    first, second = game.tree.steps[:2]
    first.properties["VW"] = ("aa:bb",)
    seen = cursor.node.svg()
    assert seen != plain
    second.properties = {"VW": ("",), "C": ("b",)}
    assert cursor.node.svg() != seen
    held = second.properties
    del held["VW"]
    assert cursor.node.svg() == seen
    held["DD"] = ("cc",)  # what a caller holds may change after it was looked at
    assert cursor.node.svg() not in (seen, plain)
    del first.properties["VW"]
    del held["DD"]
    assert cursor.node.svg() == plain
