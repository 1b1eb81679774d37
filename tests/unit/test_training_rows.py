"""Training rows: each code on a sound batch and on an offending one, planted errors, comparisons, refusals."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import every
from samples import training_games

import wei7core as w7
from wei7core import BLACK, WHITE, Board, TrainingRows
from wei7core.rules import JAPANESE, TROMP_TAYLOR, Ko, Rules
from wei7core.tables.columns import Boards
from wei7core.training import check
from wei7core.training.codes import ROW_CODES, RowFinding, RowFindings

SIZE = 5
PASS = SIZE * SIZE


def ko_board() -> Board:
    """Return a board on which Black may not retake at (1, 1); black to move at (0, 0) would be suicide."""
    return played([
        (2, (1, 0)), (2, (0, 1)), (2, (1, 2)), (1, (2, 0)), (1, (3, 1)), (1, (2, 2)), (1, (1, 1)), (2, (2, 1)),
    ])  # fmt: skip


def played(moves: list[tuple[int, tuple[int, int]]]) -> Board:
    board = Board(SIZE)
    for color, point in moves:
        board.play(color, point)
    return board


def batch() -> dict[str, Any]:
    """Return three sound rows, as arrays to break: an empty board, some stones, a ko; Black has won them all."""
    boards = [Board(SIZE), played([(1, (3, 1)), (2, (1, 3)), (1, (3, 3))]), ko_board()]
    colors = [BLACK, WHITE, BLACK]
    planes = w7.to_planes(boards, colors, history=2)
    legal = np.ones((3, PASS + 1), np.uint8)
    legal[:, :PASS] = ((planes[:, 2] == 1) & (planes[:, 9] == 0)).reshape(3, -1)
    legal[2, 0] = 0  # suicide
    policy = legal / legal.sum(axis=1, keepdims=True)
    return {
        "own": planes[:, 0].copy(), "opponent": planes[:, 1].copy(), "ko": planes[:, 9].copy(),
        "to_move": np.array(colors), "on_board": np.ones((3, SIZE, SIZE), np.uint8),
        "legal": legal, "policy": policy.astype(np.float32),
        "outcome": np.array([1.0, -1, 1]), "value": np.array([0.1, -0.2, 1]), "score": np.array([3.5, -3.5, 3.5]),
        "winner": np.array([1, 1, 1]), "history": planes[:, 10:].reshape(3, 2, 2, SIZE, SIZE).copy(),
    }  # fmt: skip


def positions() -> list[Any]:
    boards = [Board(SIZE), played([(1, (3, 1)), (2, (1, 3)), (1, (3, 3))]), ko_board()]
    return [board.position(color, ko=True) for board, color in zip(boards, [BLACK, WHITE, BLACK], strict=True)]


Break = Callable[[dict[str, Any]], Any]


def put(name: str, place: Any, value: Any) -> Break:
    def change(rows: dict[str, Any]) -> None:
        rows[name][place] = value

    return change


def both(*changes: Break) -> Break:
    def change(rows: dict[str, Any]) -> None:
        for one in changes:
            one(rows)

    return change


def without(*names: str) -> Break:
    def change(rows: dict[str, Any]) -> None:
        for name in names:
            del rows[name]

    return change


def as_type(name: str, dtype: Any, place: Any, value: Any) -> Break:
    def change(rows: dict[str, Any]) -> None:
        rows[name] = rows[name].astype(dtype)
        rows[name][place] = value

    return change


def exchange(rows: dict[str, Any]) -> None:
    rows["own"][1], rows["opponent"][1] = rows["opponent"][1].copy(), rows["own"][1].copy()
    del rows["history"]


def turn(rows: dict[str, Any]) -> None:
    for name in ("own", "opponent"):
        rows[name][1] = np.rot90(rows[name][1], -1)
    del rows["history"], rows["policy"], rows["legal"]


def remove(rows: dict[str, Any]) -> None:
    rows["own"][1] = 0
    del rows["history"], rows["policy"], rows["legal"]


def surround(rows: dict[str, Any]) -> None:
    for name in ("history", "policy", "legal"):
        del rows[name]
    rows["own"][0, 0, 0] = 1
    rows["opponent"][0, 0, 1] = rows["opponent"][0, 1, 0] = 1


CASES: list[tuple[str, Break, tuple[int | None, int | None, int | None], str]] = [
    ("row-shape", lambda rows: rows.update(policy=rows["policy"][:, :-1]), (None, None, None), "(3, 25), not (3, 26)"),
    ("row-shape", lambda rows: rows.update(ko=rows["ko"][:2]), (None, None, None), "ko has the shape (2, 5, 5)"),
    ("row-shape", lambda rows: rows.update(value=rows["value"] > 0), (None, None, None), "value holds bool"),
    ("row-shape", lambda rows: rows.update(opponent=rows["own"][0]), (None, None, None), "opponent has the shape"),
    ("row-shape", lambda rows: rows.update(own=rows["own"][0]), (None, None, None), "own has the shape (5, 5)"),
    ("row-shape", lambda rows: rows.update(history=rows["history"][:, 0]), (None, None, None), "(3, k, 2, 5, 5)"),
    ("row-planes-value", put("own", (1, 3, 2), 2), (1, 2, 3), "own holds 2"),
    ("row-planes-value", as_type("opponent", np.float32, (1, 4, 0), np.nan), (1, 0, 4), "opponent holds nan"),
    ("row-planes-value", as_type("ko", np.float64, (2, 1, 1), 0.5), (2, 1, 1), "ko holds 0.5"),
    ("row-planes-value", as_type("legal", np.int8, (2, PASS), -1), (2, None, None), "legal holds -1"),
    ("row-planes-value", put("history", (1, 1, 0, 2, 4), 9), (1, 4, 2), "history holds 9"),
    ("row-planes-overlap", put("own", (1, 1, 3), 1), (1, 3, 1), "(3, 1) has a stone of each side"),
    ("row-off-board", put("on_board", (0, 4, 4), 0), (0, 4, 4), "not a rectangle"),
    ("row-off-board", both(without("policy"), put("on_board", (0, slice(None), 4), 0)), (0, 4, 0),
     "legal has (4, 0), and the board is 4 x 5"),
    ("row-off-board", put("on_board", (1, 3), 0), (1, 0, 3), "not a rectangle"),
    ("row-block-without-liberties", surround, (0, 0, 0), "the block at (0, 0)"),
    ("row-history", put("history", (1, 0, 0, 0, 0), 1), (1, None, None), "no single move"),
    ("row-history", put("history", (1, 0, 0, 1, 3), 1), (1, None, None), "stone of each side one move before"),
    ("row-ko-plane", put("ko", (2, 2, 1), 1), (2, 1, 2), "a point with a stone"),
    ("row-ko-plane", put("ko", (1, 0, 0), 1), (1, 0, 0), "where no ko was taken"),
    ("row-ko-plane", both(without("legal"), put("ko", (2, 4, 4), 1)), (2, 1, 1), "several points"),
    ("row-legal-mask", put("legal", (2, 6), 1), (2, 1, 1), "allows (1, 1): ko-recapture"),
    ("row-legal-mask", put("legal", (2, 1), 1), (2, 1, 0), "allows (1, 0): occupied"),
    ("row-legal-mask", put("legal", (0, PASS), 0), (0, None, None), "forbids to pass"),
    ("row-policy-not-finite", put("policy", (0, 7), np.nan), (0, 2, 1), "nan on a point"),
    ("row-policy-not-finite", put("policy", (0, PASS), -np.inf), (0, None, None), "-inf for the pass"),
    ("row-policy-negative", both(put("policy", (0, 3), -0.5), put("policy", (0, 4), 0.5769)), (0, 3, 0), "-0.5"),
    ("row-policy-not-normalised", put("policy", 0, 0), (0, None, None), "sums to 0, not 1"),
    ("row-policy-not-normalised", put("policy", (0, PASS), 0.1), (0, None, None), "1.06154"),
    ("row-policy-on-illegal", both(put("policy", 2, 0), put("policy", (2, 6), 1)), (2, 1, 1), "(1, 1): ko-recapture"),
    ("row-policy-on-illegal", both(put("policy", 2, 0), put("policy", (2, [2, 3]), [0.25, 0.75])), (2, 2, 0), "0.25"),
    ("row-value-range", put("value", 1, 1.01), (1, None, None), "the value is 1.01"),
    ("row-value-range", put("outcome", 1, np.nan), (1, None, None), "the outcome is nan"),
    ("row-value-range", put("score", 1, np.inf), (1, None, None), "the score is inf"),
    ("row-value-range", put("winner", 1, 5), (1, None, None), "the winner is 5, not 1, 2, 0 for a draw or -1"),
    ("row-value-sign", put("winner", 1, 2), (1, None, None), "-1 for White, and the game says that White won"),
    ("row-value-sign", put("winner", 1, 0), (1, None, None), "the game says that it is a draw"),
    ("row-value-sign", put("score", 0, -2), (0, None, None), "the outcome is 1 and the score -2"),
    ("row-side-to-move", put("to_move", 0, 0), (0, None, None), "the side to move is 0"),
]  # fmt: skip


@in_groups(("code", "change", "place", "message"), CASES, ids=[f"{c[0]}-{c[3]}" for c in CASES])
def test_each_code(code: str, change: Break, place: tuple[Any, ...], message: str) -> None:
    sound = batch()
    assert list(w7.check_rows(sound)) == []
    assert list(w7.check_rows(sound, rules=JAPANESE)) == []
    change(sound)
    found = w7.check_rows(sound)
    assert {row.code for row in found} == {code}
    assert (found[0].row, found[0].x, found[0].y) == place
    assert message in found[0].message
    assert found[0].severity == ROW_CODES[code].severity
    assert isinstance(json.loads(found[0].evidence), dict)
    assert found.counts == {code: len(found)}


COMPARED: list[tuple[str, Break, tuple[int | None, int | None, int | None], str]] = [
    ("row-planes-mismatch", remove, (1, 1, 3), "1 points differ from the position of the game, first (1, 3): empty"),
    ("row-symmetry", turn, (1, None, None), "turned clockwise by 90 degrees"),
    ("row-side-to-move", exchange, (1, None, None), "own and opponent are exchanged"),
    ("row-ko-plane", both(put("ko", 2, 0), put("legal", (2, 6), 0)), (2, 1, 1), "lacks the point"),
]


@pytest.mark.parametrize(("code", "change", "place", "message"), COMPARED, ids=[case[0] for case in COMPARED])
def test_each_code_against_positions(code: str, change: Break, place: tuple[Any, ...], message: str) -> None:
    sound = batch()
    assert list(w7.check_rows(sound, positions=positions(), rules=JAPANESE)) == []
    change(sound)
    found = w7.check_rows(sound, positions=positions())
    assert [(row.code, row.row, row.x, row.y) for row in found] == [(code, *place)]
    assert message in found[0].message


@pytest.mark.parametrize("moves", ["B[aa];W[bb];B[bb]", "B[aa];W[bb];B[aa]", "B[aa];AE[aa]AW[cc]AB[dd];W[bb]"])
def test_what_samples_makes_of_records_is_clean(moves: str) -> None:
    """A move on an occupied point, or a setup that no move makes, is no flaw of the rows after it."""
    text = f"(;SZ[5];{moves};B[ea];W[eb];B[ec];W[ed];B[ee];W[ae];B[be];W[ce];B[de])".encode()
    (made,) = w7.samples(text, size=5, shuffle=0, symmetry="none")
    rows = {
        "own": made.planes[:, 0],
        "opponent": made.planes[:, 1],
        "to_move": np.where(made.planes[:, 16, 0, 0], 1, 2),
        "history": made.planes[:, 2:16].reshape(-1, 7, 2, 5, 5),
    }
    if "AE" not in moves:
        assert not list(w7.check_rows(rows))
    rows |= {"game": made.game, "move_number": made.move_number}
    game = w7.loads(text, strict=False)
    assert not list(w7.check_rows(rows, games=[game]))
    for row, ago in ((5, 0), (8, 2)):
        rows["history"] = rows["history"].copy()
        rows["history"][row, ago, 0, 3, 3] ^= 1
        assert [found.code for found in w7.check_rows(rows, games=[game])] == ["row-history"]
        rows["history"][row, ago, 0, 3, 3] ^= 1


def test_every_code_is_tested() -> None:
    tested = {case[0] for case in (*CASES, *COMPARED)}
    assert tested | {"row-unknown-position"} == set(ROW_CODES)  # which test_games_not_there has


@in_groups("symmetry", range(1, 8))
def test_symmetries_are_those_of_the_board(symmetry: int) -> None:
    board = played([(1, (0, 1)), (2, (3, 0)), (1, (1, 1))])
    turned = board.transformed(symmetry).to_array()
    rows = {"own": turned[None] == 2, "opponent": turned[None] == 1, "to_move": [WHITE]}
    (finding,) = w7.check_rows(rows, positions=[board.position(WHITE)])
    assert (finding.code, json.loads(finding.evidence)) == ("row-symmetry", {"symmetry": symmetry, "exchanged": False})
    rows = {"own": turned[None] == 1, "opponent": turned[None] == 2, "to_move": [WHITE]}
    (finding,) = w7.check_rows(rows, positions=[board.position(WHITE)])
    assert json.loads(finding.evidence) == {"symmetry": symmetry, "exchanged": True}
    assert finding.message.endswith(", seen from the other side")


def test_symmetry_names() -> None:
    """The names are those of the new place of the point in the upper left corner."""
    board = Board(3)
    board.play(BLACK, (0, 0))
    board.play(BLACK, (1, 0))
    gone = {}
    for symmetry in range(1, 8):
        stones = board.transformed(symmetry).to_array()[None]
        (finding,) = w7.check_rows({"own": stones == 1, "opponent": stones == 2}, positions=[board.position(BLACK)])
        y, x = next((y, x) for y in (0, 2) for x in (0, 2) if stones[0, y, x])
        gone[finding.message.removeprefix("the planes show the position of the game ")] = (x, y, bool(stones[0, y, 1]))
    assert gone == {
        "mirrored left to right": (2, 0, True),
        "mirrored top to bottom": (0, 2, True),
        "turned by 180 degrees": (2, 2, True),
        "mirrored with x and y exchanged": (0, 0, False),
        "turned clockwise by 90 degrees": (2, 0, False),
        "turned counterclockwise by 90 degrees": (0, 2, False),
        "mirrored with x and y exchanged, from the lower right corner": (2, 2, False),
    }


# --- planted errors ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> tuple[TrainingRows, list[Board], list[w7.Game]]:
    games = training_games.some_games(8)
    rows, boards = training_games.rows_of(games)
    return rows, boards, training_games.records_of(games)


@pytest.mark.exhaustive
def test_rows_of_real_games_are_sound(real: tuple[TrainingRows, list[Board], list[w7.Game]]) -> None:
    rows, boards, records = real
    packed = Boards(
        np.full(len(boards), 19, np.int32), np.full(len(boards), 19, np.int32),
        np.frombuffer(b"".join([board.position().packed for board in boards]), np.uint8),
    )  # fmt: skip
    ways: list[dict[str, Any]] = [
        {}, {"rules": "japanese"}, {"positions": packed},
        {"positions": boards, "rules": Rules(name="p", ko=Ko.POSITIONAL, suicide=True)},
        {"positions": np.array([board.to_array() for board in boards])}, {"games": records, "rules": "japanese"},
    ]  # fmt: skip
    for keywords in ways:
        found = w7.check_rows(rows, **keywords)
        assert list(found) == []
        assert (found.rows, found.counts) == (len(rows), {})


def swap_sides(rows: dict[str, Any], row: int) -> bool:
    rows["own"][row], rows["opponent"][row] = rows["opponent"][row].copy(), rows["own"][row].copy()
    return bool(rows["own"][row].any() or rows["opponent"][row].any())


def upside_down(rows: dict[str, Any], row: int) -> bool:
    before = rows["own"][row].copy(), rows["opponent"][row].copy()
    for name, plane in zip(("own", "opponent"), before, strict=True):
        rows[name][row] = plane[::-1]
    return not all((plane == plane[::-1]).all() for plane in before)


def lose_a_stone(rows: dict[str, Any], row: int) -> bool:
    stones = np.argwhere(rows["own"][row])
    for y, x in stones[:1]:
        rows["own"][row, y, x] = 0
    return len(stones) > 0


def other_color(rows: dict[str, Any], row: int) -> bool:
    rows["to_move"][row] = 3 - rows["to_move"][row]
    return True


def onto_a_stone(rows: dict[str, Any], row: int) -> bool:
    stones = np.flatnonzero(rows["opponent"][row])
    if len(stones):
        rows["policy"][row] = 0
        rows["policy"][row, stones[-1]] = 1
    return len(stones) > 0


def stale_ko(rows: dict[str, Any], row: int) -> bool:
    rows["ko"][row, 0, 0] ^= 1
    return True


def forget_ko(rows: dict[str, Any], row: int) -> bool:
    had = bool(rows["ko"][row].any())
    rows["ko"][row] = 0
    return had


def for_black(rows: dict[str, Any], row: int) -> bool:
    """The outcome from Black's point of view, where White is to move."""
    if rows["to_move"][row] == 1:
        return False
    rows["outcome"][row] *= -1
    rows["score"][row] *= -1
    return True


