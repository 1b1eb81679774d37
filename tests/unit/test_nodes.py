"""Nodes and cursors of games: the ways between them, whose turn it is, tables of contents, and what they cost."""

import pickle
import sys

import numpy as np
import pytest
from helpers.cases import in_groups

from wei7core.board.board import Board
from wei7core.errors import IllegalMoveError, OffBoardError
from wei7core.game.animation import _pictures
from wei7core.game.cursor import Cursor
from wei7core.game.dump import dumps
from wei7core.game.game import Game
from wei7core.game.load import loads
from wei7core.game.scoring import score
from wei7core.play.attempt import Attempt
from wei7core.record.document import Branch, Note, Setup, Step, Stone
from wei7core.record.result import GameResult
from wei7core.replaying.cursor import BoardCursor, NodeSource
from wei7core.replaying.cursor import Node as NodeOfWalk

TREE = b"(;SZ[9]PB[a];B[cc];W[dd](;B[ee];W[ff]C[hi])(;B[gg](;W[hh])(;W[aa])))"
"""Two moves; a variation of two with a comment, and one that forks again."""


def at(game, *ordinals):
    """The node that is reached by the children of those ordinals."""
    node = game.root
    for ordinal in ordinals:
        node = node.children[ordinal]
    return node


HUGE = (2**63, 2**64, 10**30, np.uint64(2**63))


def test_numbers_beyond_a_machine_word():
    """They are too many nodes, or bytes, like any other number that is."""
    game = loads(TREE)
    cursor = game.cursor()
    for huge in HUGE:
        end = cursor.forward(huge)
        assert (end.move_number, end) == (4, list(game.main_line())[-1])
        assert cursor.forward(-int(huge)) == end
        assert cursor.back(-int(huge)) == end
        assert cursor.back(huge) == game.root
        with pytest.raises(IndexError, match=r"out of range: the line has 4 moves"):
            cursor.goto(huge)
    record = loads(TREE).record
    assert record.text(5, 2**64) == record.text(5, len(TREE)) == TREE[5:].decode()
    assert record.text(2**64, 2**65) == record.text(-(2**64), 0) == ""


def test_numbers_of_moves_are_integers_of_any_kind():
    game = loads(TREE)
    cursor = game.cursor()
    assert cursor.forward(np.int64(2)) == cursor.goto(np.int64(2)) == cursor.goto(2)
    for wrong in (True, 1.0, np.float64(1)):
        for call in (cursor.forward, cursor.back, cursor.goto, game.truncate, game.transformed):
            with pytest.raises(TypeError):
                call(wrong)
    assert game.transformed(np.int64(5)) == game.transformed(5)
    with pytest.raises(ValueError, match="0 to 7, not 8"):
        game.transformed(np.int64(8))
    game.truncate(np.int64(1))
    assert [node.move_number for node in game.walk()] == [0, 1]


@pytest.mark.parametrize("wrong", [0, "", "0.1", b"x", object(), loads(TREE)])
def test_what_is_no_node_or_no_game(wrong):
    game = loads(TREE)
    for call in (
        lambda: game.get("C", wrong),
        lambda: game.set("C", "x", wrong),
        lambda: game.svg(wrong),
        lambda: list(_pictures(game, wrong, 0, {})),
    ):
        with pytest.raises(TypeError, match="expected a Node of the game, got "):
            call()
    if not isinstance(wrong, Game):
        for make in (Cursor, Attempt, Attempt.all):
            with pytest.raises(TypeError, match="expected a Game, got "):
                make(wrong)
    if not isinstance(wrong, str):
        with pytest.raises(TypeError, match="expected a GameResult or a text"):
            score(Board(9), "chinese").compare(wrong)
    with pytest.raises(TypeError, match="expected a Result, got"):
        GameResult.from_result(wrong)


def test_properties_of_a_node_of_another_game():
    game, other = loads(TREE), loads(TREE)
    for call in (
        lambda: game.get("C", at(other, 0)),
        lambda: game.set("C", "x", at(other, 0)),
        lambda: game.svg(at(other, 0)),
    ):
        with pytest.raises(ValueError, match="the node belongs to another game"):
            call()
    assert other == loads(TREE)


