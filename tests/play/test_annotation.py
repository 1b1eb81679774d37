"""Analyses at nodes: what is written and read, what each format keeps, columns of an analysed game."""

from __future__ import annotations

import copy
import pickle

import pytest
from helpers.cases import in_groups
from wei7core.analysis import Analysis, MoveInfo, Row, annotate, game_columns

import wei7core as w7

SGF = b"(;GM[1]FF[4]SZ[9];B[dd];W[ee](;B[ff];W[gg])(;B[cc]))"


@in_groups(
    ("text", "expected"),
    [
        ("B[dd]LZ[0.7.4 52.3 1.6k\nmove C3 visits 1 winrate 5230 pv C3]", Analysis(0.523, None, 1600, (2, 6))),
        ("W[dd]LZ[KataGo 30 5\nmove pass visits 1]", Analysis(0.7, None, 5, "pass")),
        ("B[dd]LZ[0.7 52.3 2m]", Analysis(0.523, None, 2_000_000, None)),
        ("B[dd]LZ[0.7 52.3 12\nmove Z99 visits 3]", Analysis(0.523, None, 12, None)),
        ("B[dd]C[0.49 0.50 0.01 -0.3 v=100 weight=1.00]", Analysis(0.505, 0.3, 100, None)),
        ("B[dd]C[Pass for ko 1.00 0.00 0.00 12.5]", Analysis(0.0, -12.5)),
        ("B[dd]V[1]C[0.49 0.50 0.01 -0.3]", Analysis(None, 1.0)),
        (
            "B[dd]C[pachi: In 2039 playouts at 4 threads, black C3 can win with 52.3% probability.]",
            Analysis(0.523, None, 2039, (2, 6)),
        ),
        (
            "B[dd]C[a\nIn 5 playouts at 2 machines, white pass can win with 60.25% probability, while self-imposing"
            " extra komi 3.5.]",
            Analysis(0.3975, None, 5, "pass"),
        ),
        ("B[dd]C[In 5 playouts at 1 threads, white Z9 can win with 10.0% probability.]", Analysis(0.9, None, 5)),
        ("B[dd]C[In 5 playouts at 1 threads, white A1 can win with 210.0% probability.]", None),
        ("B[dd]C[In some playouts black A1 can win with 21.0% probability.]", None),
        ("B[dd]LZ[0.7 120 5]", None),
        ("B[dd]LZ[]", None),
        ("B[dd]C[0.49 0.70 0.01 -0.3]", None),
        ("B[dd]C[10.49 0.50 0.01 -0.3]", None),
        ("B[dd]C[0.49 0.50 0.01 -0.34]", None),
    ],
)
def test_what_other_programs_wrote_is_read(text: str, expected: Analysis | None) -> None:
    data = f"(;SZ[9];{text})"
    game = w7.loads(data)
    assert game.root.next.analysis == expected
    assert w7.loads(w7.dumps(game, format="sgf")).root.next.analysis == expected
    game.root.next.analysis = Analysis(0.25)
    assert game.root.next.analysis == Analysis(0.25)


def row(turn: int, winrate: float = 0.25, lead: float = -3.5, **members: object) -> Row:
    found = Row(turn=turn, winrate=winrate, score_lead=lead, visits=100 + turn, color=1 + turn % 2)
    found.moves = [MoveInfo((turn, 0), order=0), MoveInfo(None, order=1)]
    for name, value in members.items():
        setattr(found, name, value)
    return found


@in_groups(
    "analysis",
    [
        Analysis(0.5),
        Analysis(0.0, 0.0, 0, (0, 0)),
        Analysis(1.0, -361.5, 10**12, "pass"),
        Analysis(score_lead=0.000001),
        Analysis(visits=7),
        Analysis(best=(8, 8)),
        Analysis(0.123456, 2.25),
    ],
)
def test_an_analysis_survives_sgf(analysis: Analysis) -> None:
    game = w7.loads(SGF)
    game.root.analysis = analysis
    game.root.next.next.analysis = analysis
    again = w7.loads(w7.dumps(game, format="sgf"))
    assert again.problems == ()
    assert again.root.analysis == again.root.next.next.analysis == analysis
    assert again.root.next.analysis is None
    again.root.analysis = None
    again.root.next.next.analysis = None
    assert again.root.analysis is None
    assert w7.dumps(again, format="sgf") == w7.dumps(w7.loads(SGF), format="sgf")


def test_how_it_is_written() -> None:
    game = w7.loads(SGF)
    game.root.next.analysis = Analysis(0.6125, -3.5, 1000, (3, 4))
    assert b";B[dd]V[-3.5]SBKV[61.25]ANALYSIS[1000:de]" in w7.dumps(game, format="sgf")
    game.root.next.analysis = Analysis(best="pass")
    assert dict(game.root.next.properties) == {"ANALYSIS": (":pass",)}


@in_groups(
    ("properties", "analysis"),
    [
        (b"V[1.5]", Analysis(score_lead=1.5)),
        (b"SBKV[48.7]V[x]", Analysis(0.487)),
        (b"SBKV[101]", None),
        (b"SBKV[nan]V[inf]", None),
        (b"ANALYSIS[]", None),
        (b"ANALYSIS[12:zz]", Analysis(visits=12)),
        (b"ANALYSIS[-3:aa]", Analysis(best=(0, 0))),
        (b"ANALYSIS[99999999999999999999:]", None),
        (b"ANALYSIS[12]", Analysis(visits=12)),
    ],
)
def test_what_other_programs_write(properties: bytes, analysis: Analysis | None) -> None:
    game = w7.loads(b"(;SZ[9];B[dd]" + properties + b")", strict=False)
    assert game.root.next.analysis == analysis


