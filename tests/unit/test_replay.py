"""Replay of single records: figures, problems and their places, limits, threads."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.cases import in_groups

from wei7core.formats.wei7.decode import decode
from wei7core.limits import Limits
from wei7core.replaying.replay import PausePoint, Replayed, pause_points, replay_record

BLACK, WHITE = 1, 2


def move(color, x=None, y=None):
    point = None if x is None else {"x": x, "y": y}
    return {"action": {"type": "move", "value": {"color": color, "point": point}}}


def takeback(count):
    return {"action": {"type": "takeback", "value": count}}


def stone(color, x, y):
    return {"color": color, "point": {"x": x, "y": y}}


def text(tree, size=3):
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, "tree": tree}).encode()


def record(tree, size=3, **limits):
    return decode(text(tree, size), limits=Limits(**limits))


def replayed(tree, size=3, **limits):
    return replay_record(record(tree, size), limits=Limits(**limits))


def test_figures_are_those_of_the_moves_in_force():
    steps = [move(BLACK, 1, 0), move(BLACK, 0, 1), move(WHITE, 0, 0), move(WHITE), takeback(1), move(BLACK)]
    result = replayed({"steps": steps})
    assert (result.moves, result.passes, result.takebacks, result.suicides) == (4, 1, 1, 1)
    assert (result.black_captured, result.white_captured) == (0, 1)
    assert result.position == ".X.X....."
    assert result.board.moves() == [(BLACK, (1, 0)), (BLACK, (0, 1)), (WHITE, (0, 0)), (BLACK, None)]


def test_ko_recapture_is_counted_once_it_brings_the_position_back():
    fence = [move(BLACK, 1, 0), move(BLACK, 0, 1), move(BLACK, 1, 2), move(WHITE, 2, 0), move(WHITE, 3, 1)]
    fence += [move(WHITE, 2, 2), move(WHITE, 1, 1)]
    size = {"width": 4, "height": 3}
    assert replayed({"steps": [*fence, move(BLACK, 2, 1)]}, size).ko_recaptures == 0
    result = replayed({"steps": [*fence, move(BLACK, 2, 1), move(WHITE, 1, 1)]}, size)
    assert result.ko_recaptures == 1
    assert (result.black_captured, result.white_captured) == (1, 1)


def test_the_main_line_takes_the_first_branch_at_every_fork():
    fork = [
        {"steps": [move(WHITE, 1, 1)], "branches": [{}, {"steps": [move(BLACK, 2, 2)]}]},
        {"steps": [move(WHITE, 0, 1)]},
    ]
    result = replayed({"steps": [move(BLACK, 0, 0)], "branches": fork})
    assert result.moves == 2
    assert result.position == "X...O...."


def test_a_branch_that_takes_back_moves_of_its_parents_leaves_them_to_the_next_branch():
    side = {
        "steps": [takeback(3), move(WHITE, 2, 2)],
        "branches": [{"steps": [takeback(1)]}, {"steps": [move(BLACK, 0, 0)]}],
    }
    tree = {
        "steps": [move(BLACK, 0, 0), move(WHITE)],
        "branches": [{"steps": [move(BLACK, 1, 1)], "branches": [{}, side, {"steps": [move(WHITE, 2, 0)]}]}],
    }
    ends = {point.branch: point for point in pause_points(record(tree))}
    assert ends["0.1.1"].position == "X.......O"
    assert ends["0.2"] == PausePoint("0.2", 0, 4, WHITE, (2, 0), ends["0.2"].hash, "X.O.X....")


def test_preset_stones_of_one_branch_are_gone_in_the_next():
    stones = {"pre": {"stones": [stone(BLACK, 0, 0)]}, "steps": [move(WHITE, 1, 1)]}
    other = {"pre": {"stones": [stone(WHITE, 2, 2)]}}
    points = [
        (p.branch, p.step, p.move_number, p.position) for p in pause_points(record({"branches": [stones, other]}))
    ]
    assert points == [("0", None, 0, "X........"), ("0", 0, 1, "X...O...."), ("1", None, 0, "........O")]


def test_pause_points_are_pickled():
    point = PausePoint("-", 0, 1, 1, (2, 3), 4, "...")
    assert pickle.loads(pickle.dumps(point)) == point


def test_every_move_and_every_pre_is_a_pause_point():
    message = {"action": {"type": "message", "value": "hello"}}
    tree = {
        "pre": {},
        "steps": [move(BLACK, 0, 0), message, takeback(1), move(WHITE)],
        "branches": [{"pre": {"comment": "?"}}],
    }
    points = [(p.branch, p.step, p.move_number, p.color, p.point) for p in pause_points(record(tree))]
    assert points == [
        ("-", None, 0, None, None),
        ("-", 0, 1, BLACK, (0, 0)),
        ("-", 3, 1, WHITE, None),
        ("0", None, 1, None, None),
    ]


def test_a_move_on_an_occupied_point_ends_its_branch_alone():
    tree = {
        "steps": [move(BLACK, 0, 0)],
        "branches": [
            {"steps": [move(WHITE, 1, 1)]},
            {
                "steps": [move(WHITE, 2, 2), move(WHITE, 0, 0), move(BLACK, 1, 0)],
                "branches": [{"steps": [move(WHITE)]}],
            },
            {"steps": [move(BLACK, 2, 0)]},
        ],
    }
    result = replayed(tree)
    assert result.moves == 2
    assert result.error in result.problems
    assert (result.error.code, result.error.severity, result.error.path) == (
        "move-occupied",
        "error",
        "$.tree.branches[1].steps[1].action.value.point",
    )
    assert result.error.message == "move 3, white (0, 0), is on an occupied point"
    assert [p.branch for p in pause_points(record(tree))] == ["-", "0", "1", "2"]


def test_the_error_of_the_main_line_comes_before_that_of_an_earlier_branch():
    bad = {"steps": [move(WHITE, 0, 0)]}
    # The branch is in the text before the steps that fail.
    data = text({"branches": [{}, bad], "steps": [move(BLACK, 0, 0), move(BLACK, 0, 0)]})
    result = replay_record(decode(data))
    assert result.error.path == "$.tree.steps[1].action.value.point"
    assert result.moves == 1


def test_an_unreadable_step_ends_the_branch_and_names_its_problem():
    broken = {"action": {"type": "move", "value": {"color": 3, "point": {"x": 0, "y": 0}}}}
    result = replayed({"steps": [move(BLACK, 1, 1), broken, move(WHITE, 2, 2)]})
    assert result.moves == 1
    assert result.error.path == "$.tree.steps[1].action.value.color"


def test_a_breach_that_leaves_the_moves_readable_is_no_error():
    result = replayed({"steps": [move(BLACK, 1, 1)], "remark": 1})
    assert result.error is None
    assert [problem.code for problem in result.problems] == ["unknown-member"]


def test_preset_stones_without_a_liberty():
    tree = {
        "pre": {"stones": [stone(BLACK, 1, 0), stone(WHITE, 0, 0), stone(BLACK, 0, 1)]},
        "steps": [move(WHITE, 2, 2)],
    }
    result = replayed(tree)
    # The stone named is the first that has no liberty or takes the last one of its neighbour.
    assert (result.error.code, result.error.path) == ("setup-no-liberty", "$.tree.pre.stones[0]")
    assert result.error.message == "the black stone (1, 0) or one next to it has no liberty"
    assert (result.moves, result.position) == (0, "." * 9)


def test_unreadable_preset_stones_end_the_branch():
    result = replayed({"pre": {"stones": [stone(BLACK, 0, 0), stone(WHITE, 0, 0)]}, "steps": [move(WHITE, 2, 2)]})
    assert (result.error.code, result.moves) == ("setup-point-taken", 0)


def test_text_that_breaks_off_keeps_what_was_reached():
    data = text({"steps": [move(BLACK, 0, 0), move(WHITE, 1, 1)]})
    result = replay_record(decode(data[: data.index(b'"y": 1')]))
    assert result.error.code == "json-syntax"
    assert result.moves == 1


@in_groups("data", [b"", b"[]", b"{", b'{"format": "wei7"}', b"\xff\xfe", b"(;GM[1])"])
def test_a_text_without_a_tree_has_an_error(data):
    result = replay_record(decode(data))
    assert result.error is not None
    assert (result.moves, list(pause_points(decode(data)))) == (0, [])


def test_a_board_beyond_the_limit_is_not_made():
    result = replay_record(record({"steps": [move(BLACK, 0, 0)]}, 100), limits=Limits(max_points=9_999))
    assert (result.board, result.position, result.hash, result.canonical_hash) == (None, None, None, None)
    assert (result.error.code, result.problems) == ("board-size-unsupported", (result.error,))
    assert list(pause_points(record({}, 100), limits=Limits(max_points=9_999))) == []


def test_an_unknown_size_is_the_error():
    result = replay_record(decode(b'{"format": 1, "version": "3.0", "size": 0, "tree": {}}'))
    assert (result.error.path, result.board) == ("$.size", None)


@pytest.mark.parametrize(("moves", "code"), [(3, None), (2, "limit-replay")])
def test_the_limit_of_moves(moves, code):
    tree = {"steps": [move(BLACK, 0, 0), takeback(1), move(WHITE, 1, 1)]}
    result = replayed(tree, max_moves=moves)
    assert (result.error.code if result.error else None) == code
    assert result.moves == (1 if code is None else 0)


def test_the_limit_counts_what_has_to_be_put_back():
    branch = {"steps": [takeback(2)]}
    tree = {"steps": [move(BLACK, 0, 0), move(WHITE, 1, 1)], "branches": [branch] * 3}
    # 2 moves, 3 takebacks of 2, put back after two of them; the third branch is the last, but is left like the others.
    assert replayed(tree, max_moves=14).error is None
    result = replayed(tree, max_moves=13)
    assert result.error.code == "limit-replay"
    assert result.error.path == "$.tree.branches[2]"
    assert result.moves == 0


def test_setting_up_stones_again_and_again_meets_the_limit():
    tree = {"branches": [{"pre": {"stones": [stone(BLACK, x, 0) for x in range(10)]}}] * 100}
    assert replayed(tree, size=19, max_moves=1100).error is None
    assert replayed(tree, size=19, max_moves=999).error.code == "limit-replay"


def test_problems_are_listed_up_to_their_limit():
    tree = {"steps": [move(BLACK, 0, 0)], "branches": [{"steps": [move(BLACK, 0, 0)]}] * 9}
    result = replayed(tree, max_problems=4)
    assert [problem.code for problem in result.problems] == ["move-occupied"] * 4 + ["limit-problems"]


def test_branches_nest_to_any_depth():
    depth = 200_000
    data = b'{"format":"wei7","version":"3.0","tree":' + b'{"branches":[' * depth + b"{}" + b"]}" * depth + b"}"
    assert replay_record(decode(data)).error is None


def test_a_record_may_be_replayed_by_many_threads():
    tree = {
        "steps": [move(BLACK, 0, 0)],
        "branches": [{"steps": [takeback(1), move(WHITE, 1, 1)]}, {"steps": [move(WHITE, 2, 2)]}],
    }
    shared = record(tree)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: replay_record(shared), range(200)))
    assert {(result.hash, result.moves, result.takebacks) for result in results} == {(results[0].hash, 1, 1)}


def test_the_board_of_a_result_is_a_copy():
    result = replayed({"steps": [move(BLACK, 0, 0)]})
    result.board.play(WHITE, (1, 1))
    assert result.board.move_count == 1


def test_results_and_iterators_are_made_by_their_functions_alone():
    with pytest.raises(TypeError):
        Replayed()
    with pytest.raises(TypeError):
        replay_record(None)
    with pytest.raises(AttributeError):
        replayed({}).moves = 3