def skip_a_step(rows: dict[str, Any], row: int) -> bool:
    before = rows["history"][row].copy()
    rows["history"][row, :-1] = before[1:]
    return bool((before[0] != before[1]).any())


PLANTED: list[tuple[str, Callable[[dict[str, Any], int], bool], set[str]]] = [
    # code that must be found, what is done to a row, codes that it may bring with it
    ("row-side-to-move", swap_sides, {"row-history", "row-ko-plane", "row-policy-on-illegal"}),
    ("row-symmetry", upside_down, {"row-history", "row-ko-plane", "row-policy-on-illegal"}),
    ("row-planes-mismatch", lose_a_stone, {"row-history", "row-policy-on-illegal"}),
    ("row-side-to-move", other_color, set()),
    ("row-policy-on-illegal", onto_a_stone, set()),
    ("row-ko-plane", stale_ko, set()),
    ("row-ko-plane", forget_ko, set()),
    ("row-value-sign", for_black, set()),
    ("row-history", skip_a_step, set()),
]


@pytest.mark.parametrize(("code", "plant", "also"), every(3, PLANTED, 3), ids=[case[1].__name__ for case in PLANTED])
def test_planted_errors_in_real_games(
    real: tuple[TrainingRows, list[Board], list[w7.Game]],
    code: str,
    plant: Callable[[dict[str, Any], int], bool],
    also: set[str],
) -> None:
    rows, _, records = real
    fields = {name: array.copy() for name, array in rows.arrays().items()}
    wrong = {row for row in range(0, len(rows), 1 if plant is forget_ko else 7) if plant(fields, row)}
    assert wrong
    found = w7.check_rows(fields, games=records, rules="japanese")
    assert {row.row for row in found if row.code == code} == wrong
    others = [row for row in found if row.code != code]
    assert {row.row for row in others} <= wrong  # nothing is invented
    assert {row.code for row in others} <= also


