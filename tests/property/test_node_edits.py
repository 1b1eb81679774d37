"""Random edits of random trees against edits of a plain tree of children, and undone again."""

import copy
import random

import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from wei7core.game.dump import dumps
from wei7core.game.game import Game
from wei7core.game.load import loads

SIZE = 5


class Plain:
    """A node as a move and a list of children."""

    def __init__(self, move=None, parent=None):
        self.move, self.parent, self.children = move, parent, []

    def add(self, move):
        self.children.append(Plain(move, self))
        return self.children[-1]

    def shape(self):
        return (self.move, [child.shape() for child in self.children])

    def taken(self):
        return {self.move[1]} | self.parent.taken() if self.parent else set()


def shape(node):
    return (node.move, [shape(child) for child in node.children])


def pairs(node, plain):
    yield node, plain
    for child, other in zip(node.children, plain.children, strict=True):
        yield from pairs(child, other)


def fork_of(plain):
    """The nearest node with siblings on the way from the root."""
    while plain.parent and len(plain.parent.children) == 1:
        plain = plain.parent
    return plain if plain.parent else None


def edit(game, root, chance):
    """One random edit of both; points are never used twice on a line, so that nothing is captured or occupied."""
    node, plain = chance.choice(list(pairs(game.root, root)))
    free = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in plain.taken()]
    what = chance.randrange(7)
    turn = 3 - plain.move[0] if plain.move else 1
    if what in (0, 1) and len(free) > 20:
        point = chance.choice(free)
        found = next((child for child in plain.children if child.move == (turn, point)), None)
        made = node.play(point)
        assert made.parent == node and made.move == (turn, point)
        return found or plain.add((turn, point))
    if what == 2 and len(free) > 20:
        one, two = chance.sample(free, 2)
        made = node.add_variation([one, two])
        assert made == node.children[-1] and made.move == (turn, one)
        return plain.add((turn, one)).add((3 - turn, two))
    if what == 3:
        node.promote()
        while (fork := fork_of(plain)) is not None:
            ordinal = fork.parent.children.index(fork)
            if ordinal:
                fork.parent.children.insert(ordinal - 1, fork.parent.children.pop(ordinal))
                break
            plain = fork.parent
    elif what == 4:
        node.demote()
        fork = fork_of(plain)
        if fork is not None:
            ordinal = fork.parent.children.index(fork)
            fork.parent.children.insert(ordinal + 1, fork.parent.children.pop(ordinal))
    elif what == 5 and plain.parent and chance.random() < 0.5:
        node.delete()
        plain.parent.children.remove(plain)
    elif what == 6 and chance.random() < 0.3:
        node.truncate()
        plain.children.clear()
    return None


@settings(max_examples=examples(30))
@given(st.integers(0, 2**32))
def test_edits_are_those_of_a_plain_tree(seed):
    chance = random.Random(seed)
    game, root = Game(SIZE), Plain()
    cursor = game.cursor()
    held = [(game.root, root)]
    for _ in range(25):
        edit(game, root, chance)
        assert shape(game.root) == root.shape()
        known = {id(plain) for _, plain in pairs(game.root, root)}
        for node, plain in held:
            if id(plain) in known:
                assert node.move == plain.move and [child.move for child in node.children] == [
                    child.move for child in plain.children
                ]
                assert node.is_main_line == is_main(plain)
            else:
                with pytest.raises(ValueError, match="no longer in the record"):
                    node.parent  # noqa: B018 - the access is tested
        assert cursor.node in list(game.root.line) or cursor.node.board == cursor.board
        node, plain = chance.choice(list(pairs(game.root, root)))
        cursor.goto(node)
        held.append((node, plain))
    again = loads(dumps(game))
    assert shape(again.root) == root.shape()
    assert shape(loads(dumps(game, format="sgf", losses=[])).root) == root.shape()


def is_main(plain):
    return plain.parent is None or (plain.parent.children[0] is plain and is_main(plain.parent))


@settings(max_examples=examples(30))
@given(st.integers(0, 2**32))
def test_an_edit_that_fails_leaves_no_trace(seed):
    chance = random.Random(seed)
    game, root = Game(SIZE), Plain()
    for _ in range(12):
        edit(game, root, chance)
    before = copy.deepcopy(game.document)
    moves = shape(game.root)
    nodes = [node for node, _ in pairs(game.root, root)]
    for reach in (lambda game: game.tree, lambda game: None):
        with pytest.raises(ZeroDivisionError), game.edit():
            for _ in range(10):
                edit(game, root, chance)
                found = chance.choice([node for node, _ in pairs(game.root, root)])
                found.comment = "changed"
                if found.step is not None:
                    found.step.properties["XX"] = ("changed",)
            game.info.name = "changed"
            game.properties["PB"] = ("changed",)
            game.size = (7, 9)
            if reach(game) is not None:
                game.tree.title = "changed"
                game.tree.play(1, None, comment="changed")
            raise ZeroDivisionError
        assert game.document == before and game.size == (SIZE, SIZE)
        assert shape(game.root) == moves
        assert [node.move for node in nodes] == [node.move for node in game.find(bool)]
        root = Plain()
        copied(game.root, root)
    with game.edit():
        game.root.comment = "kept"
    assert game.root.comment == "kept"


def copied(node, plain):
    for child in node.children:
        copied(child, plain.add(child.move))
