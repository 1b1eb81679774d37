"""Games: reading, editing, writing, at any depth."""

import copy
import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import is_quick

from wei7core.errors import (
    BoardSizeError,
    LimitError,
    RecordError,
    RecordSyntaxError,
    Wei7Error,
)
from wei7core.game.dump import dump, dumps
from wei7core.game.game import Game
from wei7core.game.load import from_obj, load, loads
from wei7core.limits import Limits
from wei7core.record.document import (
    Branch,
    Info,
    Message,
    Move,
    Step,
    Unreadable,
)

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"
EXAMPLE_FILES = sorted(EXAMPLES.rglob("*.wei7"))
DEPTH = 10_000 if is_quick() else 100_000


def text(tree: str = "{}", more: str = "") -> str:
    return '{"format":"wei7","version":"3.0",' + more + '"tree":' + tree + "}"


def revision_of(path: Path) -> int:
    return 2 if "rev2" in path.parts else 7


def play(branch: Branch, *points: tuple[int, int] | None, color: int = 1) -> Branch:
    for point in points:
        branch.play(color, point)
    return branch


# --- reading and writing


def test_there_are_examples():
    assert len(EXAMPLE_FILES) == 10


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: "/".join(path.parts[-2:]))
def test_examples_lose_nothing_and_are_stable(path):
    data = path.read_bytes()
    revision = revision_of(path)
    game = loads(data, strict=path.name != "lg-cup.wei7", revision=revision)
    expected = json.loads(data)
    expected["format"] = "wei7"  # the two that lack it are repaired
    assert game.to_obj() == json.loads(dumps(game)) == expected
    assert dumps(loads(dumps(game), revision=revision)) == dumps(game)
    assert dumps(from_obj(expected, revision=revision)) == dumps(game)
    assert pickle.loads(pickle.dumps(game)) == copy.deepcopy(game) == game


@in_groups(
    "data",
    [
        text(),
        text('{"title":""}'),
        text('{"pre":{}}'),
        text('{"pre":{"stones":[],"marks":[],"comment":""}}'),
        text('{"steps":[]}'),
        text('{"branches":[]}'),
        text('{"branches":[{},{"steps":[],"branches":[{}]}]}'),
        text('{"steps":[{"action":{"type":"takeback","value":1},"marks":[]}]}').replace(
            "[{", '[{"action":{"type":"move","value":{"color":1,"point":null}}},{', 1
        ),
        text(more='"size":19,'),
        text(more='"size":{"width":19,"height":19},'),
        text(more='"size":{"width":1,"height":300},'),
        text(more='"info":{},'),
        text(more='"info":{"rules":{},"participants":[],"players":[]},'),
        text(more='"info":{"rules":{"komi":0},"result":{"winner":null}},'),
    ],
)
def test_presence_survives(data):
    assert dumps(loads(data)).decode() == data
    touched = loads(data)
    assert touched.tree is touched.tree
    assert dumps(touched).decode() == data