# --- games -------------------------------------------------------------------------------------------


def test_games_not_there() -> None:
    record = w7.Game(SIZE)
    record.tree.play(BLACK, (2, 2))
    rows = TrainingRows(
        own=np.zeros((4, SIZE, SIZE)), opponent=np.zeros((4, SIZE, SIZE)), game=[0, 0, 1, -1], move_number=[0, 2, 0, 0]
    )
    found = w7.check_rows(rows, games=record)
    assert [(row.code, row.row, row.severity) for row in found] == [
        ("row-unknown-position", row, "warning") for row in (1, 2, 3)
    ]
    assert found[0].message == "the game has 1 moves, so no position after move 2"
    assert found[1].message == "game 1 out of range (of 1)"


def test_no_rows_at_all() -> None:
    nothing = np.zeros((0, SIZE, SIZE), np.uint8)
    none = np.zeros(0, np.int64)
    assert (
        list(w7.check_rows({"own": nothing, "opponent": nothing, "game": none, "outcome": none, "to_move": none})) == []
    )


def test_planes_of_another_shape_are_compared_with_nothing() -> None:
    with pytest.raises(ValueError, match="rows without planes cannot be compared"):
        w7.check_rows({"own": np.zeros(3), "opponent": np.zeros(3)}, positions=positions())


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("own", lambda own: own[:-1]),
        ("own", lambda own: own.astype(object)),
        ("own", lambda own: own.astype(complex)),
        ("opponent", lambda stones: stones.astype(str)),
        ("game", lambda game: game.astype(float)),
        ("move_number", lambda numbers: numbers[:, None]),
    ],
)
def test_rows_of_games_with_a_wrong_array_are_findings(name: str, change: Any) -> None:
    batch = next(w7.samples(b"(;SZ[9]RE[B+R];B[ee];W[cc])", size=9, symmetry="none", shuffle=0))
    rows, games = batch.to_rows(), [w7.loads(b"(;SZ[9]RE[B+R];B[ee];W[cc])")]
    assert list(w7.check_rows([rows, rows], games=games)) == []
    wrong = replace(rows, **{name: change(getattr(rows, name))})
    found = w7.check_rows([wrong, rows], games=games)
    assert {one.code for one in found} == {"row-shape"}
    with pytest.raises(ValueError, match="rows say game and move_number"):
        w7.check_rows(replace(rows, game=None), games=games)


