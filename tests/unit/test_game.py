"""Games: reading, walking with a board, meaning, editing, writing."""

import copy
import json
import os
import pickle
from pathlib import Path

import pytest

import wei7core.walk
from wei7core.board import Board
from wei7core.document import (
    Branch,
    Info,
    Message,
    Move,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)
from wei7core.errors import (
    BoardSizeError,
    LimitError,
    RecordError,
    RecordSyntaxError,
    Wei7Error,
)
from wei7core.game import Game, dump, dumps, from_obj, load, loads
from wei7core.limits import Limits
from wei7core.walk import parse_path

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"
EXAMPLE_FILES = sorted(EXAMPLES.rglob("*.wei7"))
DEPTH = 100_000


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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
    with pytest.raises(TypeError, match="not dict"):
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
    with pytest.raises(RecordError):
        dumps(game)
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
    with pytest.raises(BoardSizeError):
        Game(0)


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


# --- walking


class CountingBoard:
    """A board that counts the moves played, undone and copied on all boards."""

    operations = 0

    def __init__(self, *args, **named):
        self._board = args[0] if isinstance(args[0], Board) else Board(*args, **named)

    def play(self, color, point):
        CountingBoard.operations += 1
        return self._board.play(color, point)

    def undo(self, count):
        CountingBoard.operations += count
        self._board.undo(count)

    def setup(self, stones):
        CountingBoard.operations += len(stones)
        self._board.setup(stones)

    def copy(self):
        return self._board.copy()

    @property
    def _work(self):
        return self._board._work

    def _take_away(self, points):
        CountingBoard.operations += len(points)
        self._board._take_away(points)


@pytest.fixture
def operations(monkeypatch):
    CountingBoard.operations = 0
    monkeypatch.setattr(wei7core.walk, "Board", CountingBoard)
    return lambda: CountingBoard.operations


def branching_game(levels: int, steps: int) -> Game:
    game = Game(9)
    row = [game.tree]
    for _ in range(levels):
        for branch in row:
            play(branch, *[None] * steps)
        row = [branch.add_branch() for branch in row for _ in range(2)]
    return game


def test_walking_costs_two_operations_for_each_step(operations):
    game = branching_game(8, 5)
    steps = sum(len(branch.steps) for branch in game.tree.walk())
    assert sum(node.board.width > 0 for node in game.walk()) == steps + 511
    assert operations() == 2 * steps


def test_walking_down_costs_one_operation_for_each_step(operations):
    game = branching_game(8, 5)
    assert len(list(game.main_line())) == 8 * 5 + 9
    assert operations() == 40 + 40
    assert len(list(game.line("1.1"))) == 3 * 5 + 3
    assert operations() == 80 + 15


def test_nodes_of_a_walk():
    game = Game(5)
    root = play(game.tree, (0, 0))
    root.pre = Setup(comment="start")
    first = root.add_branch(Branch("first"))
    play(first, (1, 1), (2, 2), color=2).say("hello")
    second = play(root.add_branch(Branch("second")), (3, 3))
    nodes = list(game.walk())
    assert [(node.path, node.step_index, node.move_number) for node in nodes] == [
        ((), -1, 0), ((), 0, 1),
        ((0,), -1, 1), ((0,), 0, 2), ((0,), 1, 3), ((0,), 2, 3),
        ((1,), -1, 1), ((1,), 0, 2),
    ]  # fmt: skip
    assert nodes[0].step is None and nodes[0].comment == "start"
    assert [node.move for node in nodes[1:6]] == [(1, (0, 0)), None, (2, (1, 1)), (2, (2, 2)), None]
    assert nodes[5].step.action == Message("hello")
    assert [node.is_pause_point for node in nodes] == [True, True, False, True, True, False, False, True]
    assert [node.path for node in game.leaves()] == [(0,), (1,)]
    assert [node.step_index for node in game.leaves()] == [2, 0]
    assert [node.branch for node in game.main_line()] == [root] * 2 + [first] * 4
    assert [node.path for node in game.line((1,))] == [(), (), (1,), (1,)]
    assert list(game.line("-"))[-1].step is root.steps[0]
    assert game.branch_at("1") is game.branch_at([1]) is second
    assert game.branch_at("") is root