def test_variations_of_sgf_are_children():
    game = loads(TREE)
    fork = at(game, 0, 0)
    assert [node.move for node in fork.children] == [(1, (4, 4)), (1, (6, 6))]
    assert [node.path for node in fork.children] == [(0,), (1,)]
    assert fork.next.siblings == (fork.children[1],)
    assert at(game, 0, 0, 1, 1).move == (2, (0, 0))
    assert [node.move_number for node in at(game, 0, 0, 1, 1).line] == [0, 1, 2, 3, 4]
    assert game.root.parent is game.root.previous is None and game.root.siblings == ()
    assert [node.depth for node in at(game, 0, 0, 1, 0).line] == [0, 1, 2, 3, 4]
    assert {at(game, 0, 0): "fork"}[fork.next.parent] == "fork"
    assert fork != fork.next and fork != loads(TREE).root and fork != "fork"


def test_the_start_of_a_plain_branch_is_the_node_before_it():
    game = loads(TREE)
    start = next(node for node in game.walk() if node.path == (1,) and node.step is None)
    assert start == at(game, 0, 0)
    assert start.children == (at(game, 0, 0, 1),)
    assert start.parent == at(game, 0)
    assert start.depth == 2
    game.tree.branches[1].pre = Setup(comment="here")
    start = next(node for node in game.walk() if node.path == (1,) and node.step is None)
    assert start.parent == at(game, 0, 0) and start == at(game, 0, 0, 1) and start.comment == "here"


@in_groups(
    ("text", "turns"),
    [
        (b"(;SZ[9];B[aa];W[bb];W[cc])", [1, 2, 1, 1]),
        (b"(;SZ[9]PL[W];W[aa];PL[W]C[x];W[bb])", [2, 1, 2, 1]),
        (b"(;SZ[9]HA[2]AB[cc][gg];W[aa])", [2, 1]),
        (b"(;SZ[9]AB[cc][gg];W[aa])", [2, 1]),
        (b"(;SZ[9]AB[cc];B[aa])", [1, 2]),
        (b"(;SZ[9]AB[cc][gg]AW[dd];B[aa];B[])", [1, 2, 2]),
    ],
)
def test_whose_turn_it_is(text, turns):
    assert [node.to_play for node in loads(text).root.children and line_of(loads(text))] == turns


def line_of(game):
    node = game.root
    while node is not None:
        yield node
        node = node.next


def test_the_turn_of_problems_and_takebacks():
    game = Game(9)
    game.tree.pre = Setup(problem=2)
    game.tree.play(2, (0, 0))
    game.tree.play(2, (1, 1))
    game.tree.take_back(1)
    game.tree.play(1, None, "good").action.problem = 1
    game.tree.take_back(2)
    assert [node.to_play for node in line_of(game)] == [2, 1, 1, 1, 1, 2]


def test_ko_and_captured():
    game = loads(b"(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[ee])")
    node = game.root.next
    assert (node.captured, node.removed, node.ko) == (((1, 1),), 1, (1, 1))
    assert (node.next.captured, node.next.ko) == ((), None)
    assert game.root.captured == () and game.root.ko is None
    two = loads(b"(;SZ[5]AW[aa][ba]AB[ab][bb];B[ca];W[aa])").root.next
    assert two.captured == ((0, 0), (1, 0))


def test_titles_and_properties():
    game = loads(b"(;SZ[9]N[whole];B[aa]N[first];W[bb](;B[cc])(;B[dd]))")
    assert [node.title for node in line_of(game)] == ["whole", "first", None, None]
    assert game.root.properties is game.properties
    assert game.root.next.properties is game.tree.steps[0].properties
    game = Game(9)
    game.tree.add_branch(Branch("titled")).play(1, (0, 0))
    game.tree.add_branch(Branch("with pre", Setup())).play(1, (0, 0))
    assert [node.title for node in game.root.children] == ["titled", "with pre"]
    assert game.root.children[1].next.title is None
    with pytest.raises(TypeError):
        game.root.children[1].properties["C"] = ("lost",)


def test_outline_and_find():
    game = Game(9)
    game.tree.title = "book"
    chapter = game.tree.add_branch(Branch("chapter"))
    chapter.play(1, (0, 0))
    chapter.add_branch(Branch("problem", Setup(problem=1))).play(1, (1, 1))
    game.tree.add_branch(Branch(None, Setup(problem=2)))
    assert [(entry.title, entry.path, entry.level, entry.problem) for entry in game.outline()] == [
        ("book", (), 0, None),
        ("chapter", (0,), 1, None),
        ("problem", (0, 0), 2, 1),
        (None, (1,), 1, 2),
    ]
    assert [entry.node.path for entry in game.outline()] == [(), (0,), (0, 0), (1,)]
    assert [node.move for node in game.find(lambda node: node.move)] == [(1, (0, 0)), (1, (1, 1))]
    assert len(list(game.find(lambda node: True))) == 5