def test_arguments_of_a_check_of_rows_are_checked() -> None:
    plane = np.zeros((1, 3, 3), np.uint8)
    for name in ("sum_tolerance", "illegal_mass", "value_tolerance"):
        for wrong in (float("nan"), -1, "1", None, True):
            with pytest.raises(ValueError, match=f"{name} is a number from 0 on"):
                w7.check_rows({"own": plane, "opponent": plane}, **{name: wrong})
    with pytest.raises(TypeError, match=r"an integer, not 1\.5"):
        w7.check_rows({"own": plane, "opponent": plane}, most=1.5)  # type: ignore[arg-type]  # the test means to
    with pytest.raises(TypeError, match="lack own"):
        w7.check_rows({"own": None, "opponent": plane})


def test_the_side_of_a_game_is_that_of_its_next_move() -> None:
    """Handicap by hand: Black moves twice; then a pass, and the last position has the opponent of who moved last."""
    record = w7.Game(SIZE)
    moves = [(BLACK, (1, 1)), (BLACK, (3, 3)), (WHITE, (1, 3)), (BLACK, None)]
    boards = [Board(SIZE)]
    for color, point in moves:
        record.tree.play(color, point)
        boards.append(boards[-1].copy())
        boards[-1].play(color, point)
    colors = [BLACK, BLACK, WHITE, BLACK, WHITE]
    planes = w7.to_planes(boards, colors)
    fields = {
        "own": planes[:, 0], "opponent": planes[:, 1], "game": [0] * 5, "move_number": range(5),
        "to_move": np.array(colors),
    }  # fmt: skip
    assert list(w7.check_rows(fields, games=[record])) == []
    assert list(w7.check_rows({**fields, "to_move": None}, games=[record])) == []
    for row in range(5):
        colors_wrong = np.array(colors)
        colors_wrong[row] = 3 - colors_wrong[row]
        found = w7.check_rows({**fields, "to_move": colors_wrong}, games=[record])
        assert [(one.row, one.code) for one in found] == [(row, "row-side-to-move")]


