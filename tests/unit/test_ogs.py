"""JSON of OGS: games, reviews and problems of the server, small records in the shape that real ones have."""

import json
import random

import pytest
from samples import server_texts

import wei7core as w7
from wei7core.formats.registry import detect_format

GAME = {
    "game_id": 7,
    "game_name": 'a "game"\n',
    "players": {"black": {"username": "甲", "rank": 25.4, "id": 11}, "white": {"username": "b", "rank": 38, "id": 12}},
    "width": 9,
    "height": 9,
    "rules": "japanese",
    "komi": 6.5,
    "start_time": 1_500_000_000,
    "outcome": "Resignation",
    "winner": 12,
    "moves": [[2, 2, 3000], [6, 6, 88.5], [-1, -1, 10]],
}


def read(*, strict=True, **changed):
    return w7.loads(json.dumps({**GAME, **changed}), strict=strict, format="ogs")


def moves(game):
    return [(step.action.color, step.action.point) for step in game.tree.steps]


def codes(game):
    return [problem.code for problem in game.problems]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("around", [None, "gamedata"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_game(encoding, around, indent):
    obj = GAME if around is None else {"id": 7, "name": "other", around: GAME}
    data = json.dumps(obj, indent=indent, ensure_ascii=False).encode(encoding)
    assert detect_format(data) == "ogs"
    game = w7.loads(data)
    assert (game.format, game.size, game.problems) == ("ogs", (9, 9), ())
    assert moves(game) == [(1, (2, 2)), (2, (6, 6)), (1, None)]
    assert (game.info.black_name, game.info.white_name) == ("甲", "b")
    assert game.properties["BR"] == ("5k",)
    assert game.properties["WR"] == ("9d",)
    assert game.properties["DT"] == ("2017-07-14",)
    assert game.properties["GN"] == ('a "game"',)
    assert (game.info.rules.komi, game.info.rules.type, str(game.result)) == (6.5, "Japanese", "W+R")
    (row,) = w7.replay([data])
    assert (row.format, row.moves, row.passes, row.problems, row.error) == ("ogs", 3, 1, 0, None)
    assert row.id == ("other" if around else 'a "game"')


@pytest.mark.parametrize(
    ("outcome", "winner", "expected", "problems"),
    [
        ("Timeout", 11, "B+T", []),
        ("12.5 points", 12, "W+12.5", []),
        ("12.5 points", "black", "B+12.5", []),
        ("Disqualification", 12, "W+F", []),
        ("Cancellation", 12, "Void", []),
        ("0 points", None, "0", []),
        ("", None, None, []),
        ("Something", 11, "B+", ["value-invalid"]),
        ("Something", None, None, ["value-invalid"]),
    ],
)
def test_results(outcome, winner, expected, problems):
    game = read(outcome=outcome, winner=winner)
    assert game.properties.get("RE", (None,))[0] == expected
    assert codes(game) == problems


def test_colors_of_moves():
    free = read(handicap=2, free_handicap_placement=True)
    assert moves(free) == [(1, (2, 2)), (1, (6, 6)), (2, None)]
    white = read(initial_player="white", initial_state={"black": "aabb", "white": "cd"})
    assert moves(white)[0] == (2, (2, 2))
    assert white.tree.pre.stones == [w7.Stone(1, (0, 0)), w7.Stone(1, (1, 1)), w7.Stone(2, (2, 3))]
    assert moves(read(moves="ccdd..!1ee")) == [(1, (2, 2)), (2, (3, 3)), (1, None), (1, (4, 4))]
    assert moves(read(moves=[[0, 0, 1], [1, 1, 1, 1], [2, 2, 1]])) == [(1, (0, 0)), (1, (1, 1)), (2, (2, 2))]


def test_boards_that_are_no_squares():
    game = read(width=15, height=17, moves=[[14, 16, 1]])
    assert (game.size, moves(game)) == ((15, 17), [(1, (14, 16))])
    assert codes(read(width=15, height=17, moves=[[16, 14, 1]], strict=False)) == ["point-off-board"]


def test_trees_of_reviews_and_problems():
    tree = {"x": -1, "y": -1, "trunk_next": {"x": 2, "y": 2, "trunk_next": {"x": 3, "y": 3}}}
    game = read(moves=[], move_tree=tree)
    assert (moves(game), codes(game)) == ([(1, (2, 2)), (2, (3, 3))], [])
    tree["trunk_next"]["branches"] = [{"x": 5, "y": 5, "text": "why"}]
    tree["trunk_next"]["text"] = "here"
    game = read(moves=[], move_tree=tree)
    assert (moves(game), codes(game)) == ([(1, (2, 2)), (2, (3, 3))], ["text-outside-record"])
    assert "variations, text of move_tree" in game.problems[0].message
    assert codes(read(move_tree={"branches": [{"x": 0, "y": 0}]})) == ["text-outside-record"]
    assert codes(read(move_tree={"trunk_next": {"x": 2, "y": 2}})) == []
    puzzle = {"name": "p", "puzzle": {"width": 9, "height": 9, "initial_state": {"black": "aa", "white": "ba"}}}
    puzzle["puzzle"]["move_tree"] = {"x": -1, "y": -1, "branches": [{"x": 0, "y": 1, "correct_answer": True}]}
    assert moves(w7.loads(json.dumps(puzzle))) == [(1, (0, 1))]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"moves": [[9, 0, 1]]}, "point-off-board"),
        ({"moves": [[0, "a", 1]]}, "move-invalid"),
        ({"moves": [[0, 0, 1], [0]]}, "move-invalid"),
        ({"width": 0}, "size-invalid"),
        ({"height": "x"}, "size-invalid"),
        ({"moves": [[0, 0, 1], [0, 0, 1]]}, "move-occupied"),
    ],
)
def test_problems(changed, code):
    data = json.dumps({**GAME, **changed}).encode()
    game = w7.loads(data, strict=False, format="ogs")
    assert codes(game) == [code]
    with pytest.raises(w7.RecordError):
        w7.loads(data, format="ogs")
    if code == "point-off-board":
        assert data[game.problems[0].offset :].startswith(b"[9")