def test_the_ways_of_a_cursor():
    game = loads(TREE)
    cursor = game.cursor()
    assert cursor.node == game.root and cursor.previous() is None
    assert cursor.next() == at(game, 0)
    assert cursor.forward(99) == at(game, 0, 0, 0, 0) and cursor.next() is None
    assert cursor.board.moves() == [(1, (2, 2)), (2, (3, 3)), (1, (4, 4)), (2, (5, 5))]
    assert cursor.back(99) == game.root and cursor.board.move_count == 0
    assert cursor.goto("1.1") == cursor.goto((1, 1)) == at(game, 0, 0, 1, 1)
    assert cursor.goto(1) == at(game, 0)
    assert cursor.goto(4) == at(game, 0, 0, 0, 0)
    assert cursor.goto(at(game, 0, 0, 1)) == cursor.node == at(game, 0, 0, 1)
    assert cursor.goto(4) == at(game, 0, 0, 1, 0), "the line through the cursor"
    assert cursor.goto("-") == cursor.goto(0) == game.root
    assert cursor.next_comment() == at(game, 0, 0, 0, 0) and cursor.next_comment() is None
    assert cursor.next_variation() == at(game, 0, 0, 1)
    assert cursor.next_variation() is None and cursor.previous_variation() == at(game, 0, 0, 0)
    assert cursor.goto((1, 0)) and cursor.next_variation() == at(game, 0, 0, 1, 1)
    assert cursor.next_pause() is None
    assert cursor.goto((), 0) == at(game, 0) and cursor.next_pause() == at(game, 0, 0)


def test_places_that_a_cursor_cannot_reach():
    game = loads(TREE)
    cursor = game.cursor()
    cursor.goto(1)
    for where, why in (
        (5, "move 5 is out of range: the line has 4 moves"),
        ("2", "none with number 2"),
        (-1, "move -1"),
    ):
        with pytest.raises(IndexError, match=why):
            cursor.goto(where)
    with pytest.raises(IndexError, match="none with number 7"):
        cursor.goto("0", 7)
    with pytest.raises(ValueError, match="is not a path"):
        cursor.goto("0,1")
    with pytest.raises(ValueError, match="another game"):
        cursor.goto(loads(TREE).root)
    assert cursor.node == at(game, 0)
    game.tree.branches[1].steps[0].action.point = (9, 9)
    with pytest.raises(ValueError, match="cannot be played"):
        cursor.goto("1.1")
    assert cursor.node == at(game, 0) and cursor.board.move_count == 1
    assert cursor.goto(2) and cursor.goto(1)


def test_messages_about_missing_places():
    game = Game(9)
    game.tree.add_branch().play(1, (0, 0))
    for where, step, message in (
        ("1", None, "branch - has 1 branch, none with number 1"),
        ("0.0", None, "branch 0 has 0 branches, none with number 0"),
        ("-", 0, "the branch has 0 steps, none with number 0"),
        ("0", 1, "the branch has 1 step, none with number 1"),
    ):
        with pytest.raises(IndexError) as raised:
            game.cursor().goto(where, step)
        assert str(raised.value) == message
        if step is None:
            with pytest.raises(IndexError) as raised:
                game.branch_at(where)
            assert str(raised.value) == message


def test_a_step_that_cannot_be_played_ends_the_way_of_a_cursor():
    game = Game(5)
    for point in ((0, 0), (1, 1), (1, 1), (2, 2)):
        game.tree.play(1, point)
    cursor = game.cursor()
    assert cursor.forward(9).step_index == 1 and cursor.next() is None
    game = Game(5)
    game.tree.play(1, (0, 0))
    game.tree.add_branch(Branch(pre=Setup([Stone(1, (1, 1))]))).play(1, (2, 2))
    assert game.cursor().forward(9).step_index == -1, "stones are preset before the first move alone"


def test_a_cursor_replaces_stones_as_sgf_does():
    game = loads(b"(;SZ[5];B[cc];W[cc];B[dd];W[dc];B[cc](;W[ab];B[dc])(;AE[dd];W[dd]))", strict=False)
    cursor = game.cursor()
    for node in [*game.walk(), *reversed(list(game.walk()))]:
        if node.step is not None:
            assert cursor.goto(node).board == node.board == cursor.board
            assert cursor.board.moves() == node.board.moves() and cursor.move_number == node.move_number