def test_superko_of_games_and_boards() -> None:
    """A ko on the edge is retaken after an exchange elsewhere: natural superko forbids nothing, positional would."""
    moves = [
        (1, (1, 0)), (2, (2, 0)), (1, (0, 1)), (2, (3, 1)), (1, (1, 2)), (2, (2, 2)), (1, (4, 4)), (2, (1, 1)),
        (1, (2, 1)),
    ]  # fmt: skip
    record = w7.Game(SIZE)
    board = Board(SIZE)
    for color, point in moves:
        record.tree.play(color, point)
        board.play(color, point)
    for color in (WHITE, BLACK):  # two passes: simple ko forgets, superko does not
        record.tree.play(color, None)
        board.play(color, None)
    assert board.is_legal(WHITE, (1, 1), JAPANESE) and not board.is_legal(WHITE, (1, 1), TROMP_TAYLOR)
    planes = w7.to_planes(board, WHITE)
    policy = np.zeros((1, PASS + 1))
    policy[0, SIZE + 1] = 1
    rows = TrainingRows(
        own=planes[:1], opponent=planes[1:2], to_move=[WHITE], policy=policy, game=[0], move_number=[len(moves) + 2]
    )
    assert list(w7.check_rows(rows, games=[record], rules=JAPANESE)) == []
    for keywords in ({"games": [record]}, {"positions": [board]}):
        # Keywords of a table of cases.
        (finding,) = w7.check_rows(rows, rules=TROMP_TAYLOR, **keywords)  # type: ignore[arg-type]
        assert (finding.code, finding.x, finding.y) == ("row-policy-on-illegal", 1, 1)
        assert "positional-repeat" in finding.message
    for wrong in ({}, {"positions": board.to_array()[None]}, {"positions": [board.position(WHITE)]}):
        with pytest.raises(ValueError, match="superko needs moves"):
            w7.check_rows(rows, rules=TROMP_TAYLOR, **wrong)  # type: ignore[arg-type]  # keywords of a table of cases