def test_formats_without_a_place_list_it_as_a_loss() -> None:
    game = w7.Game(9)
    game.add_line("D4 E5").analysis = Analysis(0.5, 1.0, 100)
    losses: list[w7.Loss] = []
    assert w7.loads(w7.dumps(game, losses=losses)).root.next.next.analysis is None
    assert {loss.code for loss in losses} == {"property-dropped"}
    assert sum(loss.count for loss in losses) == 3


def test_edits_of_analyses_are_made_whole_or_not_at_all() -> None:
    game = w7.loads(SGF)
    game.root.next.analysis = Analysis(0.5)
    with pytest.raises(ZeroDivisionError), game.edit():
        game.root.next.analysis = Analysis(0.75)
        raise ZeroDivisionError
    assert game.root.next.analysis == Analysis(0.5)
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other.root.next.analysis == Analysis(0.5)


@pytest.mark.parametrize("wrong", [{"winrate": 1.5}, {"winrate": float("nan")}, {"score_lead": -float("inf")}])
def test_numbers_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"is .*, not "):
        Analysis(**wrong)  # type: ignore[arg-type]  # what is refused


def test_what_a_node_refuses() -> None:
    game = w7.loads(SGF)
    with pytest.raises(TypeError, match=r"an Analysis or None, not 0\.5"):
        game.root.analysis = 0.5  # type: ignore[assignment]  # what is refused
    with pytest.raises(w7.OffBoardError):
        game.root.analysis = Analysis(best=(9, 0))
    assert game.root.analysis is None


@pytest.mark.parametrize(
    ("perspective", "expected"),
    [
        ("black", [(0.25, -3.5), (0.25, -3.5)]),
        ("white", [(0.75, 3.5), (0.75, 3.5)]),
        ("side-to-move", [(0.25, -3.5), (0.75, 3.5)]),
    ],
)
def test_rows_of_an_engine_are_written_to_the_main_line(perspective, expected) -> None:
    game = w7.loads(SGF)
    rows = [row(2), row(3), Row(turn=1, error="refused"), Row(error="no game")]
    assert annotate(game, rows, perspective=perspective) == 2
    nodes = [node for node in game.main_line() if node.step is not None and node.analysis is not None]
    assert [node.move_number for node in nodes] == [2, 3]
    assert [(node.analysis.winrate, node.analysis.score_lead) for node in nodes] == expected
    assert [(node.analysis.visits, node.analysis.best) for node in nodes] == [(102, (2, 0)), (103, (3, 0))]


def test_the_rows_of_one_game_of_many() -> None:
    game = w7.loads(SGF)
    rows = [row(1, game=0), row(2, game=1), row(3, game=1)]
    assert annotate(game, rows, number=1) == 2
    assert game_columns(game)["turn"] == [2, 3]


def test_a_turn_after_a_takeback_is_that_of_the_move_in_force() -> None:
    game = w7.Game(9)
    game.root.play("D4").play("E5")
    game.tree.steps += [w7.Step(w7.Takeback(1)), w7.Step(w7.Move(2, (0, 0))), w7.Step(w7.Message("hello"))]
    annotate(game, [row(1), row(2)])
    assert [step.properties.get("ANALYSIS") for step in game.tree.steps] == [
        ("101:ba",),
        None,
        None,
        ("102:ca",),
        None,
    ]


def test_what_annotate_refuses() -> None:
    game = w7.loads(SGF)
    with pytest.raises(IndexError, match="turn 5 is out of range: the line has 4 moves"):
        annotate(game, [row(5)])
    with pytest.raises(ValueError, match="black, white, side-to-move, not 'mine'"):
        annotate(game, [], perspective="mine")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(ValueError, match="turn 1 has no color"):
        annotate(game, [row(1, color=None)], perspective="side-to-move")


def test_columns_of_an_analysed_game() -> None:
    game = w7.loads(SGF)
    annotate(game, [row(0), row(2, moves=[MoveInfo(None)])])
    game.root.next.next.children[1].analysis = Analysis(0.5)
    assert game_columns(game) == {
        "branch": ["-", "-", "1"],
        "turn": [0, 2, 3],
        "color": ["B", "B", "W"],
        "move": [None, "E5", "C7"],
        "winrate": [0.25, 0.25, 0.5],
        "score_lead": [-3.5, -3.5, None],
        "visits": [100, 102, None],
        "best": ["A9", "pass", None],
    }
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert pyarrow.table(game_columns(game)).num_rows == 3


def test_turns_that_were_taken_back_are_out_of_range() -> None:
    game = w7.Game(9)
    for point in ((0, 0), (1, 1), (2, 2)):
        game.tree.play(1, point)
    game.tree.take_back(2)
    game.tree.play(2, (3, 3))
    assert annotate(game, [row(1), row(2)]) == 2
    assert [node.move for node in game.main_line() if node.analysis] == [(1, (0, 0)), (2, (3, 3))]
    with pytest.raises(IndexError, match="turn 3 is out of range: the line has 2 moves"):
        annotate(game, [row(3)])