def test_nodes_cannot_be_made_or_pickled():
    for make in (type(Game().root), lambda: type(Game().root).__new__(type(Game().root)), NodeOfWalk):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError, match="pickle the game"):
        pickle.dumps(Game().root)
    bare = NodeOfWalk.__new__(NodeOfWalk)
    for name in (
        "board",
        "branch",
        "path",
        "comment",
        "marks",
        "is_pause_point",
        "problem",
        "removed",
        "effective_time",
    ):
        with pytest.raises(TypeError):
            getattr(bare, name)
    for call in (lambda cursor: cursor.next(), lambda cursor: cursor.node, lambda cursor: cursor.forward(3)):
        with pytest.raises(TypeError):
            call(BoardCursor.__new__(BoardCursor))
    assert NodeSource.__new__(NodeSource).board is None


def seen(node):
    board = node.board
    place = node.move_number, node.step_index, node.path, node.move, node.comment
    return (*place, node.removed, node.to_play, board.to_array().tolist(), board.move_count)


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_nodes_of_a_cursor_that_are_kept_do_not_change(kept):
    """A cursor uses a node again that nobody has; what a caller has stays as it was, its board too."""
    game = loads(TREE)
    line = [*game.root.next.next.children[1].children[1].line]
    expected = [seen(node) for node in line]
    cursor = game.cursor()
    cursor.goto(line[-1])
    held = []
    for _ in range(3):
        while cursor.previous() is not None:
            held.append((cursor.node, seen(cursor.node)))
            del held[: len(held) - kept]
            assert all(seen(node) == before for node, before in held)
        for wanted in expected[1:3]:
            node = cursor.next()
            assert seen(node) == wanted and node.is_current
            held.append((node, wanted))
        assert [seen(node) for node, _ in held] == [before for _, before in held]
        cursor.goto(line[3])
        assert seen(cursor.next()) == seen(cursor.next() or cursor.node)
    game.root.next.comment = "here"
    game.root.play("J9", "W")
    assert cursor.node.is_current and cursor.goto(1).comment == "here"
    assert all(node.move_number == before[0] and node.move == before[3] for node, before in held)


def test_a_cursor_and_its_nodes_are_freed():
    game = loads(TREE)
    before = sys.getrefcount(game)
    for _ in range(10):
        cursor = game.cursor()
        nodes = [cursor.next(), cursor.next(), cursor.previous()]
        assert sys.getrefcount(game) > before
        del cursor, nodes
    assert sys.getrefcount(game) == before


@pytest.mark.exhaustive
def test_a_million_steps():
    game = Game(9)
    game.tree.steps = [Step(Note())] * 1_000_000
    cursor = game.cursor()
    assert cursor.forward(2_000_000).depth == 1_000_000
    assert cursor.back(2_000_000) == game.root


def test_a_deep_tree():
    game = Game(9)
    branch = game.tree
    for _ in range(5_000):
        branch.play(1, None)
        branch = branch.add_branch()
    assert game.root.depth == 0 and len(game.outline()) == 0
    cursor = game.cursor()
    assert cursor.forward(50_000).depth == cursor.move_number + 1 == 5_001
    assert len(cursor.node.path) == 5_000
    assert cursor.goto(0) == game.root


# --- edits


def moves_below(node):
    return (node.move, [moves_below(child) for child in node.children])


def test_playing_from_a_node():
    game = Game(9)
    node = game.root.play("E5").play((6, 6)).play("pass")
    assert [one.move for one in node.line] == [None, (1, (4, 4)), (2, (6, 6)), (1, None)]
    assert game.root.play((4, 4)) == game.root.next and len(game.root.children) == 1
    other = game.root.next.play("C3", "B")
    assert other.move == (1, (2, 6)) and other.path == (1,) and not other.is_main_line
    assert node.path == (0,) and node.depth == 3
    for point, error, why in (
        ("E5", IllegalMoveError, "occupied"),
        ("K10", OffBoardError, "off the 9 x 9 board"),
        ((9, 0), OffBoardError, "off the 9 x 9 board"),
        ("dd!", ValueError, "letters without I"),
        (5, TypeError, "a point is"),
    ):
        with pytest.raises(error, match=why):
            node.play(point)
    with pytest.raises(ValueError, match="color 3"):
        node.play("D4", 3)
    assert node.next is None


def test_lines_and_variations():
    game = Game(9)
    end = game.add_line("C3 G7 C7")
    assert end.move == (1, (2, 2)) and end.move_number == 3
    assert game.add_line([(2, 6), (6, 2)]) == end.parent and game.add_line([]) == game.root
    other = game.add_line(["C3", "G7", ("W", "G3"), None])
    assert [node.move for node in other.line][2:] == [(2, (6, 2)), (2, (6, 6)), (1, None)]
    first = end.parent.add_variation("D4 D5")
    assert first.move == (1, (3, 5)) and first.next.move == (2, (3, 4)) and first.path == (2,)
    assert [node.move for node in end.parent.children] == [(1, (2, 2)), (2, (6, 6)), (1, (3, 5))]
    same = end.parent.add_variation("D4")
    assert same != first and same.move == first.move
    for moves in ("C3", "D4 D4", ""):
        before = moves_below(game.root)
        with pytest.raises(ValueError):
            end.parent.add_variation(moves)
        assert moves_below(game.root) == before
    fork = end.parent
    game.truncate(2)
    assert fork.children == () and game.root.next.next == fork
    game.truncate(0)
    assert game.root.children == ()
    with pytest.raises(IndexError):
        game.truncate(1)


