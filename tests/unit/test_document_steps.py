"""Steps and moves of documents: small where a record says no more than a move, and dataclasses to everybody."""

import copy
import dataclasses
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import wei7core as w7
from wei7core.record.document import Mark, Move, Note, Step, Takeback
from wei7core.record.record import bare_steps, commented_rows, kept_texts, move_codes, noted_steps

EXAMPLES = Path(__file__).resolve().parents[1] / "data" / "examples"
TEXT = b"(;SZ[9]PB[x];B[aa];W[bb]C[hi];B[];W[cc]TR[cc](;B[dd];W[ee])(;W[ff];B[gg]))"


def test_steps_that_were_read_equal_those_that_are_made():
    steps = w7.loads(TEXT).tree.steps
    assert steps[0] == Step(Move(1, (0, 0))) and steps[0] != Step(Move(2, (0, 0)))
    assert steps[2] == Step(Move(1, None)) and steps[2].action.is_pass
    assert steps[0] != Move(1, (0, 0)) and steps[0] != steps[2]
    other = w7.loads(TEXT).tree.steps
    assert other == steps
    assert other[0].action.color == 1  # made now
    assert other == steps and steps == other
    assert steps[0].action is steps[0].action


@pytest.mark.parametrize("touch", [False, True])
def test_copies_and_pickles(touch):
    for step in w7.loads(TEXT).tree.steps:
        if touch:
            assert step.action and step.marks is step.marks and step.extra == {}
        for made in (copy.copy(step), copy.deepcopy(step), pickle.loads(pickle.dumps(step)), dataclasses.replace(step)):
            assert made == step and made is not step and repr(made) == repr(step)
    step = Step(Move(1, (2, 3)), marks=[Mark((0, 0), "a")])
    assert copy.copy(step).marks is step.marks and copy.deepcopy(step).marks is not step.marks


class OwnStep(Step):
    """A step of a program, with attributes of its own."""


def test_deep_copies_share_what_their_parts_share_and_nothing_that_can_change():
    point, seen = [2, 3], {"x": [1]}
    move = Move(1, point, "good", extra={"y": b"1"})
    step = Step(move, marks=[Mark((0, 0), "a")], time=2.5, extra=seen, properties={"TR": ("aa",)})
    bare, own = Step(Move(2, (4, 4)), joined=True), OwnStep(move, comment="mine")
    own.note, own.of = ["x"], own
    one, other, of_it, mine, shared = copy.deepcopy([step, bare, step.marks, own, seen])
    assert (one, other, shared) == (step, bare, seen) and mine.action is one.action == move
    assert of_it is one.marks is not step.marks and of_it[0] is not step.marks[0]
    assert one.action.point == point and one.action.point is not point and one.action.extra is not move.extra
    assert shared is one.extra is not seen and shared["x"] is not seen["x"]
    assert type(mine) is OwnStep and mine.comment == "mine" and mine.of is mine and mine.note is not own.note
    assert other.joined and other.action is not bare.action


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.*")), ids=lambda path: path.name)
def test_deep_copies_of_real_steps_are_those_of_their_states(path):
    for branch in w7.load(path, strict=False).tree.walk():
        for step in branch.steps:
            untouched = copy.deepcopy(step)
            slow = Step.__new__(Step)
            slow.__setstate__(copy.deepcopy(step.__reduce_ex__(4)[2]))
            for made in (untouched, copy.deepcopy(step)):
                assert repr(made) == repr(slow) == repr(step) and made.properties == step.properties
                assert type(made.properties) is type(step.properties) and made.kept_empty == step.kept_empty