def test_paths():
    assert parse_path("0.12.3") == (0, 12, 3)
    assert parse_path("-") == parse_path("") == parse_path([]) == ()
    with pytest.raises(ValueError, match="'0,1' is not a path"):
        parse_path("0,1")
    game = Game()
    game.tree.add_branch()
    for path in ("1", "0.0", (-1,)):
        with pytest.raises(IndexError):
            game.branch_at(path)
        with pytest.raises(IndexError):
            game.line(path)


def test_boards_stay_right_when_they_are_kept():
    game = Game(5)
    play(game.tree, (0, 0), (1, 0)).take_back(1)
    play(game.tree.add_branch(), (2, 0)).take_back(2)
    game.tree.add_branch().play(2, (4, 4))
    kept_at_once = []
    for node in game.walk():
        kept_at_once.append(node.board)
    recomputed = [node.board for node in list(game.walk())]
    expected = [[], [(0, 0)], [(0, 0), (1, 0)], [(0, 0)], [(0, 0)], [(0, 0), (2, 0)], [], [(0, 0)], [(0, 0), (4, 4)]]
    for boards in (kept_at_once, recomputed):
        assert [[point for _, point in board.moves()] for board in boards] == expected
    assert kept_at_once == recomputed
    node = next(game.walk())
    assert node.board is node.board
    node.board.play(1, (3, 3))
    assert next(game.walk()).board == Board(5)


def test_a_takeback_into_the_parents_is_made_good_on_the_way_back():
    game = Game(3)
    root = game.tree
    # White's last move captures; taking it back puts the black stone there again.
    root.play(1, (0, 0))
    root.play(2, (1, 0))
    root.play(2, (0, 1))
    assert [node.removed for node in game.walk()] == [0, 0, 0, 1]
    child = root.add_branch()
    child.take_back(1)
    grandchild = child.add_branch()
    grandchild.take_back(2)
    grandchild.play(2, (2, 2))
    child.add_branch().play(1, (0, 1))
    root.add_branch().play(1, (0, 0))
    ends = [node.board.moves() for node in game.leaves()]
    first, second, third = (1, (0, 0)), (2, (1, 0)), (2, (0, 1))
    assert ends == [[(2, (2, 2))], [first, second, (1, (0, 1))], [first, second, third, (1, (0, 0))]]


def test_a_takeback_that_is_walked_over_and_over_meets_the_limit():
    game = Game(3, limits=Limits(max_moves=2000))
    play(game.tree, *[None] * 100)
    for _ in range(100):
        game.tree.add_branch().take_back(100)
    with pytest.raises(LimitError) as caught:
        list(game.walk())
    assert caught.value.code == "limit-replay"
    assert caught.value.path == "$.tree.branches[9]"
    assert len(list(game.main_line())) == 103


def test_preset_stones_of_one_branch_are_gone_in_the_next():
    game = Game(5)
    game.tree.add_branch(Branch(pre=Setup([Stone(1, (0, 0)), Stone(2, (4, 4))]))).play(1, (1, 1))
    game.tree.add_branch().play(2, (0, 0))
    boards = [node.board for node in game.leaves()]
    assert [boards[0][point] for point in ((0, 0), (4, 4), (1, 1))] == [1, 2, 1]
    assert [boards[1][point] for point in ((0, 0), (4, 4), (1, 1))] == [2, 0, 0]