def test_outcomes_against_the_other_rows_of_the_game() -> None:
    rows = {**batch(), "game": np.array([7, 7, 7])}
    del rows["winner"], rows["score"]
    assert list(w7.check_rows(rows)) == []
    rows["outcome"][1] = 1
    (finding,) = w7.check_rows(rows)
    assert (finding.row, finding.code) == (1, "row-value-sign")
    assert finding.message == "the outcome is 1 for White, and most rows of the game say that Black won"


# --- rules, options ----------------------------------------------------------------------------------


def test_rules_define_suicide() -> None:
    rows = batch()
    rows["legal"][2, 0] = 1
    assert [row.code for row in w7.check_rows(rows, rules=JAPANESE)] == ["row-legal-mask"]
    assert list(w7.check_rows(rows)) == []
    assert list(w7.check_rows(rows, rules=replace(JAPANESE, suicide=True))) == []
    rows["legal"][2, 0] = 0
    assert [row.message for row in w7.check_rows(rows, rules=replace(JAPANESE, suicide=True))] == [
        "the mask leaves out (0, 0), which is legal"
    ]
    rows["suicide"] = np.array([True, True, True])  # of blocks: a stone alone may still not be put there
    assert list(w7.check_rows(rows, rules=replace(JAPANESE, suicide=True))) == []