def test_a_deep_copy_of_an_edited_game_takes_few_calls():
    game = w7.Game(19)
    node = game.root
    for number in range(361):
        node = node.play((number % 19, number // 19))
        assert node.marks == []  # makes the members of its step
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        made = copy.deepcopy(game)
    finally:
        sys.setprofile(None)
    assert made == game and calls < 30 * 361  # it took 105 a node


def test_pickles_of_the_first_release():
    # As dataclasses with slots are pickled.
    step = Step.__new__(Step)
    step.__setstate__((None, {"action": Note(), "comment": "said", "joined": True}))
    assert step == Step(Note(), comment="said", joined=True)
    made = Move.__new__(Move)
    made.__setstate__((None, {"color": 2, "point": (3, 4), "evaluation": "good", "extra": {"x": b"1"}}))
    assert made == Move(2, (3, 4), "good", extra={"x": b"1"})


def test_they_are_dataclasses():
    names = [item.name for item in dataclasses.fields(Step)]
    assert names[0] == "action" and names[-1] == "kept_empty" and len(names) == 11
    assert [item.name for item in dataclasses.fields(Move)] == ["color", "point", "evaluation", "problem", "extra"]
    assert repr(Move(1, None)) == "Move(color=1, point=None, evaluation=None, problem=None, extra={})"
    changed = dataclasses.replace(Step(Move(1, None)), comment="x", time=3)
    assert changed == Step(Move(1, None), comment="x", time=3)
    assert dataclasses.asdict(changed)["action"]["color"] == 1
    match Move(1, (2, 3)):
        case Move(color, (x, y)):
            assert (color, x, y) == (1, 2, 3)
    for one in (Move(1, None), Step(Move(1, None))):
        with pytest.raises(TypeError):
            hash(one)
        with pytest.raises(AttributeError):
            one.nothing = 1


def test_attributes_that_are_set():
    (step, *_) = w7.loads(TEXT).tree.steps
    assert (step.time, step.actor, step.comment, step.title, step.splitter) == (None,) * 5
    step.time, step.actor, step.comment, step.title, step.splitter = 1.5, 0, "c", "t", "large"
    step.marks, step.properties, step.extra, step.joined = [Mark((1, 1), "a")], {"N": ("n",)}, {"x": b"1"}, True
    assert step == Step(
        Move(1, (0, 0)), time=1.5, actor=0, comment="c", title="t", splitter="large", marks=[Mark((1, 1), "a")],
        properties={"N": ("n",)}, extra={"x": b"1"}, joined=True,
    )  # fmt: skip
    step.action = Takeback(2)
    assert step.action == Takeback(2)
    step.action.count = 3
    assert step.action == Takeback(3)
    step.action = None
    assert step.action is None


def test_what_is_more_than_a_move():
    steps = w7.loads(TEXT).tree.steps
    assert noted_steps(steps) == [steps[1], steps[3]]
    assert move_codes(steps, 0, 9, 9) == [0] and move_codes(steps, 1, 9, 9) == [] and move_codes(steps, 2, 9, 9) == [81]
    plain = [Step(Move(2, (1, 2))), Step(Move(1, None)), Step(Move(1, (8, 8)))]
    assert move_codes(plain, 0, 9, 9) == [82 + 19, 81, 80] and noted_steps(plain) == []
    assert move_codes(plain, 0, 8, 9) == [82 - 9 + 17, 72]  # the last one is off the board
    joined = [*plain, Step(Move(2, (0, 0)), joined=True)]
    assert move_codes(joined, 0, 9, 9) == [82 + 19, 81]  # a node is all of its steps
    for odd in (
        Move(3, None),
        Move(True, None),
        Move(1, [1, 1]),
        Move(1, (1, 1, 1)),
        Move(1, (1.0, 1)),
        Move(1, (-1, 0)),
    ):
        assert move_codes([Step(odd)], 0, 9, 9) == []
    for odd in (Move(1, None, "good"), Move(1, None, None, 1), Move(1, None, extra={"x": b"1"})):
        assert move_codes([Step(odd)], 0, 9, 9) == [] and len(noted_steps([Step(odd)])) == 1


def test_rows_of_records():
    record = w7.loads(TEXT).record
    steps, others = bare_steps(record, [0])
    assert others == [0, 1, 3] and [row for row, step in enumerate(steps) if step is None] == [0, 1, 3]
    with pytest.raises(IndexError):
        bare_steps(record, [len(record.steps)])
    ((row, begin, end),) = commented_rows(record)
    assert row == 1 and record.source[begin:end] == b"hi"
    assert kept_texts(record, of_root=True) == [(b"SZ", b"[9]", 0), (b"PB", b"[x]", 0)]
    assert kept_texts(record, of_root=False) == [(b"TR", b"[cc]", 3)]


def test_moves_and_colors_of_the_main_line():
    record = w7.loads(TEXT).record
    assert record.moves.tolist() == [[0, 0], [1, 1], [-1, -1], [2, 2], [3, 3], [4, 4]]
    assert record.colors.tolist() == [1, 2, 1, 2, 1, 2]
    assert record.moves.dtype == np.int32 and record.colors.dtype == np.uint8
    empty = w7.loads(b"(;SZ[9])").record
    assert empty.moves.shape == (0, 2) and empty.colors.shape == (0,)


def test_info_is_read_when_it_is_asked_for():
    for format in ("sgf", "wei7"):
        text = w7.dumps(w7.loads(TEXT), format=format, losses=[])
        one, two = w7.loads(text), w7.loads(text)
        assert two.document.info.black_name == "x"
        assert one == two and copy.deepcopy(w7.loads(text).document) == two.document
        assert pickle.loads(pickle.dumps(w7.loads(text).document)) == two.document
        three = w7.loads(text)
        three.info = dataclasses.replace(two.info, name="set")
        assert three.properties == two.properties and three.info.name == "set" and three.info.black_name == "x"
        with pytest.raises(AttributeError, match="nothing"):
            _ = w7.loads(text).document.nothing


def test_limits_count_moves_that_were_not_made():
    """A walk costs the same whether the moves were read before or not."""
    for most in range(12):
        found = []
        for touch in (False, True):
            game = w7.loads(TEXT)
            for branch in game.tree.walk() if touch else ():
                assert all(step.action for step in branch.steps)
            game.limits = dataclasses.replace(game.limits, max_moves=most)
            reached = []
            try:
                for node in game.walk():
                    reached.append((node.move_number, node.removed, node.move, node.board.hash))
            except w7.LimitError:
                reached.append(None)
            found.append(reached)
        assert found[0] == found[1]


def test_a_step_is_small():
    (step, *_) = w7.loads(TEXT).tree.steps
    assert sys.getsizeof(step) <= 56