def test_a_branch_ends_where_it_cannot_be_played():
    stone = [Stone(1, (0, 0))]
    for spoil in (
        lambda branch: branch.play(1, (0, 0)),
        lambda branch: branch.play(1, (9, 0)),
        lambda branch: branch.play(3, (1, 1)),
        lambda branch: branch.take_back(3),
        lambda branch: branch.take_back(0),
        lambda branch: branch.steps.append(Step(Unreadable(b"5"))),
    ):
        game = Game(5)
        play(game.tree, (0, 0))
        bad = play(game.tree.add_branch(), (1, 0))
        spoil(bad)
        bad.play(1, (2, 2))
        bad.add_branch().play(1, (3, 3))
        good = game.tree.add_branch()
        good.play(1, (2, 2))
        good.steps.append(Step(Unreadable(b"5", may_be_move=False)))
        good.play(1, (3, 3))
        assert [(node.path, node.step_index) for node in game.walk()] == [
            ((), -1), ((), 0), ((0,), -1), ((0,), 0), ((1,), -1), ((1,), 0), ((1,), 1), ((1,), 2)
        ]  # fmt: skip
        assert [(node.path, node.step_index) for node in game.leaves()] == [((0,), 0), ((1,), 2)]
        assert len(list(game.line("0.0"))) == 4
        assert [node.board.move_count for node in list(game.leaves())] == [2, 3]
    for setup in (
        Setup([Stone(1, (9, 0))]),
        Setup(stone * 2),
        Setup([Stone(1, (0, 0)), Stone(2, (0, 1)), Stone(2, (1, 0))]),
    ):
        game = Game(5)
        play(game.tree, (1, 1)).pre = setup
        assert [node.step_index for node in game.walk()] == [-1] == [node.step_index for node in game.leaves()]
    game = Game(5)
    play(game.tree, (1, 1)).take_back(1)
    play(game.tree.add_branch(Branch(pre=Setup(stone))), (2, 2))
    play(game.tree.add_branch(Branch(pre=Setup(kept_empty=frozenset({"stones"})))), (2, 2))
    assert [node.path for node in game.leaves()] == [(0,), (1,)]
    assert [node.step_index for node in game.leaves()] == [-1, 0]


def test_a_board_beyond_the_limit_is_refused_at_once():
    with pytest.raises(BoardSizeError):
        next(Game(3000).walk())


def deep_text(depth: int) -> str:
    opening = '{"steps":[{"action":{"type":"move","value":{"color":1,"point":null}}}],"branches":['
    return text(opening * depth + "{}" + "]}" * depth)


def test_deep_games_are_read_walked_and_written():
    depth = DEPTH
    data = deep_text(depth)
    game = loads(data)
    *_, (count, node) = enumerate(game.walk(), start=1)
    assert count == 2 * depth + 1
    assert len(node.path) == depth and node.move_number == depth
    (leaf,) = game.leaves()
    assert leaf.board.move_count == depth
    assert dumps(game).decode() == data


def test_deep_games_are_pickled_and_become_plain_objects():
    data = deep_text(10_000)
    game = loads(data)
    assert game.tree.branches
    assert pickle.loads(pickle.dumps(game)) == game
    assert dumps(from_obj(game.to_obj())).decode() == data


# --- meaning


def test_effective_times_never_decrease():
    game = Game()
    tree = game.tree
    assert not game.timeline
    tree.play(1, None)
    tree.play(2, None, time=5.5)
    tree.say("late", time=3)
    tree.play(1, None)
    tree.add_branch().play(2, None, time=7)
    tree.add_branch().play(2, None, time=2)
    assert game.timeline
    assert [node.effective_time for node in game.walk()] == [None, None, 5.5, 5.5, 5.5, 5.5, 7, 5.5, 5.5]
    assert [node.time for node in game.walk()] == [None, None, 5.5, 3, None, None, 7, None, 2]


def claims(*results: tuple[Result, int | None]) -> list[str | None]:
    game = Game()
    game.info.participants = [Participant("b"), Participant("w"), Participant("watcher")]
    game.info.players = [Player(0, 1), Player(1, 2)]
    for result, actor in results:
        game.tree.steps.append(Step(result, actor=actor))
    return [node.claim for node in game.main_line()][1:]


