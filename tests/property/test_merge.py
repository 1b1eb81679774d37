"""Merged games against sets of lines, and games turned against their boards turned."""

import random

import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from wei7core.analysis import Analysis

from wei7core.board.board import Board
from wei7core.game.dump import convert, dumps
from wei7core.game.game import Game
from wei7core.game.load import loads
from wei7core.game.merge import merge
from wei7core.record.document import Branch, Edit, Mark, MarkAction, Setup, Step, Stone, Takeback
from wei7core.record.record import line_of_moves

SIZE = 5
POINTS = [(x, y) for x in range(SIZE) for y in range(SIZE)]


def random_lines(chance):
    """Games as trees of moves that share many beginnings: a tree is (move, subtrees)."""

    def below(depth, free):
        count = chance.choice([1, 1, 1, 2, 3]) if depth < 7 else 0
        moves = chance.sample(free[:4], min(count, len(free[:4])))
        return [(move, below(depth + 1, [one for one in free if one != move])) for move in moves]

    return below(0, POINTS[:12])


def game_of(lines, *, as_sgf):
    game = Game(SIZE)
    waiting = [(game.root, lines)]
    while waiting:
        node, below = waiting.pop()
        made = [(node.add_variation([point]), rest) for point, rest in below]
        waiting.extend(made)
    return loads(dumps(game, format="sgf" if as_sgf else "wei7", losses=[]))


def lines_below(node):
    """Every place of a tree as the moves that lead there, in the order of a walk."""
    waiting = [(node, ())]
    while waiting:
        node, line = waiting.pop()
        yield line
        waiting.extend((child, (*line, child.move)) for child in reversed(node.children))


@settings(max_examples=examples(25))
@given(st.integers(0, 2**32), st.booleans(), st.none() | st.integers(0, 6))
def test_a_merged_game_has_every_line_once(seed, as_sgf, moves):
    chance = random.Random(seed)
    games = [game_of(random_lines(chance), as_sgf=as_sgf or index % 2 == 0) for index in range(chance.randint(1, 6))]
    if chance.random() < 0.5:
        for game in games:
            assert game.tree is game.tree  # as objects, not as columns
    expected = {}
    for game in games:
        expected.update(dict.fromkeys(line for line in lines_below(game.root) if moves is None or len(line) <= moves))
    merged = merge(iter(games), moves=moves)
    found = list(lines_below(merged.root))
    assert len(set(found)) == len(found) and set(found) == set(expected)
    assert list(lines_below(merge([merged]).root)) == found
    first = {}
    for line in expected:
        if line:
            first.setdefault(line[:-1], []).append(line[-1])
    for node in merged.find(lambda node: True):
        line = tuple(one.move for one in node.line if one.move)
        assert [child.move for child in node.children] == first.get(line, [])
    assert list(lines_below(loads(dumps(merged, losses=[])).root)) == found


@settings(max_examples=examples(25))
@given(st.integers(0, 2**32))
def test_transpositions_go_on_where_the_position_was_first(seed):
    chance = random.Random(seed)
    games = []
    for _ in range(8):
        game, moves = Game(SIZE), chance.sample(POINTS[:6], 6)
        for point in (*moves, chance.choice(POINTS[6:])):
            game.tree.play(len(game.tree.steps) % 2 + 1, point)
        games.append(game)
    merged = merge(games, transpositions=True)
    positions = {}
    for node in merged.find(lambda node: node.step is not None):
        position = node.board.position(node.to_play, ko=True)
        positions.setdefault(position, []).append(node)
    for nodes in positions.values():
        assert sum(bool(node.children) for node in nodes) <= 1, "one of them is gone on with"
    wanted = {
        node.board.position(node.to_play, ko=True) for game in games for node in game.find(lambda node: node.step)
    }
    assert wanted == set(positions)


def test_what_steps_say_is_merged():
    one = loads(b"(;SZ[5]PB[x]C[root];B[aa]C[one]TR[bb];W[bb](;B[cc])(;B[dd]C[d]))")
    two = loads(b"(;SZ[5];B[aa]C[two]TR[bb]SQ[cc];W[bb]C[only];B[dd]C[d])")
    merged = merge([one, two])
    assert merged.root.comment == "root"
    node = merged.root.next
    assert node.comment == "one\n\ntwo" and [(mark.shape, mark.point) for mark in node.marks] == [
        ("TR", (1, 1)),
        ("SQ", (2, 2)),
    ]
    assert node.next.comment == "only"
    assert [child.comment for child in node.next.children] == [None, "d"]
    assert one.root.next.comment == "one" and merged.info.black_name is None


