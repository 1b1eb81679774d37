"""The editable tree by itself: editing, and trees far deeper than Python's stack."""

import copy
import pickle

import pytest
from helpers.effort import is_quick

from wei7core.record.document import (
    Branch,
    GameRules,
    Info,
    Mark,
    Move,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Takeback,
)

DEPTH = 10_000 if is_quick() else 50_000


def chain(depth: int) -> Branch:
    root = branch = Branch("root")
    for number in range(depth):
        branch = branch.add_branch(Branch(str(number)))
    return root


def small_tree() -> Branch:
    root = Branch("root", Setup(comment="start"))
    root.play(1, (3, 3))
    first = root.add_branch(Branch("first"))
    first.play(2, (15, 15))
    first.add_branch(Branch("first of first"))
    root.add_branch(Branch("second"))
    return root


def test_steps_are_appended_and_returned():
    branch = Branch()
    move = branch.play(1, (3, 4), "good", time=1.5, actor=0, comment="a")
    branch.play(2, None).comment = "pass"
    branch.take_back(2)
    branch.claim(None, 0.5)
    branch.mark((0, 0), "a")
    branch.say("hello", actor=1)
    assert branch.steps[0] is move
    assert move == Step(Move(1, (3, 4), "good"), time=1.5, actor=0, comment="a")
    assert branch.steps[1].action.is_pass and not move.action.is_pass
    assert branch.steps[1].comment == "pass"
    assert branch.steps[2].action == Takeback(2)
    assert branch.steps[3].action == Result(None, 0.5)
    assert branch.steps[5].actor == 1


def test_branches_are_added_removed_and_reordered():
    root = Branch()
    a, b = root.add_branch(Branch("a")), root.add_branch(Branch("b"))
    c = root.add_branch(Branch("c"), at=0)
    assert [branch.title for branch in root.branches] == ["c", "a", "b"]
    root.move_branch(2, 0)
    assert root.branches == [b, c, a]
    assert root.remove_branch(1) is c
    assert [branch.title for branch in root.branches] == ["b", "a"]
    with pytest.raises(IndexError):
        root.remove_branch(2)


def test_split_puts_the_continuation_into_the_first_branch():
    root = small_tree()
    root.play(2, (5, 5))
    old_branches = root.branches
    rest = root.split(1)
    variation = root.add_branch()
    assert root.branches == [rest, variation]
    assert [step.action for step in root.steps] == [Move(1, (3, 3))]
    assert [step.action for step in rest.steps] == [Move(2, (5, 5))]
    assert rest.branches is old_branches
    with pytest.raises(IndexError, match="before step 2"):
        root.split(2)


def test_walk_is_preorder():
    assert [branch.title for branch in small_tree().walk()] == ["root", "first", "first of first", "second"]


def test_equality_sees_every_part_but_the_spelling_of_empty_lists():
    assert small_tree() == small_tree()
    assert Branch(kept_empty=frozenset({"steps"})) == Branch()
    for edit in (
        lambda tree: setattr(tree, "title", "x"),
        lambda tree: setattr(tree.pre, "comment", "x"),
        lambda tree: tree.branches[0].steps.clear(),
        lambda tree: tree.branches[0].branches[0].steps.append(Step(Takeback())),
        lambda tree: tree.branches.reverse(),
        lambda tree: tree.branches[1].add_branch(),
        lambda tree: tree.branches[1].extra.update(x=b"1"),
    ):
        other = small_tree()
        edit(other)
        assert other != small_tree()
    assert Branch() != 1


def test_copies_are_independent_and_copy_is_shallow():
    tree = small_tree()
    for twin in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert twin == tree
        twin.branches[0].steps[0].comment = "changed"
        assert twin != tree
    shallow = copy.copy(tree)
    assert shallow is not tree and shallow.branches is tree.branches


def test_kept_empty_survives_pickling():
    assert pickle.loads(pickle.dumps(Branch(kept_empty=frozenset({"steps"})))).kept_empty == {"steps"}


@pytest.mark.exhaustive
def test_deep_trees_compare_copy_pickle_print_and_die():
    deep = chain(DEPTH)
    twin = pickle.loads(pickle.dumps(deep))
    assert twin == deep
    assert sum(1 for _ in copy.deepcopy(deep).walk()) == DEPTH + 1
    last = list(twin.walk())[-1]
    last.title = "other"
    assert twin != deep
    assert repr(deep) == "<Branch 'root': 0 steps, 1 branches>"
    del deep, twin, last


def test_a_branch_cannot_be_hashed():
    with pytest.raises(TypeError):
        hash(Branch())


def test_sides_and_names():
    info = Info(participants=[Participant("a"), Participant("b"), Participant("c"), Participant()])
    info.players = [Player(0, 1), Player(1, 2), Player(2, 1), Player(3, 2)]
    assert (info.black_name, info.white_name) == ("a, c", "b")
    assert [info.side(index) for index in (0, 1, 2, 3, 4, None)] == [1, 2, 1, 2, None, None]
    info.players.append(Player(0, 2))
    assert info.side(0) is None
    info.players = [Player(0), Player(9, 1)]
    assert (info.black_name, info.white_name, info.side(0)) == (None, None, None)


def test_info_is_empty():
    assert Info().is_empty
    assert Info(kept_empty=frozenset({"players"})).is_empty
    assert not Info(rules=GameRules()).is_empty
    assert not Info(extra={"x": b"1"}).is_empty
    assert Mark((0, 0), "a") == Mark((0, 0), "a")