def test_promoting_and_demoting():
    game = loads(TREE)
    deep = at(game, 0, 0, 1, 1)
    deep.promote()
    assert at(game, 0, 0, 1, 0) == deep and deep.path == (1, 0)
    deep.promote()
    assert deep.path == (0, 0) and deep.is_main_line
    deep.promote()
    assert deep.path == (0, 0)
    deep.demote()
    assert deep.path == (0, 1)
    at(game, 0, 0, 1).promote()
    deep.promote(to_main=True)
    assert deep.is_main_line and [node.move for node in game.main_line() if node.step][-1] == (2, (0, 0))


def test_deleting():
    game = loads(TREE)
    held = at(game, 0, 0, 0, 0)
    at(game, 0, 0, 1, 0).delete()
    assert [node.move for node in at(game, 0, 0, 1).children] == [(2, (0, 0))]
    at(game, 0, 0, 0).delete()
    assert [node.move for node in at(game, 0, 0).children] == [(1, (6, 6))]
    with pytest.raises(ValueError, match="no longer in the record"):
        held.parent  # noqa: B018 - the access raises
    with pytest.raises(ValueError, match="root"):
        game.root.delete()
    game.root.next.delete()
    assert game.root.children == ()


def test_cursors_follow_edits():
    game = loads(TREE)
    one, two = game.cursor(), game.cursor()
    one.goto("1.1")
    two.goto("0", 1)
    at(game, 0).play("J9")
    assert one.node.move == (2, (0, 0)) and one.node.path == (0, 1, 1)
    assert one.previous().move == (1, (6, 6))
    at(game, 0, 0, 0).delete()
    assert two.node == at(game, 0, 0) and two.board.move_count == 2
    added = two.play("A1")
    assert added == two.node == at(game, 0, 0, 1) and two.board.last_move == (1, (0, 8))
    assert two.play("B1").parent == added
    with pytest.raises(IllegalMoveError):
        two.play("A1")
    assert two.move_number == 4 and two.node.parent == added


def test_a_variation_inside_a_node_of_sgf():
    game = loads(b"(;SZ[9];B[aa];B[bb]AW[cc];W[dd])", strict=False)
    game.root.next.play("J1")
    assert len(game.root.next.children) == 2
    assert loads(dumps(game, format="sgf"), strict=False) == game


def test_blocks_of_edits_may_be_nested():
    game = loads(TREE)
    before = moves_below(game.root)
    with pytest.raises(KeyError), game.edit():
        game.root.play("J9")
        with game.edit():
            game.root.play("J8")
        with pytest.raises(IndexError), game.edit():
            game.root.play("J7")
            raise IndexError
        assert len(game.root.children) == 3
        raise KeyError
    assert moves_below(game.root) == before
    with game.edit() as same:
        game.root.play("J9")
    assert same is game and len(game.root.children) == 2


@pytest.mark.parametrize(
    "text", [b"(;SZ[9]C[a]TR[aa];B[ee]C[b](;W[gc])(;W[cg]C[c]))", b"(;SZ[9];B[ee](;W[gc])(;W[cg]))"]
)
def test_what_is_taken_away_at_a_start_makes_no_pause_point(text):
    bare = loads(b"(;SZ[9];B[ee](;W[gc])(;W[cg]))")
    for format in ("sgf", "wei7", "wei7-2.2"):
        game = loads(text)
        for node in game.walk():
            node.comment = None
            for name in ("TR", "LB", "AB", "C"):
                if name != "AB" or node.step is None:
                    game.set(name, None, node)
        losses = []
        assert dumps(game, format=format, losses=losses) == dumps(bare, format=format, losses=[]) and not losses
    game = loads(b'{"format":"wei7","version":"3.0","size":9,"tree":{"pre":{"comment":"a"},"branches":[{}]}}')
    for node in game.walk():
        node.comment = None
    assert dumps(game) == b'{"format":"wei7","version":"3.0","size":9,"tree":{"pre":{},"branches":[{}]}}'