@pytest.mark.parametrize("as_columns", [True, False])
def test_what_steps_of_wei7_say_is_merged(as_columns):
    game = Game(5)
    game.tree.play(1, (0, 0), "good")
    game.tree.play(2, (1, 1)).marks.append(Mark((2, 2), "a"))
    game.tree.play(1, (3, 3), comment="here")
    game.tree.play(2, (4, 4), "bad", time=5)
    for moves in range(1, 5):
        read = loads(dumps(game))
        assert as_columns or read.tree
        steps = merge([read], moves=moves).tree.steps
        assert [step.action for step in steps] == [step.action for step in game.tree.steps[:moves]]
        assert [step.marks for step in steps] == [step.marks for step in game.tree.steps[:moves]]
        assert [step.comment for step in steps] == [step.comment for step in game.tree.steps[:moves]]


def test_what_only_moves_beyond_the_limit_say_is_left_out():
    text = b"(;SZ[5];B[aa];W[bb]KO[];B[cc]C[x]TR[aa];W[dd]TE[1])"
    merged = merge([loads(text)], moves=2)
    assert [step.action.point for step in merged.tree.steps] == [(0, 0), (1, 1)]
    assert merged.root.comment is None and merge([loads(text)], moves=3).tree.steps[2].comment == "x"
    assert merge([loads(text)]).tree.steps[3].action.evaluation == "good"
    assert line_of_moves(loads(text).record, 2, frozenset()) == [(1 << 32) + (1 << 2) + 1, (2 << 32) + (2 << 2) + 2]
    assert line_of_moves(loads(text).record, 2, frozenset([b"KO"])) is None
    assert line_of_moves(loads(text).record, 1, frozenset([b"KO"])) is not None
    for most in (3, 4, 10):
        assert line_of_moves(loads(text).record, most, frozenset()) is None


def test_other_steps_are_merged_where_their_actions_are_equal():
    games = []
    for count in (1, 1, 2):
        game = Game(5)
        game.tree.pre = Setup([Stone(1, (4, 4))], comment="start")
        game.tree.play(1, (0, 0))
        game.tree.play(2, (1, 1))
        game.tree.take_back(count)
        game.tree.add_branch(Branch(pre=Setup(comment="below"))).play(2, (2, 2))
        games.append(game)
    merged = merge(games)
    fork = merged.root.next.next
    assert merged.root.board[4, 4] == 1 and merged.root.comment == "start"
    assert [child.step.action for child in fork.children] == [Takeback(1), Takeback(2)]
    assert [child.next.comment for child in fork.children] == ["below", "below"]
    assert len(list(merged.find(lambda node: True))) == 1 + 2 + 2 * 3


def test_setups_in_the_middle_are_merged_in_any_order_of_their_stones():
    games = [loads(b"(;SZ[5];B[aa];AB[bb]AW[cc];W[dd])")]
    for stones in ([Stone(2, (2, 2)), Stone(1, (1, 1))], [Stone(2, (1, 1)), Stone(1, (1, 1)), Stone(2, (2, 2))]):
        game = loads(b"(;SZ[5];B[aa])")
        game.tree.steps.append(Step(Edit(stones)))
        games.append(game)
    games.append(loads(b"(;SZ[5];B[aa];AB[bb])"))
    assert [len(node.step.action.stones) for node in merge(games).root.next.children] == [2, 1]


def test_a_game_with_setups_in_the_middle_is_merged_as_one_of_sgf():
    first, other = loads(b"(;SZ[5];B[aa])"), loads(b"(;SZ[5];B[aa];AB[bb];W[cc])")
    for before in (first, convert(first, "wei7")):
        merged = merge([before, other])
        assert merged.format == "sgf" and b";B[aa];AB[bb];W[cc]" in dumps(merged, format="sgf")
        losses = []
        assert dumps(merged, format="wei7", losses=losses) and losses[0].code == "setup-after-move"
    assert merge([convert(first, "wei7"), first]).format == "wei7"


def test_games_that_cannot_be_merged():
    with pytest.raises(TypeError, match=r"expected a wei7core\.Game, not str"):
        merge("no games")
    with pytest.raises(ValueError, match="at least one game"):
        merge([])
    with pytest.raises(ValueError, match="9 x 9 and 5 x 5"):
        merge([Game(9), Game(5)])
    game = Game(5)
    game.tree.branches.append(game.tree)
    with pytest.raises(ValueError, match="contains itself"):
        merge([game])


# --- games turned and mirrored


