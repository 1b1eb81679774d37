"""Where the game as played continues in wei7 2.2, and where it ends before variations (clauses 3.11, 3.12 and 4.8)."""

from xml.etree import ElementTree

from helpers.cases import in_groups

import wei7core

COLORS = {"black": 1, "white": 2}


def move(color, x, **more):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": 0}, **more}}}


FORKS = [
    {"steps": [move(1, 0)], "branches": [{"steps": [move(2, 1)]}]},
    {"steps": [move(1, 0)], "branches": [{}]},
    {"steps": [move(1, 0)], "branches": [{}, {"steps": [move(2, 1)]}]},
    {"steps": [move(1, 0)], "branches": [{"steps": [move(2, 1)]}, {"steps": [move(2, 2)]}]},
    {
        "steps": [move(1, 0)],
        "branches": [
            {"branches": [{"branches": [{"steps": [move(2, 1)]}]}, {"steps": [move(2, 2)]}]},
            {"steps": [move(2, 3)]},
        ],
    },
    {"steps": [move(1, 0)], "branches": [{"branches": [{}, {"steps": [move(2, 2)]}]}]},
    {"steps": [move(1, 0)], "branches": [{"title": "a", "pre": {"comment": "b"}, "steps": [move(2, 1)]}]},
    {"steps": [move(1, 0)], "branches": [{"title": "a", "pre": {"comment": "b"}}, {"steps": [move(2, 1)]}]},
    {"steps": [move(1, 0)], "branches": [{"title": "a"}, {"steps": [move(2, 1)]}]},
    {
        "steps": [move(1, 0)],
        "branches": [{"pre": {"marks": [{"symbol": "a", "point": {"x": 5, "y": 5}}]}, "branches": [{}]}],
    },
    {"steps": [move(1, 0)], "branches": [{"pre": {"problem": {"color": 2}}, "steps": [move(2, 1, evaluation="good")]}]},
    {"steps": [move(1, 0)], "branches": [{"title": "a", "branches": [{"steps": [move(2, 1)]}]}]},
    {
        "steps": [move(1, 0)],
        "branches": [
            {"title": "a", "branches": [{"title": "b", "branches": [{"title": "c", "steps": [move(2, 1)]}]}]},
            {"steps": [move(2, 3)]},
        ],
    },
    {"branches": [{"steps": [move(1, 1)]}]},
    {"branches": [{}, {"steps": [move(1, 1)]}]},
    {"pre": {}, "branches": [{"pre": {}, "steps": [move(1, 1)]}, {"steps": [move(1, 2)]}]},
    {
        "pre": {"stones": [{"color": 1, "point": {"x": 8, "y": 8}}]},
        "branches": [{"branches": [{"pre": {}, "steps": [move(1, 1)]}]}, {"steps": [move(1, 2)]}],
    },
]


@in_groups("tree", FORKS)
def test_every_reader_finds_the_same_main_line(tree):
    game = wei7core.from_obj({"format": "wei7", "version": "3.0", "size": 9, "tree": tree})
    text = wei7core.dumps(game, format="wei7-2.2", losses=[])
    again = wei7core.loads(text)
    assert not again.problems
    assert [node.move for node in again.main_line() if node.move] == [
        node.move for node in game.main_line() if node.move
    ]
    # Clause 3.12: the children of `moves` that are no `moves` are the game as played.
    played = ElementTree.fromstring(text).find("moves")
    while not [child for child in played if child.tag in COLORS] and played.find("moves") is not None:
        played = played.find("moves")  # an entry of a table of contents
    assert [
        (COLORS[child.tag], (int(child.get("x")), int(child.get("y")))) for child in played if child.tag in COLORS
    ] == [node.move for node in game.main_line() if node.move]
    assert sum(1 for node in again.walk() if node.move) == sum(1 for node in game.walk() if node.move)
    assert wei7core.dumps(again, format="wei7-2.2") == text


def test_a_takeback_does_not_end_the_main_line_of_2_2():
    game = wei7core.Game(9)
    game.tree.play(1, (0, 0))
    game.tree.play(2, (1, 0))
    game.tree.take_back()
    game.tree.play(2, (2, 0))
    again = wei7core.convert(game, "wei7-2.2", losses=[])
    assert [node.move for node in again.main_line() if node.move] == [(1, (0, 0)), (2, (2, 0))]


def test_a_title_without_an_element_is_a_comment():
    tree = {"steps": [move(1, 0)], "branches": [{"title": "a", "branches": [{"title": "b", "steps": [move(2, 1)]}]}]}
    game = wei7core.from_obj({"format": "wei7", "version": "3.0", "size": 9, "tree": tree})
    losses = []
    again = wei7core.loads(wei7core.dumps(game, format="wei7-2.2", losses=losses))
    assert [loss.code for loss in losses] == ["title-as-comment"]
    assert [(node.comment, node.step.title) for node in again.main_line() if node.move] == [("a", None), (None, "b")]


def takeback(count):
    return {"action": {"type": "takeback", "value": count}}


@in_groups(
    "branches",
    [
        [{}, {"steps": [takeback(1)]}],
        [{"steps": [takeback(1)]}, {}],
        [{"steps": [move(2, 5)]}, {"steps": [takeback(1)]}],
        [{"steps": [takeback(1)]}, {"steps": [move(2, 5)]}],
        [{"steps": [takeback(1), move(1, 6)]}, {"steps": [takeback(2), move(1, 7)]}],
        [{"branches": [{"steps": [takeback(1)]}, {"steps": [takeback(2)]}]}],
    ],
)
def test_takebacks_at_the_start_of_branches_after_one(branches):
    tree = {"steps": [move(1, 0), move(2, 1), move(1, 2), takeback(1)], "branches": branches}
    game = wei7core.from_obj({"format": "wei7", "version": "3.0", "size": 9, "tree": tree})
    again = wei7core.loads(wei7core.dumps(game, format="wei7-2.2", losses=[]))
    there = {node.board.hash for node in again.walk()}
    assert all(leaf.board.hash in there for leaf in game.leaves())
    *_, end = game.main_line()
    *_, same = again.main_line()
    assert same.board == end.board