@in_groups(
    ("written", "back"),
    [
        ("51.234", "51.234"),
        ("45", "45"),
        ("45.0", "45"),
        ("4.5e1", "45"),
        ("-0.0", "0"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("1e-7", "1e-07"),
        ("1e-400", "1E-400"),
    ],
)
def test_times_keep_their_value(written, back):
    tree = '{"steps":[{"time":%s,"action":{"type":"message","value":""}}]}'
    assert dumps(loads(text(tree % written))).decode() == text(tree % back)


def test_data_of_every_kind_is_read():
    data = text().encode()
    for kind in (data, bytearray(data), memoryview(data), text(), memoryview(data + data)[: len(data)]):
        assert loads(kind) == loads(data)
    with pytest.raises(TypeError, match="got dict"):
        loads({})


def test_strict_reading_raises_the_first_error():
    data = text(
        '{"steps":[{"action":{"type":"move","value":{"color":1,"point":{"x":0,"y":0}}}},'
        '{"action":{"type":"move","value":{"color":1,"point":{"x":0,"y":0}}}}]}',
        '"x":1,',
    )
    with pytest.raises(RecordError) as caught:
        loads(data)
    assert caught.value.code == "unknown-member"
    assert [problem.code for problem in loads(data, strict=False).problems] == ["unknown-member", "move-occupied"]
    with pytest.raises(RecordError) as caught:
        loads(data.replace('"x":1,"tree"', '"tree"'))
    assert caught.value.code == "move-occupied"
    assert caught.value.path.startswith("$.tree.steps[1]")


def test_warnings_do_not_raise():
    assert [problem.severity for problem in loads(b"\xef\xbb\xbf" + text().encode()).problems] == ["warning"]


def test_broken_texts():
    for data in ("", "{", "nul", "\ud800", text('{"title":"\ud800"}')):
        with pytest.raises(RecordSyntaxError):
            loads(data)
        game = loads(data, strict=False)
        assert game.problems and not game.tree.steps
    assert loads(text('{"steps":[{"action":{"type":"message","value":"a"}},')[:-1], strict=False).tree.steps == [
        Step(Message("a"))
    ]


UNKNOWN = (
    '{"format":"wei7","version":"3.0","size":{"width":3,"height":4,"z":1},'
    '"tree":{"pre":{"stones":[{"color":1,"point":{"x":0,"y":0,"q":1},"r":{}}],"problem":{"color":1,"w":0},'
    '"marks":[{"point":{"x":0,"y":1,"t":1},"symbol":"a","s":2}],"k":1},'
    '"steps":[{"action":{"type":"move","value":{"color":1,"point":{"x":1,"y":1,"pp":1},"evaluation":"good","vv":1},'
    '"aa":1},"marks":[],"ss":[ 1.0 ]},{"action":{"type":"what"}},5,'
    '{"action":{"type":"result","value":{"winner":1,"rr":1}}},'
    '{"action":{"type":"mark","value":{"point":{"x":0,"y":0,"g":1},"symbol":"b","h":1}}},'
    '{"action":{"type":"message","value":7}},{"action":{"type":"takeback","value":9}}],'
    '"branches":[{"pre":{},"steps":[],"branches":[]}],"title":5},"u":{"deep":' + "[" * DEPTH + "]" * DEPTH + "}}"
)


def test_unknown_members_and_unreadable_steps_are_kept_and_written_back():
    game = loads(UNKNOWN, strict=False)
    assert game.tree.steps[2].action == Unreadable(b"5")
    assert not game.tree.steps[5].action.may_be_move
    assert dumps(game).decode() == UNKNOWN
    with pytest.raises(Wei7Error, match="nests too deep"):
        game.to_obj()
    with pytest.raises(RecordError):
        dumps(game, validate=True)


def test_dumps_validates_what_was_edited():
    game = Game(9)
    game.tree.play(1, (9, 0))
    with pytest.raises(RecordError) as caught:
        dumps(game)
    assert caught.value.code == "point-off-board"
    assert caught.value.path == "$.tree.steps[0].action.value.point.x"
    assert [problem.code for problem in game.check()] == ["point-off-board"]
    assert b'"x":9' in dumps(game, validate=False)
    game.tree.steps.clear()
    game.tree.say("\ud800")
    assert [problem.code for problem in game.check()] == ["surrogate-lone"]
    play(game.tree, (0, 0), (0, 0))
    assert "move-occupied" in [problem.code for problem in game.check()]


def test_revision_2_is_read_and_written_by_its_own_rules():
    data = text(
        '{"steps":[{"action":{"type":"move","value":{"color":1,"point":null,"evaluation":"trick",'
        '"problem":{"color":2}}},"marks":[{"point":{"x":0,"y":0},"symbol":"*"}]}]}'
    )
    with pytest.raises(RecordError):
        loads(data)
    game = loads(data, revision=2)
    assert dumps(game).decode() == data
    assert game.tree.steps[0].action == Move(1, None, "trick", 2)
    game.revision = 7
    losses = []
    assert loads(dumps(game, losses=losses)).tree.steps[0].comment == "A trick move.\nLabels: A19 *"
    assert [loss.code for loss in losses] == ["evaluation-dropped", "problem-moved", "label-replaced"]
    with pytest.raises(ValueError, match="revision 3"):
        loads(data, revision=3)


def test_from_obj_validates_like_loads():
    assert from_obj(json.loads(text())) == Game()
    obj = json.loads(text())
    obj["tree"]["steps"] = [{"action": {"type": "takeback", "value": True}}]
    with pytest.raises(RecordError) as caught:
        from_obj(obj)
    assert caught.value.path == "$.tree.steps[0].action.value"
    assert from_obj(obj, strict=False).problems
    obj["tree"]["steps"][0] = {"time": float("nan"), "action": {"type": "message", "value": ""}}
    with pytest.raises(RecordSyntaxError) as caught:
        from_obj(obj)
    assert caught.value.path == "$.tree.steps[0].time"
    with pytest.raises(TypeError, match=r"\$\.tree\.steps: set"):
        from_obj({"tree": {"steps": {1}}})


def test_limits_are_kept():
    with pytest.raises(LimitError):
        loads(text(), limits=Limits(max_bytes=10))
    with pytest.raises(LimitError):
        loads(text(more='"size":19,'), limits=Limits(max_points=360))


# --- files


def test_files(tmp_path):
    game = Game(9)
    game.tree.say("围棋")
    path = tmp_path / "a.wei7"
    dump(game, path)
    assert load(path) == load(str(path)) == game
    assert path.read_bytes() == dumps(game)
    game.tree.say("more")
    dump(game, path)
    assert load(path) == game
    assert os.listdir(tmp_path) == ["a.wei7"]


def test_suffixes(tmp_path):
    for name, code, severity in (("a.json", "file-suffix", "error"), ("a.WEI7", "file-suffix-case", "warning")):
        path = tmp_path / name
        path.write_text(text())
        (problem,) = load(path, strict=False).problems
        assert (problem.code, problem.severity, problem.clause, problem.offset) == (code, severity, "3.1", 0)
        with pytest.raises(RecordError, match=r"ends in \.wei7"):
            dump(Game(), path)
    with pytest.raises(RecordError) as caught:
        load(tmp_path / "a.json")
    assert caught.value.code == "file-suffix" and caught.value.source == str(tmp_path / "a.json")
    load(tmp_path / "a.WEI7")


def test_file_errors_stay_what_they_are(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.wei7")
    with pytest.raises(OSError):
        dump(Game(), tmp_path / "none" / "a.wei7")
    with pytest.raises(LimitError):
        (tmp_path / "a.wei7").write_text(text())
        load(tmp_path / "a.wei7", limits=Limits(max_bytes=5))


def test_a_failed_dump_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.wei7"
    dump(Game(), path)
    old = path.read_bytes()
    game = Game(9)
    game.tree.play(3, None)
    with pytest.raises(RecordError):
        dump(game, path)

    def fail(*_):
        raise OSError("disk")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk"):
        dump(Game(5), path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["a.wei7"]


# --- new games and sizes


def test_sizes():
    assert Game().size == (19, 19)
    assert json.loads(dumps(Game((9, 13))))["size"] == {"width": 9, "height": 13}
    game = loads(text())
    assert (game.size, game.record is None) == ((19, 19), False)
    game.size = (19, 19)
    assert dumps(game).decode() == text()
    game.size = (9, 9)
    assert json.loads(dumps(game))["size"] == 9
    game = loads(text(more='"size":{"width":5,"height":5},'))
    game.size = (7, 7)
    assert json.loads(dumps(game))["size"] == {"width": 7, "height": 7}
    game.size = 13
    assert game.size == (13, 13)
    for size in (True, 9.5, "13", None):
        with pytest.raises(TypeError, match="a side of the board is an integer"):
            game.size = size
    for size in (0, (9,), (9, 9, 9)):
        with pytest.raises(BoardSizeError):
            game.size = size
        with pytest.raises(BoardSizeError):
            Game(size)
    for size in (True, (9, True), 9.0, (9.0, 9), "9", [9, 9], None):
        with pytest.raises(TypeError, match="a side of the board is an integer"):
            Game(size)
    with pytest.raises(TypeError, match="handicap is an integer, not '2'"):
        Game(9, handicap="2")
    assert Game(np.int64(9)).size == (9, 9) and type(Game(np.int64(9)).size[0]) is int


def test_an_unreadable_size_is_kept_and_cannot_be_walked():
    data = text(more='"size":"big",').replace('"size":"big","tree":{}', '"tree":{},"size":"big"')
    game = loads(data, strict=False)
    assert game.size == (0, 0)
    assert dumps(game).decode() == data
    with pytest.raises(BoardSizeError):
        list(game.walk())


def test_tree_and_info_can_be_replaced():
    game = loads(text('{"title":"old"}', '"info":{"name":"old"},'))
    game.tree = Branch("new")
    game.info = Info()
    assert dumps(game).decode() == text('{"title":"new"}', '"info":{},')


def test_record_is_there_until_the_document_is_asked_for():
    game = loads(text())
    assert game.record is not None
    assert dumps(game).decode() == text()
    assert game.record is not None
    assert game.info.is_empty
    assert game.record is None


# --- deep games


def deep_text(depth: int) -> str:
    opening = '{"steps":[{"action":{"type":"move","value":{"color":1,"point":null}}}],"branches":['
    return text(opening * depth + "{}" + "]}" * depth)


@pytest.mark.exhaustive
def test_deep_games_are_read_walked_and_written():
    depth = 30_000
    data = deep_text(depth)
    game = loads(data)
    *_, (count, node) = enumerate(game.walk(), start=1)
    assert count == 2 * depth + 1
    assert len(node.path) == depth and node.move_number == depth
    (leaf,) = game.leaves()
    assert leaf.board.move_count == depth
    assert dumps(game).decode() == data


@pytest.mark.exhaustive
def test_deep_games_are_pickled_and_become_plain_objects():
    data = deep_text(10_000)
    game = loads(data)
    assert game.tree.branches
    assert pickle.loads(pickle.dumps(game)) == game
    assert dumps(from_obj(game.to_obj())).decode() == data


def test_equality_and_repr():
    assert Game() == Game() != Game(9)
    assert Game() != 1
    assert repr(Game((3, 4))) == "<Game 3x4, 0 moves>"
    game = loads(b"(;SZ[9]PB[Black]PW[White]RE[W+0.5];B[aa](;W[bb];B[cc])(;W[dd]))")
    assert repr(game) == "<Game 9x9, Black - White, W+0.5, 3 moves>" and game.record is not None
    assert repr(loads(b"(;SZ[9]PB[Black];B[aa];B[ss])", strict=False)).endswith("Black - ?, 1 move, 1 problem>")
    assert repr(next(Game().walk())) == "<Node: start of <Branch: 0 steps, 0 branches>, move 0>"
    with pytest.raises(TypeError):
        hash(Game())


def test_bytes_that_are_no_utf8_are_written_as_replacement_characters(tmp_path: Path):
    data = b'{"format":"wei7","version":"3.0","tree":{},"note":"\xff"}'
    path = tmp_path / "spoilt.wei7"
    dump(loads(data, strict=False), path)
    assert '"note":"\ufffd"' in path.read_text(encoding="utf-8")
