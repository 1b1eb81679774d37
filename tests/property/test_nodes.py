"""Random trees: nodes and cursors against a tree of linked objects, and their boards against an obvious replay."""

import random

from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.board import OracleBoard
from oracles.nodes import PlainNode, tree_of

from wei7core.game.game import Game
from wei7core.record.document import Branch, Edit, Message, Move, Note, Setup, Step, Stone, Takeback

SIZE = 3
POINTS = [(x, y) for x in range(SIZE) for y in range(SIZE)]


def random_game(seed: int) -> Game:
    """A tree that can be played to all its ends: moves, passes, takebacks, setups, notes, PL, titles, forks."""
    chance = random.Random(seed)
    game = Game(SIZE)
    if chance.random() < 0.3:
        game.tree.pre = Setup([Stone(chance.choice([1, 2]), (0, 0))] if chance.random() < 0.7 else [])
        game.tree.pre.problem = chance.choice([None, None, 1, 2])
    if chance.random() < 0.2:
        game.properties["PL"] = (chance.choice("BW"),)
    board = OracleBoard(SIZE, SIZE)
    for stone in game.tree.pre.stones if game.tree.pre else []:
        board.stones[stone.point] = stone.color
    waiting = [(game.tree, board, 0)]
    while waiting:
        branch, board, floor = waiting.pop()
        floor = grow(branch, board, floor, chance)
        for _ in range(chance.choice([0, 0, 0, 2, 3]) if len(waiting) < 6 else 0):
            below = branch.add_branch(Branch(chance.choice([None, "title"])))
            if chance.random() < 0.2:
                below.pre = Setup(comment="here")
            waiting.append((below, copy_of(board), floor))
    return game


def copy_of(board: OracleBoard) -> OracleBoard:
    other = OracleBoard(SIZE, SIZE)
    other.stones, other.captured = dict(board.stones), dict(board.captured)
    other.moves, other.before = list(board.moves), list(board.before)
    return other


def grow(branch: Branch, board: OracleBoard, floor: int, chance: random.Random) -> int:
    """Add steps; `floor` is the number of moves before an edit, which takebacks cannot reach."""
    for _ in range(chance.randrange(6)):
        kind = chance.random()
        free = [point for point in POINTS if point not in board.stones]
        if kind < 0.6:
            point = chance.choice([*free, None])
            color = chance.choice([1, 2])
            board.play(color, point)
            branch.play(color, point)
        elif kind < 0.75 and len(board.moves) > floor:
            count = chance.randint(1, len(board.moves) - floor)
            board.undo(count)
            branch.take_back(count)
        elif kind < 0.82 and board.stones:
            # Stones that are only taken away leave no block without liberties.
            point = chance.choice(sorted(board.stones))
            board.stones = {at: color for at, color in board.stones.items() if at != point}
            floor = len(board.moves)
            branch.steps.append(Step(Edit([Stone(0, point)])))
        elif kind < 0.9:
            properties = {"PL": (chance.choice("BW"),)} if chance.random() < 0.5 else {}
            branch.steps.append(Step(Note(), properties=properties))
        else:
            branch.steps.append(Step(Message("hello"), comment="said"))
    return floor


def key(node):
    return (node.path, node.step_index)


def plain_key(node: PlainNode):
    return (node.path, node.index)


def stones_of(board):
    return {(x, y): board[x, y] for x, y in POINTS if board[x, y]}


def position_of(plain: PlainNode) -> dict:
    """The stones at a node, by playing everything from the root."""
    board = OracleBoard(SIZE, SIZE)
    for node in plain.line:
        if isinstance(node.owner, Branch):
            for stone in node.owner.pre.stones if node.owner.pre else []:
                board.stones[stone.point] = stone.color
        elif isinstance(node.owner.action, Move):
            board.play(node.owner.action.color, node.owner.action.point)
        elif isinstance(node.owner.action, Takeback):
            board.undo(node.owner.action.count)
        elif isinstance(node.owner.action, Edit):
            gone = {stone.point for stone in node.owner.action.stones}
            board.stones = {at: color for at, color in board.stones.items() if at not in gone}
    return board.stones


