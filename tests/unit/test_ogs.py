"""JSON of OGS: games, reviews and problems of the server, small records in the shape that real ones have."""

import json
import random

import pytest
from helpers.cases import in_groups
from helpers.effort import first
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


@in_groups(
    ("control", "main", "overtime"),
    [
        ({"system": "byoyomi", "main_time": 600, "period_time": 30, "periods": 5}, 600, "5x30 byo-yomi"),
        ({"system": "canadian", "main_time": 0, "period_time": 300, "stones_per_period": 25}, 0, "25/300 canadian"),
        ({"system": "fischer", "initial_time": 60, "time_increment": 10, "max_time": 120}, 60, "10 fischer"),
        ({"system": "simple", "per_move": 20}, 0, "20 simple"),
        ({"system": "absolute", "total_time": 900}, 900, None),
        ({"system": "byoyomi", "main_time": 600, "period_time": "x"}, 600, None),
        ({"system": "byoyomi", "main_time": -1, "period_time": 30, "periods": True}, None, None),
        ({"system": "simple"}, None, None),
        ({"system": "none"}, None, None),
        ({"system": ["byoyomi"]}, None, None),
        ("byoyomi", None, None),
    ],
)
def test_times(control, main, overtime):
    data = json.dumps({**GAME, "time_control": control}).encode()
    (row,) = w7.replay(data, metadata=True)
    assert (row.time_limit, row.overtime, row.problems) == (main, overtime, 0)
    properties = w7.loads(data).properties
    assert (properties.get("TM"), properties.get("OT")) == tuple(
        None if value is None else (str(value),) for value in (main, overtime)
    )


