"""The examples of wei7 2.2: every position, count and capture that is known about them, and that they come back."""

import hashlib

import pytest
from helpers.cases import in_groups
from samples.wei7xml_texts import EXAMPLES, NAMES, example

import wei7core
from wei7core.formats.wei7xml.decode import decode
from wei7core.replaying.replay import pause_points, replay_record

# file, branch (the game as played first at each fork), moves in force, passes, stones taken, stones left, digest
POSITIONS = """
simple - 1 0 0 0 3 1 c43319abcf2141dc
simple 0 4 2 0 0 4 1 eaf94f6d55e89c52
simple 1 2 0 0 0 4 1 eaf94f6d55e89c52
simple 2 2 0 0 0 4 1 3570a6a688458a50
tutorial - 0 0 0 0 0 0 5ab66411c998e374
tutorial 0 0 0 0 0 0 0 5ab66411c998e374
tutorial 0.0 1 0 0 1 4 0 10fa19444877fc7e
tutorial 0.1 1 0 0 5 6 0 a8de5ede845caedc
tutorial 1 0 0 0 0 33 33 f2af6449ce3a3eb4
lg-cup - 163 0 4 3 78 78 06a5f6bbc155bae3
"""
LG_MARKS = {24: 3, 30: 3, 42: 1, 46: 2, 55: 1, 82: 1, 115: 2, 117: 2, 122: 11, 123: 5, 139: 8, 143: 11, 144: 1, 148: 12}


def picture(board):
    rows = ("".join(".XO"[board[x, y]] for x in range(board.width)) for y in range(board.height))
    return "".join(row + "\n" for row in rows)


@in_groups("row", POSITIONS.split("\n")[1:-1])
def test_positions(row):
    name, path, *numbers, digest = row.split()
    moves, passes, black_taken, white_taken, black, white = map(int, numbers)
    *_, node = wei7core.loads(example(name)).line(path)
    cells = node.board.to_array()
    assert (node.move_number, sum(point is None for _, point in node.board.moves())) == (moves, passes)
    assert (node.board.black_captured, node.board.white_captured) == (black_taken, white_taken)
    assert (int((cells == 1).sum()), int((cells == 2).sum())) == (black, white)
    assert hashlib.sha256(picture(node.board).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("name", NAMES)
def test_no_example_has_a_problem(name):
    assert wei7core.loads(example(name)).problems == ()


def test_the_lg_cup_game_is_the_one_of_the_other_formats():
    xml = wei7core.loads(example("lg-cup"))
    json = wei7core.load(EXAMPLES.parent / "examples" / "rev7" / "lg-cup-with-format.wei7")
    nodes = [node for node in xml.main_line() if node.move]
    others = [node for node in json.main_line() if node.move]
    assert [node.move for node in nodes] == [node.move for node in others]
    marks = [sorted((mark.point, mark.symbol) for mark in node.marks) for node in nodes]
    assert marks == [sorted((mark.point, mark.symbol) for mark in node.marks) for node in others]
    assert {node.move_number: len(node.marks) for node in nodes if node.marks} == LG_MARKS
    commented = [node.move_number for node in nodes if node.comment]
    assert set(commented) == {node.move_number for node in others if node.comment}


def test_the_content_of_the_simple_example():
    game = wei7core.loads(example("simple"))
    info, tree = game.info, game.tree
    assert (info.domain, info.id, info.name) == ("wei7", "3827112", "the game between you and me")
    assert (info.rules.scoring, info.rules.komi, info.rules.type) == ("area", 7.5, "Chinese")
    assert info.time == "2011-09-06T02:35:19.5822023+08:00"
    assert [(one.domain, one.id, one.name) for one in info.participants] == [
        ("qq", "123456789", "me"),
        ("qq", "987654321", "you"),
    ]
    assert [(one.participant, one.color) for one in info.players] == [(0, 1), (1, 2)]
    assert (info.result.winner, info.result.margin) == (2, 2.5)
    assert (tree.title, tree.pre.comment) == ("handicap title", "this is handicap!")
    assert [(mark.point, mark.symbol) for mark in tree.pre.marks] == [((8, 14), "a")]
    assert (tree.steps[0].comment, tree.steps[0].action.problem) == ("haha!", 1)
    main, first, second = tree.branches
    assert [(step.action.color, step.action.point) for step in main.steps] == [(1, (17, 8)), (2, None), (1, None)]
    assert [(mark.point, mark.symbol) for mark in main.steps[0].marks] == [((12, 3), "*"), ((12, 4), "*")]
    assert (main.steps[0].splitter, main.steps[0].action.evaluation, main.steps[2].comment) == ("medium", "bad", "def")
    assert (first.pre, [step.action.point for step in first.steps]) == (None, [(17, 8)])
    assert (second.pre.comment, second.steps[0].action.evaluation) == ("second variation", "good")


def test_titles_and_problems_of_the_tutorial():
    game = wei7core.loads(example("tutorial"))
    assert [branch.title for branch in game.tree.walk()] == [
        "目录",
        "如何吃子",
        "吃子示例 1",
        "吃子示例 2",
        "怎样判断胜负",
    ]
    assert [branch.pre.problem for branch in game.tree.walk()] == [None, None, 1, 1, None]
    assert game.tree.branches[1].pre.comment.count("\n") == 6


@pytest.mark.parametrize(("name", "stops"), [("simple", 8), ("tutorial", 7), ("lg-cup", 164)])
def test_every_pre_and_every_step_is_a_stop(name, stops):
    record = decode(example(name))
    assert len(list(pause_points(record))) == stops
    assert replay_record(record).error is None


def test_records_of_xml_can_be_pickled():
    import pickle

    record = decode(example("simple"))
    again = pickle.loads(pickle.dumps(record))
    assert all((getattr(again, name) == getattr(record, name)).all() for name in ("trees", "steps", "pres", "kept"))