@settings(max_examples=examples(60))
@given(st.integers(0, 2**32))
def test_nodes_are_those_of_the_plain_tree(seed):
    game = random_game(seed)
    waiting = [(game.root, tree_of(game.document, game.handicap))]
    while waiting:
        node, plain = waiting.pop()
        assert (node.step or node.branch) is plain.owner
        assert key(node) == plain_key(plain)
        assert node.depth == len(plain.line) - 1
        assert node.move_number == len(plain.moves)
        assert node.to_play == plain.to_play
        assert node.is_main_line == (not any(plain.path))
        assert (node.parent is None) == (plain.parent is None)
        if plain.parent is not None:
            assert key(node.parent) == plain_key(plain.parent)
            assert node.parent == node.previous
            assert node.parent.move_number == len(plain.parent.moves)
            assert [key(one) for one in node.siblings] == [
                plain_key(one) for one in plain.parent.children if one is not plain
            ]
            assert node in node.parent.children
        assert [key(one) for one in node.children] == [plain_key(one) for one in plain.children]
        assert node.next == (node.children[0] if plain.children else None)
        assert all(child.parent == node and hash(child.parent) == hash(node) for child in node.children)
        assert stones_of(node.board) == position_of(plain)
        waiting.extend(zip(node.children, plain.children, strict=True))


@settings(max_examples=examples(30))
@given(st.integers(0, 2**32))
def test_walks_give_the_same_nodes(seed):
    game = random_game(seed)
    plain = {plain_key(node): node for node in tree_of(game.document, game.handicap).below()}
    found = list(game.walk())
    assert {key(node) for node in found if node.place.has_start or node.step} == set(plain)
    fresh = {key(node): node for node in below(game.root)}
    assert [key(node) for node in game.find(lambda node: True)] == list(fresh)
    for node in found:
        assert node.parent is None or node in node.parent.children
        assert all(child.parent == node for child in node.children)
        same = fresh.get(key(node))
        if same is not None:
            assert (same.removed, same.effective_time, same.is_answer) == (
                node.removed, node.effective_time, node.is_answer
            )  # fmt: skip
            assert same.captured == node.captured and len(node.captured) == node.removed


def below(root):
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


@settings(max_examples=examples(40))
@given(st.integers(0, 2**32))
def test_a_cursor_has_the_position_of_its_node_wherever_it_goes(seed):
    game = random_game(seed)
    root = tree_of(game.document, game.handicap)
    nodes = root.below()
    chance = random.Random(seed)
    cursor = game.cursor()
    here = root
    for _ in range(40):
        way = chance.random()
        if way < 0.3:
            assert (cursor.next() is None) == (not here.children)
            here = here.children[0] if here.children else here
        elif way < 0.5:
            assert (cursor.previous() is None) == (here.parent is None)
            here = here.parent or here
        elif way < 0.6:
            n = chance.randrange(5)
            cursor.forward(n)
            for _ in range(n):
                here = here.children[0] if here.children else here
        elif way < 0.7:
            n = chance.randrange(5)
            cursor.back(n)
            here = here.line[max(0, len(here.line) - 1 - n)]
        elif way < 0.8:
            line = list(here.line)
            while line[-1].children:
                line.append(line[-1].children[0])
            number = chance.randrange(6)
            found = [node for node in line if len(node.moves) == number]
            if found:
                cursor.goto(number)
                here = found[0]
        else:
            here = chance.choice(nodes)
            cursor.goto(here.path, here.index)
        assert key(cursor.node) == plain_key(here)
        assert cursor.node.board == cursor.board
        assert stones_of(cursor.board) == position_of(here)
        assert cursor.move_number == len(here.moves)
        assert cursor.board.moves() == [(move.color, move.point) for move, _ in here.moves]
