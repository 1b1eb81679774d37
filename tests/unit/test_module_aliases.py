"""Modules have second names: `wei7core.gtp`, and those that pickles of release 0.1.0 contain."""

import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core._util.module_aliases import FORMER, PUBLIC

DATA = Path(__file__).resolve().parents[1] / "data"
GAMES = {
    "wei7": "examples/rev7/lg-cup-with-format.wei7",
    "sgf": "examples/sgf/variations.sgf",
    "wei7-2.2": "wei7-2.2/simple.wei7",
    "giseong": "examples/giseong/variation.cp949.txt",
}


@pytest.fixture(scope="module")
def pickled():
    return pickle.loads((DATA / "pickled-by-0.1.0.bin").read_bytes())


@pytest.mark.parametrize("format", GAMES)
def test_games(pickled, format):
    game = w7.load(DATA / GAMES[format])
    assert pickled[format] == game
    assert pickled[format].format == format
    assert [node.board.hash for node in pickled[format].main_line()] == [node.board.hash for node in game.main_line()]


def test_records_and_trees(pickled):
    assert pickled["record"].source == (DATA / GAMES["sgf"]).read_bytes()
    assert pickled["tree"] == w7.load(DATA / GAMES["wei7"]).tree


def test_boards_and_their_parts(pickled):
    board = w7.Board(9)
    board.play(w7.BLACK, (2, 2))
    board.play(w7.WHITE, (2, 3))
    assert pickled["board"] == board
    assert pickled["board"].moves() == board.moves()
    assert pickled["position"] == board.position(w7.BLACK)
    assert pickled["points"] == w7.PointSet([(1, 1), (3, 2)], 9, 9)
    assert pickled["block"] == board.block((2, 2))
    assert pickled["ladder"] == board.ladder((2, 2))
    assert pickled["pass_alive"] == board.pass_alive(w7.BLACK)


def test_values(pickled):
    assert pickled["rules"] == w7.rules.JAPANESE
    assert pickled["limits"] == w7.DEFAULT_LIMITS
    assert pickled["result"] == w7.GameResult.parse("B+3.5")
    assert str(pickled["score"]) == str(w7.score(pickled["board"], "japanese", komi=0.5))
    assert pickled["row"] == w7.replay(DATA / GAMES["wei7"])[0]._replace(source=pickled["row"].source)


def test_errors(pickled):
    for name, kind in (
        ("illegal", w7.IllegalMoveError),
        ("off_board", w7.OffBoardError),
        ("record_error", w7.RecordError),
    ):
        assert isinstance(pickled[name], kind)
        assert str(pickled[name])


@in_groups("name", [*FORMER, *PUBLIC])
def test_an_alias_is_the_module_itself(name):
    alias = importlib.import_module(f"wei7core.{name}")
    assert alias is importlib.import_module(f"wei7core.{({**FORMER, **PUBLIC})[name]}")
    assert getattr(w7, name) is alias


@pytest.mark.parametrize("first", ["wei7core.gtp.protocol", "wei7core.play.gtp.protocol"])
def test_modules_inside_an_alias_are_imported_once(first):
    code = (
        f"import {first}, wei7core.gtp.protocol as a, wei7core.play.gtp.protocol as b; assert a is b; print(a.__name__)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "wei7core.play.gtp.protocol\n"


def test_other_modules_are_not_found():
    for name in ("nothing", "gtp.nothing", "nothing.gtp"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(f"wei7core.{name}")