def test_tolerances() -> None:
    rows = batch()
    rows["policy"][0] *= 1.01
    assert w7.check_rows(rows).counts == {"row-policy-not-normalised": 1}
    assert w7.check_rows(rows, sum_tolerance=0.02).counts == {}
    rows = batch()
    rows["policy"][2] *= 0.9
    rows["policy"][2, 6] = 0.1
    assert w7.check_rows(rows).counts == {"row-policy-on-illegal": 1}
    assert w7.check_rows(rows, illegal_mass=0.11).counts == {}
    rows = batch()
    rows["value"][0], rows["outcome"][0] = 1.004, 0.996
    assert w7.check_rows(rows).counts == {"row-value-range": 1}
    assert w7.check_rows(rows, value_tolerance=0.005).counts == {}


def test_visits_and_rows_without_a_policy() -> None:
    rows = {**batch(), "policy_is_counts": True}
    rows["policy"] = (rows["legal"] * 30).astype(np.int16)
    assert list(w7.check_rows(rows)) == []
    rows["policy"][1] = 0
    assert [(row.row, row.code) for row in w7.check_rows(rows)] == [(1, "row-policy-not-normalised")]
    rows["policy"][1] = 1  # a filler
    assert w7.check_rows(rows).counts == {"row-policy-on-illegal": 1}
    assert w7.check_rows({**rows, "judge_policy": np.array([True, False, True])}).counts == {}


def test_select_ignore_and_most() -> None:
    rows = batch()
    rows["value"][:] = 7
    rows["policy"][:] = 0
    found = w7.check_rows(rows, most=4)
    assert [(row.row, row.code) for row in found] == [
        (0, "row-policy-not-normalised"), (0, "row-value-range"), (1, "row-policy-not-normalised"),
        (1, "row-value-range"),
    ]  # fmt: skip
    assert found.counts == {"row-policy-not-normalised": 3, "row-value-range": 3}
    assert w7.check_rows(rows, select=["row-value-range"]).counts == {"row-value-range": 3}
    assert w7.check_rows(rows, ignore=["row-value-range"], most=0).counts == {"row-policy-not-normalised": 3}
    with pytest.raises(ValueError, match=r"unknown code row-value-rang .choose from row-shape"):
        w7.check_rows(rows, select=["row-value-rang"])
    with pytest.raises(ValueError, match="as a list"):
        w7.check_rows(rows, ignore="row-shape")
    with pytest.raises(ValueError, match="not negative"):
        w7.check_rows(rows, most=-1)