def test_claims():
    assert claims(
        (Result(1), 0),
        (Result(1), 1),
        (Result(2), 1),
        (Result(1), 2),
        (Result(1), None),
        (Result(None), 0),
        (Result(None, 1), 0),
        (Result(1, 0.5), 0),
        (Result(1, 0.5), None),
    ) == ["victory", "resignation", "victory", "statement", "statement", "draw", "draw", "score", "score"]
    game = Game()
    game.tree.play(1, None)
    assert [node.claim for node in game.main_line()] == [None, None]


@pytest.mark.parametrize(
    ("first", "second", "between", "confirmed"),
    [
        ((1, 2.5, 0), (1, 2.5, 1), None, True),
        ((None, 1, 0), (None, 1, 1), None, True),
        ((1, 2.5, 0), (1, 2.5, 0), None, False),
        ((1, 2.5, 0), (1, 3.5, 1), None, False),
        ((1, 2.5, 0), (2, 2.5, 1), None, False),
        ((1, None, 0), (1, None, 1), None, False),
        ((1, 2.5, None), (1, 2.5, 1), None, False),
        ((1, 2.5, 0), (1, 2.5, 1), Message("wait"), False),
    ],
)
def test_confirmed_results(first, second, between, confirmed):
    for branched in (False, True):
        game = Game()
        game.info.participants = [Participant(), Participant()]
        game.tree.claim(first[0], first[1], actor=first[2])
        if between:
            game.tree.steps.append(Step(between))
        branch = game.tree.add_branch() if branched else game.tree
        branch.claim(second[0], second[1], actor=second[2])
        assert (game.confirmed_result() == Result(*second[:2])) is confirmed
        assert [node.confirms_result for node in game.main_line()][-1] is confirmed


def test_problems_and_their_answers():
    game = Game()
    game.tree.play(1, None)
    branch = game.tree.add_branch(Branch(pre=Setup(problem=2)))
    branch.play(2, (0, 0), "good")
    branch.add_branch().play(1, (1, 0), "bad")
    game.tree.add_branch().play(1, (2, 0))
    nodes = list(game.walk())
    assert [node.problem for node in nodes] == [None, None, 2, None, None, None, None, None]
    assert [node.is_answer for node in nodes] == [False, False, False, True, False, True, False, False]


def test_a_move_of_revision_2_can_be_a_question():
    game = Game(revision=2)
    game.tree.steps.append(Step(Move(1, None, problem=2)))
    game.tree.play(2, None)
    assert [node.problem for node in game.walk()] == [None, 2, None]
    assert [node.is_answer for node in game.walk()] == [False, False, True]


def test_marks_and_comments_belong_to_their_node():
    game = loads((EXAMPLES / "rev7" / "simple.wei7").read_bytes())
    nodes = list(game.walk())
    assert [len(node.marks) for node in nodes[:4]] == [1, 0, 0, 2]
    assert [node.comment for node in nodes[:2]] == ["this is handicap!", "haha!"]
    assert game.confirmed_result() == game.info.result == Result(1, 2.5)
    assert (game.info.black_name, game.info.white_name) == ("me", "you")


def test_passes_and_takebacks():
    game = Game()
    play(game.tree, None, None).take_back(2)
    nodes = list(game.main_line())
    assert [node.move_number for node in nodes] == [0, 1, 2, 0]
    assert nodes[1].step.action.is_pass and nodes[3].step.action == Takeback(2)
    assert [node.is_pause_point for node in nodes] == [False, True, True, False]


def test_equality_and_repr():
    assert Game() == Game() != Game(9)
    assert Game() != 1
    assert repr(Game((3, 4))) == "<Game 3x4, 0 problems>"
    assert repr(next(Game().walk())) == "<Node: start of <Branch: 0 steps, 0 branches>, move 0>"
    with pytest.raises(TypeError):
        hash(Game())


def test_bytes_that_are_no_utf8_are_written_as_replacement_characters(tmp_path: Path):
    data = b'{"format":"wei7","version":"3.0","tree":{},"note":"\xff"}'
    path = tmp_path / "spoilt.wei7"
    dump(loads(data, strict=False), path)
    assert '"note":"\ufffd"' in path.read_text(encoding="utf-8")