@settings(max_examples=examples(15))
@given(st.integers(0, 2**32), st.integers(0, 7))
def test_boards_of_a_turned_game_are_turned(seed, symmetry):
    chance = random.Random(seed)
    game = Game((4, 3))
    points = [(x, y) for x in range(4) for y in range(3)]
    game.tree.pre = Setup([Stone(2, chance.choice(points))], marks=[Mark(chance.choice(points), "a")])
    free = [point for point in points if point != game.tree.pre.stones[0].point]
    for branch in (game.tree, game.tree.add_branch(), game.tree.add_branch()):
        for point in chance.sample(free, 3) if branch is game.tree else ():
            branch.play(chance.choice([1, 2]), point)
        branch.play(1, None)
        branch.mark(chance.choice(points), "b")
        branch.steps[-1].marks = [Mark(chance.choice(points), "c")]
    turned = game.transformed(symmetry)
    assert turned.size == (game.size[::-1] if symmetry & 4 else game.size)
    pairs = list(zip(game.walk(), turned.walk(), strict=True))
    for node, other in pairs:
        assert other.board == node.board.transformed(symmetry)
        for mark, moved in zip(node.marks, other.marks, strict=True):
            assert moved.point == where(mark.point, game.size, symmetry)
        if node.step is not None and isinstance(node.step.action, MarkAction):
            assert other.step.action.point == where(node.step.action.point, game.size, symmetry)
    back = next(other for other in range(8) if turned.transformed(other) == game)
    assert turned.transformed(back).size == game.size
    assert game == game.transformed(0)


def where(point, size, symmetry):
    """The point where a stone alone on a board is after the board was turned."""
    board = Board(*size)
    board.play(1, point)
    turned = board.transformed(symmetry)
    return next((x, y) for x in range(turned.width) for y in range(turned.height) if turned[x, y])


def test_properties_are_turned():
    game = loads(
        b"(;SZ[5]AB[aa:bb]TB[aa:bc][ee];B[cb]TR[ab]LB[ea:E1][zz:x]AR[aa:ee]DD[]C[A1 stays]KO[]XX[ab]"
        b";AE[aa]VW[aa:bb]AW[de])",
        strict=False,
    )
    turned = game.transformed(1)
    written = dumps(turned, format="sgf", validate=False).decode()
    for text in (
        "AB[da][db][ea][eb]", "TB[da:ec][ae]", "B[cb]", "TR[eb]", "LB[aa:E1]", "AR[ea:ae]", "DD[]", "C[A1 stays]",
        "KO[]", "XX[ab]", "AE[ea]", "VW[da:eb]", "AW[be]",
    ):  # fmt: skip
        assert text in written, text
    assert turned.transformed(1) == game or turned.transformed(1).root.next.board == game.root.next.board
    for wrong in (8, -1):
        with pytest.raises(ValueError, match="a number from 0 to 7"):
            game.transformed(wrong)
    for wrong in (True, "1"):
        with pytest.raises(TypeError, match="a symmetry is an integer"):
            game.transformed(wrong)
    wei7 = convert(turned, "wei7", losses=[])
    assert wei7.transformed(5).size == (5, 5)
    assert Step(Takeback(1)) == Step(Takeback(1))


def test_points_of_analyses_are_turned():
    game = Game((9, 7))
    game.root.play("C6").analysis = Analysis(0.5, best=(2, 1))
    game.root.next.play("C5").analysis = Analysis(0.5, best="pass")
    lizzie = "KataGo 50.0 2k\nmove D6 visits 3 order 0 pv D6 C4 pass A1 info move pass visits 1 pv pass Z9 K5 A8"
    game.set("LZ", lizzie, game.root.next.next.play("C4"))
    for symmetry in range(8):
        one, two, three = list(game.transformed(symmetry).main_line())[1:]
        assert one.analysis.best == where((2, 1), (9, 7), symmetry)
        assert two.analysis.best == "pass"
        assert three.analysis.best == where((3, 1), (9, 7), symmetry)
    turned = lizzie.replace("D6", "F2").replace("C4", "G4").replace("A1", "J7")
    assert next(game.transformed(3).leaves()).properties["LZ"] == (turned,)


def test_codes_of_giseong_are_turned():
    text = "&[1w\n&[2;4;3@\n&[7w\n&[10;1;2w\n&[3;16;4@\n&[0;5;5@\nbbb\n&[8w\n&[3w\n&[1;7;8;3@\n&[0;20;5@\n&[2w\n"
    game = loads(text, format="giseong", strict=False)
    turned = game.transformed(1)
    expected = text.replace("4;3@", "4;17@").replace("16;4@", "16;16@").replace("[0;5;5@", "[0;5;15@")
    assert dumps(turned, format="giseong", validate=False).decode() == expected.replace("7;8;3@", "7;12;3@")
    assert dumps(turned.transformed(1), format="giseong", validate=False).decode() == text