def test_broken_json_gives_the_moves_before_it_breaks():
    text = json.dumps(GAME)
    game = w7.loads(text[: text.index("88.5")], strict=False)
    assert (codes(game)[0], moves(game)) == ("json-syntax", [(1, (2, 2)), (2, (6, 6))])
    with pytest.raises(w7.RecordSyntaxError):
        w7.loads(text[:-1])


def test_what_json_allows_and_a_game_does_not_hold():
    assert codes(w7.loads('{"komi":1,"komi":2,"moves":[[0,0,1]]}')) == ["value-invalid"]
    deep = '{"moves":[[0,0,1]],"x":' + "[" * 100_000 + "]" * 100_000 + "}"
    assert codes(w7.loads(deep, strict=False)) == ["limit-depth"]
    for text in ('{"moves":[[0,0,1]],"komi":NaN}', '{"moves":[[0,0,1]],"komi":1e999,"players":[],"initial_state":3}'):
        assert "KM" not in w7.loads(text).properties
    long = '{"moves":[[0,0,1]],"handicap":' + "9" * 10_000 + "}"
    assert codes(w7.loads(long, strict=False)) in ([], ["json-syntax"])


@pytest.mark.parametrize("seed", range(20))
def test_games_at_random_become_sgf_and_wei7(seed):
    text = server_texts.ogs(random.Random(seed))
    game = w7.loads(text)
    for target in ("sgf", "wei7"):
        again = w7.loads(w7.dumps(game, format=target, losses=[]))
        assert moves(again) == moves(game)
        assert again.info.black_name == game.info.black_name
        assert str(again.result)[:2] == str(game.result)[:2]