def test_batches_count_their_rows_on(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = batch()
    rows["value"][2] = 2
    assert [row.row for row in w7.check_rows(iter([rows, TrainingRows(**rows)]))] == [2, 5]
    assert w7.check_rows([]).rows == 0
    named = [TrainingRows(**rows, source="a.npz", first_row=100), TrainingRows(**rows, source="b.npz")]
    assert [(row.source, row.row) for row in w7.check_rows(named)] == [("a.npz", 102), ("b.npz", 2)]
    monkeypatch.setattr(check, "_POINTS_AT_ONCE", 1)
    assert [(row.source, row.row) for row in w7.check_rows(named)] == [("a.npz", 102), ("b.npz", 2)]


def test_no_rows() -> None:
    rows = {name: array[:0] for name, array in batch().items()}
    found = w7.check_rows(rows)
    assert (len(found), found.rows, found.counts) == (0, 0, {})


def test_findings_are_a_table(tmp_path: Any) -> None:
    rows = batch()
    rows["own"][1, 1, 3] = 1
    found = w7.check_rows(rows)
    assert isinstance(found, RowFindings)
    assert found.to_numpy()["row"].tolist() == [1]
    assert isinstance(found[0], RowFinding)
    found.to_csv(tmp_path / "findings.csv")
    assert "row-planes-overlap,error,,1,3,1," in (tmp_path / "findings.csv").read_text(encoding="utf-8")


def test_sizes_beyond_planes() -> None:
    """Boards that are kept otherwise inside, and rectangles."""
    for width, height in ((30, 20), (40, 1), (1, 40), (70, 3)):
        board = Board(width, height)
        for x in range(width - 1):
            board.play(BLACK, (x, 0))
        board.play(WHITE, (width - 1, 0)) if height > 1 else None
        made = w7.to_planes(board, BLACK)
        rows = TrainingRows(own=made[:1], opponent=made[1:2], to_move=[BLACK])
        assert list(w7.check_rows(rows, positions=[board.position(BLACK)], rules="japanese")) == []
        full = TrainingRows(own=np.ones((1, height, width), np.uint8), opponent=np.zeros((1, height, width), np.uint8))
        assert [row.code for row in w7.check_rows(full)] == ["row-block-without-liberties"]


# --- refusals ----------------------------------------------------------------------------------------


def test_rows_that_are_none() -> None:
    rows = batch()
    with pytest.raises(TypeError, match="no field polciy; there are"):
        w7.check_rows({**rows, "polciy": rows["policy"]})
    with pytest.raises(TypeError, match="lack opponent"):
        w7.check_rows({"own": rows["own"]})
    with pytest.raises(TypeError, match="not ndarray"):
        w7.check_rows(rows["own"])
    for name, value in (("source", rows["own"]), ("first_row", None), ("first_row", 1.5), ("policy_is_counts", [0, 1])):
        with pytest.raises(TypeError, match=f"{name} is "):
            w7.check_rows({**rows, name: value})


def test_positions_that_do_not_fit() -> None:
    rows = batch()
    stones = np.array([position.to_array() for position in positions()])
    for wrong, message in [
        (stones[:2], "more rows than the 2 positions"),
        (np.concatenate([stones, stones]), "there are 3 rows and 6 positions"),
        (positions()[:1], "more rows than the 1 positions"),
        (positions() + positions(), "there are 3 rows and more positions"),
        (stones.astype(np.int64), "not int64"),
        (stones + 1, "positions hold 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            w7.check_rows(rows, positions=wrong)
    with pytest.raises(TypeError, match="position 0: expected Board or Position, got str"):
        w7.check_rows(rows, positions=["a", "b", "c"])  # type: ignore[list-item]  # the test passes a wrong type
    with pytest.raises(ValueError, match="not with both"):
        w7.check_rows(rows, positions=stones, games=[])
    with pytest.raises(ValueError, match="rows say game and move_number"):
        w7.check_rows(rows, games=[w7.Game(SIZE)])
    with pytest.raises(TypeError, match="game 0: expected Game, got Board"):
        w7.check_rows(rows, games=[Board(5)])  # type: ignore[list-item]  # the test passes a wrong type
    other = Board(4)
    (finding, *_) = w7.check_rows(rows, positions=[other] * 3)
    assert finding.message == "the board is 5 x 5, that of the game 4 x 4"


def test_errors_can_be_pickled() -> None:
    error = w7.TrainingFileError("it is broken", source="a.npz", row=3, place="policy")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "a.npz, row 3, policy: it is broken"
    assert (again.source, again.row, again.place, again.message) == ("a.npz", 3, "policy", "it is broken")
    assert isinstance(error, w7.Wei7Error) and isinstance(error, ValueError)