@in_groups(
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


def test_stones_of_the_start_that_are_off_the_board_are_reported():
    game = read(initial_state={"black": "ttaa", "white": "A1aa"}, moves=[], strict=False)
    assert codes(game) == ["value-invalid"] * 2
    assert [problem.message[:28] for problem in game.problems] == [
        "the point (19, 19) off the b",
        "an unreadable point has no s",
    ]
    assert game.tree.pre.stones == [w7.Stone(1, (0, 0))]


def test_what_is_missing_is_no_komi_and_no_date():
    assert "KM" not in read(komi=None).properties
    assert read(komi=0).properties["KM"] == ("0",)
    assert "DT" not in read(start_time=1 << 38).properties


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
    assert (moves(game), codes(game)) == ([(1, (2, 2))], [])
    assert [(step.action.point, step.comment) for branch in game.tree.walk() for step in branch.steps] == [
        ((2, 2), "here"),
        ((3, 3), None),
        ((5, 5), "why"),
    ]
    aside = read(move_tree={"branches": [{"x": 0, "y": 0}]})
    assert [branch.steps[0].action.point for branch in aside.tree.branches] == [(2, 2), (0, 0)]
    assert codes(read(move_tree={"trunk_next": {"x": 2, "y": 2}})) == []
    puzzle = {"name": "p", "puzzle": {"width": 9, "height": 9, "initial_state": {"black": "aa", "white": "ba"}}}
    puzzle["puzzle"]["move_tree"] = {"x": -1, "y": -1, "branches": [{"x": 0, "y": 1, "correct_answer": True}]}
    assert moves(w7.loads(json.dumps(puzzle))) == [(1, (0, 1))]


TREE = {
    "x": -1,
    "y": -1,
    "text": 'the "start" \ud83d 甲',
    "trunk_next": {
        "x": 2,
        "y": 2,
        "marks": [
            {"x": 1, "y": 0, "marks": {"triangle": True, "letter": "12"}},
            {"x": 9, "y": 0, "marks": {"cross": 1}},
        ],
        "branches": [
            {"x": 4, "y": 4, "text": "a", "branches": [{"x": -1, "y": -1, "text": "pass"}]},
            {"x": 5, "y": 5, "edited": True, "player": 2, "branches": [{"x": 5, "y": 6}]},
        ],
        "trunk_next": {"x": 6, "y": 6, "pen_marks": [{"color": "#000", "points": [1, 2]}]},
    },
}


def lines(game):
    """All lines in the order of a walk: kind, colour, point, comment and marks of each step."""
    found = []
    for branch in game.tree.walk():
        steps = []
        for step in branch.steps:
            placed = step.action.stones[0] if isinstance(step.action, w7.Edit) else step.action
            marks = [(mark.point, mark.shape or mark.symbol) for mark in step.marks]
            steps.append((type(step.action).__name__, placed.color, placed.point, step.comment, marks))
        found.append(steps)
    return found


def test_a_tree_with_three_variations_comments_and_marks():
    data = json.dumps({**GAME, "moves": [[2, 2, 1], [6, 6, 1]], "move_tree": TREE}).encode()
    game = w7.loads(data, format="ogs")
    marks = [((1, 0), "TR"), ((1, 0), "12")]
    assert lines(game) == [
        [("Move", 1, (2, 2), None, marks)],
        [("Move", 2, (6, 6), None, [])],
        [("Move", 2, (4, 4), "a", []), ("Move", 1, None, "pass", [])],
        [("Edit", 2, (5, 5), None, []), ("Move", 2, (5, 6), None, [])],
    ]
    assert game.tree.pre.comment == 'the "start" \ufffd 甲'
    assert codes(game) == ["value-invalid", "text-outside-record"]
    assert data[game.problems[0].offset :].startswith(b'{"x": 9')
    assert data[game.problems[1].offset :].startswith(b'{"x": 6')
    assert [problem.column - 1 for problem in game.problems] == [problem.offset for problem in game.problems]
    again = w7.loads(w7.dumps(game, format="sgf", losses=[]))
    assert lines(again) == lines(game)
    plain = {**TREE, "trunk_next": {**TREE["trunk_next"], "branches": TREE["trunk_next"]["branches"][:1]}}
    wei7 = w7.loads(w7.dumps(w7.loads(json.dumps({**GAME, "move_tree": plain}), format="ogs"), losses=[]))
    assert [[step[1:4] for step in line] for line in lines(wei7)] == [
        [(1, (2, 2), "Labels: B9 12")],
        [(2, (6, 6), None), (1, None, None)],
        [(2, (4, 4), "a"), (1, None, "pass")],
    ]


def test_right_and_wrong_answers():
    puzzle = {"width": 9, "height": 9, "initial_player": "white", "initial_state": {"black": "aaab", "white": "ba"}}
    right = {"x": 1, "y": 1, "branches": [{"x": 0, "y": 2, "branches": [{"x": 2, "y": 0, "correct_answer": True}]}]}
    wrong = {"x": 5, "y": 5, "wrong_answer": True, "text": "no"}
    puzzle["move_tree"] = {"x": -1, "y": -1, "branches": [right, wrong, {"x": 7, "y": 7}]}
    game = w7.loads(json.dumps({"name": "p", "puzzle": puzzle}))
    assert (game.tree.pre.problem, game.problems) == (2, ())
    evaluations = [[step.action.evaluation for step in branch.steps] for branch in game.tree.walk()]
    assert evaluations == [[], ["good", "good", "good"], ["bad"], ["bad"]]
    for target in ("wei7", "sgf"):
        attempt = w7.Attempt(w7.loads(w7.dumps(game, format=target, losses=[])))
        answer = attempt.play((1, 1))
        assert (answer.verdict, answer.reply) == ("continue", (0, 2))
        assert attempt.play((2, 0)).verdict == "right"


def test_messages_of_a_review():
    messages = [
        {"owner": 1, "gamedata": {**GAME, "moves": [[2, 2, 1], [6, 6, 1]]}},
        {"f": 1, "m": "ee", "t": "so", "k": {"triangle": "aabb", "A": "cc"}},
        {"t+": " on"},
        {"f": 1, "m": "eeff"},
        {"f": 1, "m": "hh"},
        {"delete": 1},
        {"f": 0, "m": ""},
        {"om": [7, 7, 1]},
        {"f": 2, "m": "!1dd!0cc"},
        7,
    ]
    game = w7.loads(json.dumps(messages), format="ogs", strict=False)
    marks = [((0, 0), "TR"), ((1, 1), "TR"), ((2, 2), "A")]
    assert lines(game) == [
        [("Move", 1, (2, 2), None, [])],
        [("Move", 2, (6, 6), None, [])],
        [("Move", 1, (7, 7), None, [])],
        [("Edit", 1, (3, 3), None, []), ("Edit", 0, (2, 2), None, [])],
        [("Move", 2, (4, 4), "so on", marks), ("Move", 1, (5, 5), None, [])],
    ]
    assert codes(game) == ["value-invalid"]
    inside = {**GAME, "moves": [[2, 2, 1], [6, 6, 1]], "full_state": messages[1:-1]}
    assert lines(w7.loads(json.dumps(inside), format="ogs")) == lines(game)
    assert w7.loads(json.dumps({"full_state": messages[1:-1]}), strict=False).format == "ogs"


@pytest.mark.parametrize("count", first(1, [1_500, 20_000]))
def test_a_deep_tree(count):
    nodes = "".join(f'{{"x":{n % 9},"y":{n // 9 % 9},"trunk_next":' for n in range(count))
    text = '{"width":9,"height":9,"move_tree":{"branches":[' + nodes + "null" + "}" * count + "]}}"
    game = w7.loads(text, format="ogs", strict=False)
    assert len(game.tree.steps) == count
    limits = w7.Limits(max_steps=10)
    cut = w7.loads(text, format="ogs", strict=False, limits=limits)
    assert len(cut.tree.steps) == 10
    assert "limit-steps" in codes(cut)
    shallow = w7.loads(text, format="ogs", strict=False, limits=w7.Limits(max_depth=100))
    assert "limit-depth" in codes(shallow)


@in_groups(
    ("changed", "code", "place"),
    [
        ({"x": 9}, "point-off-board", '{"x": 9'),
        ({"x": "a"}, "move-invalid", '{"x": "a"'),
        ({"text": 3}, "value-invalid", '{"x": 3'),
        ({"marks": 3}, "value-invalid", '{"x": 3'),
        ({"branches": 3}, "value-invalid", '{"x": 3'),
        ({"branches": [3]}, "move-invalid", '{"x": 3'),
        ({"correct_answer": True, "wrong_answer": True}, "value-invalid", '{"x": 3'),
        ({"x": 2, "y": 2}, "move-occupied", '{"x": 2, "y": 2, "no'),
    ],
)
def test_broken_parts_of_a_tree(changed, code, place):
    broken = {"x": 3, "y": 3, "no": 0, **changed}
    tree = {"branches": [{"x": 2, "y": 2, "branches": [broken, {"x": 5, "y": 5, "text": "read"}]}]}
    text = json.dumps({**GAME, "moves": [], "move_tree": tree})
    game = w7.loads(text, format="ogs", strict=False)
    assert codes(game) == [code]
    assert text[game.problems[0].offset :].startswith(place)
    assert game.tree.branches[-1].steps[0].comment == "read"


def test_a_tree_that_breaks_off():
    text = json.dumps({"move_tree": {"branches": [{"x": 2, "y": 2}, {"x": 3, "y": 3, "text": "a"}]}})
    game = w7.loads(text[: text.index("text") + 8], format="ogs", strict=False)
    assert codes(game) == ["json-syntax"]
    assert [branch.steps[0].action.point for branch in game.tree.branches] == [(2, 2), (3, 3)]


@in_groups(
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


@in_groups("seed", range(20))
def test_games_at_random_become_sgf_and_wei7(seed):
    text = server_texts.ogs(random.Random(seed))
    game = w7.loads(text)
    for target in ("sgf", "wei7"):
        again = w7.loads(w7.dumps(game, format=target, losses=[]))
        assert moves(again) == moves(game)
        assert again.info.black_name == game.info.black_name
        assert str(again.result)[:2] == str(game.result)[:2]
